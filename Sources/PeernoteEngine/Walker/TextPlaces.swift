/// Finds scalars of texts by their place, and the places of scalars by their name.
package enum TextPlaces {
  /// The event that inserted the scalar at a place of a text; `nil` at its end.
  ///
  /// A replay of the whole history.
  ///
  /// - Throws: ``HistoryError`` if an operation does not apply at its version.
  package static func event(
    at place: Int, of container: Int32, in log: Log
  ) throws(HistoryError) -> LocalVersion? {
    var event: LocalVersion?
    var before = 0
    try Replay(log).forEachRun(of: container) { first, length in
      if event == nil, place >= before, place < before + Int(length) {
        event = first + Int32(place - before)
      }
      before += Int(length)
    }
    return event
  }

  /// How many visible scalars stand before one, visible or deleted, and whether it is visible.
  ///
  /// A replay from the last critical version before the scalar was inserted.
  ///
  /// - Parameters:
  ///   - event: the insertion of the scalar.
  ///   - container: the text.
  ///   - log: the history.
  ///   - length: how long the text is now.
  /// - Returns: `nil` if the event inserted no scalar of the text.
  /// - Throws: ``HistoryError`` if an operation does not apply at its version.
  package static func place(
    of event: LocalVersion, in container: Int32, log: Log, length: Int
  ) throws(HistoryError) -> (before: Int, isVisible: Bool)? {
    let cut = CriticalVersions(of: log.graph).last(before: event)
    var deleted = 0
    try log.forEachOperation(in: cut.last + 1..<log.graph.eventCount) { operation in
      if operation.kind.deletesText, operation.container == container {
        deleted += Int(operation.length)
      }
    }
    let isNew = log.containers[Int(container)].created > cut.last
    var walker = Walker(
      log: log, after: cut,
      texts: [(container: container, placeholder: isNew ? 0 : Int32(length + deleted + 1))])
    try walker.walk(sides: .allBoth)
    guard let sequence = walker.tracker.sequences[container] else { return nil }
    var found: (before: Int, isVisible: Bool)?
    var before = 0
    walker.tracker.forEachItem(of: sequence) { item in
      let isVisible = item.deletedBy.isEmpty
      if found == nil, event >= item.first, event < item.first + item.length {
        found = (before + (isVisible ? Int(event - item.first) : 0), isVisible)
      }
      if isVisible { before += Int(item.length) }
    }
    return found
  }
}
