import Peernote
import PeernoteTestSupport
import Testing

/// What editors do, against what their calls say.
@Suite struct LawsOfEditing {
  private let session = DocumentSession.person(1, "", at: 0)

  @Test("editors do what they are told, and changes mean what their editor showed")
  func editing() {
    let fault = EditorTrial.run(LawBudget(histories: 200))
    #expect(fault == nil, "\(fault ?? "")")
  }

  @Test("what adds nothing, discards nothing or moves nothing is no change")
  func nothing() throws {
    var document = try Document(
      holding: #"{"c":{"$counter":1},"l":[1,2],"m":[],"s":{"$set":[1]}}"#)
    for (from, to) in [("0", "0"), ("1", "1"), ("1", "-")] {
      #expect(
        try document.change(by: session) { editor in
          try editor.increment(by: 0, at: ["c"])
          try editor.add(1, toSetAt: ["s"])
          try editor.discard(2, fromSetAt: ["s"])
          try editor.move(from: ["l", from], to: ["l", to])
        } == nil)
    }
    #expect(throws: EditError.wrongKind(["l"], expected: .counter)) {
      try document.change(by: session) { try $0.increment(by: 0, at: ["l"]) }
    }
    #expect(throws: EditError.otherList(["m", "0"])) {
      try document.change(by: session) { try $0.move(from: ["l", "0"], to: ["m", "0"]) }
    }
  }

  @Test("a change has one name, spelled in one way")
  func names() {
    let change = ChangeID(agent: AgentID(rawValue: 0x0f0c_21ab_9d3e_4477), sequence: 12)
    let (agent, name) = (change.agent.description, change.description)
    #expect(ChangeID(name) == change)
    for other in [
      "\(agent).+12", "\(agent).012", "\(agent).0", "\(agent).-1", agent, name.uppercased(),
      "\(agent.dropFirst()).12", "\(name) ",
    ] {
      #expect(ChangeID(other) == nil, "\(other)")
    }
  }

  /// `PEERNOTE_ROUNDS` sets how many sessions are tried, `PEERNOTE_SEED` the first one's seed.
  @Test(
    "each undo leads to what was there before the step, each redo to what was there after it",
    arguments: UndoTrial.Company.allCases)
  func undoing(_ company: UndoTrial.Company) {
    for seed in TestSetting.seeds(60) {
      let fault = fault { try UndoTrial.run(company, seed: seed) }
      #expect(fault == nil, "seed \(seed): \(fault ?? "")")
    }
  }

  @Test("an edit that is refused leaves the change as it was, and the next one counts")
  func refusedEdits() throws {
    var document = Document(id: UniqueID(high: 1, low: 2))
    var path = JSONPointer()
    var refusals = 0
    document.change(by: session) { editor in
      for _ in 0..<70 {
        let deeper = path.appending("k")
        do {
          try editor.putContainer(.map, at: deeper)
          path = deeper
        } catch {
          refusals += 1
        }
      }
      do {
        try editor.insert(node: .value(.null), at: path.appending("-"))
      } catch {
        refusals += 1
      }
      do {
        try editor.put(.bool(true), at: path.appending("last"))
      } catch {
        Issue.record("\(error)")
      }
    }
    #expect(refusals > 1)
    let again = try Document(bytes: document.bytes())
    #expect(again.node(at: path.appending("last")) == .value(.bool(true)))
    let rebuilt = try Document(id: document.id, changes: document.exportedChanges)
    #expect(rebuilt.bytes() == document.bytes())
    #expect(Document.validate(bytes: document.bytes()).isEmpty)
  }

  @Test("lists under keys that differ only in how an accent is encoded are two lists")
  func movesBetweenLookalikes() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: session) { editor in
      for key in [composed, decomposed] {
        try editor.putContainer(.list, at: [key])
        try editor.insert(node: .value(.string(key)), at: [key, "-"])
        try editor.insert(node: .value(.null), at: [key, "-"])
      }
    }
    #expect(throws: EditError.self) {
      try document.change(by: session) {
        try $0.move(from: [composed, "0"], to: [decomposed, "1"])
      }
    }
  }
}
