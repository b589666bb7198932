package import Peernote

/// The engine's log of a version of an oracle, with the oracle's names for what is in it.
package struct EngineLog {
  /// The log.
  package let log: Log
  /// The oracle's numbers of the events, by local version.
  package let events: [Int]
  /// The containers, by number.
  package let containers: [ContainerID]
  private let oracle: Oracle

  /// Makes the log of a version's changes.
  package init(_ oracle: Oracle, at version: OracleVersion) throws {
    self.oracle = oracle
    let log = try Log.make(from: version.changes.map { oracle.changes[$0] }).log
    self.log = log
    events = log.graph.events.map { oracle.number(of: log.eventID(of: $0)) }
    containers = log.containers.indices.map { log.containerID(ContainerIndex($0)) }
  }

  /// What an event inserted.
  package func scalar(_ event: LocalVersion) -> Unicode.Scalar? {
    if case .insertScalar(let scalar) = oracle.events[events[event.number]].action {
      scalar
    } else {
      nil
    }
  }
}
