package import PeernoteEngine

/// A run of scalars in the order of a merged text, hidden ones included.
///
/// The segments of a merge, in order, hold every scalar of the common base and of either side's
/// insertions exactly once; those that somebody deleted stand where they were.
package struct MergedSegment: Hashable, Sendable {
  /// Where the scalars of a segment come from.
  package enum Origin: Hashable, Sendable { case base, ours, theirs }

  /// The length in Unicode scalars.
  package var count: Int
  /// Who wrote them.
  package var origin: Origin
  /// Whether our side deleted them.
  package var deletedByOurs: Bool
  /// Whether their side deleted them.
  package var deletedByTheirs: Bool

  package init(
    count: Int, origin: Origin, deletedByOurs: Bool = false, deletedByTheirs: Bool = false
  ) {
    self.count = count
    self.origin = origin
    self.deletedByOurs = deletedByOurs
    self.deletedByTheirs = deletedByTheirs
  }

  /// Whether the scalars stand in the merged text.
  package var isVisible: Bool { !deletedByOurs && !deletedByTheirs }

  /// Whether another segment has the same origin and the same fate.
  func isLike(_ other: MergedSegment) -> Bool {
    origin == other.origin && deletedByOurs == other.deletedByOurs
      && deletedByTheirs == other.deletedByTheirs
  }
}

/// A passage of a merged text that a person should read, because both sides changed it.
package struct Overlap: Hashable, Sendable {
  /// Why the merged passage may not be what was meant.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both inserted at one place; which comes first is arbitrary.
    case insertions
    /// Both inserted the same text; it stands there twice.
    case duplicate
    /// One deleted what the other changed, or around what the other inserted.
    case deletion
    /// Both changed the same words, or words of one sentence.
    case changes
  }

  /// Why this is reported.
  package var kind: Kind
  /// The passage in Unicode scalars of the merged text; empty where nothing is left of it.
  package var merged: Range<Int>
  /// The line of the merged text on which the passage starts, from 1.
  package var line: Int
  /// The passage as merged.
  package var mergedPassage: String
  /// The passage as our side left it.
  package var oursPassage: String
  /// The passage as their side left it.
  package var theirsPassage: String

  package init(
    kind: Kind, merged: Range<Int>, line: Int, mergedPassage: String, oursPassage: String,
    theirsPassage: String
  ) {
    self.kind = kind
    self.merged = merged
    self.line = line
    self.mergedPassage = mergedPassage
    self.oursPassage = oursPassage
    self.theirsPassage = theirsPassage
  }
}

extension Overlap {
  /// Finds the passages of a merge where the automatic result may not be what a person meant.
  ///
  /// Reported is, and nothing else:
  ///
  /// - insertions by both sides at one place, because their order is arbitrary;
  /// - an insertion inside a passage that the other side deleted, and a passage that both deleted
  ///   but one replaced;
  /// - changes by both sides within one sentence (a line is a sentence, unless it plainly goes on
  ///   in the next one): each may be right alone and the two wrong together;
  /// - a whole line that both sides inserted, wherever.
  ///
  /// Not reported: the same deletion by both sides, or one inside the other; changes in different
  /// sentences; a line inserted next to a line that the other side changed.
  ///
  /// - Parameters:
  ///   - segments: the merge, in order.
  ///   - merged: the merged text: the visible segments, one after the other.
  ///   - hidden: the text of the segments that are not visible, one entry for each segment.
  /// - Returns: the overlaps, by their place in the merged text.
  /// - Complexity: O(segments + length of the text) expected; O(segments) if only one side changed
  ///   anything.
  package static func find(
    in segments: [MergedSegment], merged: TextBuffer, hidden: HiddenText
  ) -> [Overlap] {
    guard segments.contains(where: { $0.origin == .ours || $0.deletedByOurs }),
      segments.contains(where: { $0.origin == .theirs || $0.deletedByTheirs })
    else { return [] }
    let map = MergedText(segments: segments, text: merged, hidden: hidden)
    let clusters = EditCluster.all(in: map)
    var found: [Overlap] = []
    var reported = [Bool](repeating: false, count: segments.count)
    for cluster in clusters {
      guard let kind = cluster.kind(in: map) else { continue }
      found.append(map.overlap(kind, cluster.range))
      for index in cluster.range { reported[index] = true }
    }
    found += DuplicateLines.find(in: map, except: reported)
    found.sort {
      ($0.merged.lowerBound, $0.merged.upperBound) < ($1.merged.lowerBound, $1.merged.upperBound)
    }
    return map.withLines(found)
  }
}
