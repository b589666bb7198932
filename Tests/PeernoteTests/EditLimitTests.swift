import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// What can be made of a document under limits that are soon reached.
@Suite("Edits under limits") struct EditLimitTests {
  /// Limits of which one leaves room for little.
  struct Narrow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var narrow: @Sendable (inout Limits) -> Void

    static let all = [
      Narrow(testDescription: "events") { $0.events = 150 },
      Narrow(testDescription: "changes") { $0.changes = 20 },
      Narrow(testDescription: "containers") { $0.containers = 20 },
      Narrow(testDescription: "parents") { $0.parents = 25 },
      Narrow(testDescription: "contents for their weight") { $0.freeContents = 3 },
      Narrow(testDescription: "containers for their weight") { $0.freeContainers = 3 },
      Narrow(testDescription: "length of the file") { $0.fileSize = 4000 },
    ]

    var limits: Limits {
      var limits = Limits()
      narrow(&limits)
      return limits
    }
  }

  private static func session(_ agent: Int) -> DocumentSession {
    DocumentSession.person(UInt64(agent), "desk", at: Int64(agent))
  }

  private static func start() throws -> Document {
    var document = Document(id: HostileFile.id)
    try document.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: ["text"])
      try editor.putContainer(.list, at: ["list"])
      try editor.putContainer(.set, at: ["set"])
      try editor.putContainer(.counter, at: ["count"])
      try editor.insert(node: .value(.null), at: ["list", "0"])
    }
    return document
  }

  /// One edit of each kind, by turns.
  private static func edit(_ editor: inout Editor, _ step: Int) throws(EditError) {
    let list = JSONPointer(["list", "-"])
    switch step % 12 {
    case 0: try editor.put(.string("value \(step)"), at: ["key \(step % 4)"])
    case 1: try editor.insert(nodes: Array(repeating: .value(.null), count: 3), at: list)
    case 2: try editor.add(.integer(Int64(step)), toSetAt: ["set"])
    case 3: try editor.increment(by: 1, at: ["count"])
    case 4:
      try editor.spliceText(at: ["text"], scalars: 0..<0, with: "some more text")
    case 5: try editor.spliceText(at: ["text"], scalars: 1..<3, with: "")
    case 6: try editor.insert(node: .map([]), at: list)
    case 7: try editor.putContainer(.map, at: ["map"])
    case 8: try editor.put(node: .list([tree(step), tree(step)]), at: ["tree"])
    case 9: try editor.insert(node: tree(step), at: list)
    case 10:
      let root: DocumentNode = .map([
        .init(key: "a", node: tree(step)), .init(key: "b", node: tree(1)),
      ])
      try editor.replaceContent(at: ["whole"], with: root)
    case _: try editor.remove(at: ["list", "0"])
    }
  }

  /// Content with something of every kind.
  private static func tree(_ step: Int) -> DocumentNode {
    .map([
      .init(key: "list", node: .list([.map([]), .list([.value(.null)]), .map([])])),
      .init(key: "set", node: .set([.integer(Int64(step)), .string("member")])),
      .init(key: "text", node: .text("text \(step)")),
      .init(key: "count", node: .counter(Int64(step % 3))),
    ])
  }

  @Test(
    "what can be edited or merged can be read; what is refused changes nothing",
    arguments: Narrow.all)
  func readable(narrow: Narrow) throws {
    let limits = narrow.limits
    var copies: [Document] = []
    for _ in 0..<2 { copies.append(try Document(bytes: Self.start().bytes(), limits: limits)) }
    var refusals = 0
    for step in 0..<150 {
      let side = step / 2 % 2
      let before = copies[side].bytes()
      do throws(EditError) {
        try copies[side].change(by: Self.session(10 + step / 10 * 2 + side)) {
          (editor) throws(EditError) in
          try Self.edit(&editor, step)
          try Self.edit(&editor, step * 7 + 1)
        }
      } catch {
        refusals += 1
        guard case .limit = error else { throw error }
        #expect(copies[side].bytes() == before)
      }
      if step % 10 == 9 {
        let old = copies[side].bytes()
        do throws(MergeError) {
          _ = try copies[side].merge(copies[1 - side])
        } catch {
          switch error {
          case .damaged(let reason), .filled(by: _, let reason): #expect(reason.kind == .limit)
          case .differentDocument, .noSharedHistory, .sharedHistory, .forked: throw error
          }
          #expect(copies[side].bytes() == old)
        }
      }
      let bytes = copies[side].bytes()
      #expect(copies[side].log.fileSize >= bytes.count)
      let read = try Document(bytes: bytes, limits: limits)
      #expect(read.heads == copies[side].heads)
    }
    #expect(refusals > 0)
  }

  @Test("a splice that would break a limit deletes nothing, and the change goes on")
  func splice() throws {
    var limits = Limits()
    limits.events = 40
    var document = try Document(bytes: Self.start().bytes(), limits: limits)
    let path = JSONPointer(["text"])
    try document.change(by: Self.session(2)) { editor in
      try editor.spliceText(at: path, scalars: 0..<0, with: "twenty characters ..")
      let error = #expect(throws: EditError.self) {
        try editor.spliceText(at: path, scalars: 0..<6, with: "more than there is room")
      }
      guard case .limit = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(editor.node(at: path) == .text("twenty characters .."))
      try editor.spliceText(at: path, scalars: 0..<6, with: "20")
    }
    #expect(document.node(at: path) == .text("20 characters .."))
    #expect(try Document(bytes: document.bytes(), limits: limits).heads == document.heads)
  }

  @Test("content can be written at once that is as dense in the end as what can be read")
  func together() throws {
    func list(_ node: DocumentNode) -> DocumentNode { .list(Array(repeating: node, count: 100)) }
    let maps = list(.map([.init(key: "key", node: .value(.string("a value")))]))
    var limits = Limits()
    limits.freeContainers = 10
    for path in [JSONPointer(), JSONPointer(["list"]), JSONPointer(["new"])] {
      let wanted: DocumentNode =
        path.tokens.isEmpty
        ? .map([.init(key: "one", node: maps), .init(key: "two", node: .list([maps]))]) : maps
      var document = try Document(bytes: Self.start().bytes(), limits: limits)
      try document.change(by: Self.session(2)) { try $0.replaceContent(at: path, with: wanted) }
      let read = try Document(bytes: document.bytes(), limits: limits)
      #expect(read.node(at: path) == wanted)
      // What is dense in the end is refused in the place where it is.
      let before = document.bytes()
      let error = #expect(throws: EditError.self) {
        try document.change(by: Self.session(3)) { editor in
          try editor.put(node: list(list(.map([]))), at: ["dense"])
        }
      }
      guard case .limit(let place, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(place.tokens.first == "dense" && place.tokens.count == 2)
      #expect(reason == HistoryError.Reason.tooManyContainers.description)
      #expect(document.bytes() == before)
    }
  }

  @Test("a text that is replaced is refused by a limit before any of it is")
  func refusedText() throws {
    let path = JSONPointer(["text"])
    var limits = Limits()
    limits.events = 60
    var document = try Document(bytes: Self.start().bytes(), limits: limits)
    try document.change(by: Self.session(2)) { editor in
      try editor.spliceText(at: path, scalars: 0..<0, with: "one\ntwo\nthree\n")
      #expect(throws: EditError.self) {
        let long = "one\nnew \(String(repeating: "long ", count: 10))\ntwo\nthree\nfour\n"
        try editor.replaceText(at: path, with: long)
      }
      try editor.replaceText(at: path, with: "one\n2\nthree\n")
    }
    let bytes = document.bytes()
    #expect(Document.validate(bytes: bytes) == [])
    #expect(try Document(bytes: bytes).node(at: path) == .text("one\n2\nthree\n"))
  }
}
