import PeernoteEngine
import PeernoteTestSupport
import Testing

/// What a walk may cost, by the steps that it takes: the same on every machine.
@Suite struct WalkBoundTests {
  @Test(
    "a walk takes no more steps than its bound, whatever the history:", arguments: HostileFile.all)
  func hostileFiles(file: HostileFile) throws {
    let cost = try WalkCost(of: Log.make(from: file.changes(size: 1500)).log)
    #expect(cost.steps <= cost.bound)
  }

  @Test("a walk takes no more steps than its bound, in histories at random", arguments: 0..<60)
  func randomGraphs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let graph = HostileGraph(using: &random)
    let cost = try WalkCost(of: Log.make(from: graph.changes(60)).log)
    #expect(cost.steps <= cost.bound, "\(graph)")
  }

  @Test("nobody works without others at hand: a history by turns takes no steps")
  func sequential() throws {
    let file = try #require(HostileFile.all.first { $0.name == "insertions all over a text" })
    let cost = try WalkCost(of: Log.make(from: file.changes(size: 3000)).log)
    #expect(cost.concurrentPieces == 0)
    #expect(cost.steps == 0)
  }

  @Test("the search for dear histories finds the same ones again, and dearer than by chance")
  func search() throws {
    var found: [HostileGraph?] = []
    for _ in 0..<2 {
      var search = HostileSearch(seed: 5, size: 40)
      var first: Double?
      for _ in 0..<60 {
        _ = try search.step()
        first = first ?? search.best?.stepsPerEvent
      }
      found.append(search.best?.graph)
      #expect(search.best?.stepsPerEvent ?? 0 > first ?? 0)
    }
    #expect(found[0] == found[1])
  }
}
