package import Peernote

/// A history of one document among several people, as the oracle sees it.
package struct History {
  /// What happened to a replica, for repeating with the library.
  package enum Happening {
    /// A replica made the change with this number.
    case made(replica: Int, change: Int)
    /// A replica merged a copy that held this version.
    case merged(replica: Int, version: OracleVersion)
    /// A replica's copy went to a file and came back.
    case saved(replica: Int)
  }

  /// The document's identifier.
  package let id: UniqueID
  /// All changes ever made.
  package private(set) var oracle = Oracle()
  /// What each replica holds at the end.
  package private(set) var replicas: [OracleVersion] = []
  /// What the saved copies hold; the first holds the first change only.
  package private(set) var saves: [OracleVersion] = []
  /// All that happened after the first change, which every replica starts with.
  package private(set) var happenings: [Happening] = []

  /// Takes the steps of a script.
  package init(script: Script, profile: HistoryProfile) {
    var random = SplitMix64(seed: script.seed ^ 0x5EED_0F1D)
    id = UniqueID(randomBits: random.next(), random.next())
    var sessions = (0..<script.replicas).map { _ in
      EditSession(agent: AgentID(rawValue: random.next()), profile: profile)
    }
    begin(with: &sessions[0])
    for step in script.steps {
      switch step {
      case .edit(let replica, let edits, let salt):
        let change = sessions[replica].makeChange(
          upon: replicas[replica], edits: edits, salt: salt, oracle: &oracle)
        replicas[replica].insert(change)
        happenings.append(.made(replica: replica, change: change))
      case .merge(let replica, let other, let extent):
        let version = version(of: other, extent: extent)
        replicas[replica].formUnion(version)
        happenings.append(.merged(replica: replica, version: version))
      case .save(let replica):
        saves.append(replicas[replica])
        happenings.append(.saved(replica: replica))
      case .gather:
        let all = oracle.everything
        for replica in replicas.indices where replicas[replica] != all {
          replicas[replica] = all
          happenings.append(.merged(replica: replica, version: all))
        }
      case .session(let replica):
        sessions[replica] = EditSession(agent: AgentID(rawValue: random.next()), profile: profile)
      }
    }

    func begin(with session: inout EditSession) {
      let change = session.makeFirstChange(oracle: &oracle)
      replicas = Array(repeating: oracle.pasts[change], count: script.replicas)
      saves = [oracle.pasts[change]]
    }

    func version(of replica: Int, extent: Step.Extent) -> OracleVersion {
      switch extent {
      case .whole:
        return replicas[replica]
      case .save(let salt):
        var random = SplitMix64(seed: salt)
        return random.pick(saves.suffix(History.recent))
      case .part(let salt):
        var random = SplitMix64(seed: salt)
        return oracle.pasts[random.pick(replicas[replica].changes.suffix(History.recent))]
      }
    }
  }

  /// How many of the latest saves and changes partial merges choose from: old ones bring nothing.
  private static let recent = 6

  /// The history that belongs to a seed.
  package init(seed: UInt64, profile: HistoryProfile) {
    self.init(script: Script(seed: seed, profile: profile), profile: profile)
  }

  /// The document of all changes.
  package var document: Document {
    get throws { try Document(id: id, changes: oracle.changes) }
  }

  /// The changes of a version, in the order in which they were made.
  package func changes(of version: OracleVersion) -> [Change] {
    version.changes.map { oracle.changes[$0] }
  }
}
