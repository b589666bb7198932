/// Some places of the text of one side of a merge, looked for in the runs of the merged text.
struct SidePlaces {
  private let side: Sides
  /// Ascending, in scalars.
  private let wanted: [Int]
  /// Those that are found so far.
  private(set) var found: [TextRuns.Place] = []
  /// How many scalars the side shows so far.
  private var position = 0

  init(_ wanted: [Int], of side: Sides) {
    self.wanted = wanted
    self.side = side
  }

  /// Looks at the runs that the next item is made of.
  mutating func find(in runs: ArraySlice<TextRuns.Run>, of item: Tracker.Item) {
    guard found.count < wanted.count, item.insertedBy.contains(side),
      !item.deletedBy.contains(side)
    else { return }
    for (index, run) in zip(runs.indices, runs) {
      while found.count < wanted.count, wanted[found.count] < position + Int(run.count) {
        found.append(
          TextRuns.Place(run: index, offset: Int32(wanted[found.count] - position)))
      }
      position += Int(run.count)
    }
  }
}
