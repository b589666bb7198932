import Peernote
import PeernoteTestSupport
import Testing

/// That changes mean the same in every order and by themselves.
@Suite struct OracleOrderTests {
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
