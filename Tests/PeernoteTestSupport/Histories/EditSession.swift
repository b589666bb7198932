package import Peernote

/// One agent that makes random changes to what it sees.
package struct EditSession {
  /// The agent.
  package let agent: AgentID
  private let profile: HistoryProfile
  private var sequence = 0
  /// Where in each text the session last wrote.
  private var cursors: [ContainerID: Int] = [:]

  package init(agent: AgentID, profile: HistoryProfile) {
    self.agent = agent
    self.profile = profile
  }

  /// Makes the first change of a document: a text, and other containers if the profile has them.
  ///
  /// Returns its number.
  package mutating func makeFirstChange(oracle: inout Oracle) -> Int {
    sequence += 1
    let id = ChangeID(agent: agent, sequence: sequence)
    let kinds = profile.isTextOnly ? [.text] : ContainerKind.allCases
    var edits: [Edit] = kinds.map { kind in
      .put(map: .root, key: kind == .text ? "body" : "\(kind)", content: .container(kind))
    }
    let body = EventID(change: id, index: kinds.firstIndex(of: .text) ?? 0)
    if profile.runLength.upperBound > 1 {
      edits.append(.insertText(into: .created(body), at: 0, text: "abcd"))
    }
    return oracle.add(
      Change(id: id, parents: [], time: EditSession.epoch, author: "first", edits: edits))
  }

  /// Makes a change of one to `edits` or a few more edits upon a version.
  ///
  /// Returns its number.
  package mutating func makeChange(
    upon version: OracleVersion, edits: Int, salt: UInt64, oracle: inout Oracle
  ) -> Int {
    var random = SplitMix64(seed: salt)
    sequence += 1
    let change = oracle.begin(
      Change(
        id: ChangeID(agent: agent, sequence: sequence), parents: oracle.heads(of: version),
        time: time(&random), author: random.pick(["ann", "bob", "", "Zoë"]),
        message: random.chance(20) ? random.pick(["", "typo", "\u{1F4DD} note"]) : nil, edits: []))
    for _ in 0..<edits {
      // Each edit draws from a sequence of its own, so that fewer edits are a prefix of more.
      var own = SplitMix64(seed: random.next())
      edit(&oracle, &own)
    }
    if oracle.changes[change].edits.isEmpty {
      oracle.append(.put(map: .root, key: "last", content: .value(.integer(Int64(sequence)))))
    }
    return change
  }

  private static let epoch = Timestamp(milliseconds: 1_700_000_000_000)

  /// Clocks that stand still, run backwards and are wrong by years.
  private func time(_ random: inout SplitMix64) -> Timestamp {
    let offset = random.pick([0, 0, 1, 1, 2, 1000, -1, -60_000, 1 << 40, -(1 << 41)] as [Int64])
    return Timestamp(milliseconds: EditSession.epoch.milliseconds + offset)
  }

  private mutating func edit(_ oracle: inout Oracle, _ random: inout SplitMix64) {
    let now = oracle.pasts[oracle.changes.count - 1]
    let hidden = random.chance(profile.hiddenPercent)
    var containers = hidden ? oracle.containers(in: now) : oracle.view(at: now).containers
    if profile.isTextOnly { containers.removeAll { $0.kind != .text } }
    let weights = containers.map { profile.weight(of: $0.kind) }
    guard !containers.isEmpty else { return }
    let container = containers[random.weighted(weights)]
    var maker = EditMaker(
      container: container, version: now, cursor: cursors[container.id] ?? 0,
      profile: profile, reachesHidden: hidden)
    for edit in maker.edits(oracle, &random) { oracle.append(edit) }
    cursors[container.id] = maker.cursor
  }
}
