/// Scalars of a merged text that share an origin and a fate, in the order of the text with what
/// was deleted still in place.
package struct TextSegment: Hashable, Sendable {
  /// How many scalars.
  package var count: Int
  /// The sides that hold the insertion; ``Sides/both`` for what was there before they parted.
  package var insertedBy: Sides
  /// The sides that deleted them; ``Sides/both`` for what was deleted before they parted.
  package var deletedBy: Sides

  /// Whether the scalars stand in our text before the merge.
  package var isInOurs: Bool { insertedBy.contains(.ours) && !deletedBy.contains(.ours) }
  /// Whether the scalars stand in their text before the merge.
  package var isInTheirs: Bool { insertedBy.contains(.theirs) && !deletedBy.contains(.theirs) }
  /// Whether the scalars stand in the merged text.
  package var isInMerged: Bool { deletedBy.isEmpty }
}

/// One text that their side changed, merged, and how it came about.
package struct MergedTextHistory: Sendable {
  /// The number of the container in the union.
  package var container: Int32
  /// Whether our side changed it, too.
  package var isContested = true
  /// The merged text.
  package var text: TextBuffer
  /// Every scalar that either side knew since the last critical version, in order.
  package var segments: [TextSegment]
  /// The text before the merge on either side.
  fileprivate var ours: TextBuffer
  fileprivate var theirs: TextBuffer

  /// Calls `body` with each segment that is not empty, and its text where it stands on one side but
  /// not in the merged text, in UTF-8; else an empty one.
  ///
  /// O(segments), and O(bytes) where texts are not ASCII.
  package func forEachSegment(
    _ body: (_ segment: TextSegment, _ hiddenText: ArraySlice<UInt8>) -> Void
  ) {
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    for segment in segments where segment.count > 0 {
      var hidden: ArraySlice<UInt8> = []
      if segment.isInOurs {
        let end = ours.place(ofScalar: ourPlace.scalar + segment.count, from: ourPlace)
        if !segment.isInMerged { hidden = ours.utf8[ourPlace.byte..<end.byte] }
        ourPlace = end
      }
      if segment.isInTheirs {
        let end = theirs.place(ofScalar: theirPlace.scalar + segment.count, from: theirPlace)
        if !segment.isInMerged { hidden = theirs.utf8[theirPlace.byte..<end.byte] }
        theirPlace = end
      }
      body(segment, hidden)
    }
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
      if segment.isInOurs {
        /// Where a scalar of our text, or the end of the segment, stands in the merged one.
        func place(_ scalar: Int) -> Int { merged + (segment.isInMerged ? scalar - ours : 0) }
        let last = ours + segment.count
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
      if segment.isInMerged { merged += segment.count }
    }
    let first = start ?? merged
    return first..<max(first, end ?? merged)
  }
}

extension Tracker {
  /// Puts a merged text together from the two sides' texts, after a walk.
  ///
  /// O(items + bytes).
  func mergedText(
    of container: Int32, ours: TextBuffer, theirs: TextBuffer
  ) throws(HistoryError) -> MergedTextHistory {
    guard let sequence = sequences[container] else {
      preconditionFailure("a contested text has been walked")
    }
    var segments: [TextSegment] = []
    segments.reserveCapacity(itemCount(of: sequence))
    // The placeholder is longer than what it stands for: its last item is cut to what is left of
    // our text, and has to fit theirs too.
    var placeholderEnd = 0
    forEachItem(of: sequence) { item in
      let continues =
        (item.first < 0) == (placeholderEnd == segments.count)
        && segments.last?.insertedBy == item.insertedBy
        && segments.last?.deletedBy == item.deletedBy
      if continues {
        segments[segments.count - 1].count += Int(item.length)
      } else {
        segments.append(
          TextSegment(
            count: Int(item.length), insertedBy: item.insertedBy, deletedBy: item.deletedBy))
      }
      if item.first < 0 { placeholderEnd = segments.count }
    }
    if placeholderEnd > 0 {
      let last = placeholderEnd - 1
      // Its end lies beyond that of the text, so nothing can stand after it.
      guard segments[last].deletedBy.isEmpty, placeholderEnd == segments.count else {
        throw HistoryError(.positionOutOfRange, event: firstEvent(of: sequence))
      }
      segments[last].count = 0
      let ourRest = ours.scalarCount - segments.reduce(0) { $0 + ($1.isInOurs ? $1.count : 0) }
      segments[last].count = ourRest
      guard ourRest >= 0 else { throw HistoryError(.viewDisagrees) }
    }
    let total = segments.reduce(into: (0, 0)) { total, segment in
      if segment.isInOurs { total.0 += segment.count }
      if segment.isInTheirs { total.1 += segment.count }
    }
    guard total == (ours.scalarCount, theirs.scalarCount) else {
      throw HistoryError(.viewDisagrees)
    }
    return MergedTextHistory(
      container: container, text: Self.text(of: segments, ours: ours, theirs: theirs),
      segments: segments, ours: ours, theirs: theirs)
  }

  /// The first insertion of a walk into a sequence; `nil` if there is none.
  private func firstEvent(of sequence: SequenceHandle) -> LocalVersion? {
    var first: LocalVersion?
    forEachItem(of: sequence) { item in
      if item.first >= 0 { first = min(first ?? item.first, item.first) }
    }
    return first
  }

  private static func text(
    of segments: [TextSegment], ours: TextBuffer, theirs: TextBuffer
  ) -> TextBuffer {
    var text = TextBuffer()
    text.reserve(bytes: ours.utf8.count + theirs.utf8.count / 8)
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    // The start of what stands in our text and was not appended yet.
    var kept = ourPlace
    for segment in segments {
      let end =
        segment.isInOurs
        ? ours.place(ofScalar: ourPlace.scalar + segment.count, from: ourPlace) : ourPlace
      let theirEnd =
        segment.isInTheirs
        ? theirs.place(ofScalar: theirPlace.scalar + segment.count, from: theirPlace) : theirPlace
      if segment.isInOurs != segment.isInMerged {
        text.append(ours, from: kept, to: ourPlace)
        kept = end
        if segment.isInMerged { text.append(theirs, from: theirPlace, to: theirEnd) }
      }
      ourPlace = end
      theirPlace = theirEnd
    }
    text.append(ours, from: kept, to: ourPlace)
    return text
  }
}
