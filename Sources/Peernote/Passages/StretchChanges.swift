/// The changes that touched a stretch of a text, by what they have seen of each other.
///
/// What was done at the beginning, and seen by all others, is left out; and what was done at the end,
/// with all others seen, counts as one change, so that the work is that of the rest.
struct StretchChanges {
  /// More changes than that are not looked at.
  static let changeLimit = 1 << 10

  /// The changes, ascending.
  private let changes: ArraySlice<ChangeIndex>
  /// How many of them are in between.
  private let middle: Int
  /// Those in between, and others that were left out before them, by what they have seen.
  private let seen: SeenMatrix
  /// How many were left out before them.
  private let leftOut: Int
  /// How many of the first changes all others have seen: all such numbers, ascending.
  private let cuts: [Int]
  private let log: Log

  /// Takes the changes that inserted or deleted a scalar of the stretch, ascending, each once.
  ///
  /// O(n log n) for n changes, and what ``SeenMatrix`` takes.
  ///
  /// - Returns: `nil` if all is settled, or more than the limit.
  init?(_ all: [ChangeIndex], of log: Log) {
    guard all.count <= Self.changeLimit else { return nil }
    let seen = SeenMatrix(all, of: log)
    let leading = (0..<seen.count).map { seen.leadingSeen(by: $0) }
    // For each number of the first changes how many of those all later ones have seen.
    var agreed = leading + [.max]
    for place in leading.indices.reversed() {
      agreed[place] = min(agreed[place], agreed[place + 1])
    }
    let first = leading.indices.first { agreed[$0 + 1] <= $0 } ?? seen.count
    let last = (leading.indices.last { leading[$0] < $0 } ?? -1) + 1
    guard first < last else { return nil }
    self.log = log
    self.seen = seen
    changes = all[first...]
    middle = last - first
    leftOut = first
    cuts = (1..<max(changes.count, 1)).filter { agreed[first + $0] >= first + $0 }
  }

  private init(_ other: StretchChanges, first count: Int) {
    log = other.log
    seen = other.seen
    changes = other.changes.prefix(count)
    middle = count
    leftOut = other.leftOut
    cuts = []
  }

  /// Whether a change is one that not all others have seen.
  ///
  /// O(log n).
  func isOpen(_ change: ChangeIndex) -> Bool {
    let place = changes.partitionPoint { $0 >= change }
    return place < changes.endIndex && changes[place] == change
  }

  /// How many of the first changes all others have seen: the least number from a given one on.
  ///
  /// O(n).
  ///
  /// - Returns: the number; `nil` if there is none but that of all changes.
  func cut(from least: Int) -> (count: Int, last: ChangeIndex)? {
    guard let count = cuts.first(where: { $0 >= least }) else { return nil }
    return (count, changes[changes.startIndex + count - 1])
  }

  /// The first changes by number.
  func first(_ count: Int, forScalars scalarCount: Int) -> CountedChanges? {
    StretchChanges(self, first: count).counted(forScalars: scalarCount)
  }

  /// The changes by number, those that follow each other as one if there are too many.
  ///
  /// O(n²) for n changes in between.
  ///
  /// - Parameter scalarCount: how many scalars they touched.
  /// - Returns: `nil` if they are more than the limits even so.
  func counted(forScalars scalarCount: Int) -> CountedChanges? {
    var runs = (0..<middle).map { [$0] }
    // One more for those at the end.
    if !CountedChanges.fit(runs.count + 1, scalarCount) { runs = self.runs() }
    let count = runs.count + 1
    guard CountedChanges.fit(count, scalarCount) else { return nil }
    var result = CountedChanges(changes)
    func numbers(_ run: [Int]) -> [ChangeIndex] { run.map { changes[changes.startIndex + $0] } }
    for (number, run) in runs.enumerated() {
      var seen = ChangeSet(number)
      for (earlier, other) in runs[..<number].enumerated() where isSeen(other[0], by: run[0]) {
        seen.insert(earlier)
      }
      result.add(numbers(run), past: seen)
    }
    if middle < changes.count {
      result.add(Array(changes.dropFirst(middle)), past: ChangeSet(below: count))
    }
    return result
  }

  /// The changes in between, by their places, in runs of which each has seen the one before and
  /// nothing else besides what that has seen, and that all others have seen together or not at all.
  private func runs() -> [[Int]] {
    // Of each change those that it has seen, and those that have seen it, without itself.
    let width = middle / 64 + 1
    var seen = [[UInt64]](repeating: [UInt64](repeating: 0, count: width), count: middle)
    var seers = seen
    for later in 0..<middle {
      for earlier in 0..<later where isSeen(earlier, by: later) {
        seen[later][earlier >> 6] |= 1 << UInt64(earlier & 63)
        seers[earlier][later >> 6] |= 1 << UInt64(later & 63)
      }
    }
    func including(_ change: Int, _ set: [UInt64]) -> [UInt64] {
      var result = set
      result[change >> 6] |= 1 << UInt64(change & 63)
      return result
    }
    var runs: [[Int]] = []
    var runOf = [Int](repeating: -1, count: middle)
    for change in 0..<middle {
      // The last that it has seen is the only one that it can follow.
      if let word = seen[change].lastIndex(where: { $0 != 0 }) {
        let before = 64 * word + 63 - seen[change][word].leadingZeroBitCount
        if seen[change] == including(before, seen[before]),
          seers[before] == including(change, seers[change])
        {
          runOf[change] = runOf[before]
          runs[runOf[change]].append(change)
          continue
        }
      }
      runOf[change] = runs.count
      runs.append([change])
    }
    return runs
  }

  /// Whether a change has seen an earlier one, both by their places.
  private func isSeen(_ first: Int, by second: Int) -> Bool {
    seen.isSeen(leftOut + first, by: leftOut + second)
  }
}

/// The changes of a stretch by number.
struct CountedChanges {
  /// No passages are looked for where the square of the number of changes, times the number of
  /// scalars, is more.
  private static let workLimit = 1 << 21

  /// The changes, ascending, but for those that all others have seen.
  private let changes: ArraySlice<ChangeIndex>
  /// The number of each in the stretch.
  private var numbers: [Int]
  /// For each number in the stretch the last change that it stands for.
  private(set) var names: [ChangeIndex] = []
  /// For each number those that it has seen, itself included.
  private(set) var past: [ChangeSet] = []

  fileprivate static func fit(_ count: Int, _ scalarCount: Int) -> Bool {
    count <= ChangeSet.capacity && count * count * scalarCount <= workLimit
  }

  fileprivate init(_ changes: ArraySlice<ChangeIndex>) {
    self.changes = changes
    numbers = Array(repeating: 0, count: changes.count)
  }

  /// The number of a change, by its number in the log; `nil` if all others have seen it.
  ///
  /// O(log n).
  func number(of change: ChangeIndex) -> Int? {
    place(of: change).map { numbers[$0] }
  }

  private func place(of change: ChangeIndex) -> Int? {
    let place = changes.partitionPoint { $0 >= change }
    return place < changes.endIndex && changes[place] == change
      ? place - changes.startIndex : nil
  }

  fileprivate mutating func add(_ run: [ChangeIndex], past seen: ChangeSet) {
    for change in run {
      if let place = place(of: change) { numbers[place] = names.count }
    }
    if let last = run.max() { names.append(last) }
    past.append(seen)
  }
}
