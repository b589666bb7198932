import Peernote
import PeernoteTestSupport
import Testing

/// The engine against the oracle, below the level of documents.
@Suite struct EngineLawTests {
  private static let profiles = HistoryProfile.all

  /// Tries a law on random histories; shrinks the first that breaks it.
  private func check(
    _ profile: HistoryProfile, histories: Int, _ law: @escaping (History) throws -> Void
  ) {
    let found = Shrinker.smallestFault(profile, LawBudget(histories: histories)) { script in
      fault { try law(History(script: script, profile: profile)) }
    }
    guard let found else { return }
    let history = History(script: found.script, profile: profile)
    Issue.record(
      """
      seed \(found.seed), profile \(profile): \(found.fault)
      \(tell(history.oracle.changes))
      Copies: \(history.replicas.map { history.oracle.heads(of: $0) })
      """)
  }

  @Test("a walk finds the oracle's order of scalars", arguments: profiles)
  func walk(profile: HistoryProfile) {
    check(profile, histories: 40) { history in
      try EngineCase(history.oracle, at: history.oracle.everything).checkWalk()
      for version in history.replicas {
        let part = try EngineCase(history.oracle, at: version)
        try part.checkWalk()
        try part.checkReplay()
      }
    }
  }

  @Test("the check of a history finds a fault exactly if a replay does")
  func historyCheck() {
    var unsound: [HistoryForgery.Kind: Int] = [:]
    for profile in Self.profiles {
      check(profile, histories: 8) { history in
        var random = SplitMix64(seed: history.id.low)
        for version in [history.oracle.everything] + history.replicas {
          unsound.merge(
            try EngineCase(history.oracle, at: version).checkForgeries(&random), uniquingKeysWith: +
          )
        }
      }
    }
    for kind in HistoryForgery.Kind.allCases where kind != .nothing {
      #expect(unsound[kind, default: 0] > 0, "\(kind)")
    }
  }

  @Test("a log is sound after each change that is appended", arguments: profiles)
  func assembly(profile: HistoryProfile) {
    check(profile, histories: 10) { history in
      try EngineCase(history.oracle, at: history.oracle.everything).checkAssembly()
    }
  }

  @Test("walks of long texts are the oracle's")
  func longTexts() {
    check(.longText, histories: 1) { history in
      let whole = try EngineCase(history.oracle, at: history.oracle.everything)
      try whole.checkWalk()
      try whole.checkReplay()
      try whole.checkInsertedText()
    }
  }

  @Test("a walk finds the oracle's order in every small history")
  func smallHistories() {
    let fault = SmallHistories(agents: 3, changes: 4, start: "").firstFault { oracle in
      let whole = try EngineCase(oracle, at: oracle.everything)
      try whole.checkWalk()
      try whole.checkReplay()
    }
    #expect(fault == nil, "\(fault ?? "")")
  }
}
