import Peernote

/// Merges two copies the way the engine does, from the splices of either side over the base.
///
/// With one change on either side, the FugueMax order comes down to this: an insertion keeps its
/// place between two scalars of the base, deleted ones included; insertions between the same two
/// stand next to each other, whole, those of one side first.
struct MergeSimulation {
  private let history: MergedTextHistory

  /// Merges `ours` and `theirs`, which both come from `base`.
  init(base: String, ours: String, theirs: String, oursFirst: Bool = true) throws {
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
    var segments: [TextSegment] = []
    for (index, place) in places.enumerated() {
      let both: [(text: String?, side: Sides)] = [
        (ourEdits.insertions[place], .ours), (theirEdits.insertions[place], .theirs),
      ]
      for case (let text?, let side) in oursFirst ? both : both.reversed() {
        segments.append(
          TextSegment(count: Int32(text.unicodeScalars.count), insertedBy: side, deletedBy: []))
      }
      guard index + 1 < places.count else { break }
      var deletedBy: Sides = []
      if ourEdits.deletions.contains(where: { $0.contains(place) }) { deletedBy.insert(.ours) }
      if theirEdits.deletions.contains(where: { $0.contains(place) }) { deletedBy.insert(.theirs) }
      segments.append(
        TextSegment(
          count: Int32(places[index + 1] - place), insertedBy: .both, deletedBy: deletedBy))
    }
    history = try MergedTextHistory(
      container: .root, segments: segments, ours: TextBuffer(ours), theirs: TextBuffer(theirs))
  }

  /// The merged text.
  var merged: String { history.text.string }

  /// Where both sides changed lines that adjoin.
  var adjoining: [AdjoiningLines.Place] { AdjoiningLines.find(in: history) }

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
