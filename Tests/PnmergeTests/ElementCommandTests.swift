import Peernote
import PnmergeCommands
import Testing

/// How commands bring in lists and settle what becomes of elements; which element is which, and what is
/// contested, is the library's: `WholeListTests`, `ContestedElementTests`, `MovedThingTests`.
///
/// More stands in `Fixtures/outputs/element-conflicts.txt`.
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

  // MARK: Restoring

  private func version() throws -> String {
    try #require(try Document(bytes: host["a"] ?? []).heads.first).description
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
