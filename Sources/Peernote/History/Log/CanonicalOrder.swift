/// The canonical order of changes in portable form: chains sorted by the Lamport timestamp of their
/// first event, then agent, then sequence number; see ``Graph``.
struct CanonicalOrder {
  /// The numbers of the changes, which ascend with their names.
  let names: ChangeNames
  /// How many events each has.
  private var eventCounts: [Int32] = []
  /// The numbers of the parents, and where those of each change begin.
  private var parents: [Int32] = []
  private var parentStarts: [Int32] = [0]

  /// O(n log n); throws if a parent is missing, one name stands for two changes, or there are more
  /// events than fit.
  init<Changes: RandomAccessCollection<Change>>(of changes: Changes) throws(HistoryError) {
    names = try ChangeNames(of: changes)
    eventCounts.reserveCapacity(names.count)
    parentStarts.reserveCapacity(names.count + 1)
    var events = 0
    for number in 0..<names.count {
      let change = names.change(number, of: changes)
      let eventCount = change.eventCount
      guard eventCount > 0 else { throw HistoryError(.changeWithoutEvents) }
      events += eventCount
      guard events <= LocalVersion.maximumEventCount else { throw HistoryError(.tooManyEvents) }
      eventCounts.append(Int32(eventCount))
      for parent in change.parents {
        guard let parent = names[parent] else { throw HistoryError(.unknownParent) }
        parents.append(Int32(parent))
      }
      parentStarts.append(Int32(parents.count))
    }
  }

  /// How many events a change has.
  func eventCount(of number: Int) -> Int32 { eventCounts[number] }

  /// The numbers of the changes in canonical order.
  ///
  /// O(n log n). Throws if changes are their own ancestors or a sequence number is missing.
  func numbers() throws(HistoryError) -> [Int32] {
    let lamports = try lamports()
    let chainStarts = try chainStarts()
    return (0..<Int32(names.count)).sorted { left, right in
      let (first, second) = (chainStarts[Int(left)], chainStarts[Int(right)])
      return (lamports[Int(first)], first, left) < (lamports[Int(second)], second, right)
    }
  }

  private func parents(of number: Int32) -> ArraySlice<Int32> {
    parents[Int(parentStarts[Int(number)])..<Int(parentStarts[Int(number) + 1])]
  }

  /// The Lamport timestamp of each change's first event.
  ///
  /// A depth-first search through the parents.
  private func lamports() throws(HistoryError) -> [Int32] {
    let (unknown, onTheWay): (Int32, Int32) = (0, -1)
    var result = [Int32](repeating: unknown, count: names.count)
    var waiting: [Int32] = []
    for number in 0..<Int32(names.count) {
      waiting.append(number)
      while let last = waiting.last {
        if result[Int(last)] > 0 {
          waiting.removeLast()
          continue
        }
        result[Int(last)] = onTheWay
        var lamport: Int32 = 1
        let depth = waiting.count
        for parent in parents(of: last) {
          let known = result[Int(parent)]
          if known == onTheWay { throw HistoryError(.cyclicParents) }
          if known == unknown { waiting.append(parent) }
          lamport = max(lamport, known + eventCounts[Int(parent)])
        }
        if waiting.count == depth { result[Int(last)] = lamport }
      }
    }
    return result
  }

  /// For each change the first one of its chain.
  private func chainStarts() throws(HistoryError) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(names.count)
    for number in 0..<names.count {
      guard names.isFirst(number) || names.followsTheOneBefore(number) else {
        throw HistoryError(.sequenceGap)
      }
      let goesOn =
        !names.isFirst(number) && parents(of: Int32(number)).elementsEqual([Int32(number) - 1])
      result.append(goesOn ? result[number - 1] : Int32(number))
    }
    return result
  }
}

extension Change {
  /// How many events the change holds.
  package var eventCount: Int { edits.reduce(0) { $0 + $1.eventCount } }

  /// At most so many bytes does the change take in a file besides its edits; see
  /// ``Log/fileSize``.
  var fileSizeWithoutEdits: Int {
    256 + author.utf8.count + (message?.utf8.count ?? 0) + 32 * parents.count
  }
}
