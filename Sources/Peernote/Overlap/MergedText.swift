import PeernoteEngine

/// A merge with the place of every segment in the merged text.
struct MergedText {
  let segments: [MergedSegment]
  /// The merged text.
  private let buffer: TextBuffer
  /// Where each segment starts in the merged text, in bytes; one more for the end.
  let bytes: [Int]
  /// The same in scalars.
  let scalars: [Int]
  private let hidden: HiddenText

  /// What one segment is to the merge.
  enum Role: Hashable {
    case kept
    case insertion(ours: Bool)
    /// Base text deleted by one side.
    case deletion(ours: Bool)
    /// Base text deleted by both sides.
    case commonDeletion
    /// Inserted and deleted again: of no concern.
    case gone
  }

  /// Places the segments.
  ///
  /// O(segments + text).
  init(segments: [MergedSegment], text: TextBuffer, hidden: HiddenText) {
    self.segments = segments
    self.hidden = hidden
    buffer = text
    var bytes = [0]
    var scalars = [0]
    bytes.reserveCapacity(segments.count + 1)
    scalars.reserveCapacity(segments.count + 1)
    var place = TextPlace()
    for segment in segments {
      if segment.isVisible {
        place = text.place(ofScalar: place.scalar + segment.count, from: place)
      }
      bytes.append(place.byte)
      scalars.append(place.scalar)
    }
    precondition(place == text.end, "the visible segments make up the merged text")
    self.bytes = bytes
    self.scalars = scalars
  }

  /// The merged text in UTF-8.
  var text: [UInt8] { buffer.utf8 }

  /// What a segment is to the merge.
  func role(_ index: Int) -> Role {
    let segment = segments[index]
    switch (segment.origin, segment.deletedByOurs, segment.deletedByTheirs) {
    case (.base, false, false): return .kept
    case (.base, true, true): return .commonDeletion
    case (.base, let ours, _): return .deletion(ours: ours)
    case (_, false, false): return .insertion(ours: segment.origin == .ours)
    case (_, _, _): return .gone
    }
  }

  /// The bytes of a segment; empty where they are unknown.
  func content(_ index: Int) -> ArraySlice<UInt8> {
    if segments[index].isVisible { return text[bytes[index]..<bytes[index + 1]] }
    return segments[index].origin == .base ? hidden[index] : []
  }

  /// Reports a range of segments, widened to whole words.
  ///
  /// The line is still missing.
  func overlap(_ kind: Overlap.Kind, _ range: Range<Int>) -> Overlap {
    let start = wordStart(range)
    let end = wordEnd(range)
    let before = text[start..<bytes[range.lowerBound]]
    let after = text[bytes[range.upperBound]..<end]
    let size = end - start + hidden.byteCount(of: range)
    func passage(_ isShown: (MergedSegment) -> Bool) -> String {
      var result: [UInt8] = []
      result.reserveCapacity(size)
      result += before
      for index in range where isShown(segments[index]) { result += content(index) }
      result += after
      return String(decoding: result, as: UTF8.self)
    }
    let first = scalars[range.lowerBound] - Self.scalarCount(before)
    return Overlap(
      kind: kind, merged: first..<(scalars[range.upperBound] + Self.scalarCount(after)), line: 0,
      mergedPassage: String(decoding: text[start..<end], as: UTF8.self),
      oursPassage: passage { $0.origin != .theirs && !$0.deletedByOurs },
      theirsPassage: passage { $0.origin != .ours && !$0.deletedByTheirs })
  }

  /// Where the word begins that a range starts in, in bytes.
  private func wordStart(_ range: Range<Int>) -> Int {
    let end = bytes[range.lowerBound]
    guard range.lowerBound > 0, role(range.lowerBound - 1) == .kept,
      range.contains(where: { content($0).first.map(Self.isWordByte) ?? false })
    else { return end }
    var start = end
    while start > bytes[range.lowerBound - 1], Self.isWordByte(text[start - 1]) { start -= 1 }
    while start < end, isContinuation(text[start]) { start += 1 }
    return start
  }

  /// Where the word ends that a range ends in, in bytes.
  private func wordEnd(_ range: Range<Int>) -> Int {
    let start = bytes[range.upperBound]
    guard range.upperBound < segments.count, role(range.upperBound) == .kept,
      range.contains(where: { content($0).last.map(Self.isWordByte) ?? false })
    else { return start }
    var end = start
    while end < bytes[range.upperBound + 1], Self.isWordByte(text[end]) { end += 1 }
    return end
  }

  /// Letters, digits and everything beyond ASCII.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: return true
    default: return false
    }
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
