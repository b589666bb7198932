import Peernote
import PeernoteTestSupport
import Testing

/// What one moves and another one moves elsewhere, edits or removes is never settled without a word.
@Suite("Things that were moved")
struct MovedThingTests {
  private static let board =
    #"{"todo":[{"id":1,"t":"task"},{"id":2,"t":"rest"}],"done":[],"later":[]}"#
  private static let task = #"[{"t":"task","id":1}]"#
  private static let rest = #"{"t":"rest","id":2}"#

  private static func move(to list: String) -> [TreeEdit] { [.move("/todo/0", "/\(list)/-")] }

  /// The side of a place.
  private func side(_ path: String) -> (Conflict) throws -> Conflict.Choice {
    { .side(try #require($0.sides.first { $0.path?.description == path }, "\($0)")) }
  }

  // MARK: Against removals

  @Test(
    "against a removal stay where they were moved to, and are listed",
    arguments: [
      // A value, an element with an identity, and one without, from one list to another.
      (#"{"l":["x","y"],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      (#"{"l":[{"id":1,"t":"x"}],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      (#"{"l":[{"t":"x","n":[1,{"u":2}]}],"k":[]}"#, "/l/0", "/k/-", "/k/0"),
      // A key, one that becomes an element, and an element that becomes a key.
      (#"{"m":{"a":"x"}}"#, "/m/a", "/m/b", "/m/b"),
      (#"{"m":{"a":{"t":[1,2]}},"k":[]}"#, "/m/a", "/k/-", "/k/0"),
      (#"{"l":[["x"]],"m":{}}"#, "/l/0", "/m/z", "/m/z"),
    ])
  func removed(json: String, from: String, to: String, now: String) throws {
    let copies = try TwoCopies(of: json, [.move(from, to)], [.remove(from)])
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    let conflict = merged.conflicts[0]
    #expect("\(conflict.path)" == now && conflict.kept.author == "author 2")
    #expect(conflict.others.map(\.author) == ["author 3"] && conflict.others[0].node == nil)
    let choices = [Conflict.Choice.kept, .side(conflict.kept), .side(conflict.others[0])]
    for (choice, isThere) in zip(choices, [true, true, false]) {
      let document = try copies.settled { _ in choice }.document
      #expect((document.json(now) != nil) == isThere, "\(choice)")
    }
  }

  @Test("against a removal in one list can be had back")
  func removedInList() throws {
    let copies = try TwoCopies(
      of: #"{"l":["x","y","z"]}"#, [.move("/l/0", "/l/2")], [.remove("/l/0")])
    let conflict = try #require(try copies.merged().conflicts.first)
    #expect(conflict.kind == .moved && "\(conflict.path)" == "/l")
    #expect(conflict.kept.node == nil && conflict.kept.author == "author 3")
    for (number, list) in zip(0...1, [#"["y","z"]"#, #"["y","z","x"]"#]) {
      let document = try copies.settled { .side($0.sides[number]) }.document
      #expect(document.json("/l") == list)
    }
  }

  @Test("are lines, too: against a removal, and against another move")
  func lines() throws {
    let rest = #"First line\nThird line\nFourth line\nFifth line\n"#
    let start = #"{"$text":"First line\nSecond line\nThird line\nFourth line\nFifth line\n"}"#
    for (theirs, count) in [(rest, 1), (#"Second line\n"# + rest, 2)] {
      let copies = try TwoCopies(
        of: #"{"body":\#(start)}"#,
        [.set("/body", #"{"$text":"\#(rest)Second line\n"}"#)],
        [.set("/body", #"{"$text":"\#(theirs)"}"#)])
      let merged = try copies.merged()
      #expect(merged.kinds == [.moved])
      #expect(merged.conflicts[0].sides.compactMap(\.node).count == count)
      for side in merged.conflicts[0].sides {
        let document = try copies.settled { _ in .side(side) }.document
        let lines = document.node(at: ["body"])?.string?.split(separator: "\n") ?? []
        #expect(lines.count { $0.contains("Second line") } == (side.node == nil ? 0 : 1))
      }
    }
  }

  @Test("are none where something was only removed")
  func none() throws {
    let merged = try TwoCopies(
      of: #"{"l":["x","y"],"k":["old"],"m":{"a":1,"b":"text"}}"#,
      [.set("", #"{"l":["y"],"k":["old","new"],"m":{"c":2}}"#)],
      [.remove("/l/0"), .remove("/m/b")]
    ).merged()
    #expect(merged.conflicts.isEmpty)
  }

  // MARK: Against other moves

  @Test(
    "to two places stand in both, and are listed",
    arguments: [
      // Elements without and with an identity, then keys.
      (#"{"l":["x","y"],"k":[],"j":[]}"#, "/l/0", "/k/-", "/j/-"),
      (#"{"l":[{"uuid":"7","t":"x"}],"k":[],"j":[]}"#, "/l/0", "/k/-", "/j/-"),
      (#"{"m":{"a":"x"}}"#, "/m/a", "/m/b", "/m/c"),
      (#"{"m":{"a":{"t":["x"]}}}"#, "/m/a", "/m/b", "/m/c"),
    ])
  func apart(json: String, from: String, to: String, other: String) throws {
    let copies = try TwoCopies(of: json, [.move(from, to)], [.move(from, other)])
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    let sides = merged.conflicts[0].sides
    #expect(Set(sides.map(\.author)) == ["author 2", "author 3"])
    for side in sides {
      let document = try copies.settled { _ in .side(side) }.document
      let left = sides.compactMap(\.path).filter { document.node(at: $0) != nil }
      #expect(left == [side.path])
    }
    #expect(sides.allSatisfy { merged.node(at: $0.path ?? []) != nil })
  }

  @Test("in one list stand in the later place, and the other one is listed")
  func movedInList() throws {
    let start = #"{"l":["x","y","z","w"]}"#
    let copies = try TwoCopies(of: start, [.move("/l/0", "/l/3")], [.move("/l/0", "/l/2")])
    #expect(try copies.merged().kinds == [.moved])
    for (author, list) in [
      ("author 2", #"["y","z","w","x"]"#), ("author 3", #"["y","z","x","w"]"#),
    ] {
      let document = try copies.settled { conflict in
        .side(try #require(conflict.sides.first { $0.author == author }))
      }.document
      #expect(document.json("/l") == list)
    }
    // Two who move it to one place have nothing to decide.
    let agreed = try TwoCopies(of: start, [.move("/l/0", "/l/3")], [.move("/l/0", "/l/3")])
    #expect(try agreed.merged().conflicts.isEmpty)
  }

  @Test("in one list, several of them, are settled in one change", arguments: [2, 3])
  func severalInList(person: Int) throws {
    var merged = try TwoCopies(
      of: #"{"l":["a","b","c","d","e","f"]}"#, [.set("/l", #"["c","d","b","e","a","f"]"#)],
      [.set("/l", #"["b","a","c","f","d","e"]"#)]
    ).merged()
    let conflicts = merged.conflicts
    #expect(!conflicts.isEmpty)
    try merged.change(by: .person(4)) { editor in
      for conflict in conflicts.reversed() {
        let side = conflict.sides.first { $0.author == "author \(person)" }
        try editor.resolve(conflict, taking: .side(#require(side)))
      }
    }
    #expect(merged.conflicts.isEmpty)
  }

  @Test("are listed where one of the two was moved on")
  func movedOn() throws {
    let copies = try TwoCopies(
      of: Self.board, Self.move(to: "done") + [.move("/done/0", "/todo/-")],
      Self.move(to: "later"))
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    #expect(merged.json("/todo/1") == #"{"t":"task","id":1}"#)
    #expect(merged.json("/later") == Self.task)
    for (path, later) in [("/todo/1", "[]"), ("/later/0", Self.task)] {
      #expect(try copies.settled(side(path)).document.json("/later") == later)
    }
  }

  @Test("are not lost where two people settle them differently")
  func settledApart() throws {
    let copies = try TwoCopies(of: Self.board, Self.move(to: "done"), Self.move(to: "later"))
    let both = try copies.settled { _ in .all }.document
    #expect(both.json("/later") == Self.task && both.json("/done") == Self.task)
    let one = try copies.settled(side("/done/0")).document
    var other = try copies.merged()
    let task = try DocumentNode(json: #"{"id":1,"t":"task"}"#, as: .exact)
    #expect(try other.earlierContent(of: other.conflicts) == [.known(task)])
    let conflict = other.conflicts[0]
    let choice = try side("/later/0")(conflict)
    try other.change(by: .person(5)) { try $0.resolve(conflict, taking: choice) }
    #expect(other.json("/later") == Self.task && other.json("/done") == "[]")
    let merged = try TwoCopies(one, other).merged()
    #expect(merged.json("/done") == Self.task && merged.json("/later") == Self.task)
    #expect(!merged.conflicts.isEmpty)
  }

  @Test("by two people to one list, and edited by a third, are one in each list")
  func movedTwiceToOneList() throws {
    let moved = #"{"todo":[{"id":2,"t":"rest"}],"done":[{"id":1,"t":"both"}],"later":[]}"#
    let apart = try TwoCopies(of: Self.board, [.set("", moved)], [.set("", moved)])
    var third = try Document(holding: Self.board)
    try third.edit([.set("/todo/0/t", #""third""#)], by: 6)
    let copies = TwoCopies(try apart.merged(), third)
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved, .sameIdentity])
    #expect(merged.conflicts[0].sides.count == 3)
    func settled(_ list: String?) throws -> Document {
      var document = merged
      for conflict in [merged.conflicts[1], nil] {
        let conflict = try #require(conflict ?? document.conflicts.first)
        let side = conflict.sides.first { $0.path?.tokens.first == list }
        let isMove = conflict.kind == .moved
        try document.change(by: .person(7)) { editor in
          try editor.resolve(conflict, taking: isMove ? side.map { .side($0) } ?? .all : .all)
        }
      }
      #expect(document.conflicts.isEmpty)
      return document
    }
    let both = try settled(nil)
    #expect(both.json("/done") == #"[{"t":"both","id":1}]"#)
    #expect(both.json("/todo") == #"[{"t":"third","id":1},{"t":"rest","id":2}]"#)
    for list in ["done", "todo"] {
      let one = try settled(list)
      #expect(one.json("/done")?.contains(#""id":1"#) == (list == "done"))
      #expect(one.json("/todo")?.contains(#""id":1"#) == (list == "todo"))
    }
  }

  @Test("are none where one person moved something twice, or elements just have one identity")
  func noMoves() throws {
    let once = try TwoCopies(
      of: Self.board, Self.move(to: "done") + [.move("/done/0", "/later/-")],
      [.set("/todo/1/t", #""more""#)])
    #expect(try once.merged().conflicts.isEmpty)
    let others = try TwoCopies(
      of: #"{"people":[],"tasks":[]}"#, [.insert("/people/-", #"{"id":1,"name":"Ann"}"#)],
      [.insert("/tasks/-", #"{"id":1,"t":"task"}"#)])
    #expect(try others.merged().conflicts.isEmpty)
  }

  @Test("in whole edits are found, and whoever leaves one out has decided")
  func wholeEdits() throws {
    let lists = #"{"todo":[{"id":2,"t":"rest"}],"done":[],"later":[]}"#
    func edit(_ list: String) -> [TreeEdit] {
      [.set("", lists.replacing("\"\(list)\":[]", with: "\"\(list)\":\(Self.task)"))]
    }
    var merged = try TwoCopies(of: Self.board, edit("done"), edit("later")).merged()
    #expect(merged.kinds == [.moved])
    try merged.edit([.remove("/later/0")], by: 4)
    #expect(merged.conflicts.isEmpty)
  }

  // MARK: Against edits

  @Test(
    "against an edit are listed, and what was edited goes along wherever the thing stays",
    arguments: [
      [.move("/todo/0", "/done/-")],
      [.set("", #"{"todo":[{"id":2,"t":"rest"}],"done":[{"id":1,"t":"task"}],"later":[]}"#)],
      [.move("/todo/0", "/later/-"), .move("/later/0", "/done/-")],
    ] as [[TreeEdit]])
  func editedMeanwhile(moves: [TreeEdit]) throws {
    let copies = try TwoCopies(of: Self.board, moves, [.set("/todo/0/t", #""task, and more""#)])
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    #expect(Set(merged.conflicts[0].sides.map { $0.path?.parent }) == [["todo"], ["done"]])
    let edited = #"{"t":"task, and more","id":1}"#
    for (path, todo, done) in [
      ("/todo/0", "[\(edited),\(Self.rest)]", "[]"), ("/done/0", "[\(Self.rest)]", "[\(edited)]"),
    ] {
      let one = try copies.settled(side(path)).document
      #expect(one.json("/todo") == todo && one.json("/done") == done, "\(path)")
    }
  }

  @Test("against an edit are one thing if the edit came first, or its author knew of the move")
  func editedBefore() throws {
    let copies = try TwoCopies(
      of: Self.board,
      [.set("/todo/0/t", #""more""#)] + Self.move(to: "done") + [.set("/done/0/t", #""most""#)], [])
    #expect(try copies.merged().conflicts.isEmpty)
  }

  @Test("against edits take along what only the others changed, and the rest is named")
  func combining() throws {
    let copies = try TwoCopies(
      of: #"{"todo":[{"id":1,"t":"task","due":"May","by":"Ann","old":1},{"id":2}],"done":[]}"#,
      [.move("/todo/0", "/done/0"), .set("/done/0/t", #""ours""#), .remove("/done/0/old")],
      [
        .set("/todo/0/t", #""theirs""#), .set("/todo/0/due", #""June""#), .set("/todo/0/new", "2"),
      ])
    let (document, dropped) = try copies.settled(side("/done/0"))
    #expect(dropped.map(\.path.description) == ["/done/0/t"])
    #expect(dropped.map(\.dropped) == [.value("theirs")])
    #expect(
      document.json("/done") == #"[{"t":"ours","by":"Ann","id":1,"due":"June","new":2}]"#)
    #expect(document.json("/todo") == #"[{"id":2}]"#)
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
      at: ["done", "0"])
    #expect(all.content == element(6, "a", "c") && all.dropped.isEmpty)
  }

  @Test("against an edit are one question where somebody else deleted the thing")
  func deletedMeanwhile() throws {
    let apart = try TwoCopies(
      of: Self.board, Self.move(to: "done"), [.set("/todo/0/t", #""task, and more""#)])
    var third = try Document(holding: Self.board)
    try third.edit([.remove("/todo/0")], by: 6)
    let copies = TwoCopies(try apart.merged(), third)
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    for choice in [Conflict.Choice.kept, .all] + merged.conflicts[0].sides.map({ .side($0) }) {
      _ = try copies.settled { _ in choice }
    }
  }
}
