import Peernote
import PeernoteTestSupport
import Testing

/// What a walk may cost, by the steps that it takes: the same on every machine.
@Suite struct WalkBoundTests {
  @Test(
    "a walk takes no more steps than its bound, whatever the history:", arguments: HostileFile.all)
  func hostileFiles(file: HostileFile) throws {
    let cost = try WalkCost(of: Log.make(from: file.changes(size: 1500)).log)
    #expect(cost.pieceSteps <= cost.pieceBound)
    #expect(cost.comparisonSteps <= cost.comparisonBound)
  }

  @Test("a walk takes no more steps than its bound, in histories at random", arguments: 0..<60)
  func randomGraphs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let graph = HostileGraph(using: &random)
    let cost = try WalkCost(of: Log.make(from: graph.changes(60)).log)
    #expect(cost.pieceSteps <= cost.pieceBound, "\(graph)")
    #expect(cost.comparisonSteps <= cost.comparisonBound, "\(graph)")
  }

  @Test("searching takes no more steps than the bound, where scanning would do", arguments: 0..<20)
  func searching(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let graph = HostileGraph(using: &random)
    let log = try Log.make(from: graph.changes(60)).log
    let cost = try WalkCost(of: log, scanLimit: 0)
    #expect(cost.pieceSteps <= cost.pieceBound, "\(graph)")
  }

  @Test(
    "however much is inserted concurrently at one place, an insertion takes few steps",
    arguments: [
      "backward typing on two sides", "backward typing on many sides",
      "insertions in one place at once", "long branches side by side",
    ])
  func onePlace(name: String) throws {
    let file = try #require(HostileFile.named(name))
    for size in [10_000, 40_000] {
      let log = try Log.make(from: file.changes(size: size)).log
      let steps = try WalkCost.steps(of: log)
      #expect(steps <= Tracker.placingLimit / 2 * log.eventCount)
    }
  }

  @Test("leaves of all sizes, hung along a chain in a bad order, do not send a walk to and fro")
  func leaves() throws {
    let count = 300
    var changes = [HostileFile.start]
    for number in 0..<count {
      changes.append(
        Change(
          1, number + 2, after: [changes[number].id],
          [.insertText(into: HostileFile.body, at: number % 2 == 0 ? 0 : 6, text: "x")]))
    }
    for number in 0..<count {
      let text = String(repeating: "x", count: 1 + number * 104_729 % count)
      changes.append(
        Change(
          UInt64(number + 2), after: [changes[1 + number * 7919 % count].id],
          [.insertText(into: HostileFile.body, at: 1, text: text)]))
    }
    let steps = try WalkCost.steps(of: Log.make(from: changes).log)
    #expect(steps <= 40 * count)
  }

  @Test("where everybody's work is merged one by one, it is walked before the merges")
  func mergesOneByOne() throws {
    let count = 200
    var changes = [HostileFile.start]
    var all = HostileFile.start.id
    for number in 0..<count {
      func change(_ agent: Int, after parents: [ChangeID]) -> ChangeID {
        let edit = Edit.insertText(into: HostileFile.body, at: 1, text: "x")
        changes.append(Change(UInt64(agent), after: parents, [edit]))
        return changes[changes.count - 1].id
      }
      let one = change(2 * number + 2, after: [HostileFile.start.id])
      all = number == 0 ? one : change(2 * number + 3, after: [all, one])
    }
    let steps = try WalkCost.steps(of: Log.make(from: changes).log)
    #expect(steps <= 250 * count)
  }

  @Test("a history in which everybody has seen all before takes no steps")
  func sequential() throws {
    let file = try #require(HostileFile.named("insertions all over a text"))
    let cost = try WalkCost(of: Log.make(from: file.changes(size: 3000)).log)
    #expect(cost.concurrentPieces == 0)
    #expect(cost.pieceSteps == 0)
  }

  @Test("a walk whose deletions fall into more pieces than the limit ends with an error")
  func deletedPieces() throws {
    let file = try #require(
      HostileFile.named("a text in pieces deleted at once"))
    var log = try Log.make(from: file.changes(size: 2000)).log
    let count = try Replay(log).deletions.count
    #expect(count > 10 * log.operations.count)
    log.limits.deletedPiecesEachRow = 0
    log.limits.freeDeletedPieces = count - 1
    let error = #expect(throws: HistoryError.self) { _ = try Replay(log) }
    #expect(error?.reason == .tooMuchWork)
    log.limits.freeDeletedPieces = count
    #expect(try Replay(log).deletions.count == count)
    // Every walk ends at the limit by itself, before its memory is taken.
    log.limits.freeDeletedPieces = count / 2
    let early = #expect(throws: HistoryError.self) { _ = try WalkCost.steps(of: log) }
    #expect(early?.reason == .tooMuchWork)
  }

  @Test(
    "a replay that takes more memory than the limit ends with an error",
    arguments: [
      "insertions all over a text", "backward typing on two sides", "two agents that always cross",
    ])
  func memory(name: String) throws {
    let file = try #require(HostileFile.named(name))
    let log = try Log.make(from: file.changes(size: 4000)).log
    let error = #expect(throws: HistoryError.self) { _ = try Replay(log, memoryLimit: 10_000) }
    #expect(error?.reason == .tooMuchMemory)
    #expect(error?.event != nil)
    _ = try Replay(log, memoryLimit: 1_000_000)
  }

  @Test("text that not everybody deletes at once is in few pieces when it is deleted")
  func deletedPiecesOfAll() throws {
    let everybody = ["a text in pieces deleted at once", "merges of all before and of one"]
    for file in HostileFile.all where !everybody.contains(file.name) {
      let log = try Log.make(from: file.changes(size: 1500)).log
      #expect(try Replay(log).deletions.count <= 4 * log.operations.count, "\(file)")
    }
  }

  @Test("the walks of one replay share one limit of steps")
  func sharedLimit() throws {
    // Two people who part and come together again and again.
    var changes = [HostileFile.start]
    for round in 0..<20 {
      let before = changes.suffix(round == 0 ? 1 : 2).map(\.id).sorted()
      for side in 0..<2 {
        changes.append(
          Change(
            UInt64(side + 2), round + 1, after: before,
            [.insertText(into: HostileFile.body, at: 3, text: "x")]))
      }
    }
    var log = try Log.make(from: changes).log
    let all = try WalkCost.steps(of: log)
    #expect(all >= 20)
    log.limits.stepsEachRow = 0
    log.limits.freeSteps = all
    _ = try Replay(log)
    log.limits.freeSteps = 10
    let error = #expect(throws: HistoryError.self) { _ = try Replay(log) }
    #expect(error?.reason == .tooMuchWork)
  }
}
