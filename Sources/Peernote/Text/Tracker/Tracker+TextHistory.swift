extension Tracker {
  /// A text as one side shows it, with its number among all texts of both sides.
  typealias ShownText = (text: TextBuffer, source: Int32)

  /// What came of a text on the two sides, after a walk.
  ///
  /// O(items + bytes). The container's number is that in the union. What one of the texts holds and
  /// the other side has deleted is appended to `deletedElsewhere`. Throws if the texts are not what
  /// the walk has found, or differ in a scalar that stands in both.
  func textHistory(
    of container: ContainerIndex, ours: ShownText, theirs: ShownText, isChangedByThem: Bool,
    _ deletedElsewhere: inout [InsertedText.Piece]
  ) throws(HistoryError) -> MergedTextHistory {
    guard let sequence = sequences[container] else {
      preconditionFailure("a contested text has been walked")
    }
    var segments: [TextSegment] = []
    segments.reserveCapacity(itemCount(of: sequence))
    var next = TextSegment(count: 0, insertedBy: [], deletedBy: [])
    var isPlaceholder = false
    // The placeholder is longer than what it stands for: its last item is cut to what is left of
    // our text, and has to fit theirs too.
    var placeholderEnd = 0
    var shown = (ours: Int32(0), theirs: Int32(0))
    forEachItem(of: sequence) { item in
      Self.count(item, shownBy: .ours, in: ours.source, &shown.ours, &deletedElsewhere)
      Self.count(item, shownBy: .theirs, in: theirs.source, &shown.theirs, &deletedElsewhere)
      if !item.first.isEvent == isPlaceholder, item.insertedBy == next.insertedBy,
        item.deletedBy == next.deletedBy
      {
        next.count += item.length
        return
      }
      if next.count > 0 { segments.append(next) }
      next = TextSegment(
        count: item.length, insertedBy: item.insertedBy, deletedBy: item.deletedBy)
      isPlaceholder = !item.first.isEvent
      if isPlaceholder { placeholderEnd = segments.count + 1 }
    }
    if next.count > 0 { segments.append(next) }
    if placeholderEnd > 0 {
      let last = placeholderEnd - 1
      // Its end lies beyond that of the text, so nothing can stand after it.
      guard segments[last].deletedBy.isEmpty, placeholderEnd == segments.count else {
        throw HistoryError(.positionOutOfRange, event: firstEvent(of: sequence))
      }
      var rest = ours.text.scalarCount
      for segment in segments[..<last] where segment.isInOurs { rest -= Int(segment.count) }
      guard rest >= 0 else { throw HistoryError(.viewDisagrees) }
      segments[last].count = Int32(rest)
    }
    return try MergedTextHistory(
      container: container, segments: segments, ours: ours.text, theirs: theirs.text,
      isChangedByThem: isChangedByThem)
  }

  /// Counts an item if a side shows it, and lists it if the other side has deleted it.
  @inline(__always)
  private static func count(
    _ item: Item, shownBy side: Sides, in source: Int32, _ shown: inout Int32,
    _ deletedElsewhere: inout [InsertedText.Piece]
  ) {
    guard item.insertedBy.contains(side), !item.deletedBy.contains(side) else { return }
    if !item.deletedBy.isEmpty {
      deletedElsewhere.append(
        .init(
          event: item.first, count: item.length, source: source, start: shown, backward: false))
    }
    shown += item.length
  }

  /// The first insertion of a walk into a sequence; `nil` if there is none.
  private func firstEvent(of sequence: SequenceHandle) -> LocalVersion? {
    var first: LocalVersion?
    forEachItem(of: sequence) { item in
      if item.first.isEvent { first = min(first ?? item.first, item.first) }
    }
    return first
  }
}
