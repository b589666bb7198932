/// How many random histories to try laws on, and which: from the environment, or a fixed budget.
///
/// `PEERNOTE_HISTORIES` is the number of histories for each profile, `PEERNOTE_SEED` the seed of
/// the first one (those after it have the seeds that follow). With `PEERNOTE_TRACE` set, each
/// seed is printed before it is tried, which tells the one that traps.
package struct LawBudget: Sendable {
  /// The seed of the first history.
  package var firstSeed: UInt64
  /// The number of histories.
  package var histories: Int
  /// Whether to print each seed.
  package var isTraced: Bool

  /// The budget that the environment asks for, else one of so many histories.
  package init(histories: Int) {
    firstSeed = TestSetting.number("SEED") ?? 1
    self.histories = TestSetting.count("HISTORIES") ?? histories
    isTraced = TestSetting.isSet("TRACE")
  }

  /// The seeds of the histories.
  package var seeds: Range<UInt64> { firstSeed..<firstSeed + UInt64(histories) }
}

/// Laws on trial before random histories.
package struct LawTrial: Sendable {
  private let laws: [Law]
  private let profile: HistoryProfile

  package init(_ laws: [Law], profile: HistoryProfile) {
    self.laws = laws
    self.profile = profile
  }

  /// The first history that breaks a law, made small, with all that is needed to try it again;
  /// `nil` if all laws hold.
  package func run(_ budget: LawBudget) -> String? {
    guard let found = Shrinker.smallestFault(profile, budget, { fault(on: $0) }) else { return nil }
    let small = History(script: found.script, profile: profile)
    return """
      \(found.fault)
      Again: PEERNOTE_SEED=\(found.seed) PEERNOTE_HISTORIES=1, profile \(profile.name)
      Smallest history found, document \(small.id):
      \(tell(small.oracle.changes))
      Copies: \(small.replicas.map { small.oracle.heads(of: $0) })
      Steps: \(found.script.steps)
      """
  }

  private func fault(on script: Script) -> String? {
    Law.faults(of: laws, in: History(script: script, profile: profile)).first
  }
}
