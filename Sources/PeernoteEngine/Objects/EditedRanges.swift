/// Which events edit each container of a log, or something inside it, to tell whether whoever
/// replaced or removed one had seen all that was done inside; twelve bytes for each container and
/// as many for each range.
package struct EditedRanges: Sendable {
  private struct Container: BitwiseCopyable {
    /// The last of the ranges on it; `nil` for none.
    @Compact var lastRange: EntryIndex? = nil
    /// The last container created in it; `nil` for none.
    @Compact var lastInside: ContainerIndex? = nil
    /// The one created before it in the same container; `nil` for none.
    @Compact var previous: ContainerIndex?
  }

  /// Events on a container that follow one another.
  private struct Entry: BitwiseCopyable {
    var first: LocalVersion
    var end: LocalVersion
    /// The range before it on the same container; `nil` for none.
    @Compact var previous: EntryIndex?

    var events: Range<LocalVersion> { first..<end }
  }

  /// The place of a range in ``entries``.
  private struct EntryIndex: LogIndex {
    let rawValue: Int32
  }

  private var containers: [Container] = []
  private var entries: [Entry] = []

  var byteCount: Int {
    containers.capacity * MemoryLayout<Container>.stride
      + entries.capacity * MemoryLayout<Entry>.stride
  }

  /// O(operations + containers).
  package init(of log: Log) {
    containers.reserveCapacity(log.containers.count)
    addContainers(of: log)
    for operation in log.operations { file(operation) }
  }

  /// Goes on with an operation that has just been appended to the log.
  mutating func append(_ operation: Operation, of log: Log) {
    addContainers(of: log)
    file(operation)
  }

  private mutating func addContainers(of log: Log) {
    for number in containers.count..<log.containers.count {
      let parent = log.containers[number].parent
      containers.append(Container(previous: parent.flatMap { containers[$0].lastInside }))
      if let parent { containers[parent].lastInside = ContainerIndex(number) }
    }
  }

  private mutating func file(_ operation: Operation) {
    let container = operation.container
    let last = containers[container].lastRange
    if let last, entries[last].end == operation.first {
      entries[last].end = operation.end
    } else {
      containers[container].lastRange = EntryIndex(entries.count)
      entries.append(Entry(first: operation.first, end: operation.end, previous: last))
    }
  }

  /// Whether every event on a container, and on all that was created inside it, is among `seen`
  /// (ascending ranges that don't touch); O(k log n) for k ranges.
  func areAll(inside container: ContainerIndex, in seen: [Range<LocalVersion>]) -> Bool {
    ranges(on: container).allSatisfy { seen.covers($0) }
      && inside(container).allSatisfy { areAll(inside: $0, in: seen) }
  }

  /// For each container, whether there are events on it, or on what was created inside it, other
  /// than some (ascending ranges that don't touch); O(containers + n log k) for n ranges here and k
  /// there.
  package func containersEdited(outside events: [Range<LocalVersion>]) -> [Bool] {
    var result = [Bool](repeating: false, count: containers.count)
    // What is created inside a container has a greater number.
    for container in containers.indices.reversed() {
      result[container] =
        ranges(on: ContainerIndex(container)).contains { !events.covers($0) }
        || inside(ContainerIndex(container)).contains { result[$0] }
    }
    return result
  }

  /// The events on a container, and on all that was created inside it, but for some (ascending
  /// ranges that don't touch); in no order; O(n log k) for n ranges inside and k there.
  func ranges(
    inside container: ContainerIndex, outside seen: [Range<LocalVersion>]
  ) -> [Range<LocalVersion>] {
    ranges(on: container).flatMap { seen.gaps(in: $0) }
      + inside(container).flatMap { ranges(inside: $0, outside: seen) }
  }

  /// Whether every event on a container, and on all that was created inside it, is at most `last`.
  func areAll(inside container: ContainerIndex, upTo last: LocalVersion) -> Bool {
    // The last range ends last.
    (ranges(on: container).first { _ in true }?.upperBound ?? .first) <= last + 1
      && inside(container).allSatisfy { areAll(inside: $0, upTo: last) }
  }

  /// The events on a container itself, the last first.
  private func ranges(on container: ContainerIndex) -> some Sequence<Range<LocalVersion>> {
    sequence(state: containers[container].lastRange) { next in
      guard let number = next else { return nil }
      let entry = entries[number]
      next = entry.previous
      return entry.events
    }
  }

  /// The containers created in one, the last first.
  private func inside(_ container: ContainerIndex) -> some Sequence<ContainerIndex> {
    sequence(state: containers[container].lastInside) { next in
      guard let inside = next else { return nil }
      next = containers[inside].previous
      return inside
    }
  }

  /// Traps unless the ranges on each container are its events in the log, and each container is
  /// listed in the one that it was created in; O(n log n); for tests.
  func checkInvariants(of log: Log) {
    precondition(containers.count == log.containers.count, "every container has its ranges")
    var events = [[Range<LocalVersion>]](repeating: [], count: containers.count)
    for operation in log.operations { events[operation.container].append(operation.events) }
    var created = [[ContainerIndex]](repeating: [], count: containers.count)
    for (number, container) in log.containers.enumerated() {
      if let parent = container.parent { created[parent].append(ContainerIndex(number)) }
    }
    for container in containers.indices.lazy.map({ ContainerIndex($0) }) {
      precondition(
        ranges(on: container).reversed() == events[container].united(),
        "the ranges on a container ascend, don't touch, and hold its events")
      precondition(
        inside(container).reversed() == created[container],
        "the containers in a container are those that were created there")
    }
    let count = entries.reduce(0) { $0 + Int($1.end - $1.first) }
    precondition(count == Int(log.graph.eventCount), "every event is in a range")
  }
}
