/// Where the events of one log stand in another one that holds them all.
///
/// Both are in canonical order, so the map ascends.
package struct EventMap: Sendable {
  private let graph: Graph
  /// For each chain of the first log the local version of its first event in the other one.
  private var starts: [LocalVersion] = []

  /// A map in which the first chains stand where they stood.
  init(from graph: Graph, sharing count: Int) {
    self.graph = graph
    starts.reserveCapacity(graph.chains.count)
    for chain in graph.chains[..<count] { starts.append(chain.start) }
  }

  /// How many chains have a place so far.
  var count: Int { starts.count }

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
    if event == .none { return .none }
    let index = graph.chainIndex(of: event)
    return starts[index] + (event - graph.chains[index].start)
  }
}
