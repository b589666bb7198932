/// Where the scalars of a sequence stand in the raw text of a version.
struct RawVersion {
  let version: SeenChanges
  let sequence: PlainSequence
  /// For each run where it begins, and the end of the text.
  let starts: [Int]

  init(_ version: SeenChanges, of sequence: PlainSequence) {
    self.version = version
    self.sequence = sequence
    var starts = [0]
    starts.reserveCapacity(sequence.runs.count + 1)
    for run in sequence.runs {
      let count = sequence.shows(run, in: version) ? run.scalars.count : 0
      starts.append(starts[starts.count - 1] + count)
    }
    self.starts = starts
  }

  /// The last run before one that the version shows.
  func run(before index: Int) -> Int? {
    sequence.runs[..<index].indices.last { starts[$0] < starts[$0 + 1] }
  }

  /// The first run after one that the version shows.
  func run(after index: Int) -> Int? {
    sequence.runs[(index + 1)...].indices.first { starts[$0] < starts[$0 + 1] }
  }
}
