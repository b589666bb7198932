import Peernote
import PnmergeCommands
import Testing

/// What one side moves and the other removes, or moves elsewhere, is never settled without a word.
@Suite("Moves against removals and other moves")
struct MoveAgainstRemovalTests {
  private let host = MemoryHost()

  private func start(_ json: String) {
    host.setText("i.json", json)
    host["a"] = nil
    host.pnmerge("import", "i.json", "-o", "a", "--author", "zoe")
    host.copy("a", "b")
  }

  /// Has both copies edited, and merges them both ways.
  private func merge(_ ours: [String], _ theirs: [String]) {
    host.pnmerge([ours[0], "a"] + ours.dropFirst() + ["--author", "ann"])
    host.pnmerge([theirs[0], "b"] + theirs.dropFirst() + ["--author", "bob"])
    host.copy("a", "mine")
    host.copy("b", "theirs")
    host.pnmerge("merge", "b", "mine")
    let run = host.pnmerge("merge", "--strict", "a", "theirs")
    #expect(run.status == .different, "\(run)")
    #expect(host["a"] == host["b"])
  }

  private func value(_ path: String, _ file: String) throws -> String {
    try host.content(file, path)
  }

  private func conflicts(_ file: String = "a") throws -> [Conflict] {
    try Document(bytes: host[file] ?? []).conflicts
  }

