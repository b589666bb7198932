import Peernote
import PeernoteTestSupport
import Testing

/// A graph with the closure of every event, computed event by event.
private struct NaiveGraph {
  var graph = Graph()
  /// For each event itself and all before it.
  var closures: [Set<LocalVersion>] = []

  /// Appends a chain by a new agent.
  mutating func append(events: Int32, parents: [LocalVersion]) {
    graph.append(
      agent: AgentIndex(graph.chains.count), firstSequence: 1, changeCount: 1, eventCount: events,
      parents: parents.sorted())
    for offset in 0..<events {
      let event = LocalVersion(closures.count)
      let before =
        offset > 0
        ? closures[event.number - 1]
        : parents.reduce(into: []) { $0.formUnion(closures[$1.number]) }
      closures.append(before.union([event]))
    }
  }

  func closure(of version: some Sequence<LocalVersion>) -> Set<LocalVersion> {
    version.reduce(into: []) { $0.formUnion(closures[$1.number]) }
  }

  func heads(of events: Set<LocalVersion>) -> Version {
    events.filter { event in
      !events.contains { $0 != event && closures[$0.number].contains(event) }
    }.sorted()
  }

  /// Whether every event after a cut has seen all before it.
  func isCritical(_ last: LocalVersion) -> Bool {
    (last + 1..<LocalVersion(closures.count)).allSatisfy { later in
      !last.isEvent || (.first...last).allSatisfy { closures[later.number].contains($0) }
    }
  }

  /// A graph of random shape: chains begin at one to three events that don't know each other.
  static func random(seed: UInt64, chains: Int) -> NaiveGraph {
    var random = SplitMix64(seed: seed)
    var graph = NaiveGraph()
    let reach = random.pick([2, 5, 1000])
    for _ in 0..<chains {
      let count = graph.closures.count
      let picked = (0..<random.below(4)).filter { _ in count > 0 }.map { _ in
        LocalVersion(count - 1 - random.below(min(count, reach)))
      }
      graph.append(
        events: Int32(random.within(1...4)), parents: graph.heads(of: Set(picked)))
    }
    return graph
  }

  /// A graph of some levels, each chain of which begins at most chains of the level before.
  static func crowd(seed: UInt64) -> NaiveGraph {
    var random = SplitMix64(seed: seed)
    var graph = NaiveGraph()
    var before: [Range<Int>] = []
    for _ in 0..<3 {
      var level: [Range<Int>] = []
      for _ in 0..<random.within(10...14) {
        let parents = before.filter { _ in random.chance(90) }.map { chain in
          LocalVersion(random.chance(70) ? chain.upperBound - 1 : chain.lowerBound)
        }
        let start = graph.closures.count
        graph.append(events: Int32(random.within(1...3)), parents: parents)
        level.append(start..<graph.closures.count)
      }
      before = level
    }
    return graph
  }

  /// All graphs of so many chains of up to two events, with all sets of parents.
  static func forEach(chains: Int, _ body: (NaiveGraph) -> Void) {
    func extend(_ graph: NaiveGraph) {
      if graph.graph.chains.count == chains {
        body(graph)
        return
      }
      let count = graph.closures.count
      for subset in 0..<(1 << count) {
        let parents = (0..<count).filter { subset >> $0 & 1 == 1 }.map { LocalVersion($0) }
        guard graph.heads(of: Set(parents)) == parents else { continue }
        for events in [1, 2] as [Int32] {
          var next = graph
          next.append(events: events, parents: parents)
          extend(next)
        }
      }
    }
    extend(NaiveGraph())
  }
}

/// Questions about event graphs, against closures computed event by event.
@Suite struct GraphTests {
  @Test("ancestors and heads are those of the closures", arguments: 1...60)
  func ancestors(seed: UInt64) {
    let naive = NaiveGraph.random(seed: seed, chains: 25)
    let graph = naive.graph
    let all = graph.events
    #expect(graph.heads == naive.heads(of: Set(all)))
    for event in all {
      for other in all {
        let isBefore = naive.closures[event.number].contains(other)
        if graph.isAncestor(other, orSelf: event) != isBefore {
          Issue.record("\(other) before \(event): \(isBefore)")
        }
      }
      #expect(graph.closure(of: [event]).flatMap { $0 } == naive.closures[event.number].sorted())
    }
  }

