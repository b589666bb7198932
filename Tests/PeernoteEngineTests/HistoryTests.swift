import Peernote
import PeernoteTestSupport
import Testing

/// Random histories, their shrinking, and the small ones.
@Suite struct HistoryTests {
  @Test("a seed makes the same history every time, in sound trees", arguments: HistoryProfile.all)
  func sameSeed(profile: HistoryProfile) {
    for seed: UInt64 in 1...15 {
      let (one, two) = (
        History(seed: seed, profile: profile), History(seed: seed, profile: profile)
      )
      #expect(one.oracle.changes == two.oracle.changes)
      #expect(one.replicas == two.replicas)
      one.oracle.checkInvariants()
      #expect(one.oracle.changes != History(seed: seed + 1, profile: profile).oracle.changes)
    }
  }

  @Test("SplitMix64 gives the numbers of its published reference")
  func generator() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("every kind of edit comes up", arguments: [HistoryProfile.everything, .hidden])
  func allKinds(profile: HistoryProfile) {
    var kinds: Set<Operation.Kind> = []
    for seed: UInt64 in 1...30 {
      let changes = History(seed: seed, profile: profile).oracle.changes
      kinds.formUnion(changes.flatMap(\.edits).map(\.kind))
    }
    #expect(kinds.count == 12)
  }

  @Test("agents take part with changes that no longer continue their last")
  func mergesByOneAgent() {
    let changes = (1...10).flatMap { History(seed: $0, profile: .text).oracle.changes }
    #expect(changes.contains { $0.parents.count > 1 })
    #expect(changes.contains { $0.id.sequence == 1 && $0.parents.count == 1 })
    #expect(changes.contains { $0.parents.count == 1 && $0.parents[0].agent == $0.id.agent })
  }

  @Test("small histories are all there, each once")
  func smallHistories() {
    var sets: Set<Set<Change>> = []
    var count = 0
    SmallHistories(agents: 2, changes: 3, start: "").forEach { oracle in
      count += 1
      sets.insert(Set(oracle.changes))
    }
    #expect(sets.count == count)
    // One change alone: an insertion by either of two agents, or none.
    var first = 0
    SmallHistories(agents: 2, changes: 1, start: "").forEach { _ in first += 1 }
    #expect(first == 3)
    // Two agents on "a": each may insert twice or delete, upon the start or upon the other.
    var second = 0
    SmallHistories(agents: 2, changes: 2, start: "a").forEach { _ in second += 1 }
    #expect(second == 1 + 6 + 2 * (2 * 5 + 1 * 1) + 2 * (2 * 5 + 1 * 1) + 9)
  }

  @Test("shrinking finds a history of the steps that matter")
  func shrinking() {
    let script = Script(seed: 7, profile: .everything)
    let moves = { (script: Script) in
      History(script: script, profile: .everything).oracle.changes.dropFirst().flatMap(\.edits)
        .filter { $0.kind == .moveElement }.count
    }
    #expect(moves(script) > 0)
    var shrinker = Shrinker { moves($0) > 0 }
    let small = shrinker.shrink(script)
    #expect(moves(small) > 0)
    #expect(small.steps.count <= 3)
  }
}
