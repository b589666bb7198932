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
    for segment in segments {
      if segment.isInOurs { left.ours -= Int(segment.count) }
      if segment.isInTheirs { left.theirs -= Int(segment.count) }
    }
    guard left == (0, 0) else { throw HistoryError(.viewDisagrees) }
    try locateSegments()
    if isChangedByThem { joinTexts() } else { text = ours }
  }

  /// Finds where the segments stand in either text, and compares what stands in both.
  private mutating func locateSegments() throws(HistoryError) {
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
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
      if segment.isInOurs, segment.isInTheirs {
        guard
          ours.isSame(
            from: ourStart, to: ourPlace, as: theirs, from: theirStart, to: theirPlace)
        else { throw HistoryError(.textsDisagree) }
      }
    }
  }

  /// Puts the merged text together of what stands in our text and what is new in theirs.
  private mutating func joinTexts() {
    var text = TextBuffer()
    let added = segments.reduce(0) { bytes, segment in
      segment.isInMerged && !segment.isInOurs ? bytes + Int(segment.theirBytes) : bytes
    }
    text.reserve(bytes: ours.utf8.count + added)
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    // The start of what stands in our text and was not appended yet.
    var kept = ourPlace
    for segment in segments {
      var ourEnd = ourPlace
      var theirEnd = theirPlace
      if segment.isInOurs {
        ourEnd.scalar += Int(segment.count)
        ourEnd.byte += Int(segment.ourBytes)
      }
      if segment.isInTheirs {
        theirEnd.scalar += Int(segment.count)
        theirEnd.byte += Int(segment.theirBytes)
      }
      if segment.isInOurs != segment.isInMerged {
        text.append(ours, from: kept, to: ourPlace)
        kept = ourEnd
        if segment.isInMerged { text.append(theirs, from: theirPlace, to: theirEnd) }
      }
      ourPlace = ourEnd
      theirPlace = theirEnd
    }
    text.append(ours, from: kept, to: ourPlace)
    self.text = text
  }
}
