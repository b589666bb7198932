/// Finds scalars of texts by their place, and the places of scalars by their name.
///
/// Neither needs more of the history than what came after the insertion of the scalar. Where that
/// is linear, each operation shifts the place by what it inserted or deleted before it; only what
/// lies between two critical versions and is concurrent has to be walked.
package struct TextPlaces {
  private let log: Log
  private let container: ContainerIndex
  /// See ``CriticalVersions/parts``.
  private let parts: [(concurrent: Range<LocalVersion>, linear: Range<LocalVersion>)]
  /// How many steps all walks took so far; together they may take ``Log/workLimit``.
  private var steps = 0

  /// Places in one text of a log.
  ///
  /// O(chains).
  package init(of container: ContainerIndex, in log: Log) {
    self.log = log
    self.container = container
    parts = CriticalVersions(of: log.graph).parts
  }

  // MARK: Scalars by place

  /// Finds the event that inserted the scalar before which `place` of `length` visible scalars
  /// stand; `nil` at the end of the text.
  ///
  /// O(operations since that event), and a walk over those of them that are concurrent. Throws if
  /// an operation does not apply at its version.
  package mutating func event(at place: Int, length: Int) throws(HistoryError) -> LocalVersion? {
    guard place < length else { return nil }
    var place = Place(before: Int32(place), isVisible: true)
    var length = length
    for (concurrent, linear) in parts.reversed() {
      if let event = goBack(linear, &place, &length) { return event }
      if let event = try goBackConcurrently(concurrent, &place, &length) { return event }
    }
    return nil
  }

  /// Goes back over linear history, until the insertion of the scalar at a place.
  private func goBack(
    _ events: Range<LocalVersion>, _ place: inout Place, _ length: inout Int
  ) -> LocalVersion? {
    if events.isEmpty { return nil }
    var index = log.operationIndex(endingAfter: events.upperBound - 1)
    while index >= 0, log.operations.first(of: index + 1) > events.lowerBound {
      let whole = log.operations[index]
      index -= 1
      guard whole.container == container, whole.kind.editsText else { continue }
      let operation = whole.slice(whole.events.clamped(to: events))
      if operation.kind == .insertText {
        length -= Int(operation.length)
        if place.before < operation.position { continue }
        let offset = place.before - operation.position
        if offset < operation.length { return operation.first + offset }
        place.before -= operation.length
      } else {
        length += Int(operation.length)
        if place.before >= operation.position { place.before += operation.length }
      }
    }
    return nil
  }

  /// Goes back over concurrent history, until the insertion of the scalar at a place.
  private mutating func goBackConcurrently(
    _ events: Range<LocalVersion>, _ place: inout Place, _ length: inout Int
  ) throws(HistoryError) -> LocalVersion? {
    guard let walker = try walk(over: events, lengthAtMost: length),
      let sequence = walker.tracker.sequences[container]
    else { return nil }
    var found: LocalVersion?
    var (before, old): (Int32, Int32) = (0, 0)
    let sought = place.before
    var wasOld = sought
    walker.tracker.forEachItem(of: sequence) { item in
      let isVisible = item.deletedBy.isEmpty
      if isVisible, sought >= before, sought < before + item.length {
        if item.first.isEvent {
          found = item.first + (sought - before)
        } else {
          wasOld = old + (sought - before)
        }
      }
      if isVisible { before += item.length }
      if !item.first.isEvent { old += item.length }
    }
    place.before = wasOld
    length -= Int(before - old)
    return found
  }

  // MARK: Places by scalar

  /// Where a scalar stands.
  package struct Place: Hashable, Sendable {
    /// How many visible scalars come before it.
    package var before: Int32
    /// Whether it is visible itself, and not deleted.
    package var isVisible: Bool
  }

  /// Where a scalar stands, visible or deleted, in a text of `length` visible scalars; `nil` if
  /// `event` inserted no scalar of the text.
  ///
  /// O(operations since its insertion), and a walk over those of them that are concurrent. Throws
  /// if an operation does not apply at its version.
  package mutating func place(of event: LocalVersion, length: Int) throws(HistoryError) -> Place? {
    var bound = length
    log.forEachOperation(in: event..<log.graph.end) { operation in
      if operation.kind.deletesText, operation.container == container {
        bound += Int(operation.length)
      }
    }
    var place: Place?
    for (concurrent, linear) in parts {
      if concurrent.upperBound > event {
        try goOnConcurrently(concurrent, from: event, &place, bound)
      }
      if linear.upperBound > event, place != nil || linear.contains(event) {
        goOn(linear, from: event, &place)
      }
    }
    return place
  }

  /// Goes on over linear history with the place of a scalar, `nil` before its insertion.
  private func goOn(
    _ events: Range<LocalVersion>, from event: LocalVersion, _ place: inout Place?
  ) {
    let start = max(events.lowerBound, event)
    log.forEachOperation(in: start..<events.upperBound) { operation in
      guard operation.container == container, operation.kind.editsText else { return }
      guard var found = place else {
        if operation.first == event, operation.kind == .insertText {
          // What the operation inserts after the scalar stands behind it.
          place = Place(before: operation.position, isVisible: true)
        }
        return
      }
      if operation.kind == .insertText {
        // Right after the visible scalar on its left, and so before one that is deleted.
        if operation.position <= found.before { found.before += operation.length }
      } else if operation.position <= found.before {
        if found.isVisible, found.before < operation.position + operation.length {
          found = Place(before: operation.position, isVisible: false)
        } else {
          found.before -= min(operation.length, found.before - operation.position)
        }
      }
      place = found
    }
  }

  /// Goes on over concurrent history with the place of a scalar, `nil` before its insertion.
  private mutating func goOnConcurrently(
    _ events: Range<LocalVersion>, from event: LocalVersion, _ place: inout Place?, _ bound: Int
  ) throws(HistoryError) {
    let sought = place
    guard sought != nil || events.contains(event),
      let walker = try walk(over: events, lengthAtMost: bound),
      let sequence = walker.tracker.sequences[container]
    else { return }
    var found: Place?
    var (before, old): (Int32, Int32) = (0, 0)
    walker.tracker.forEachItem(of: sequence) { item in
      let isVisible = item.deletedBy.isEmpty
      var offset: Int32?
      if let sought {
        if !item.first.isEvent {
          let distance = sought.before - old
          if distance >= 0, distance < item.length { offset = distance }
          old += item.length
        }
      } else if event >= item.first, event < item.first + item.length {
        offset = event - item.first
      }
      if let offset {
        // One that was deleted before stands left of the one that was visible next to it.
        found = Place(
          before: before + (isVisible ? offset : 0),
          isVisible: isVisible && sought?.isVisible != false)
      }
      if isVisible { before += item.length }
    }
    place = found
  }

  /// Walks events that follow a critical version, up to another one, if any of them edits the text.
  ///
  /// The text is at most so long before or after them.
  private mutating func walk(
    over events: Range<LocalVersion>, lengthAtMost length: Int
  ) throws(HistoryError) -> Walker? {
    var (isEdited, deleted) = (false, 0)
    log.forEachOperation(in: events) { operation in
      guard operation.container == container, operation.kind.editsText else { return }
      isEdited = true
      if operation.kind.deletesText { deleted += Int(operation.length) }
    }
    if !isEdited { return nil }
    let cut = log.graph.cut(after: events.lowerBound - 1)
    let isNew = log.containers[container].created > cut.last
    var walker = Walker(
      log: log, after: cut,
      texts: [(container: container, placeholder: isNew ? 0 : length + deleted + 1)],
      workLimit: log.workLimit - steps)
    try walker.walk(sides: .allBoth, upTo: events.upperBound)
    steps += walker.steps
    return walker
  }
}
