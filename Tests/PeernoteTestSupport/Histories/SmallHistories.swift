import Peernote

/// All histories of one text in which a few agents make changes of one event each.
///
/// The first change, by the least of the agents, makes the text. Every change after it has one
/// event, an insertion or a deletion at any position of the text that its author sees, and its
/// author has seen any causally closed set of the changes before, their own among them. Every
/// set of changes comes up once.
package struct SmallHistories {
  /// The number of agents.
  package let agents: Int
  /// The number of changes after the first one, at most.
  package let changes: Int
  /// What the first change writes.
  package let start: String

  package init(agents: Int, changes: Int, start: String) {
    self.agents = agents
    self.changes = changes
    self.start = start
  }

  /// Passes every history to `body`, shorter ones before those that they begin.
  package func forEach(_ body: (Oracle) throws -> Void) rethrows {
    let first = ChangeID(agent: agent(0), sequence: 1)
    var edits: [Edit] = [.put(map: .root, key: "body", content: .container(.text))]
    if !start.isEmpty { edits.append(.insertText(into: text, at: 0, text: start)) }
    var oracle = Oracle()
    oracle.add(
      Change(id: first, parents: [], time: Timestamp(milliseconds: 0), edits: edits))
    try extend(oracle, body)
  }

  private func agent(_ number: Int) -> AgentID { AgentID(rawValue: UInt64(number + 1)) }

  private var text: ContainerID {
    .created(EventID(change: ChangeID(agent: agent(0), sequence: 1), index: 0))
  }

  private func extend(_ oracle: Oracle, _ body: (Oracle) throws -> Void) rethrows {
    try body(oracle)
    guard oracle.changes.count <= changes else { return }
    let versions = versions(of: oracle)
    for number in 0..<agents {
      let own = oracle.changes.indices.filter { oracle.changes[$0].id.agent == agent(number) }
      let id = ChangeID(agent: agent(number), sequence: own.count + 1)
      for version in versions where own.allSatisfy({ version.contains($0) }) {
        let parents = oracle.heads(of: version)
        guard isFirstOrder(adding: id, parents: parents, to: oracle) else { continue }
        for edit in edits(in: version, oracle) {
          var longer = oracle
          longer.add(
            Change(
              id: id, parents: parents, time: Timestamp(milliseconds: 0), edits: [edit]))
          try extend(longer, body)
        }
      }
    }
  }

  /// Whether the change could not have been added sooner, before a change with a greater name;
  /// so each set of changes is built in one order only.
  private func isFirstOrder(adding id: ChangeID, parents: [ChangeID], to oracle: Oracle) -> Bool {
    oracle.changes.indices.allSatisfy { place in
      let isReady = parents.allSatisfy { oracle.number(of: $0) < place }
      return !isReady || oracle.changes[place].id < id
    }
  }

  /// All causally closed sets that hold the first change.
  private func versions(of oracle: Oracle) -> [OracleVersion] {
    oracle.changes.indices.dropFirst().reduce(into: [oracle.pasts[0]]) { versions, change in
      let parents = oracle.changes[change].parents.map { oracle.number(of: $0) }
      for version in versions where parents.allSatisfy({ version.contains($0) }) {
        var larger = version
        larger.insert(change)
        versions.append(larger)
      }
    }
  }

  private func edits(in version: OracleVersion, _ oracle: Oracle) -> [Edit] {
    let scalars = oracle.text(text, in: version)
    let letter = String(Unicode.Scalar(UInt8(64 + oracle.changes.count)))
    let insertions = (0...scalars.count).map { position in
      Edit.insertText(into: text, at: position, text: letter)
    }
    let deletions = scalars.indices.map { position in
      Edit.deleteText(
        from: text, at: position, count: 1, backward: false, text: String(scalars[position]))
    }
    return insertions + deletions
  }
}
