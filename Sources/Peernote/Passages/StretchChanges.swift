/// The changes that touched a stretch of a text, by what they have seen of each other.
///
/// Most of what was done to a stretch was done with all before it seen, and was seen by all after
/// it. That is left out, or counts as one change, so that the work is that of the rest.
struct StretchChanges {
  /// More changes than that, without those that have seen everything and were seen by everything
  /// in the document, are not looked at.
  private static let changeLimit = 1 << 10

  /// The changes in between, ascending.
  private var rest: ArraySlice<Int32>
  /// The last ones, each of which has seen all others but the ones before it here.
  private var last: [Int32] = []
  private let log: Log
  private let critical: CriticalCuts

  /// Takes the changes that inserted or deleted a scalar of the stretch.
  ///
  /// O(n²) for n changes that are concurrent to anything.
  ///
  /// - Returns: `nil` if all is settled, or more than the limit.
  init?(_ touching: Set<Int32>, of log: Log, critical: CriticalCuts) {
    self.log = log
    self.critical = critical
    rest = touching.sorted()[...]
    while let first = rest.first, isLinear(first) { rest.removeFirst() }
    while let change = rest.last, isLinear(change) {
      last.append(change)
      rest.removeLast()
    }
    guard rest.count <= Self.changeLimit else { return nil }
    while let first = rest.first, rest.dropFirst().allSatisfy({ isSeen(first, by: $0) }) {
      rest.removeFirst()
    }
    while let change = rest.last, rest.dropLast().reversed().allSatisfy({ isSeen($0, by: change) })
    {
      last.append(change)
      rest.removeLast()
    }
    if rest.isEmpty { return nil }
  }

  /// Whether a change is one that not all others have seen.
  ///
  /// O(log n + last ones).
  func isOpen(_ change: Int32) -> Bool {
    guard let first = rest.first, change >= first else { return false }
    var (low, high) = (rest.startIndex, rest.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if rest[middle] < change { low = middle + 1 } else { high = middle }
    }
    return low < rest.endIndex && rest[low] == change || last.contains(change)
  }

  /// The changes, ascending.
  private var ascending: [Int32] { Array(rest) + last.reversed() }

  /// How many of the first changes all others have seen: the least number from a given one on.
  ///
  /// O(log n) for each number where a critical version lies, else O(n²) at most; mostly the changes
  /// next to each other tell.
  ///
  /// - Parameter least: the least number that may be returned; at least 1.
  /// - Returns: the number; `nil` if there is none but that of all changes.
  func cut(from least: Int) -> (count: Int, last: Int32)? {
    let changes = ascending
    for count in max(least, 1)..<max(changes.count, least, 1) {
      let (earlier, later) = (changes[..<count], changes[count...])
      let isCut =
        count >= rest.count || isCritical(between: changes[count - 1], and: changes[count])
        || later.allSatisfy { change in earlier.reversed().allSatisfy { isSeen($0, by: change) } }
      if isCut { return (count, changes[count - 1]) }
    }
    return nil
  }

  /// Whether a critical version holds a change and all before it, and not another one.
  private func isCritical(between first: Int32, and second: Int32) -> Bool {
    critical.separate(
      log.eventCounts.firstEvent(ofChange: first + 1) - 1,
      from: log.eventCounts.firstEvent(ofChange: second))
  }

  /// The first changes by number.
  func first(_ count: Int, forScalars scalarCount: Int) -> CountedChanges? {
    var part = self
    part.rest = ascending[..<count]
    part.last = []
    return part.counted(forScalars: scalarCount)
  }

