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
    try host.content(file, path)
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
    #expect(run.output.contains("1 conflict (move)"), "\(run)")
    #expect(run.output.contains("at /done/0 (moved by ann"), "\(run)")
    host.pnmerge("merge", "b", "mine")
    #expect(host["a"] == host["b"])
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different)
    #expect(listed.output.contains("/done/0") && listed.output.contains("/later/0"), "\(listed)")
    #expect(listed.output.contains("to keep what was moved in both places: pnmerge resolve a /"))
    #expect(host.pnmerge("conflicts", "--json", "a").output.contains("\"kind\":\"moved\""))
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

  @Test("are listed where one of them was moved on")
  func movedOn() throws {
    moveApart()
    host.pnmerge("move", "a", "/done/0", "/todo/-", "--author", "ann")
    host.pnmerge("merge", "a", "theirs")
    #expect(try kinds() == [.moved])
    #expect(try list("/todo/1") == #"{"t":"task","id":1}"#)
    #expect(try list("/later") == Self.task)
    for (side, later) in [("/todo/1", "[]"), ("/later/0", Self.task)] {
      host.copy("a", "c")
      let listed = host.pnmerge("conflicts", "c").output.split(separator: "\n")
      let line = try #require(listed.first { $0.contains("  \(side)  ") })
      let name = try #require(line.split(separator: " ").first)
      let run = host.pnmerge("resolve", "c", "/todo/1", "--take", String(name))
      #expect(run.status == .done, "\(run)")
      #expect(try list("/later", "c") == later)
      #expect(try kinds("c").isEmpty)
    }
  }

  @Test("take an edit along to where it was moved on")
  func editedAndMovedOn() throws {
    start()
    host.pnmerge("move", "a", "/todo/0", "/later/-", "--author", "ann")
    host.pnmerge("move", "a", "/later/0", "/done/-", "--author", "ann")
    host.pnmerge("set", "b", "/todo/0/t", #""new""#, "--author", "bob")
    host.pnmerge("merge", "a", "b")
    #expect(try kinds() == [.moved])
    let listed = host.pnmerge("conflicts", "a").output.split(separator: "\n")
    let line = try #require(listed.first { $0.contains("  /done/0  ") })
    let name = try #require(line.split(separator: " ").first)
    host.pnmerge("resolve", "a", "/todo/0", "--take", String(name))
    #expect(try list("/done") == #"[{"t":"new","id":1}]"#)
    #expect(try list("/todo") == #"[{"t":"rest","id":2}]"#)
    #expect(try kinds().isEmpty)
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
    #expect(try kinds().contains(.moved))
    let listed = host.pnmerge("conflicts", "a").output
    #expect(listed.contains("/todo/0") && listed.contains("/done/0"), "\(listed)")
    let id = try #require(
      try Document(bytes: host["a"] ?? []).conflicts.first { $0.kind == .moved })
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

  /// Ann moves a card that Bob edits, and both set the title; then Ann, or Bob, merges.
  private func moveAndEdit(mergingInto file: String) {
    start(#"{"todo":[{"id":1,"t":"task"},{"id":2,"t":"rest"}],"done":[],"title":"P"}"#)
    host.pnmerge("move", "a", "/todo/0", "/done/0", "--author", "ann")
    host.pnmerge("set", "a", "/title", #""Ann""#, "--author", "ann")
    host.pnmerge("set", "b", "/todo/0/t", #""task, and more""#, "--author", "bob")
    host.pnmerge("set", "b", "/title", #""Bob""#, "--author", "bob")
    host.pnmerge("merge", file, file == "a" ? "b" : "a")
    host.copy(file, "merged")
  }

  private static let editedTask = #"[{"t":"task, and more","id":1}]"#
  private static let rest = #"{"t":"rest","id":2}"#

  @Test("are one question, which all sides can settle with all others", arguments: ["a", "b"])
  func settlingAll(file: String) throws {
    moveAndEdit(mergingInto: file)
    #expect(Set(try kinds("merged")) == [.moved, .register])
    let listed = host.pnmerge("conflicts", "merged").output
    #expect(listed.contains(#"before  {"t":"task","id":1}"#), "\(listed)")
    #expect(listed.contains(#"/todo/0  {"t":"task, and more","id":1} (bob, "#), "\(listed)")
    for side in ["mine", "theirs", "kept"] {
      host.copy("merged", file)
      let run = host.pnmerge("resolve", file, "--all", "--take", side)
      #expect(run.status == .done && run.output == "\(file): resolved 2 of 2\n", "\(side): \(run)")
      #expect(try kinds(file).isEmpty, "\(side)")
      // What Bob edited goes along, wherever the card stays.
      let isMoved = try list("/todo", file) == "[\(Self.rest)]"
      #expect(try list("/done", file) == (isMoved ? Self.editedTask : "[]"), "\(side)")
      if side != "kept" { #expect(isMoved == ((side == "mine") == (file == "a")), "\(side)") }
      #expect(try list("/todo", file).contains("and more") == !isMoved, "\(side)")
    }
    host.copy("merged", file)
    let run = host.pnmerge("resolve", file, "--all", "--take", "both")
    #expect(run.output == "\(file): resolved 1 of 2; 1 left unresolved\n", "\(run)")
    #expect(try kinds(file) == [.register])
  }

  @Test("take along what only the others changed, and the rest is named")
  func combining() throws {
    start(
      #"{"todo":[{"id":1,"t":"task","due":"May","by":"Ann","old":1},{"id":2}],"done":[]}"#)
    host.pnmerge("move", "a", "/todo/0", "/done/0")
    host.pnmerge("set", "a", "/done/0/t", #""ours""#)
    host.pnmerge("remove", "a", "/done/0/old")
    host.pnmerge("set", "b", "/todo/0/t", #""theirs""#)
    host.pnmerge("set", "b", "/todo/0/due", #""June""#)
    host.pnmerge("set", "b", "/todo/0/new", "2")
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("resolve", "a", "/done/0", "--take", "mine")
    #expect(run.output.contains(#"/done/0/t is "ours", not "theirs""#), "\(run)")
    #expect(!run.output.contains("due") && !run.output.contains("old"), "\(run)")
    #expect(try list("/done") == #"[{"t":"ours","by":"Ann","id":1,"due":"June","new":2}]"#)
    #expect(try list("/todo") == #"[{"id":2}]"#)
    #expect(try kinds().isEmpty)
  }

  @Test("add up what both counted, and what both put into sets or took out of them")
  func combiningSets() {
    func element(_ count: Int64, _ members: String...) -> DocumentNode {
      .map([
        .init(key: "n", node: .counter(count)),
        .init(key: "s", node: .set(members: Set(members.map { .string($0) }))),
      ])
    }
    let all = DocumentNode.combined(
      [element(3, "a", "b", "c"), element(5, "a")], keeping: 0, since: element(2, "a", "b"),
      at: JSONPointer(["done", "0"]))
    #expect(all.content == element(6, "a", "c") && all.dropped.isEmpty)
  }

  @Test("are one question where somebody else deleted them")
  func deletedMeanwhile() throws {
    start()
    host.copy("a", "c")
    host.pnmerge("move", "a", "/todo/0", "/done/-", "--author", "ann")
    host.pnmerge("set", "b", "/todo/0/t", #""task, and more""#, "--author", "bob")
    host.pnmerge("remove", "c", "/todo/0", "--author", "dan")
    host.pnmerge("merge", "a", "b", "c")
    host.copy("a", "merged")
    #expect(try kinds() == [.moved])
    for side in ["kept", "both"] {
      host.copy("merged", "a")
      let run = host.pnmerge("resolve", "a", "--all", "--take", side)
      #expect(run.status == .done && run.output == "a: resolved 1 of 1\n", "\(side): \(run)")
      #expect(try kinds().isEmpty, "\(side)")
    }
    // Each name that is listed can be taken.
    let conflicts = try Document(bytes: host["merged"] ?? []).conflicts
    for side in conflicts.flatMap({ [$0.kept] + $0.others }) {
      host.copy("merged", "a")
      let run = host.pnmerge("resolve", "a", "/todo/0", "--take", "\(side.change)")
      #expect(run.status == .done, "\(run)")
    }
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
    #expect(try kinds() == [.moved])
    // Whoever leaves one out has decided.
    host.pnmerge("remove", "a", "/later/0")
    #expect(try kinds().isEmpty)
  }

  @Test("are one in each list where two people moved it to one of them")
  func movedTwiceToOneList() throws {
    func merge() {
      start()
      host.copy("a", "c")
      let moved = #"{"todo":[{"id":2,"t":"rest"}],"done":[{"id":1,"t":"both"}],"later":[]}"#
      host.setText("i.json", moved)
      for (name, author) in [("a", "ann"), ("b", "bob")] {
        host.pnmerge("edit", name, "--json-file", "i.json", "--author", author)
      }
      host.pnmerge("set", "c", "/todo/0/t", #""third""#, "--author", "cid")
      host.pnmerge("merge", "a", "b", "c")
    }
    merge()
    #expect(try kinds() == [.moved, .sameIdentity])
    #expect(host.pnmerge("resolve", "a", "--all", "--take", "both").status == .done)
    #expect(try list("/done") == #"[{"t":"both","id":1}]"#)
    #expect(try list("/todo") == #"[{"t":"third","id":1},{"t":"rest","id":2}]"#)
    #expect(try kinds().isEmpty)
    for (number, isMoved) in [(0, true), (2, false)] {
      merge()
      let sides = try Document(bytes: host["a"] ?? []).conflicts[0].sides
      #expect(sides.count == 3)
      let run = host.pnmerge("resolve", "a", "--all", "--take", "\(sides[number].change)")
      #expect(run.status == .done, "\(run)")
      #expect(try list("/done") == (isMoved ? #"[{"t":"both","id":1}]"# : "[]"), "\(run)")
      #expect(try list("/todo").contains(#""id":1"#) != isMoved)
      #expect(try kinds().isEmpty)
    }
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
