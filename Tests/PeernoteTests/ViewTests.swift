import Peernote
import PeernoteTestSupport
import Testing

/// What an app does with a document that it shows.
@Suite struct ViewTests {
  private let body = JSONPointer(["body"])

  private func edited(
    _ document: Document, by agent: UInt64, _ edit: (inout Editor) throws -> Void
  ) throws -> Document {
    var document = document
    try document.change(by: .person(agent), edit)
    return document
  }

  @Test("texts are edited and patched by scalars and by characters")
  func characters() throws {
    let old = try Document(ofText: "cafe\u{301} \u{1F469}\u{200D}\u{1F467} ok")
    let new = try edited(old, by: 2) { try $0.spliceText(at: body, characters: 5..<6, with: "no") }
    #expect(new.node(at: body) == .text("cafe\u{301} no ok"))
    #expect(
      new.patches(from: old) == [
        Patch(path: body, action: .splice(TextReplacement(scalars: 6..<6, text: "no"))),
        Patch(path: body, action: .splice(TextReplacement(scalars: 8..<11, text: ""))),
      ])
    let family = TextReplacement(scalars: 6..<9, text: "no")
    #expect(family.characters(in: "cafe\u{301} \u{1F469}\u{200D}\u{1F467} ok") == 5..<6)
    var refused = old
    #expect(throws: EditError.rangeOutsideText(body)) {
      try refused.change(by: .person(2)) { editor in
        try editor.spliceText(at: body, characters: 9..<10, with: "")
      }
    }
  }

  @Test("a caret keeps its place when a merge inserts before, at and after it")
  func caret() throws {
    let base = try Document(ofText: "one two")
    let backward = try base.cursor(inTextAt: body, character: 3)
    let forward = try base.cursor(inTextAt: body, scalar: 3, affinity: .forward)
    var merged = base
    _ = try merged.merge(
      try edited(base, by: 2) { editor in
        try editor.spliceText(at: body, scalars: 7..<7, with: "!")
        try editor.spliceText(at: body, scalars: 3..<3, with: "+")
        try editor.spliceText(at: body, scalars: 0..<0, with: "e\u{301} ")
      })
    #expect(merged.node(at: body) == .text("e\u{301} one+ two!"))
    let (left, right) = (try merged.place(of: backward), try merged.place(of: forward))
    #expect(left.path == body && left.scalar == 6 && left.character == 5)
    #expect(right.path == body && right.scalar == 7 && right.character == 6)
    var unrelated = Document(id: base.id)
    unrelated = try edited(unrelated, by: 7) { try $0.put(.null, at: body) }
    #expect(throws: CursorError.unknownAnchor) { try unrelated.place(of: backward) }
    #expect(throws: CursorError.noText(body)) { try unrelated.cursor(inTextAt: body, scalar: 0) }
    #expect(throws: CursorError.outsideText(body)) {
      try base.cursor(inTextAt: body, scalar: 8)
    }
  }

  @Test("whoever listens to a document is told every change as patches, in order")
  func observing() async throws {
    let base = try Document(ofText: "one")
    let other = try edited(base, by: 2) { editor in
      try editor.spliceText(at: body, scalars: 3..<3, with: " two")
    }
    let live = ObservedDocument(base)
    let updates = await live.updates(.each)
    try await live.merge(other)
    try await live.merge(other)
    try await live.change(by: .person(3)) { try $0.put(.integer(1), at: ["n"]) }
    await #expect(throws: EditError.self) {
      try await live.change(by: .person(3)) { editor in
        try editor.put(.integer(2), at: ["n"])
        try editor.remove(at: ["no"])
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
    await live.checkInvariants()
  }

  @Test("for a slow listener at most one update waits, from what it was told to what there is")
  func coalescing() async throws {
    let live = ObservedDocument(try Document(ofText: "one"))
    let updates = await live.updates()
    let n = JSONPointer(["n"])
    for number in 1...100 {
      try await live.change(by: .person(3)) { try $0.put(.integer(Int64(number)), at: n) }
    }
    var iterator = updates.values.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.patches == [Patch(path: n, action: .put(.value(.integer(100))))])
    #expect(first.heads == (await live.document.heads))
    var shown = updates.root
    for patch in first.patches { shown.apply(patch) }
    #expect(shown == (await live.document.root))

    // What is undone before the listener looks is no patch, and the history has grown.
    try await live.change(by: .person(3)) { try $0.put(.integer(0), at: n) }
    try await live.change(by: .person(3)) { try $0.put(.integer(100), at: n) }
    let second = try #require(await iterator.next())
    #expect(second.patches == [])
    #expect(second.heads == (await live.document.heads))
  }

  @Test("listeners of both kinds, fast and slow, end up with the same content")
  func listeners() async throws {
    let live = ObservedDocument(try Document(ofText: "one"))
    let deliveries: [ObservedDocument.Delivery] = [.each, .latest, .latest]
    let last = JSONPointer(["last"])
    try await withThrowingTaskGroup(of: DocumentNode.self) { group in
      for (number, delivery) in deliveries.enumerated() {
        let updates = await live.updates(delivery)
        group.addTask {
          var shown = updates.root
          for await update in updates.values {
            for patch in update.patches {
              let fits = shown.apply(patch)
              #expect(fits)
            }
            if shown["last"] != nil { break }
            if number == 2 { try await Task.sleep(for: .milliseconds(3)) }
          }
          return shown
        }
      }
      for number in 0..<50 {
        try await live.change(by: .person(3)) { editor in
          try editor.spliceText(at: body, scalars: 0..<0, with: "\(number) ")
        }
        await Task.yield()
      }
      try await live.change(by: .person(3)) { try $0.put(.null, at: last) }
      let root = await live.document.root
      for try await shown in group { #expect(shown == root) }
    }
  }

  @Test("a sequence of updates ends with its document", arguments: [true, false])
  func end(isEach: Bool) async throws {
    var live: ObservedDocument? = ObservedDocument(try Document(ofText: "one"))
    let updates = await live?.updates(isEach ? .each : .latest)
    live = nil
    for await _ in try #require(updates).values { Issue.record("no update") }
  }

  @Test("a handle leads to its row and text, wherever they go, until they are gone")
  func handles() throws {
    let list = JSONPointer(["list"])
    var document = try Document(ofText: "one")
    document = try edited(document, by: 4) { editor in
      try editor.put(
        node: .list(
          ["a", "b", "c"].map { .map([.init(key: "t", node: .text($0))]) } + [.value(.integer(1))]),
        at: list)
    }
    func handle(_ tokens: String...) throws -> DocumentHandle {
      try #require(document.handle(at: JSONPointer(tokens)))
    }
    let (row, text) = (try handle("list", "1"), try handle("list", "1", "t"))
    let (value, whole) = (try handle("list", "3"), try handle("list"))
    let root = try #require(document.handle(at: []))
    #expect(document.path(to: root) == JSONPointer())
    #expect(document.handle(at: ["no"]) == nil)
    let other = document
    document = try edited(document, by: 5) { editor in
      try editor.insert(node: .value(.integer(0)), at: list.appending("0"))
      try editor.move(from: list.appending("2"), to: list.appending("4"))
      #expect(editor.path(to: text) == ["list", "4", "t"])
      try editor.put(.integer(2), at: list.appending("3"))
    }
    #expect(document.path(to: row) == list.appending("4"))
    #expect(document.path(to: text) == ["list", "4", "t"])
    #expect(document.path(to: value) == list.appending("3"))
    #expect(document.path(to: whole) == list)
    #expect(other.path(to: row) == list.appending("1"))
    // Another text in its place is another text; the row is the same.
    document = try edited(document, by: 6) { editor in
      try editor.put(node: .text("new"), at: ["list", "4", "t"])
    }
    #expect(document.path(to: text) == nil)
    #expect(document.path(to: row) == list.appending("4"))
    document = try edited(document, by: 7) { editor in
      try editor.remove(at: list.appending("4"))
      #expect(editor.path(to: row) == nil)
    }
    #expect(document.path(to: row) == nil)
    document = try edited(document, by: 8) { try $0.remove(at: list) }
    #expect(document.path(to: whole) == nil)
    #expect(document.path(to: value) == nil)
    #expect(Document(id: document.id).path(to: row) == nil)
  }
}