  @Test(
    "differences, closures and heads of versions are those of sets, however many parents chains have",
    arguments: 1...60, [false, true])
  func differences(seed: UInt64, areMany: Bool) {
    let naive =
      areMany ? NaiveGraph.crowd(seed: seed) : NaiveGraph.random(seed: seed, chains: 30)
    var random = SplitMix64(seed: ~seed)
    for _ in 0..<40 {
      let one = Self.version(of: naive, &random)
      let other = Self.version(of: naive, &random)
      let difference = naive.graph.difference(one, other)
      let (first, second) = (naive.closure(of: one), naive.closure(of: other))
      #expect(
        difference.onlyFirst.flatMap { $0.reversed() }
          == first.subtracting(second).sorted(by: >))
      #expect(
        difference.onlySecond.flatMap { $0.reversed() }
          == second.subtracting(first).sorted(by: >))
      #expect(naive.graph.heads(ofClosure: naive.graph.closure(of: one)) == one)
    }
  }

  @Test("the heads among some events are those in no closure of another", arguments: 1...60)
  func headsAmong(seed: UInt64) {
    let naive = NaiveGraph.random(seed: seed, chains: 20)
    var random = SplitMix64(seed: ~seed)
    for _ in 0..<100 {
      let events = Set(
        (0..<random.within(0...12)).map { _ in LocalVersion(random.below(naive.closures.count)) })
      let found = naive.graph.heads(among: events.sorted(by: >))
      #expect(found == naive.heads(of: events).reversed(), "\(events)")
    }
  }

  private static func version(of graph: NaiveGraph, _ random: inout SplitMix64) -> Version {
    let picked = (0..<random.below(4)).map { _ in
      LocalVersion(random.below(graph.closures.count))
    }
    return graph.heads(of: graph.closure(of: picked))
  }

  @Test("critical versions of all small graphs are those that all later events have seen")
  func smallGraphs() {
    var count = 0
    NaiveGraph.forEach(chains: 4) { naive in
      count += 1
      checkCriticalVersions(of: naive)
      checkPlans(of: naive)
    }
    #expect(count > 500)
  }

  @Test("critical versions of random graphs are too", arguments: 1...300)
  func randomGraphs(seed: UInt64) {
    let naive = NaiveGraph.random(seed: seed, chains: Int(seed % 17) + 2)
    checkCriticalVersions(of: naive)
    checkPlans(of: naive)
  }

  private func checkCriticalVersions(of naive: NaiveGraph) {
    let critical = CriticalVersions(of: naive.graph)
    var last = LocalVersion.beforeAll
    for limit in .first...naive.graph.end {
      if naive.isCritical(limit - 1) { last = limit - 1 }
      let cut = naive.graph.cut(after: critical.last(before: limit))
      if cut.last != last || cut.heads != naive.heads(of: Set(.first..<last + 1)) {
        Issue.record("before \(limit): \(cut), wanted \(last) in \(naive.graph.chains)")
        return
      }
    }
    for limit in .first...naive.graph.end {
      let bounded = CriticalVersions(of: naive.graph, before: limit)
      for later in limit...naive.graph.end
      where bounded.last(before: later) != critical.last(before: later) {
        Issue.record("before \(later), found from \(limit) on, in \(naive.graph.chains)")
      }
    }
    for earlier in naive.graph.events {
      for later in earlier + 1..<naive.graph.end + 1 where later < naive.graph.end {
        let between = (earlier..<later).contains { naive.isCritical($0) }
        if critical.separate(earlier, from: later) != between {
          Issue.record("\(earlier) and \(later): \(between) in \(naive.graph.chains)")
        }
      }
    }
  }

  /// A plan after any critical version takes every later event once, each after its parents.
  private func checkPlans(of naive: NaiveGraph) {
    let critical = CriticalVersions(of: naive.graph)
    var plan = Plan()
    for limit in .first...naive.graph.end {
      let cut = naive.graph.cut(after: critical.last(before: limit))
      plan.make(of: naive.graph, after: cut, upTo: naive.graph.end)
      var done = Set(.first..<cut.last + 1)
      for index in plan.order {
        let chain = naive.graph.chains[index]
        let events = max(chain.start, cut.last + 1)..<chain.end
        let first = events.lowerBound
        let past = naive.closures[first.number].subtracting([first])
        let parents =
          chain.start <= cut.last ? cut.heads : Version(naive.graph.parents(ofChain: index))
        if !past.isSubset(of: done) || naive.heads(of: past) != parents
          || !done.isDisjoint(with: events)
        {
          Issue.record("after \(cut): \(index) in \(naive.graph.chains)")
        }
        done.formUnion(events)
      }
      #expect(done.count == Int(naive.graph.eventCount))
    }
  }
}
