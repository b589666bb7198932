/// Which events edit each container of a log, or something inside it.
///
/// Needed only where a container was replaced or removed, to tell whether whoever did so had seen
/// all that was done inside.
struct EditedRanges: Sendable {
  /// For each container the events on it, ascending and not touching.
  private var own: [[Range<LocalVersion>]]
  /// For each container those that were created in it.
  private var created: [[Int32]]

  /// O(operations + containers).
  init(of log: Log) {
    own = Array(repeating: [], count: log.containers.count)
    created = Array(repeating: [], count: log.containers.count)
    for (number, container) in log.containers.enumerated() where container.parent >= 0 {
      created[Int(container.parent)].append(Int32(number))
    }
    for operation in log.operations {
      let container = Int(operation.container)
      if let last = own[container].last, last.upperBound == operation.first {
        own[container][own[container].count - 1] = last.lowerBound..<operation.end
      } else {
        own[container].append(operation.events)
      }
    }
  }

  /// Whether every event on a container, and on all that was created inside it, is among `seen`
  /// (ascending ranges that don't touch).
  ///
  /// O(k log n) for k ranges.
  func areAll(inside container: Int32, in seen: [Range<LocalVersion>]) -> Bool {
    own[Int(container)].allSatisfy { seen.covers($0) }
      && created[Int(container)].allSatisfy { areAll(inside: $0, in: seen) }
  }
}
