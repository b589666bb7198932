/// One step of a random history.
///
/// A step can be taken in any state: what it does follows from its salt and from what it finds.
/// So steps can be left out, to find a small history that shows a fault.
package enum Step: Hashable, Sendable {
  /// How much of another copy is merged in.
  package enum Extent: Hashable, Sendable {
    /// All of it.
    case whole
    /// One of the saved copies, whosever it is.
    case save(salt: UInt64)
    /// One of the other's changes and all before it.
    case part(salt: UInt64)
  }

  /// A replica makes one change of at most so many edits.
  case edit(replica: Int, edits: Int, salt: UInt64)
  /// A replica merges what another has.
  case merge(into: Int, from: Int, extent: Extent)
  /// A replica's copy is saved.
  case save(replica: Int)
  /// A replica goes on with a new agent.
  case session(replica: Int)
  /// Every replica merges what anyone has.
  case gather
}

/// The steps of a random history before they are taken.
package struct Script: Hashable, Sendable {
  /// From which the agents and the identifier of the document are drawn.
  package var seed: UInt64
  /// The number of replicas.
  package var replicas: Int
  /// What they do.
  package var steps: [Step]

  /// Draws a script.
  package init(seed: UInt64, profile: HistoryProfile) {
    var random = SplitMix64(seed: seed)
    let replicas = random.within(profile.replicas)
    var replica = 0
    self.seed = seed
    self.replicas = replicas
    steps = (0..<random.within(profile.steps)).map { _ in
      if !random.chance(profile.stayPercent) { replica = random.below(replicas) }
      let choice = random.below(100)
      var limit = profile.syncPercent
      if choice < limit {
        let other = (replica + 1 + random.below(replicas - 1)) % replicas
        let extent: Step.Extent =
          switch (random.chance(profile.partPercent), random.chance(50)) {
          case (true, true): .save(salt: random.next())
          case (true, false): .part(salt: random.next())
          case (false, _): .whole
          }
        return .merge(into: replica, from: other, extent: extent)
      }
      limit += profile.savePercent
      if choice < limit { return .save(replica: replica) }
      limit += profile.sessionPercent
      if choice < limit { return .session(replica: replica) }
      limit += profile.gatherPercent
      if choice < limit { return .gather }
      return .edit(
        replica: replica, edits: random.within(profile.editsPerChange), salt: random.next())
    }
  }
}
