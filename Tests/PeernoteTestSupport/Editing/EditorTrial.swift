import Peernote

/// Several people edit copies of one document through the library, by a script.
///
/// After each call the editor shows what the call does to the content alone. After each change,
/// and after each merge, the document shows what the oracle makes of its changes.
package struct EditorTrial {
  private var documents: [Document]
  private var agents: [AgentID]
  private var sequences: [AgentID: Int] = [:]
  private var saves: [Document]
  private var random: SplitMix64

  /// Tries random scripts.
  ///
  /// Returns the first fault found, with a small script that shows it; `nil` if there is none.
  package static func run(_ budget: LawBudget) -> String? {
    Shrinker.smallestFault(.few, budget, fault).map { found in
      """
      Again: PEERNOTE_SEED=\(found.seed) PEERNOTE_HISTORIES=1
      Found: \(found.fault)
      Smallest script found: \(found.script)
      """
    }
  }

  private static func fault(in script: Script) -> String? {
    PeernoteTestSupport.fault {
      var trial = EditorTrial(script)
      for step in script.steps { try trial.take(step) }
    }
  }

  private init(_ script: Script) {
    random = SplitMix64(seed: script.seed)
    var first = Document(id: UniqueID(randomBits: random.next(), random.next()))
    let agent = AgentID(rawValue: random.next())
    let session = DocumentSession(agent: agent, author: "first", time: Timestamp(milliseconds: 0))
    _ = first.change(by: session, message: nil) { editor in
      do {
        try editor.putContainer(.text, at: JSONPointer(["body"]))
        try editor.putContainer(.list, at: JSONPointer(["list"]))
      } catch {
        fatalError("new keys can be written: \(error)")
      }
    }
    documents = Array(repeating: first, count: script.replicas)
    agents = []
    saves = [first]
    for _ in 0..<script.replicas { agents.append(AgentID(rawValue: random.next())) }
  }

  private mutating func take(_ step: Step) throws {
    switch step {
    case .edit(let replica, let edits, let salt):
      try edit(replica, edits, salt)
    case .merge(let replica, let other, let extent):
      _ = try documents[replica].merge(try copy(of: other, extent))
      try check(documents[replica])
    case .save(let replica):
      documents[replica] = try Document(bytes: documents[replica].bytes())
      saves.append(documents[replica])
    case .gather:
      for other in documents { _ = try documents[0].merge(other) }
      documents = Array(repeating: documents[0], count: documents.count)
      try check(documents[0])
    case .session(let replica):
      agents[replica] = AgentID(rawValue: random.next())
    }
  }

  private func copy(of replica: Int, _ extent: Step.Extent) throws -> Document {
    switch extent {
    case .whole:
      return documents[replica]
    case .save(let salt):
      var random = SplitMix64(seed: salt)
      return random.pick(saves)
    case .part(let salt):
      var random = SplitMix64(seed: salt)
      let document = documents[replica]
      return try document.at(version: [random.pick(document.changes).id])
    }
  }

  private mutating func edit(_ replica: Int, _ edits: Int, _ salt: UInt64) throws {
    var random = SplitMix64(seed: salt)
    let time = Timestamp(milliseconds: Int64(random.below(3)))
    let session = DocumentSession(agent: agents[replica], author: "someone", time: time)
    let heads = documents[replica].heads
    let before = try OracleNode(documents[replica].root)
    var shown = before
    let id = try documents[replica].change(by: session, message: nil) { editor in
      for _ in 0..<edits {
        let step = EditorStepMaker(root: shown).step(&random)
        guard let wanted = step.result(on: shown) else { continue }
        do {
          try step.perform(on: &editor)
        } catch {
          throw Fault("\(step) on \(shown) is refused: \(error)")
        }
        editor.checkInvariants()
        guard let root = editor.node(at: JSONPointer([])) else {
          throw Fault("an editor shows the root")
        }
        try expectEqual(OracleNode(root), wanted, "\(step) on \(shown)")
        shown = wanted
      }
    }
    let document = documents[replica]
    document.checkInvariants()
    try expectEqual(OracleNode(document.root), shown, "content after a change")
    if let id {
      try expectEqual(id.agent, session.agent, "agent of the change")
      // Contested text that would have shown something else is settled by a change more.
      let last = sequences[id.agent, default: 0]
      let made = document.changes.filter { $0.id.agent == id.agent && $0.id.sequence > last }
      try expectEqual(made.map(\.id.sequence), Array(last + 1...id.sequence), "changes made")
      sequences[id.agent] = id.sequence
      try expectEqual(documents[replica].heads, [id], "heads after a change")
      try expectEqual(made.first?.parents, heads, "parents of the change")
    } else {
      try expectEqual(documents[replica].heads, heads, "heads after no change")
      try expectEqual(shown, before, "content after no change")
    }
    try check(documents[replica])
  }

  private func check(_ document: Document) throws {
    let oracle = try Oracle(changes: document.exportedChanges)
    let view = oracle.view
    try expectEqual(OracleNode(document.rawRoot), view.root, "content of all changes")
    let conflicts = document.conflicts
    let told = conflicts.toldByMoves(view.conflictPlaces, of: oracle, at: oracle.everything)
    let found = try conflicts.inOracleTerms()
    let wanted = view.conflicts.union(view.equalElements).subtracting(told.subtracting(found))
    try expectEqual(Set(found.map(\.path)), Set(wanted.map(\.path)), "conflicts")
    let again = try Document(id: document.id, changes: document.exportedChanges)
    try expectSameBytes(document.bytes(), again.bytes(), "the file of the same changes")
  }
}
