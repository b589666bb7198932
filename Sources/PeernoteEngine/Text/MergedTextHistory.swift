/// Scalars of a merged text that share an origin and a fate, in the order of the text with what
/// was deleted still in place.
package struct TextSegment: Hashable, Sendable {
  /// How many scalars.
  package var count: Int32
  /// How many bytes of our text they are, in UTF-8; 0 if they do not stand there.
  package fileprivate(set) var ourBytes: Int32 = 0
  /// How many bytes of their text they are.
  package fileprivate(set) var theirBytes: Int32 = 0
  /// The sides that hold the insertion; ``Sides/both`` for what was there before they parted.
  package var insertedBy: Sides
  /// The sides that deleted them; ``Sides/both`` for what was deleted before they parted.
  package var deletedBy: Sides

  package init(count: Int32, insertedBy: Sides, deletedBy: Sides) {
    self.count = count
    self.insertedBy = insertedBy
    self.deletedBy = deletedBy
  }

  /// Whether the scalars stand in our text before the merge.
  package var isInOurs: Bool { insertedBy.contains(.ours) && !deletedBy.contains(.ours) }
  /// Whether the scalars stand in their text before the merge.
  package var isInTheirs: Bool { insertedBy.contains(.theirs) && !deletedBy.contains(.theirs) }
  /// Whether the scalars stand in the merged text.
  package var isInMerged: Bool { deletedBy.isEmpty }
  /// Whether the scalars had been deleted before the sides parted.
  package var wasDeleted: Bool { deletedBy == .both }
}

/// One text that a side changed, merged, and how it came about.
package struct MergedTextHistory: Sendable {
  /// The number of the container in the union.
  package let container: ContainerIndex
  /// Whether our side changed it, too.
  package var isContested = true
  /// Every scalar that either side knew since the last critical version, in order.
  package private(set) var segments: [TextSegment]
  /// The text before the merge on either side.
  package let ours: TextBuffer
  package let theirs: TextBuffer
  /// The merged text.
  package private(set) var text = TextBuffer()

  /// Puts a merged text together from the two sides' texts, which have to agree on what both hold.
  ///
  /// O(segments + bytes). The container's number is that in the union. Unless `isChangedByThem`,
  /// the merged text is ours. Throws if the segments are not what either side's text holds, or the
  /// texts differ in a scalar that stands in both.
  package init(
    container: ContainerIndex, segments: [TextSegment], ours: TextBuffer, theirs: TextBuffer,
    isChangedByThem: Bool = true
  ) throws(HistoryError) {
    self.container = container
    self.segments = segments
    self.ours = ours
    self.theirs = theirs
    var left = (ours: ours.scalarCount, theirs: theirs.scalarCount)
    var added = 0
    for segment in segments {
      if segment.isInOurs { left.ours -= Int(segment.count) }
      if segment.isInTheirs { left.theirs -= Int(segment.count) }
      if segment.isInMerged, !segment.isInOurs { added += Int(segment.count) }
    }
    guard left == (0, 0) else { throw HistoryError(.viewDisagrees) }
    // A scalar takes four bytes at most.
    if isChangedByThem { text.reserve(bytes: ours.utf8.count + min(4 * added, theirs.utf8.count)) }
    try joinTexts(isChangedByThem: isChangedByThem)
  }

  /// Finds where the segments stand in either text, compares what stands in both, and puts the
  /// merged text together of what stands in our text and what is new in theirs.
  private mutating func joinTexts(isChangedByThem: Bool) throws(HistoryError) {
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    // The start of what stands in our text and was not appended yet.
    var kept = ourPlace
    for index in segments.indices {
      let segment = segments[index]
      let (ourStart, theirStart) = (ourPlace, theirPlace)
      if segment.isInOurs {
        ourPlace = ours.place(ofScalar: ourStart.scalar + Int(segment.count), from: ourStart)
        segments[index].ourBytes = Int32(ourPlace.byte - ourStart.byte)
      }
      if segment.isInTheirs {
        theirPlace = theirs.place(
          ofScalar: theirStart.scalar + Int(segment.count), from: theirStart)
        segments[index].theirBytes = Int32(theirPlace.byte - theirStart.byte)
      }
      if segment.isInOurs, segment.isInTheirs,
        !ours.isSame(from: ourStart, to: ourPlace, as: theirs, from: theirStart, to: theirPlace)
      {
        throw HistoryError(.textsDisagree)
      }
      if segment.isInOurs != segment.isInMerged {
        text.append(ours, from: kept, to: ourStart)
        kept = ourPlace
        if segment.isInMerged { text.append(theirs, from: theirStart, to: theirPlace) }
      }
    }
    // What they did not change is ours as it stands.
    if isChangedByThem { text.append(ours, from: kept, to: ourPlace) } else { text = ours }
  }
}

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
