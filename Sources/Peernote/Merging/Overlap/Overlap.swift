/// A passage of a merged text that a person should read, because both sides changed it.
package struct Overlap: Hashable, Sendable {
  /// Why this is reported.
  package var reason: Conflict.Reason
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
  /// Where the passage stands in our raw text, in bytes; `nil` if nobody has looked.
  package var oursBytes: Range<Int>?
  /// Where it stands in theirs.
  package var theirsBytes: Range<Int>?

  package init(
    reason: Conflict.Reason, merged: Range<Int>, line: Int, mergedPassage: String,
    oursPassage: String, theirsPassage: String, oursBytes: Range<Int>? = nil,
    theirsBytes: Range<Int>? = nil
  ) {
    self.reason = reason
    self.merged = merged
    self.line = line
    self.mergedPassage = mergedPassage
    self.oursPassage = oursPassage
    self.theirsPassage = theirsPassage
    self.oursBytes = oursBytes
    self.theirsBytes = theirsBytes
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
  /// - a whole line that both sides inserted, wherever;
  /// - text that one side moved and the other one deleted a part of, where it stands now;
  /// - as ``Conflict/Reason/adjacent``, what is left of places where both sides changed lines that adjoin.
  ///
  /// Not reported: the same deletion by both sides; changes with an untouched line between.
  ///
  /// - Returns: the overlaps, by their place in the merged text.
  /// - Complexity: O(segments + length of the text) expected.
  package static func find(in history: MergedTextHistory) -> [Overlap] {
    let merge = MergedText(history)
    if merge.isOneSided { return [] }
    var found: [Overlap] = []
    var reported = [Bool](repeating: false, count: merge.indices.count)
    for cluster in EditCluster.all(in: merge) {
      guard let reason = cluster.reason(in: merge) else { continue }
      found.append(merge.overlap(reason, cluster.range))
      for index in cluster.range { reported[index] = true }
    }
    found += DuplicateLines.find(in: merge, except: reported)
    found += MovedText.find(in: merge)
    found += AdjoiningLines.find(in: merge, except: reported)
    found.sort {
      ($0.merged.lowerBound, $0.merged.upperBound) < ($1.merged.lowerBound, $1.merged.upperBound)
    }
    return merge.withLines(found)
  }
}
