import Peernote
import PnmergeCommands
import Testing

/// How commands bring in lists and settle what becomes of elements; which element is which, and what is
/// contested, is the library's: `WholeListTests`, `ContestedElementTests`, `MovedThingTests`.
@Suite("Elements of lists, by the commands")
struct ElementCommandTests {
  private let host = MemoryHost()

  private func start(_ json: String) {
    host.setText("i.json", json)
    host["a"] = nil
    host.pnmerge("import", "i.json", "-o", "a")
    host.copy("a", "b")
  }

  private func kinds(_ file: String = "a") throws -> [Conflict.Kind] {
    try Document(bytes: host[file] ?? []).conflicts.map(\.kind)
  }

  private func list(_ path: String = "/l", _ file: String = "a") throws -> String {
    try host.content(file, path)
  }

  /// A list, and what it becomes.
  private static let lists = [
    // One element is new, and the one after it is edited.
    [
      #"[{"t":"A","n":1},{"t":"B","n":2}]"#,
      #"[{"t":"A","n":1},{"t":"New","n":5},{"t":"B","n":3}]"#,
    ],
    // Elements without words are told by what most of them keep.
    ["[[1,2],[3,4]]", "[[8,8],[1,7],[3,6]]"],
    // Elements with an identity are moved and edited.
    [#"[{"id":1,"t":"one"},{"id":2,"t":"two"}]"#, #"[{"id":2,"t":"zwei"},{"id":1,"t":"one"}]"#],
  ]

  @Test(
    "import, edit and set tell the elements of a whole list apart as the library does",
    arguments: [
      ["import", "x.json", "-o", "a"], ["edit", "a", "--json-file", "x.json"],
      ["set", "a", "/l", "--value-file", "l.json"],
    ], lists)
  func wholeLists(command: [String], lists: [String]) throws {
    start(#"{"l":\#(lists[0])}"#)
    host.setText("x.json", #"{"l":\#(lists[1])}"#)
    host.setText("l.json", lists[1])
    #expect(host.pnmerge(command).status == .done)
    let found = try Document(bytes: host["a"] ?? [])
    var document = try Document(bytes: host["b"] ?? [])
    let list = try DocumentNode(json: lists[1], as: .exact)
    // By the same agent: what two insert at one place stands in the order of their agents.
    let made = try #require(found.changes.last)
    let session = DocumentSession(agent: made.id.agent, author: made.author, time: made.time)
    try document.change(by: session) { editor in
      try editor.replaceContent(at: ["l"], with: list)
    }
    #expect(found.root == document.root && found.eventCount == document.eventCount)
    // The same elements are the same: what another one does to each is found in the same place.
    let count = try Document(bytes: host["b"] ?? []).node(at: ["l"]).map {
      if case .list(let elements) = $0 { elements.count } else { 0 }
    }
    for index in 0..<(count ?? 0) {
      host.copy("b", "c")
      host.pnmerge("insert", "c", "/l/\(index + 1)", #""after""#)
      host.pnmerge("remove", "c", "/l/\(index)")
      var (one, other) = (found, document)
      _ = try one.merge(Document(bytes: host["c"] ?? []))
      _ = try other.merge(Document(bytes: host["c"] ?? []))
      #expect(one.root == other.root, "\(index)")
    }
  }

  @Test("mine, theirs and what is kept are sides of moves as of values", arguments: ["a", "b"])
  func sides(file: String) throws {
    start(#"{"todo":[{"id":1,"t":"task"},{"id":2,"t":"rest"}],"done":[],"title":"P"}"#)
    host.pnmerge("move", "a", "/todo/0", "/done/0", "--author", "ann")
    host.pnmerge("set", "a", "/title", #""Ann""#, "--author", "ann")
    host.pnmerge("set", "b", "/todo/0/t", #""task, and more""#, "--author", "bob")
    host.pnmerge("set", "b", "/title", #""Bob""#, "--author", "bob")
    host.pnmerge("merge", file, file == "a" ? "b" : "a")
    host.copy(file, "merged")
    #expect(Set(try kinds("merged")) == [.moved, .register])
    for side in ["mine", "theirs", "kept"] {
      host.copy("merged", file)
      let run = host.pnmerge("resolve", file, "--all", "--take", side)
      #expect(run.status == .done && run.output == "\(file): resolved 2 of 2\n", "\(side): \(run)")
      #expect(try kinds(file).isEmpty, "\(side)")
      let isMoved = try list("/todo", file) == #"[{"t":"rest","id":2}]"#
      let edited = #"[{"t":"task, and more","id":1}]"#
      #expect(try list("/done", file) == (isMoved ? edited : "[]"), "\(side)")
      if side != "kept" { #expect(isMoved == ((side == "mine") == (file == "a")), "\(side)") }
    }
    // Values exclude each other.
    host.copy("merged", file)
    let run = host.pnmerge("resolve", file, "--all", "--take", "both")
    #expect(run.output == "\(file): resolved 1 of 2; 1 left unresolved\n", "\(run)")
    #expect(try kinds(file) == [.register])
  }

  @Test(
    "mine and theirs are sides of what both inserted",
    arguments: [#""milk""#, #"{"id":7,"n":1}"#])
  func insertedSides(element: String) throws {
    start(#"{"l":["bread"]}"#)
    host.pnmerge("insert", "a", "/l/-", element)
    host.pnmerge("insert", "b", "/l/-", element.replacing("1", with: "2"))
    host.pnmerge("merge", "a", "b")
    host.copy("a", "merged")
    for (side, left) in [("mine", element), ("theirs", element.replacing("1", with: "2"))] {
      for path in ["/l/1", "/l/2"] {
        host.copy("merged", "a")
        #expect(host.pnmerge("resolve", "a", path, "--take", side).status == .done)
        let wanted = try DocumentNode(json: #"["bread",\#(left)]"#, as: .plain)
        #expect(try list() == wanted.json(as: .plain), "\(side) \(path)")
        #expect(try kinds().isEmpty)
      }
    }
    // Another value settles, too.
    host.copy("merged", "a")
    #expect(host.pnmerge("resolve", "a", "/l/1", "--value", #""tea""#).status == .done)
    #expect(try list() == #"["bread","tea"]"# && kinds().isEmpty)
  }

  @Test("one edited export that is imported on two machines is told")
  func imports() throws {
    start(#"{"l":[{"n":"one"}]}"#)
    host.pnmerge("export", "a", "--with-version", "-o", "x.json")
    let text = host.text("x.json") ?? ""
    host.setText("x.json", text.replacing(#""one""#, with: #""one"},{"n":"two""#))
    host.pnmerge("import", "x.json", "-o", "a", "--author", "ann")
    host.pnmerge("import", "x.json", "-o", "b", "--author", "bob")
    host.pnmerge("merge", "a", "b")
    #expect(try list() == #"[{"n":"one"},{"n":"two"},{"n":"two"}]"#)
    #expect(try kinds() == [.sameContent])
    host.pnmerge("resolve", "a", "--all", "--take", "mine")
    #expect(try list() == #"[{"n":"one"},{"n":"two"}]"#)
  }

  @Test("an import without one of two elements with one identity may be of before the merge")
  func earlierImport() throws {
    start(#"{"l":[{"id":1}]}"#)
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"v":4}"#)
    host.pnmerge("insert", "b", "/l/0", #"{"id":7,"v":3}"#)
    host.pnmerge("merge", "a", "b")
    host.setText("x.json", #"{"l":[{"id":7,"v":3},{"id":1,"t":"ONE"},{"id":7,"v":4}]}"#)
    #expect(host.pnmerge("import", "x.json", "-o", "a").status == .done)
    #expect(try list() == #"[{"v":3,"id":7},{"t":"ONE","id":1},{"v":4,"id":7}]"#)
    #expect(try kinds() == [.sameIdentity])
  }

  // MARK: Restoring

  private func version() throws -> String {
    try #require(try Document(bytes: host["a"] ?? []).heads.first).description
  }

  @Test("an element that two people bring back in different ways is contested")
  func broughtBackTwice() throws {
    start(#"{"l":[{"id":1,"n":1},{"id":2,"n":2}]}"#)
    host.pnmerge("export", "a", "-o", "old.json")
    let version = try version()
    host.pnmerge("remove", "a", "/l/0")
    host.pnmerge("merge", "b", "a")
    host.pnmerge("restore", "a", "--at", version)
    host.pnmerge("edit", "b", "--json-file", "old.json")
    host.pnmerge("merge", "a", "b")
    #expect(try kinds() == [.sameIdentity])
    host.pnmerge("resolve", "a", "--all", "--take", "both")
    #expect(try list().matches(of: #/"id":1/#).count == 1)
    #expect(try kinds().isEmpty)
  }

  @Test("an earlier state of an element is restored where it was moved to")
  func restoringMoved() throws {
    start(#"{"todo":[{"id":1,"t":"task"},{"id":2,"t":"rest"}],"done":[],"later":[]}"#)
    let first = try version()
    host.pnmerge("move", "a", "/todo/0", "/done/-")
    host.pnmerge("move", "a", "/done/0", "/later/-")
    host.pnmerge("set", "a", "/later/0/t", #""edited""#)
    let run = host.pnmerge("restore", "a", "/todo/0", "--at", first)
    #expect(run.status == .done && run.output.contains("/later/0"), "\(run)")
    #expect(try list("/later") == #"[{"t":"task","id":1}]"#)
    #expect(try list("/todo") == #"[{"t":"rest","id":2}]"#)
    // What was removed for good comes back where it was.
    host.pnmerge("remove", "a", "/later/0")
    host.pnmerge("restore", "a", "/todo/0", "--at", first)
    #expect(try list("/later") == "[]")
    #expect(try list("/todo") == #"[{"t":"task","id":1},{"t":"rest","id":2}]"#)
  }

  @Test(
    "an element that is restored on two machines stands there once, however it is restored",
    arguments: [["/l/0"], ["/l"], []], [["/l/0"], ["/l"], []])
  func restoringTwice(first: [String], second: [String]) throws {
    start(#"{"l":[{"n":"one","m":[1,2]},{"n":"two"},{"n":"three"}]}"#)
    let before = try version()
    host.pnmerge("remove", "a", "/l/0")
    host.pnmerge("set", "a", "/l/0/n", #""zwei""#)
    host.pnmerge("move", "a", "/l/0", "/l/1")
    host.pnmerge("insert", "a", "/l/0", #""new""#)
    host.copy("a", "b")
    for (file, path) in [("a", first), ("b", second)] {
      let run = host.pnmerge(["restore", file] + path + ["--at", before, "--author", file])
      #expect(run.status == .done)
    }
    host.copy("a", "c")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("merge", "b", "c")
    #expect(host["a"] == host["b"])
    let all = [first, second].contains { $0 != ["/l/0"] }
    #expect(
      try list()
        == (all
          ? #"[{"m":[1,2],"n":"one"},{"n":"two"},{"n":"three"}]"#
          : #"["new",{"m":[1,2],"n":"one"},{"n":"three"},{"n":"zwei"}]"#))
    #expect(try !kinds().contains(.sameContent))
  }
}
