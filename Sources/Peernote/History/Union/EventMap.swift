/// Where the events of one log stand in another one that holds them all.
///
/// Both are in canonical order, so the map ascends.
package struct EventMap: Sendable {
  private let graph: Graph
  /// How many of the first chains stand where they stood, and where they end.
  private let shared: (chains: Int, end: LocalVersion)
  /// For each further chain of the first log the local version of its first event in the other one.
  private var starts: [LocalVersion] = []

  /// A map in which the first chains stand where they stood.
  init(from graph: Graph, sharing count: Int) {
    self.graph = graph
    shared = (count, count > 0 ? graph.chains[ChainIndex(count - 1)].end : .first)
    starts.reserveCapacity(graph.chains.count - count)
  }

  /// Gives the next chain its place.
  mutating func append(_ start: LocalVersion) {
    starts.append(start)
  }

  /// The local version of an event in the other log.
  ///
  /// O(log chains).
  ///
  /// Precondition: its chain has a place.
  package subscript(event: LocalVersion) -> LocalVersion {
    if event < shared.end { return event }
    let index = graph.chainIndex(of: event)
    return starts[index.number - shared.chains] + (event - graph.chains[index].start)
  }
}