  @Test(
    "an element or a key that one moves and another removes stays where it was moved to, and is listed",
    arguments: [
      (#"{"l":["x","y"],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      (#"{"l":[{"id":1,"t":"x"}],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      (#"{"l":[{"t":"x","n":[1,{"u":2}]}],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      (#"{"m":{"a":"x"}}"#, "/m/a", "/m/b", "/m/b"),
      (#"{"m":{"a":{"t":[1,2]}},"k":[]}"#, "/m/a", "/k/-", "/k/0"),
      (#"{"l":[["x"]],"m":{}}"#, "/l/0", "/m/z", "/m/z"),
    ])
  func removed(json: String, from: String, to: String, now: String) throws {
    start(json)
    merge(["move", from, to], ["remove", from])
    let conflict = try #require(try conflicts().first)
    #expect(try conflicts().count == 1 && conflict.kind == .moved)
    #expect("\(conflict.path)" == now && conflict.kept.author == "ann")
    #expect(conflict.others.map(\.author) == ["bob"] && conflict.others[0].node == nil)
    for (side, isThere) in [("kept", true), ("mine", true), ("theirs", false)] {
      host.copy("a", "c")
      if side == "kept" { host.copy("b", "c") } else { host.copy("a", "c") }
      let name = side == "theirs" ? conflict.others[0].change : conflict.kept.change
      let run = host.pnmerge("resolve", "c", now, "--take", "\(name)")
      #expect(run.status == .done, "\(run)")
      #expect(try conflicts("c").isEmpty)
      #expect((host.pnmerge("cat", "c", now).status == .done) == isThere)
      host.pnmerge("merge", "c", "theirs")
      #expect(try conflicts("c").isEmpty)
    }
  }

  @Test(
    "what two people move to two places stands in both, and is listed",
    arguments: [
      (#"{"l":["x","y"],"k":[],"j":[]}"#, "/l/0", "/k/-", "/j/-"),
      (#"{"l":[{"uuid":"7","t":"x"}],"k":[],"j":[]}"#, "/l/0", "/k/-", "/j/-"),
      (#"{"m":{"a":"x"}}"#, "/m/a", "/m/b", "/m/c"),
      (#"{"m":{"a":{"t":["x"]}}}"#, "/m/a", "/m/b", "/m/c"),
    ])
  func apart(json: String, from: String, to: String, other: String) throws {
    start(json)
    merge(["move", from, to], ["move", from, other])
    #expect(try conflicts().map(\.kind) == [.moved])
    let conflict = try conflicts()[0]
    #expect(Set(conflict.sides.map(\.author)) == ["ann", "bob"])
    for side in conflict.sides {
      host.copy("a", "c")
      let run = host.pnmerge("resolve", "c", "\(conflict.path)", "--take", "\(side.change)")
      #expect(run.status == .done, "\(run)")
      #expect(try conflicts("c").isEmpty)
      let left = conflict.sides.compactMap(\.path).filter {
        host.pnmerge("cat", "c", "\($0)").status == .done
      }
      #expect(left == [side.path])
    }
  }

  @Test("inside one list a move that a removal undid can be had back")
  func removedInList() throws {
    start(#"{"l":["x","y","z"]}"#)
    merge(["move", "/l/0", "/l/2"], ["remove", "/l/0"])
    let conflict = try #require(try conflicts().first)
    #expect(conflict.kind == .moved && conflict.kept.node == nil && conflict.kept.author == "bob")
    #expect("\(conflict.path)" == "/l")
    for (name, list) in [
      (conflict.kept.change, #"["y","z"]"#), (conflict.others[0].change, #"["y","z","x"]"#),
    ] {
      host.copy("a", "c")
      let run = host.pnmerge("resolve", "c", "/l", "--take", "\(name)")
      #expect(run.status == .done, "\(run)")
      #expect(try value("/l", "c") == list)
      #expect(try conflicts("c").isEmpty)
      host.pnmerge("merge", "c", "theirs")
      #expect(try conflicts("c").isEmpty)
    }
  }

  @Test("inside one list an element stands in the later place, and the other one is listed")
  func movedInList() throws {
    start(#"{"l":["x","y","z","w"]}"#)
    merge(["move", "/l/0", "/l/3"], ["move", "/l/0", "/l/2"])
    let conflict = try #require(try conflicts().first)
    #expect(conflict.kind == .moved && conflict.sides.count == 2)
    for (name, list) in zip(
      conflict.sides.sorted { $0.author < $1.author }.map(\.change),
      [#"["y","z","w","x"]"#, #"["y","z","x","w"]"#])
    {
      host.copy("a", "c")
      let run = host.pnmerge("resolve", "c", "\(conflict.path)", "--take", "\(name)")
      #expect(run.status == .done, "\(run)")
      #expect(try value("/l", "c") == list)
      #expect(try conflicts("c").isEmpty)
    }
    // Two who move it to one place have nothing to decide.
    start(#"{"l":["x","y","z","w"]}"#)
    host.pnmerge("move", "a", "/l/0", "/l/3")
    host.pnmerge("move", "b", "/l/0", "/l/3")
    host.pnmerge("merge", "a", "b")
    #expect(try conflicts().isEmpty)
  }

  @Test(
    "inside one list several that were moved are settled at one go", arguments: ["mine", "theirs"])
  func severalInList(side: String) throws {
    start(#"{"l":["a","b","c","d","e","f"]}"#)
    let orders = [#"["c","d","b","e","a","f"]"#, #"["b","a","c","f","d","e"]"#]
    for (name, order) in zip(["a", "b"], orders) {
      host.setText("i.json", #"{"l":\#(order)}"#)
      host.pnmerge("edit", name, "--json-file", "i.json", "--author", name)
    }
    host.copy("a", "mine")
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("resolve", "a", "--all", "--take", side)
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    #expect(try conflicts().isEmpty)
  }

  @Test("removals that are no moves are none")
  func none() throws {
    start(#"{"l":["x","y"],"k":["old"],"m":{"a":1,"b":"text"}}"#)
    host.setText("i.json", #"{"l":["y"],"k":["old","new"],"m":{"c":2}}"#)
    host.pnmerge("edit", "a", "--json-file", "i.json")
    host.pnmerge("remove", "b", "/l/0")
    host.pnmerge("remove", "b", "/m/b")
    host.pnmerge("merge", "a", "b")
    #expect(try conflicts().isEmpty)
  }

  private static let body = "First line\nSecond line\nThird line\nFourth line\nFifth line\n"

  @Test("a line that one moves and another deletes stays and is listed; two ends, too")
  func lines() throws {
    let rest = "First line\nThird line\nFourth line\nFifth line\n"
    for (theirs, count) in [(rest, 1), ("Second line\n" + rest, 2)] {
      host["a"] = nil
      host.setText("old", Self.body)
      host.setText("ours", rest + "Second line\n")
      host.setText("theirs.txt", theirs)
      host.pnmerge("new", "a", "--title", "t", "--body-file", "old")
      host.copy("a", "b")
      merge(["edit", "--body-file", "ours"], ["edit", "--body-file", "theirs.txt"])
      let conflict = try #require(try conflicts().first)
      #expect(try conflicts().count == 1 && conflict.kind == .moved)
      #expect(conflict.sides.compactMap(\.node).count == count)
      for side in conflict.sides {
        host.copy("a", "c")
        let run = host.pnmerge("resolve", "c", "/body", "--take", "\(side.change)")
        #expect(run.status == .done, "\(run)")
        #expect(try conflicts("c").isEmpty)
        let text = host.pnmerge("cat", "c", "/body").output
        let lines = text.split(separator: "\n").count { $0.contains("Second line") }
        #expect(lines == (side.node == nil ? 0 : 1), "\(text)")
      }
    }
  }

  @Test("what is contested at an old place is named, and settled first")
  func contestedOldPlace() {
    let host = MemoryHost()
    host.setText("p.json", #"{"map":{"old":{"a":"x"}}}"#)
    host.pnmerge("new", "a", "--json-file", "p.json")
    for copy in ["b", "c"] { host.copy("a", copy) }
    host.pnmerge("move", "a", "/map/old", "/map/new")
    host.pnmerge("set", "b", "/map/old", "bb")
    host.pnmerge("set", "c", "/map/old", "cc")
    host.pnmerge("merge", "a", "b", "c")
    let listed = host.pnmerge("conflicts", "a").output
    #expect(listed.contains("/map/new\n") && !listed.contains("--take both"), "\(listed)")
    let early = host.pnmerge("resolve", "a", "/map/new", "--take", "both")
    #expect(early.status == .usage, "\(early)")
    #expect(early.errors.hasSuffix("resolve first the conflicts inside: /map/old\n"), "\(early)")
    #expect(host.pnmerge("resolve", "a", "/map/old", "--take", "kept").status == .done)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }
}
