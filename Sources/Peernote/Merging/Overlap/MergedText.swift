/// A merge of a text, part by part, with the place of every part in the merged text.
///
/// The parts, in order, hold every scalar of the common base and of either side's insertions
/// exactly once, but those that the side deleted again that had inserted them; what somebody
/// deleted stands where it was.
struct MergedText {
  /// What one part is to the merge.
  enum Role: Hashable {
    case kept
    case insertion(ours: Bool)
    /// Base text deleted by one side.
    case deletion(ours: Bool)
    /// Base text deleted by both sides.
    case commonDeletion

    /// What a segment is; `nil` if it was gone before the sides parted, or never seen by both.
    fileprivate init?(_ segment: TextSegment) {
      let (isInOurs, isInTheirs) = (segment.isInOurs, segment.isInTheirs)
      if segment.isCommon {
        if segment.wasDeleted { return nil }
        self =
          isInOurs
          ? isInTheirs ? .kept : .deletion(ours: false)
          : isInTheirs ? .deletion(ours: true) : .commonDeletion
      } else if isInOurs || isInTheirs {
        self = .insertion(ours: isInOurs)
      } else {
        return nil
      }
    }

    /// Whether a side deleted base text.
    fileprivate func isDeletion(byOurs ours: Bool) -> Bool {
      self == .deletion(ours: ours) || self == .commonDeletion
    }
  }

  /// Scalars that follow one another and have the same role.
  private struct Part {
    var role: Role
    /// How the text of an edit begins and ends; empty where it is not known.
    var edges: TextEdges = []
    /// Whether it is an insertion inside a passage that the other side deleted.
    var isEnclosed = false
    /// Where it begins in the merged text, in scalars.
    var scalar: Int32
    /// Where it begins in the merged text and in either side's, in bytes.
    var merged: Int32
    var ours: Int32
    var theirs: Int32
  }

  /// The merged text, in UTF-8.
  let text: [UInt8]
  private let buffer: TextBuffer
  private let ours: [UInt8]
  private let theirs: [UInt8]
  /// One more for the end.
  private var parts: [Part] = []

  /// Places the parts.
  ///
  /// O(segments).
  init(_ history: MergedTextHistory) {
    buffer = history.text
    text = buffer.utf8
    ours = history.ours.utf8
    theirs = history.theirs.utf8
    parts.reserveCapacity(history.segments.count + 1)
    var next = Part(role: .kept, scalar: 0, merged: 0, ours: 0, theirs: 0)
    for segment in history.segments where segment.count > 0 {
      guard let role = Role(segment) else { continue }
      if parts.isEmpty || role != next.role {
        next.role = role
        parts.append(next)
      }
      next.ours += segment.ourBytes
      next.theirs += segment.theirBytes
      if segment.isInMerged {
        next.scalar += segment.count
        next.merged += segment.isInOurs ? segment.ourBytes : segment.theirBytes
      }
    }
    precondition(next.merged == text.count, "the visible parts make up the merged text")
    next.role = .kept
    parts.append(next)
    recordSurroundings()
  }

  /// Looks at the text of every edit, and at the base text on both sides of every insertion.
  private mutating func recordSurroundings() {
    // The texts by themselves, since parts are changed meanwhile.
    let (text, ours, theirs) = (text, ours, theirs)
    var base: Int?
    for index in indices {
      let role = parts[index].role
      switch role {
      case .insertion:
        parts[index].edges = TextEdges(of: bytes(index), in: text.span)
      case .deletion(let byOurs):
        parts[index].edges = TextEdges(
          of: hidden(index), in: byOurs ? theirs.span : ours.span)
      case .kept, .commonDeletion: break
      }
      if case .insertion = role { continue }
      if let base {
        for insertion in base + 1..<index {
          let other = parts[insertion].role == .insertion(ours: false)
          parts[insertion].isEnclosed =
            parts[base].role.isDeletion(byOurs: other) && role.isDeletion(byOurs: other)
        }
      }
      base = index
    }
  }

  /// The indices of all parts.
  var indices: Range<Int> { 0..<parts.count - 1 }

  /// Whether one side alone changed anything.
  var isOneSided: Bool {
    !parts.contains { $0.role == .insertion(ours: true) || $0.role.isDeletion(byOurs: true) }
      || !parts.contains { $0.role == .insertion(ours: false) || $0.role.isDeletion(byOurs: false) }
  }

  /// What a part is to the merge.
  func role(_ index: Int) -> Role { parts[index].role }

  /// How the text of an edit begins and ends, as far as it is known.
  func edges(_ index: Int) -> TextEdges { parts[index].edges }

