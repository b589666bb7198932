/// The edits that turn one text of a tracked file into another.
///
/// They are those of ``TextDifference``, but lines are brought in whole where they can be: the same
/// line may have come in by another state of the file, too, and is known by its text
/// (``PlainTwins``). So a line that has hardly a word in common with what stood in its place keeps
/// nothing of that, and whoever replaces all that a line says replaces its line feed, too.
package struct PlainDifference {
  /// The edits, ascending.
  package private(set) var splices: [TextSplice]
  private let old: [Unicode.Scalar]
  private let new: [Unicode.Scalar]

  /// Compares two texts.
  ///
  /// Near-linear in the length of both.
  package init(from old: String, to new: String) {
    splices = TextDifference(from: old, to: new).splices
    (self.old, self.new) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    keepNothingByChance()
    takeLineFeeds()
  }

  /// All lines of two texts: those that differ in one place one after the other, those of the first
  /// before.
  ///
  /// Near-linear in the length of both.
  ///
  /// - Returns: the text, and the lines that only the first one has.
  static func united(_ old: String, _ new: String) -> (text: String, kept: [String]) {
    let (oldBytes, newBytes) = (Array(old.utf8), Array(new.utf8))
    if oldBytes == newBytes { return (old, []) }
    var result: [UInt8] = []
    var kept: [String] = []
    func append(_ bytes: ArraySlice<UInt8>) {
      if let last = result.last, last != 0x0A, !bytes.isEmpty { result.append(0x0A) }
      result += bytes
    }
    var place = 0
    for hunk in LineDifference(from: oldBytes, to: newBytes).hunks {
      append(oldBytes[place..<hunk.old.lowerBound])
      append(oldBytes[hunk.old])
      kept += String(decoding: oldBytes[hunk.old], as: UTF8.self).splitAtLineFeeds()
        .map(String.init)
      append(newBytes[hunk.new])
      place = hunk.old.upperBound
    }
    append(oldBytes[place...])
    return (String(decoding: result, as: UTF8.self), kept)
  }

  // MARK: Lines that share a word

  /// Of how many letters and digits of a line one has to be kept at least.
  private static let share = 3

  private mutating func keepNothingByChance() {
    var origins = origins
    let oldLines = Self.lines(of: old)
    var hasChanged = false
    for line in Self.lines(of: new) {
      let kept = line.compactMap { origins[$0] }
      guard !kept.isEmpty, kept.count < line.count else { continue }
      let parents = Set(kept.map { place in oldLines.partitionPoint { place <= $0.upperBound } })
      let said = kept.count { Self.saysAnything(old[$0]) }
      let isByChance =
        said * Self.share < line.count { Self.saysAnything(new[$0]) }
        && said * Self.share
          < parents.reduce(0) { $0 + oldLines[$1].count { Self.saysAnything(old[$0]) } }
      guard isByChance else { continue }
      for place in line { origins[place] = nil }
      hasChanged = true
    }
    if hasChanged { splices = splices(keeping: origins) }
  }

  private static func saysAnything(_ scalar: Unicode.Scalar) -> Bool {
    CollectionOfOne(scalar).sayAnything
  }

  /// For each scalar of the new text where it stood in the old one.
  private var origins: [Int?] {
    var result: [Int?] = []
    result.reserveCapacity(new.count)
    var place = 0
    for splice in splices {
      for kept in place..<splice.position { result.append(kept) }
      for _ in splice.inserted.unicodeScalars { result.append(nil) }
      place = splice.position + splice.deleted
    }
    for kept in place..<old.count { result.append(kept) }
    return result
  }

  /// The edits that keep these scalars, given by where each one of the new text stood.
  private func splices(keeping origins: [Int?]) -> [TextSplice] {
    var result: [TextSplice] = []
    var (place, start) = (0, 0)
    func append(to oldEnd: Int, _ newEnd: Int) {
      guard place < oldEnd || start < newEnd else { return }
      var inserted = String.UnicodeScalarView()
      inserted.append(contentsOf: new[start..<newEnd])
      let last = splices.last { $0.position < max(oldEnd, place + 1) }
      let isAtStart = place == 0 || old[place - 1] == "\n"
      result.append(
        TextSplice(
          position: place, deleted: oldEnd - place, inserted: String(inserted),
          insertsBeforeDeleted: !isAtStart && last?.insertsBeforeDeleted ?? false))
    }
    for (index, origin) in origins.enumerated() {
      guard let origin else { continue }
      append(to: origin, index)
      (place, start) = (origin + 1, index + 1)
    }
    append(to: old.count, new.count)
    return result
  }

  /// Where the lines of a text stand, without their line feeds.
  private static func lines(of text: [Unicode.Scalar]) -> [Range<Int>] {
    var start = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      defer { start += line.count + 1 }
      return start..<start + line.count
    }
  }

  // MARK: Line feeds

  /// Makes edits that replace all that a line says take its line feed, too.
  private mutating func takeLineFeeds() {
    for number in splices.indices {
      let splice = splices[number]
      let end = splice.position + splice.deleted
      let isNext = number + 1 < splices.count && splices[number + 1].position == end
      let lineEnd = old[end...].starts(with: ["\r", "\n"]) ? "\r\n" : "\n"
      guard splice.deleted > 0, !splice.inserted.isEmpty, !isNext,
        old[end...].starts(with: lineEnd.unicodeScalars),
        splice.position == 0 || old[splice.position - 1] == "\n"
      else { continue }
      splices[number].deleted += lineEnd.unicodeScalars.count
      splices[number].inserted += lineEnd
    }
  }
}
