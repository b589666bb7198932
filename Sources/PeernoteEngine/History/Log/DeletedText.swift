/// The text that a log's deletions removed: for each deletion event, in order, the scalar that it
/// deleted, or nothing if that was redacted.
package struct DeletedText: Hashable, Sendable {
  /// The scalars of the deletions that are not redacted.
  package private(set) var text = TextBuffer()
  /// How many scalars were deleted in all, redacted ones included.
  package private(set) var count: Int32 = 0
  /// The deletions whose text is redacted, ascending and not touching, by their number among all
  /// deletion events.
  package private(set) var redacted: [Range<Int32>] = []
  /// For each redacted range how many deletions are redacted before it.
  private var redactedBefore: [Int32] = []

  package init() {}

  /// Takes over a text and what is missing from it; `nil` if the parts don't add up to `count`, or
  /// the ranges are not in order.
  package init?(text: TextBuffer, count: Int32, redacted: [Range<Int32>]) {
    var missing: Int32 = 0
    var end: Int32 = -1
    for range in redacted {
      guard range.lowerBound > end, !range.isEmpty else { return nil }
      end = range.upperBound
      redactedBefore.append(missing)
      missing += Int32(range.count)
    }
    guard end <= count, Int(missing) + text.scalarCount == Int(count) else { return nil }
    self.text = text
    self.count = count
    self.redacted = redacted
  }

  /// How many scalars are redacted.
  package var redactedCount: Int { Int(count) - text.scalarCount }

  /// Makes room for this many bytes of text in all.
  mutating func reserve(bytes: Int) {
    text.reserve(bytes: bytes)
  }

  /// Appends further deletions whose text this is, in O(bytes).
  mutating func append(_ text: TextBuffer) {
    self.text.append(text)
    count += Int32(text.scalarCount)
  }

  /// Takes off the last deletions, which are not redacted, but for `count`, whose text ends at
  /// `end`.
  mutating func removeLast(after end: TextPlace, count: Int32) {
    text.replace(from: end, to: text.end, with: TextBuffer())
    self.count = count
  }

  /// Appends further deletions whose text is a part of another text, in O(bytes).
  package mutating func append(
    _ text: borrowing TextBuffer, from: TextPlace, to: TextPlace
  ) {
    self.text.append(text, from: from, to: to)
    count += Int32(to.scalar - from.scalar)
  }

  /// Appends some deletions of another log, by their number there.
  ///
  /// The way to them from `place` in its deleted text is not far; afterwards that is the end of what
  /// was appended.
  package mutating func append(
    _ other: DeletedText, in range: Range<Int32>, from place: inout TextPlace
  ) {
    other.forEachPart(in: range) { part, firstScalar in
      if let firstScalar {
        let start = other.text.place(ofScalar: firstScalar, from: place)
        place = other.text.place(ofScalar: firstScalar + part.count, from: start)
        append(other.text, from: start, to: place)
      } else {
        appendRedacted(Int32(part.count))
      }
    }
  }

  /// Appends further deletions whose text is not known any more.
  package mutating func appendRedacted(_ length: Int32) {
    if length == 0 { return }
    if let last = redacted.last, last.upperBound == count {
      redacted[redacted.count - 1] = last.lowerBound..<count + length
    } else {
      redactedBefore.append(Int32(redactedCount))
      redacted.append(count..<count + length)
    }
    count += length
  }

  /// The same without the text of some more deletions, whose numbers ascend in ranges that don't
  /// touch, in O(bytes + ranges).
  package func redacting(_ ranges: [Range<Int32>]) -> DeletedText {
    var result = DeletedText()
    var place = TextPlace()
    var next: Int32 = 0
    for range in ranges {
      result.append(self, in: next..<Swift.max(next, range.lowerBound), from: &place)
      result.appendRedacted(Int32(range.count))
      next = range.upperBound
    }
    result.append(self, in: next..<Swift.max(next, count), from: &place)
    return result
  }

  /// Calls `body` with the parts of a range of deletions: those known, with the number of the first
  /// scalar in ``text``, and those redacted, with `nil`, in O(parts · log r) for r redacted ranges.
  package func forEachPart(
    in range: Range<Int32>, _ body: (_ part: Range<Int32>, _ firstScalar: Int?) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let (part, firstScalar) = part(of: start)
      let end = Swift.min(part.upperBound, range.upperBound)
      body(start..<end, firstScalar)
      start = end
    }
  }

  /// The longest range of deletions around one of which all are redacted, or none is: with the
  /// number of the one's scalar in ``text`` then, in O(log r) for r redacted ranges.
  func part(of number: Int32) -> (range: Range<Int32>, scalar: Int?) {
    let next = redacted.partitionPoint { $0.upperBound > number }
    let start = next > 0 ? redacted[next - 1].upperBound : 0
    guard next < redacted.count else { return (start..<count, Int(number) - redactedCount) }
    let gap = redacted[next]
    if gap.lowerBound <= number { return (gap, nil) }
    return (start..<gap.lowerBound, Int(number - redactedBefore[next]))
  }

  /// How many deletions of a range are not redacted, in O(log r + parts) for r redacted ranges.
  package func knownCount(in range: Range<Int32>) -> Int {
    var count = 0
    forEachPart(in: range) { part, firstScalar in if firstScalar != nil { count += part.count } }
    return count
  }
}
