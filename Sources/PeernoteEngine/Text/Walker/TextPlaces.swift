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

  /// Places in one text of a log, in O(chains).
  package init(of container: ContainerIndex, in log: Log) {
    self.log = log
    self.container = container
    parts = CriticalVersions(of: log.graph).parts
  }

  // MARK: Scalars by place

  /// Finds the event that inserted the scalar before which `place` visible scalars stand; `nil` if
  /// none did; O(operations since that event), and a walk over those of them that are concurrent.
  ///
  /// Throws if an operation does not apply at its version.
  package mutating func event(at place: Int) throws(HistoryError) -> LocalVersion? {
    var place = Int32(place)
    for (concurrent, linear) in parts.reversed() {
      if let event = goBack(linear, &place) { return event }
      if let event = try goBackConcurrently(concurrent, &place) { return event }
    }
    return nil
  }

  /// Goes back over linear history, until the insertion of the scalar at a place.
  private func goBack(_ events: Range<LocalVersion>, _ place: inout Int32) -> LocalVersion? {
    if events.isEmpty { return nil }
    let first = log.operationIndex(endingAfter: events.lowerBound)
    let last = log.operationIndex(endingAfter: events.upperBound - 1)
    for index in (first...last).reversed() {
      let whole = log.operations[index]
      guard whole.container == container, whole.kind.editsText else { continue }
      let operation = whole.slice(whole.events.clamped(to: events))
      let offset = place - operation.position
      if offset < 0 { continue }
      if operation.kind == .insertText {
        if offset < operation.length { return operation.first + offset }
        place -= operation.length
      } else {
        place += operation.length
      }
    }
    return nil
  }

  /// Goes back over concurrent history, until the insertion of the scalar at a place.
  private mutating func goBackConcurrently(
    _ events: Range<LocalVersion>, _ place: inout Int32
  ) throws(HistoryError) -> LocalVersion? {
    let sought = place
    var found: LocalVersion?
    try walk(over: events) { item, before, old in
      let offset = sought - before
      guard item.deletedBy.isEmpty, offset >= 0, offset < item.length else { return }
      if item.first.isEvent { found = item.first + offset } else { place = old + offset }
    }
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

  /// Where a scalar stands, visible or deleted; `nil` if `event` inserted no scalar of the text.
  ///
  /// O(operations since its insertion), and a walk over those of them that are concurrent. Throws
  /// if an operation does not apply at its version.
  package mutating func place(of event: LocalVersion) throws(HistoryError) -> Place? {
    var place: Place?
    for (concurrent, linear) in parts {
      if concurrent.upperBound > event {
        try goOnConcurrently(concurrent, from: event, &place)
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
    _ events: Range<LocalVersion>, from event: LocalVersion, _ place: inout Place?
  ) throws(HistoryError) {
    let sought = place
    if sought == nil, !events.contains(event) { return }
    var found: Place?
    let isEdited = try walk(over: events) { item, before, old in
      let offset: Int32
      if let sought {
        if item.first.isEvent { return }
        offset = sought.before - old
      } else {
        if event < item.first || event >= item.end { return }
        offset = event - item.first
      }
      guard offset >= 0, offset < item.length else { return }
      // One that was deleted before stands left of the one that was visible next to it.
      let isVisible = item.deletedBy.isEmpty
      found = Place(
        before: before + (isVisible ? offset : 0),
        isVisible: isVisible && sought?.isVisible != false)
    }
    if isEdited { place = found }
  }

  /// Walks events that follow a critical version, up to another one, and tells whether any of them
  /// edits the text.
  ///
  /// Calls `body` with the items of the text, each with how many visible scalars come before it,
  /// and how many that were visible before the walk.
  @discardableResult
  private mutating func walk(
    over events: Range<LocalVersion>,
    _ body: (_ item: Tracker.Item, _ before: Int32, _ old: Int32) -> Void
  ) throws(HistoryError) -> Bool {
    var isEdited = false
    log.forEachOperation(in: events) { operation in
      if operation.container == container, operation.kind.editsText { isEdited = true }
    }
    if !isEdited { return false }
    // However long the text is: the walker knows how long it can be at most.
    var walker = Walker(
      log: log, after: log.graph.cut(after: events.lowerBound - 1),
      texts: [(container: container, placeholder: .max)], workLimit: log.workLimit - steps)
    try walker.walk(sides: .allBoth, upTo: events.upperBound)
    steps += walker.steps
    guard let sequence = walker.tracker.sequences[container] else { return false }
    var (before, old): (Int32, Int32) = (0, 0)
    walker.tracker.forEachItem(of: sequence) { item in
      body(item, before, old)
      if item.deletedBy.isEmpty { before += item.length }
      if !item.first.isEvent { old += item.length }
    }
    return true
  }
}
