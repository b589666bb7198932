/// A passage of a text where what is shown is not the union of all insertions and deletions, its
/// raw text: changes wrote against each other there, or said the same twice.
package struct TextPassage: Hashable, Sendable {
  /// What somebody saw there.
  package struct Reading: Hashable, Sendable {
    /// The text.
    package var text: TextBuffer
    /// The changes whose reading it is, ascending; at least one.
    package var changes: [ChangeID]
  }

  /// Where it stands in the raw text, in scalars; never empty.
  package var raw: Range<Int>
  /// What is shown in its stead.
  package var shown: Reading
  /// What is not shown; empty where nothing is contested.
  package var others: [Reading] = []

  /// Whether another passage has the same readings, wherever it stands.
  package func hasSameReadings(as other: TextPassage) -> Bool {
    shown == other.shown && others == other.others
  }
}

/// Places of the text that is shown and of the raw text, where some passages differ.
package struct PassageMap {
  private let passages: [TextPassage]
  /// Where each passage stands in the text that is shown.
  package let shownRanges: [Range<Int>]

  /// Takes the passages of a text, ascending, in O(passages).
  package init(_ passages: [TextPassage]) {
    self.passages = passages
    var shift = 0
    shownRanges = passages.map { passage in
      let start = passage.raw.lowerBound + shift
      let count = passage.shown.text.scalarCount
      shift += count - passage.raw.count
      return start..<start + count
    }
  }

  /// The text that is shown, in O(bytes + passages).
  package func shown(from raw: TextBuffer) -> TextBuffer {
    if passages.isEmpty { return raw }
    return raw.applying(passages.map { TextEdit(deleted: $0.raw, inserted: $0.shown.text) })
  }

  /// Where a place of the shown text stands in the raw one, in O(log passages): for one inside a
  /// passage, its start, or its end if it has to hold on to what comes after.
  package func raw(ofShown position: Int, forward: Bool = false) -> Int {
    let last = shownRanges.partitionPoint { $0.lowerBound >= position } - 1
    guard last >= 0 else { return position }
    return Self.place(position, from: shownRanges[last], to: passages[last].raw, forward)
  }

  /// Where a place of the raw text stands in the shown one, in O(log passages): for one inside a
  /// passage, its start, or its end if it has to hold on to what comes after.
  package func shown(ofRaw position: Int, forward: Bool = false) -> Int {
    let last = passages.partitionPoint { $0.raw.lowerBound >= position } - 1
    guard last >= 0 else { return position }
    return Self.place(position, from: passages[last].raw, to: shownRanges[last], forward)
  }

  private static func place(
    _ position: Int, from one: Range<Int>, to other: Range<Int>, _ forward: Bool
  ) -> Int {
    if position < one.upperBound { return forward ? other.upperBound : other.lowerBound }
    return position - one.upperBound + other.upperBound
  }

  /// The passages that a range of the raw text meets, if only at its border, in O(log passages).
  package func passages(meeting range: Range<Int>) -> ArraySlice<TextPassage> {
    let first = passages.partitionPoint { $0.raw.upperBound >= range.lowerBound }
    return passages[first...].prefix { $0.raw.lowerBound <= range.upperBound }
  }
}

extension [ContainerIndex: [TextPassage]] {
  /// The texts that are shown, by container number, in O(bytes of those that have passages).
  package func shown(from raw: [TextBuffer]) -> [TextBuffer] {
    if isEmpty { return raw }
    var result = raw
    for (container, passages) in self {
      result[container] = PassageMap(passages).shown(from: raw[container])
    }
    return result
  }
}