  /// Whether a part is an insertion inside a passage that the other side deleted.
  func isEnclosed(_ index: Int) -> Bool { parts[index].isEnclosed }

  /// The bytes of the merged text that a part is; empty for a deletion.
  func bytes(_ index: Int) -> Range<Int> {
    Int(parts[index].merged)..<Int(parts[index + 1].merged)
  }

  /// Where a part begins in the merged text, in scalars.
  func scalar(_ index: Int) -> Int { Int(parts[index].scalar) }

  /// The bytes that one side deleted, in the text of the other.
  private func hidden(_ index: Int) -> Range<Int> {
    let (part, next) = (parts[index], parts[index + 1])
    return part.role == .deletion(ours: true)
      ? Int(part.theirs)..<Int(next.theirs) : Int(part.ours)..<Int(next.ours)
  }

  /// The text that one side deleted, as the other one has it.
  func hiddenText(_ index: Int) -> ArraySlice<UInt8> {
    parts[index].role == .deletion(ours: true) ? theirs[hidden(index)] : ours[hidden(index)]
  }

  /// Reports a range of parts, widened to whole words.
  ///
  /// The line is still missing. O(bytes of the passage).
  func overlap(_ reason: Conflict.Reason, _ range: Range<Int>) -> Overlap {
    let (first, end) = (parts[range.lowerBound], parts[range.upperBound])
    let bytes = wordStart(range)..<wordEnd(range)
    let before = text[bytes.lowerBound..<Int(first.merged)]
    let after = text[Int(end.merged)..<bytes.upperBound]
    func passage(_ middle: ArraySlice<UInt8>) -> String {
      var result: [UInt8] = []
      result.reserveCapacity(before.count + middle.count + after.count)
      result += before
      result += middle
      result += after
      return String(decoding: result, as: UTF8.self)
    }
    let oursBytes = Int(first.ours)..<Int(end.ours)
    let theirsBytes = Int(first.theirs)..<Int(end.theirs)
    // What was kept beside it stands in both texts, right there.
    func widened(_ middle: Range<Int>) -> Range<Int> {
      middle.lowerBound - before.count..<middle.upperBound + after.count
    }
    return Overlap(
      reason: reason,
      merged: Int(first.scalar)
        - Self.scalarCount(before)..<(Int(end.scalar) + Self.scalarCount(after)), line: 0,
      mergedPassage: String(decoding: text[bytes], as: UTF8.self),
      oursPassage: passage(ours[oursBytes]), theirsPassage: passage(theirs[theirsBytes]),
      oursBytes: widened(oursBytes), theirsBytes: widened(theirsBytes))
  }

  /// Where the word begins that a range starts in, in bytes.
  private func wordStart(_ range: Range<Int>) -> Int {
    let end = Int(parts[range.lowerBound].merged)
    guard range.lowerBound > 0, role(range.lowerBound - 1) == .kept,
      range.contains(where: { startsWithWord($0) })
    else { return end }
    let least = Int(parts[range.lowerBound - 1].merged)
    var start = end
    while start > least, text[start - 1].isPartOfWord { start -= 1 }
    while start < end, isContinuation(text[start]) { start += 1 }
    return start
  }

  /// Where the word ends that a range ends in, in bytes.
  private func wordEnd(_ range: Range<Int>) -> Int {
    let start = Int(parts[range.upperBound].merged)
    guard range.upperBound < indices.upperBound, role(range.upperBound) == .kept,
      range.contains(where: { endsWithWord($0) })
    else { return start }
    let most = Int(parts[range.upperBound + 1].merged)
    var end = start
    while end < most, text[end].isPartOfWord { end += 1 }
    return end
  }

  private func startsWithWord(_ index: Int) -> Bool {
    role(index) == .kept
      ? text[Int(parts[index].merged)].isPartOfWord
      : edges(index).contains(.startsWithWord)
  }

  private func endsWithWord(_ index: Int) -> Bool {
    role(index) == .kept
      ? text[Int(parts[index + 1].merged) - 1].isPartOfWord
      : edges(index).contains(.endsWithWord)
  }

  static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in bytes where !isContinuation(byte) { count += 1 }
    return count
  }

  /// Fills in the lines of overlaps that ascend by their place.
  ///
  /// O(text), or nothing if there are none.
  func withLines(_ overlaps: [Overlap]) -> [Overlap] {
    var line = 1
    var place = TextPlace()
    return overlaps.map { overlap in
      let next = buffer.place(ofScalar: overlap.merged.lowerBound, from: place)
      line += buffer.lineFeeds(from: place, to: next)
      place = next
      var result = overlap
      result.line = line
      return result
    }
  }
}
