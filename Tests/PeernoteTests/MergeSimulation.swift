import Peernote
import PeernoteEngine

/// Merges two copies the way the engine does, from the splices of either side over the base.
///
/// With one change on either side, the FugueMax order comes down to this: an insertion keeps its
/// place between two scalars of the base, deleted ones included; insertions between the same two
/// stand next to each other, whole, those of one side first.
struct MergeSimulation {
  private(set) var segments: [MergedSegment] = []
  private(set) var merged = ""
  private var hidden = HiddenText()

  /// Merges `ours` and `theirs`, which both come from `base`.
  init(base: String, ours: String, theirs: String, oursFirst: Bool = true) {
    let scalars = Array(base.unicodeScalars)
    let ourSplices = TextDifference(from: base, to: ours).splices
    let theirSplices = TextDifference(from: base, to: theirs).splices
    let ourEdits = Self.edits(ourSplices)
    let theirEdits = Self.edits(theirSplices)
    var cuts: Set<Int> = [0, scalars.count]
    for splice in ourSplices + theirSplices {
      cuts.formUnion([splice.position, splice.position + splice.deleted])
    }
    let places = cuts.sorted()
    for (index, place) in places.enumerated() {
      let both = [
        (ourEdits.insertions[place], MergedSegment.Origin.ours),
        (theirEdits.insertions[place], .theirs),
      ]
      for case (let text?, let origin) in oursFirst ? both : both.reversed() {
        append(MergedSegment(count: text.unicodeScalars.count, origin: origin), text)
      }
      guard index + 1 < places.count else { break }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[place..<places[index + 1]])
      append(
        MergedSegment(
          count: text.count, origin: .base,
          deletedByOurs: ourEdits.deletions.contains { $0.contains(place) },
          deletedByTheirs: theirEdits.deletions.contains { $0.contains(place) }),
        String(text))
    }
  }

  /// What the detector says about this merge.
  var overlaps: [Overlap] {
    Overlap.find(in: segments, merged: TextBuffer(merged), hidden: hidden)
  }

  private mutating func append(_ segment: MergedSegment, _ text: String) {
    segments.append(segment)
    hidden.append(text.utf8)
    if segment.isVisible { merged.unicodeScalars.append(contentsOf: text.unicodeScalars) }
  }

  private static func edits(
    _ splices: [TextSplice]
  ) -> (insertions: [Int: String], deletions: [Range<Int>]) {
    var insertions: [Int: String] = [:]
    for splice in splices where !splice.inserted.isEmpty {
      insertions[splice.insertionPosition] = splice.inserted
    }
    return (insertions, splices.map { $0.position..<($0.position + $0.deleted) })
  }
}
