import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

/// A card that two people move to two columns stands in both; nobody but them can tell which it is.
@Suite("Elements that stand in several lists since they were moved")
struct MovedElementTests {
  private let host = MemoryHost()

  private func start(
    _ json: String = #"{"todo":[{"id":1,"t":"task"},{"id":2,"t":"rest"}],"done":[],"later":[]}"#
  ) {
    host.setText("i.json", json)
    host["a"] = nil
    host.pnmerge("import", "i.json", "-o", "a")
    host.copy("a", "b")
  }

  private func list(_ path: String, _ file: String = "a") throws -> String {
    let json = try JSONReader.value(in: Array(host.pnmerge("get", file, path).output.utf8))
    return String(decoding: json.encoded(), as: UTF8.self)
  }

  private func kinds(_ file: String = "a") throws -> [Conflict.Kind] {
    try Document(bytes: host[file] ?? []).conflicts.map(\.kind)
  }

  private static let task = #"[{"t":"task","id":1}]"#

  private func moveApart() {
    start()
    host.pnmerge("move", "a", "/todo/0", "/done/-", "--author", "ann")
    host.pnmerge("move", "b", "/todo/0", "/later/-", "--author", "bob")
    host.copy("a", "mine")
    host.copy("b", "theirs")
  }

  @Test("are listed until one of them is left, or both are meant")
  func settling() throws {
    moveApart()
    let run = host.pnmerge("merge", "a", "theirs")
    #expect(run.output.contains("1 element stands in several lists"), "\(run)")
    #expect(run.output.contains("stands in several lists: /done/0"), "\(run)")
    host.pnmerge("merge", "b", "mine")
    #expect(host["a"] == host["b"])
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different)
    #expect(listed.output.contains("/done/0") && listed.output.contains("/later/0"), "\(listed)")
    #expect(listed.output.contains("to keep an element in both lists: pnmerge resolve a PATH"))
    #expect(host.pnmerge("conflicts", "--json", "a").output.contains("\"kind\":\"moved-apart\""))
    for (side, done, later) in [
      ("mine", Self.task, "[]"), ("theirs", "[]", Self.task), ("both", Self.task, Self.task),
    ] {
      for path in ["/done/0", "/later/0"] {
        host.copy("b", "a")
        let run = host.pnmerge("resolve", "a", path, "--take", side, "--author", "ann")
        #expect(run.status == .done, "\(side): \(run)")
        #expect(try list("/done") == done && list("/later") == later, "\(side) \(path)")
        #expect(try kinds().isEmpty, "\(side)")
        // A copy that does not know of that brings nothing up again.
        host.pnmerge("merge", "a", "theirs")
        #expect(try kinds().isEmpty, "\(side)")
      }
    }
  }

  @Test("are not lost where two people settle them differently")
  func settledApart() throws {
    moveApart()
    host.pnmerge("merge", "a", "theirs")
    host.copy("a", "b")
    let conflict = try #require(try Document(bytes: host["a"] ?? []).conflicts.first)
    host.pnmerge("resolve", "a", "/done/0", "--take", "\(conflict.kept.change)")
    host.pnmerge("resolve", "b", "/done/0", "--take", "\(conflict.others[0].change)")
    #expect(try list("/later", "b") == Self.task && list("/done", "b") == "[]")
    host.copy("a", "c")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("merge", "b", "c")
    #expect(host["a"] == host["b"])
    #expect(try list("/done") == Self.task && list("/later") == Self.task)
    #expect(try !kinds().isEmpty)
  }

  @Test("are listed where one person moved it and another one edited it", arguments: [false, true])
  func editedMeanwhile(_ isWhole: Bool) throws {
    start()
    if isWhole {
      host.setText(
        "i.json", #"{"todo":[{"id":2,"t":"rest"}],"done":[{"id":1,"t":"task"}],"later":[]}"#)
      #expect(host.pnmerge("edit", "a", "--json-file", "i.json").status == .done)
    } else {
      host.pnmerge("move", "a", "/todo/0", "/done/-", "--author", "ann")
    }
    host.pnmerge("set", "b", "/todo/0/t", #""task, and more""#, "--author", "bob")
    host.copy("b", "theirs")
    host.pnmerge("merge", "a", "theirs")
    host.copy("a", "merged")
    #expect(try kinds().contains(.movedApart))
    let listed = host.pnmerge("conflicts", "a").output
    #expect(listed.contains("/todo/0") && listed.contains("/done/0"), "\(listed)")
    let id = try #require(
      try Document(bytes: host["a"] ?? []).conflicts.first { $0.kind == .movedApart })
    for side in [id.kept] + id.others {
      host.copy("merged", "a")
      let path = try #require(side.path)
      let run = host.pnmerge("resolve", "a", "\(path)", "--take", "\(side.change)")
      #expect(run.status == .done, "\(run)")
      let left = try [list("/todo"), list("/done")].filter { $0.contains("\"id\":1") }
      #expect(left.count == 1, "\(left)")
      #expect(try kinds().isEmpty, "\(path)")
    }
    // One that was edited before it was moved, or after that by somebody who knew, is one.
    start()
    host.pnmerge("set", "a", "/todo/0/t", #""more""#)
    host.pnmerge("move", "a", "/todo/0", "/done/-")
    host.pnmerge("set", "a", "/done/0/t", #""most""#)
    host.pnmerge("merge", "a", "b")
    #expect(try kinds().isEmpty)
  }

  @Test("are found where whole files were edited, and counted by strict merges")
  func wholeEdits() throws {
    start()
    for (name, target) in [("a", "done"), ("b", "later")] {
      host.setText(
        "i.json",
        #"{"todo":[{"id":2,"t":"rest"}],"done":[],"later":[]}"#
          .replacing("\"\(target)\":[]", with: #""\#(target)":[{"id":1,"t":"task"}]"#))
      #expect(host.pnmerge("edit", name, "--json-file", "i.json").status == .done)
    }
    #expect(host.pnmerge("merge", "--strict", "a", "b").status == .different)
    #expect(try kinds() == [.movedApart])
    // Whoever leaves one out has decided.
    host.pnmerge("remove", "a", "/later/0")
    #expect(try kinds().isEmpty)
  }

  @Test("are none where one person moved it, or elements just have one identity")
  func noMoves() throws {
    start()
    host.pnmerge("move", "a", "/todo/0", "/done/-")
    host.pnmerge("move", "a", "/done/0", "/later/-")
    host.pnmerge("set", "b", "/todo/1/t", #""more""#)
    host.pnmerge("merge", "a", "b")
    #expect(try kinds().isEmpty)
    start(#"{"people":[],"tasks":[]}"#)
    host.pnmerge("insert", "a", "/people/-", #"{"id":1,"name":"Ann"}"#)
    host.pnmerge("insert", "b", "/tasks/-", #"{"id":1,"t":"task"}"#)
    host.pnmerge("merge", "a", "b")
    #expect(try kinds().isEmpty)
  }

  @Test("an earlier state of an element is restored where it was moved to")
  func restoring() throws {
    start()
    let first = try #require(try Document(bytes: host["a"] ?? []).heads.first)
    host.pnmerge("move", "a", "/todo/0", "/done/-")
    host.pnmerge("move", "a", "/done/0", "/later/-")
    host.pnmerge("set", "a", "/later/0/t", #""edited""#)
    let run = host.pnmerge("restore", "a", "/todo/0", "--at", "\(first)")
    #expect(run.status == .done && run.output.contains("/later/0"), "\(run)")
    #expect(try list("/later") == Self.task)
    #expect(try list("/todo") == #"[{"t":"rest","id":2}]"#)
    // What was removed for good comes back where it was.
    host.pnmerge("remove", "a", "/later/0")
    host.pnmerge("restore", "a", "/todo/0", "--at", "\(first)")
    #expect(try list("/later") == "[]")
    #expect(try list("/todo") == #"[{"t":"task","id":1},{"t":"rest","id":2}]"#)
  }
}
