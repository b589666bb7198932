import Peernote
import PeernoteTestSupport
import Testing

/// Graphs that share their first chains, against graphs that do not.
@Suite struct ChainListTests {
  @Test("a log that goes on from a shared prefix is the log that does not share", arguments: 1...40)
  func sharing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var whole = Graph()
    Self.append(1 + random.below(12), to: &whole, &random)
    let log = Self.log(of: whole)
    for count in 0...whole.chains.count {
      let prefix = log.prefix(LogPrefix(of: log, chains: count))
      var copy = Graph()
      for chain in whole.chains.prefix(count) { Self.copy(chain, of: whole, to: &copy) }
      #expect(prefix.graph == copy)
      #expect(prefix.graph.hashValue == copy.hashValue)
      var grown = prefix.graph
      var later = random
      if grown.chains.count > 0 {
        grown.extendLastChain(changes: 1, events: 2)
        copy.extendLastChain(changes: 1, events: 2)
      }
      Self.append(3, to: &grown, &random)
      Self.append(3, to: &copy, &later)
      #expect(grown == copy)
      #expect(grown.heads == copy.heads)
      for event in grown.events {
        #expect(grown.chainIndex(of: event) == copy.chainIndex(of: event))
      }
      // What went on has left alone what it shares.
      #expect(log.graph == whole)
    }
  }

  private static func log(of graph: Graph) -> Log {
    var log = Log()
    log.graph = graph
    log.agents = (0..<3).map { AgentID(rawValue: $0) }
    for chain in graph.chains {
      log.eventCounts.append(
        changes: 1, eventsEach: chain.end - chain.start - (chain.changeCount - 1))
      log.eventCounts.append(changes: chain.changeCount - 1, eventsEach: 1)
      log.operations.append(
        Operation(
          first: chain.start, length: chain.end - chain.start, kind: .insertText, container: .root))
    }
    return log
  }

  /// Appends chains that follow some of the heads.
  private static func append(_ count: Int, to graph: inout Graph, _ random: inout SplitMix64) {
    for _ in 0..<count {
      let agent = AgentIndex(random.below(3))
      let before = graph.chains.last { $0.agent == agent }
      var parents = graph.heads.filter { _ in random.below(2) == 0 }
      if let before, !parents.contains(before.end - 1) {
        parents = (parents + [before.end - 1]).sorted()
      }
      graph.append(
        agent: agent, firstSequence: before.map { $0.firstSequence + $0.changeCount } ?? 1,
        changeCount: 1, eventCount: Int32(1 + random.below(3)), parents: parents)
    }
  }

  private static func copy(_ chain: Chain, of graph: Graph, to other: inout Graph) {
    other.append(
      agent: chain.agent, firstSequence: chain.firstSequence, changeCount: chain.changeCount,
      eventCount: chain.end - chain.start,
      parents: Array(graph.parents(ofChain: other.chains.endIndex)))
  }
}
