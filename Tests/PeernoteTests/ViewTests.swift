import Peernote
import Testing

/// What an app does with a document that it shows.
@Suite struct ViewTests {
  private let body = JSONPointer(["body"])

  private func session(_ agent: UInt64) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: "someone", time: Timestamp(milliseconds: 0))
  }

  private func document(_ text: String) throws -> Document {
    var document = Document(id: UniqueID(high: 6, low: 6))
    try document.change(by: session(1)) { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .text(text), at: body)
    }
    return document
  }

  private func edited(
    _ document: Document, by agent: UInt64, _ edit: (inout Editor) throws(EditError) -> Void
  ) throws -> Document {
    var document = document
    try document.change(by: session(agent), edit)
    return document
  }

  @Test("texts are edited and patched by scalars and by characters")
  func characters() throws {
    let old = try document("cafe\u{301} \u{1F469}\u{200D}\u{1F467} ok")
    let new = try edited(old, by: 2) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: body, characters: 5..<6, with: "no")
    }
    #expect(new.node(at: body) == .text("cafe\u{301} no ok"))
    #expect(
      new.patches(from: old) == [
        Patch(
          path: body,
          action: .splice(TextReplacement(scalars: 6..<9, characters: 5..<6, text: "no")))
      ])
    var refused = old
    #expect(throws: EditError.rangeOutsideText(body)) {
      try refused.change(by: session(2)) { (editor: inout Editor) throws(EditError) in
        try editor.spliceText(at: body, characters: 9..<10, with: "")
      }
    }
  }

  @Test("a caret keeps its place when a merge inserts before, at and after it")
  func caret() throws {
    let base = try document("one two")
    let backward = try base.cursor(inTextAt: body, character: 3)
    let forward = try base.cursor(inTextAt: body, scalar: 3, affinity: .forward)
    var merged = base
    _ = try merged.merge(
      try edited(base, by: 2) { (editor: inout Editor) throws(EditError) in
        try editor.spliceText(at: body, scalars: 7..<7, with: "!")
        try editor.spliceText(at: body, scalars: 3..<3, with: "+")
        try editor.spliceText(at: body, scalars: 0..<0, with: "e\u{301} ")
      })
    #expect(merged.node(at: body) == .text("e\u{301} one+ two!"))
    let (left, right) = (try merged.place(of: backward), try merged.place(of: forward))
    #expect(left.path == body && left.scalar == 6 && left.character == 5)
    #expect(right.path == body && right.scalar == 7 && right.character == 6)
    var unrelated = Document(id: base.id)
    unrelated = try edited(unrelated, by: 7) { (editor: inout Editor) throws(EditError) in
      try editor.put(.null, at: body)
    }
    #expect(throws: CursorError.unknownAnchor) { try unrelated.place(of: backward) }
    #expect(throws: CursorError.noText(body)) { try unrelated.cursor(inTextAt: body, scalar: 0) }
    #expect(throws: CursorError.outsideText(body)) {
      try base.cursor(inTextAt: body, scalar: 8)
    }
  }

  @Test("places in a text go along with its patches")
  func offsets() {
    let insertion = TextReplacement(scalars: 3..<3, characters: 3..<3, text: "ab")
    #expect([2, 3, 4].map { insertion.scalarOffset($0) } == [2, 3, 6])
    #expect([2, 3, 4].map { insertion.scalarOffset($0, followsInsertions: true) } == [2, 5, 6])
    let deletion = TextReplacement(scalars: 3..<6, characters: 3..<6, text: "x")
    #expect([3, 4, 6, 7].map { deletion.scalarOffset($0) } == [3, 4, 4, 5])
  }

  @Test("whoever listens to a document is told every change as patches, in order")
  func observing() async throws {
    let base = try document("one")
    let other = try edited(base, by: 2) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: body, scalars: 3..<3, with: " two")
    }
    let live = ObservedDocument(base)
    let updates = await live.updates()
    try await live.merge(other)
    try await live.merge(other)
    try await live.change(by: session(3)) { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(1), at: JSONPointer(["n"]))
    }
    await #expect(throws: EditError.self) {
      try await live.change(by: session(3)) { (editor: inout Editor) throws(EditError) in
        try editor.put(.integer(2), at: JSONPointer(["n"]))
        try editor.remove(at: JSONPointer(["no"]))
      }
    }
    var shown = updates.root
    var seen: [ObservedDocument.Update] = []
    for await update in updates.values {
      for patch in update.patches {
        let fits = shown.apply(patch)
        #expect(fits)
      }
      seen.append(update)
      if seen.count == 2 { break }
    }
    #expect(shown == (await live.document.root))
    #expect(seen.last?.heads == (await live.document.heads))
    #expect(seen.map(\.patches.count) == [1, 1])
  }

  @Test("a sequence of updates ends with its document")
  func end() async throws {
    var live: ObservedDocument? = ObservedDocument(try document("one"))
    let updates = await live?.updates()
    live = nil
    for await _ in try #require(updates).values { Issue.record("no update") }
  }
}
