import Peernote
import PeernoteTestSupport
import Testing

/// The order of changes, and independence of every other order.
@Suite struct OracleOrderTests {
  private let put = Edit.put(map: .root, key: "k", content: .value(.null))

  @Test("chains of one agent stay together, in the order of their first events")
  func chains() {
    var story = Story()
    let a1 = story.change(9, put)
    let b1 = story.change(2, after: [a1], put, put)
    let a2 = story.change(9, put)
    let b2 = story.change(2, put)
    let a3 = story.change(9, after: [b1, a2], put)
    let a4 = story.change(9, put)
    let order = story.oracle.canonicalOrder(of: story.oracle.everything).map(\.id)
    #expect(order == [a1, a2, b1, b2, a3, a4])
    let part = story.oracle.canonicalOrder(of: story.oracle.version(of: [b2])).map(\.id)
    #expect(part == [a1, b1, b2])
  }

  @Test("chains that begin at one Lamport time stand by agent")
  func ties() {
    var story = Story()
    let a = story.change(9, put)
    let c = story.change(3, after: [a], put)
    let b = story.change(2, after: [a], put)
    let order = story.oracle.canonicalOrder(of: story.oracle.everything).map(\.id)
    #expect(order == [a, b, c])
  }

  @Test("parents stand before children in the order of changes", arguments: HistoryProfile.all)
  func topological(profile: HistoryProfile) {
    for seed: UInt64 in 1...15 {
      let history = History(seed: seed, profile: profile)
      for version in history.replicas {
        var known: Set<ChangeID> = []
        for change in history.oracle.canonicalOrder(of: version) {
          #expect(known.isSuperset(of: change.parents), "seed \(seed)")
          known.insert(change.id)
        }
        #expect(known.count == version.changes.count)
      }
    }
  }

  @Test(
    "what changes mean does not depend on the order they come in", arguments: HistoryProfile.all)
  func orderIndependence(profile: HistoryProfile) {
    for seed: UInt64 in 1...15 {
      let history = History(seed: seed, profile: profile)
      var random = SplitMix64(seed: seed)
      let oracle = history.oracle
      let again = Oracle(changes: random.shuffled(oracle.changes))
      #expect(again.view.root == oracle.view.root, "seed \(seed)")
      #expect(again.view.conflicts == oracle.view.conflicts, "seed \(seed)")
      let order = oracle.canonicalOrder(of: oracle.everything)
      #expect(again.canonicalOrder(of: again.everything) == order, "seed \(seed)")
      again.checkInvariants()
    }
  }

  @Test("a version means what its changes mean alone", arguments: HistoryProfile.all)
  func versionsAlone(profile: HistoryProfile) {
    for seed: UInt64 in 1...15 {
      let history = History(seed: seed, profile: profile)
      for version in history.replicas {
        let alone = Oracle(changes: history.changes(of: version))
        let view = history.oracle.view(at: version)
        #expect(alone.view.root == view.root, "seed \(seed)")
        #expect(alone.view.conflicts == view.conflicts, "seed \(seed)")
      }
    }
  }
}
