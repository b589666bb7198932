/// A block of two texts cut into tokens, of which equal ones have equal numbers.
struct TokenPair {
  let oldText: [UInt8]
  let newText: [UInt8]
  let old: Tokens
  let new: Tokens
  /// The number of each token.
  let oldNumbers: [Int32]
  let newNumbers: [Int32]
  /// The Unicode scalars in a token, by its number.
  private let scalarCounts: [Int32]

  /// Cuts a block, given in bytes.
  init(
    _ oldText: [UInt8], _ newText: [UInt8], in block: Hunk,
    cut: (_ text: [UInt8], _ range: Range<Int>) -> Tokens
  ) {
    (self.oldText, self.newText) = (oldText, newText)
    old = cut(oldText, block.old)
    new = cut(newText, block.new)
    var table = TokenTable(old: oldText, new: newText)
    oldNumbers = table.numbers(bounds: old.bounds, ofNew: false)
    newNumbers = table.numbers(bounds: new.bounds, ofNew: true)
    scalarCounts = table.scalarCounts
  }

  /// Matches the tokens; anchors are words, or nothing is; see ``SequenceMatcher``.
  func matcher(
    anchorsAtWords: Bool, prefersAnchors: Bool = false, costLimit: Int
  ) -> SequenceMatcher {
    var mayAnchor = [Bool](repeating: false, count: scalarCounts.count)
    if anchorsAtWords {
      for (number, isWord) in zip(oldNumbers, old.isWord) { mayAnchor[Int(number)] = isWord }
    }
    return SequenceMatcher(
      old: oldNumbers, new: newNumbers, mayAnchor: mayAnchor, prefersAnchors: prefersAnchors,
      weights: scalarCounts, costLimit: costLimit)
  }

  /// A hunk of tokens in bytes of the texts.
  func inBytes(_ hunk: Hunk) -> Hunk {
    Hunk(
      old: old.bounds[hunk.old.lowerBound]..<old.bounds[hunk.old.upperBound],
      new: new.bounds[hunk.new.lowerBound]..<new.bounds[hunk.new.upperBound])
  }

  /// Moves one-sided hunks of tokens to the best of their equivalent places.
  ///
  /// A hunk moves within the equal tokens around it, so all moves together cost O(tokens).
  func slid(_ hunks: [Hunk]) -> [Hunk] {
    Hunk.slid(hunks, old: oldNumbers, new: newNumbers) { hunk in
      let bytes = inBytes(hunk)
      return hunk.old.isEmpty
        ? EditPlace.score(newText, of: bytes.new) : EditPlace.score(oldText, of: bytes.old)
    }
  }

  /// Takes equal tokens off both ends of every hunk, and leaves out hunks of which nothing remains.
  ///
  /// But no words of units of which one is a version of another unit. O(tokens).
  func trimmed(_ hunks: [Hunk], _ versions: UnitVersions) -> [Hunk] {
    func isCommon(_ oldToken: Int, _ newToken: Int) -> Bool {
      oldNumbers[oldToken] == newNumbers[newToken]
        && (!old.isWord[oldToken]
          || versions.allow(old.units[oldToken], new.units[newToken]))
    }
    return hunks.compactMap { hunk in
      var (oldStart, oldEnd) = (hunk.old.lowerBound, hunk.old.upperBound)
      var (newStart, newEnd) = (hunk.new.lowerBound, hunk.new.upperBound)
      while oldStart < oldEnd, newStart < newEnd, isCommon(oldEnd - 1, newEnd - 1) {
        oldEnd -= 1
        newEnd -= 1
      }
      while oldStart < oldEnd, newStart < newEnd, isCommon(oldStart, newStart) {
        oldStart += 1
        newStart += 1
      }
      if oldStart == oldEnd, newStart == newEnd { return nil }
      return Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
    }
  }

  /// Joins replacements that are parted by spaces and signs alone: "I like cats" to "you love dogs"
  /// is one replacement, not three around two spaces.
  func withoutBareGaps(_ hunks: [Hunk]) -> [Hunk] {
    var result: [Hunk] = []
    for hunk in hunks {
      if let last = result.last, !last.isOneSided, !hunk.isOneSided,
        !old.isWord[last.old.upperBound..<hunk.old.lowerBound].contains(true)
      {
        result[result.count - 1] = last.joined(with: hunk)
      } else {
        result.append(hunk)
      }
    }
    return result
  }
}
