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
  /// Whether the scalars were there before the sides parted, deleted or not.
  package var isCommon: Bool { insertedBy == .both }
  /// Whether the scalars had been deleted before the sides parted.
  package var wasDeleted: Bool { deletedBy == .both }
}

/// One text that their side changed, merged, and how it came about.
package struct MergedTextHistory: Sendable {
  /// The number of the container in the union.
  package let container: Int32
  /// Whether our side changed it, too.
  package var isContested = true
  /// Every scalar that either side knew since the last critical version, in order.
  package private(set) var segments: [TextSegment]
  /// The text before the merge on either side.
  package let ours: TextBuffer
  package let theirs: TextBuffer
  /// The merged text.
  package private(set) var text = TextBuffer()

  /// Puts a merged text together from the two sides' texts.
  ///
  /// What both hold is taken from ours. O(segments + bytes).
  ///
  /// - Throws: ``HistoryError`` if the segments are not what either side's text holds.
  package init(
    container: Int32, segments: [TextSegment], ours: TextBuffer, theirs: TextBuffer
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
    joinTexts()
  }

  /// Finds where the segments stand in either text, and makes the merged one of them.
  private mutating func joinTexts() {
    var text = TextBuffer()
    let added = segments.reduce(0) { count, segment in
      segment.isInMerged && !segment.isInOurs ? count + Int(segment.count) : count
    }
    // What is added takes about as many bytes for a scalar as all of theirs.
    text.reserve(
      bytes: ours.utf8.count + added * theirs.utf8.count / max(1, theirs.scalarCount))
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    // The start of what stands in our text and was not appended yet.
    var kept = ourPlace
    for index in segments.indices {
      let segment = segments[index]
      var ourEnd = ourPlace
      var theirEnd = theirPlace
      if segment.isInOurs {
        ourEnd = ours.place(ofScalar: ourPlace.scalar + Int(segment.count), from: ourPlace)
        segments[index].ourBytes = Int32(ourEnd.byte - ourPlace.byte)
      }
      if segment.isInTheirs {
        theirEnd = theirs.place(ofScalar: theirPlace.scalar + Int(segment.count), from: theirPlace)
        segments[index].theirBytes = Int32(theirEnd.byte - theirPlace.byte)
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

extension MergedTextHistory {
  /// Where a passage of our text stands in the merged one, in scalars, with all that was inserted
  /// in it; if it is empty, with all that was inserted in its place.
  ///
  /// O(segments).
  package func merged(_ passage: Range<Int>) -> Range<Int> {
    var ours = 0
    var merged = 0
    var start: Int? = passage.isEmpty && passage.lowerBound == 0 ? 0 : nil
    var end: Int?
    for segment in segments where segment.count > 0 {
      let count = Int(segment.count)
      if segment.isInOurs {
        /// Where a scalar of our text, or the end of the segment, stands in the merged one.
        func place(_ scalar: Int) -> Int { merged + (segment.isInMerged ? scalar - ours : 0) }
        let last = ours + count
        if passage.isEmpty {
          if ours < passage.lowerBound, passage.lowerBound <= last {
            start = place(passage.lowerBound)
          }
          if ours <= passage.lowerBound, passage.lowerBound < last {
            end = place(passage.lowerBound)
          }
        } else if ours < passage.upperBound, passage.lowerBound < last {
          start = start ?? place(max(ours, passage.lowerBound))
          end = place(min(last, passage.upperBound))
        }
        ours = last
      }
      if segment.isInMerged { merged += count }
    }
    let first = start ?? merged
    return first..<max(first, end ?? merged)
  }
}

extension Tracker {
  /// Puts a merged text together from the two sides' texts, after a walk.
  ///
  /// O(items + bytes).
  ///
  /// - Parameters:
  ///   - container: the text's number in the union.
  ///   - ours: our text.
  ///   - source: its number among our texts.
  ///   - theirs: their text.
  ///   - deletedByThem: what our text holds and their side has deleted is appended.
  /// - Returns: the merged text, and how it came about.
  /// - Throws: ``HistoryError`` if the texts are not what the walk has found.
  func mergedText(
    of container: Int32, ours: TextBuffer, source: Int32, theirs: TextBuffer,
    _ deletedByThem: inout [InsertedText.Piece]
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
    var ourScalar: Int32 = 0
    forEachItem(of: sequence) { item in
      if item.insertedBy.contains(.ours), !item.deletedBy.contains(.ours) {
        if !item.deletedBy.isEmpty {
          deletedByThem.append(
            .init(
              event: item.first, count: item.length, source: source, start: ourScalar,
              backward: false))
        }
        ourScalar += item.length
      }
      if (item.first < 0) == isPlaceholder, item.insertedBy == next.insertedBy,
        item.deletedBy == next.deletedBy
      {
        next.count += item.length
        return
      }
      if next.count > 0 { segments.append(next) }
      next = TextSegment(
        count: item.length, insertedBy: item.insertedBy, deletedBy: item.deletedBy)
      isPlaceholder = item.first < 0
      if isPlaceholder { placeholderEnd = segments.count + 1 }
    }
    if next.count > 0 { segments.append(next) }
    if placeholderEnd > 0 {
      let last = placeholderEnd - 1
      // Its end lies beyond that of the text, so nothing can stand after it.
      guard segments[last].deletedBy.isEmpty, placeholderEnd == segments.count else {
        throw HistoryError(.positionOutOfRange, event: firstEvent(of: sequence))
      }
      var rest = ours.scalarCount
      for segment in segments[..<last] where segment.isInOurs { rest -= Int(segment.count) }
      guard rest >= 0 else { throw HistoryError(.viewDisagrees) }
      segments[last].count = Int32(rest)
    }
    return try MergedTextHistory(
      container: container, segments: segments, ours: ours, theirs: theirs)
  }

  /// The first insertion of a walk into a sequence; `nil` if there is none.
  private func firstEvent(of sequence: SequenceHandle) -> LocalVersion? {
    var first: LocalVersion?
    forEachItem(of: sequence) { item in
      if item.first >= 0 { first = min(first ?? item.first, item.first) }
    }
    return first
  }
}
