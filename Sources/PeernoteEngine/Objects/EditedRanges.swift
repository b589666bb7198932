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
    own = []
    created = []
    addContainers(of: log)
    for operation in log.operations { file(operation) }
  }

  /// Goes on with an operation that has just been appended to the log.
  mutating func append(_ operation: Operation, of log: Log) {
    addContainers(of: log)
    file(operation)
  }

  private mutating func addContainers(of log: Log) {
    for number in own.count..<log.containers.count {
      own.append([])
      created.append([])
      let parent = Int(log.containers[number].parent)
      if parent >= 0 { created[parent].append(Int32(number)) }
    }
  }

  private mutating func file(_ operation: Operation) {
    let container = Int(operation.container)
    if let last = own[container].last, last.upperBound == operation.first {
      own[container][own[container].count - 1] = last.lowerBound..<operation.end
    } else {
      own[container].append(operation.events)
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

  /// For each container, whether there are events on it, or on what was created inside it, other
  /// than some (ascending ranges that don't touch).
  ///
  /// O(containers + n log k) for n ranges here and k there.
  func containersEdited(outside events: [Range<LocalVersion>]) -> [Bool] {
    var result = [Bool](repeating: false, count: own.count)
    // What is created inside a container has a greater number.
    for container in own.indices.reversed() {
      result[container] =
        own[container].contains { !events.covers($0) }
        || created[container].contains { result[Int($0)] }
    }
    return result
  }

  /// The events on a container, and on all that was created inside it, but for some (ascending
  /// ranges that don't touch); in no order.
  ///
  /// O(n log k) for n ranges inside and k there.
  func ranges(inside container: Int32, outside seen: [Range<LocalVersion>]) -> [Range<LocalVersion>]
  {
    own[Int(container)].flatMap { seen.gaps(in: $0) }
      + created[Int(container)].flatMap { ranges(inside: $0, outside: seen) }
  }

  /// Whether every event on a container, and on all that was created inside it, is at most `last`.
  func areAll(inside container: Int32, upTo last: LocalVersion) -> Bool {
    (own[Int(container)].last?.upperBound ?? 0) <= last + 1
      && created[Int(container)].allSatisfy { areAll(inside: $0, upTo: last) }
  }
}