  /// The changes by number, those that follow each other as one if there are too many.
  ///
  /// O(n²) for n changes in between.
  ///
  /// - Parameter scalarCount: how many scalars they touched.
  /// - Returns: `nil` if they are more than the limits even so.
  func counted(forScalars scalarCount: Int) -> CountedChanges? {
    var runs = rest.map { [$0] }
    // One more for those at the end.
    if !CountedChanges.fit(runs.count + 1, scalarCount) { runs = self.runs(of: Array(rest)) }
    let count = runs.count + 1
    guard CountedChanges.fit(count, scalarCount) else { return nil }
    var result = CountedChanges(count, scalarCount)
    for (number, run) in runs.enumerated() {
      var seen = ChangeSet(number)
      for (earlier, other) in runs[..<number].enumerated() where isSeen(other[0], by: run[0]) {
        seen.insert(earlier)
      }
      result.add(run, past: seen)
    }
    if !last.isEmpty { result.add(last, past: ChangeSet(below: count)) }
    return result
  }

  /// The changes in runs of which each has seen the one before and nothing else besides what that
  /// has seen, and that all others have seen together or not at all.
  private func runs(of changes: [Int32]) -> [[Int32]] {
    // Of each change those that it has seen, and those that have seen it, without itself.
    let width = changes.count / 64 + 1
    var seen = [[UInt64]](repeating: [UInt64](repeating: 0, count: width), count: changes.count)
    var seers = seen
    for later in changes.indices {
      for earlier in 0..<later where isSeen(changes[earlier], by: changes[later]) {
        seen[later][earlier >> 6] |= 1 << UInt64(earlier & 63)
        seers[earlier][later >> 6] |= 1 << UInt64(later & 63)
      }
    }
    func including(_ change: Int, _ set: [UInt64]) -> [UInt64] {
      var result = set
      result[change >> 6] |= 1 << UInt64(change & 63)
      return result
    }
    var runs: [[Int32]] = []
    var runOf = [Int](repeating: -1, count: changes.count)
    for change in changes.indices {
      // The last that it has seen is the only one that it can follow.
      if let word = seen[change].lastIndex(where: { $0 != 0 }) {
        let before = 64 * word + 63 - seen[change][word].leadingZeroBitCount
        if seen[change] == including(before, seen[before]),
          seers[before] == including(change, seers[change])
        {
          runOf[change] = runOf[before]
          runs[runOf[change]].append(changes[change])
          continue
        }
      }
      runOf[change] = runs.count
      runs.append([changes[change]])
    }
    return runs
  }

  /// Whether a change has seen all before it, and all after have seen it, in the whole document.
  private func isLinear(_ change: Int32) -> Bool {
    critical.areLinear(log.eventCounts.events(ofChange: change))
  }

  private func isSeen(_ first: Int32, by second: Int32) -> Bool {
    let event = log.eventCounts.firstEvent(ofChange: first + 1) - 1
    let later = log.eventCounts.firstEvent(ofChange: second)
    return critical.separate(event, from: later)
      || log.graph.isAncestor(event, orSelf: later)
  }
}

/// The changes of a stretch by number.
struct CountedChanges {
  /// No passages are looked for where the square of the number of changes, times the number of
  /// scalars, is more.
  private static let workLimit = 1 << 21

  /// For each change, by its number in the log, its number in the stretch; those that all others
  /// have seen have none.
  private(set) var numbers: [Int32: Int] = [:]
  /// For each number in the stretch the last change that it stands for.
  private(set) var names: [Int32] = []
  /// For each number those that it has seen, itself included.
  private(set) var past: [ChangeSet] = []
  /// How many scalars may come by a change that has seen everything before a limit is reached.
  let room: Int

  fileprivate init(_ count: Int, _ scalarCount: Int) {
    room = Self.workLimit / (count * count) - scalarCount
  }

  fileprivate static func fit(_ count: Int, _ scalarCount: Int) -> Bool {
    count <= ChangeSet.capacity && count * count * scalarCount <= workLimit
  }

  fileprivate mutating func add(_ run: [Int32], past seen: ChangeSet) {
    for change in run { numbers[change] = names.count }
    if let last = run.max() { names.append(last) }
    past.append(seen)
  }
}
