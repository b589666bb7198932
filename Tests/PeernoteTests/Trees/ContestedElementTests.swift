import Peernote
import PeernoteTestSupport
import Testing

/// What two people add to a list alike may be one thing or two; nobody but them can tell.
@Suite("Equal elements that were inserted on both sides")
struct ContestedElementTests {
  /// Both add to a list that holds bread.
  private func added(_ ours: String, _ theirs: String) throws -> TwoCopies {
    try TwoCopies(of: #"{"l":["bread"]}"#, [.insert("/l/-", ours)], [.insert("/l/-", theirs)])
  }

  @Test(
    "are both kept and listed until one is left, both are meant, or one is edited",
    arguments: [#""milk""#, "7", "null", #"{"n":[1],"t":"milk"}"#, "[]"])
  func settling(element: String) throws {
    let copies = try added(element, element)
    var merged = try copies.merged()
    #expect(merged.kinds == [.sameContent])
    #expect(merged.json("/l") == #"["bread",\#(element),\#(element)]"#)
    #expect(try copies.settled { _ in .all }.document.json("/l") == merged.json("/l"))
    for choice in [Conflict.Choice.kept] + merged.conflicts[0].sides.map({ .side($0) }) {
      let one = try copies.settled { _ in choice }.document
      #expect(one.json("/l") == #"["bread",\#(element)]"#, "\(choice)")
    }
    // Whoever edits one has told them apart.
    try merged.edit([.set("/l/2", #""oat milk""#)], by: 4)
    #expect(merged.conflicts.isEmpty)
  }

  /// A choice among what two sides inserted: that of one side, or both.
  enum Choice: CaseIterable {
    case first, second, both

    func choice(of conflict: Conflict) -> Conflict.Choice {
      switch self {
      case .first: .side(conflict.sides[0])
      case .second: .side(conflict.sides[1])
      case .both: .all
      }
    }
  }

  @Test(
    "who settles it apart keeps the same one, and another decision is listed",
    arguments: Choice.allCases, Choice.allCases)
  func settlingApart(first: Choice, second: Choice) throws {
    let pairs = [
      [#""milk""#, #""milk""#], [#"{"n":[1]}"#, #"{"n":[1]}"#],
      [#"{"a":1,"id":7}"#, #"{"b":2,"id":7}"#],
    ]
    for pair in pairs {
      var ours = try added(pair[0], pair[1]).merged()
      var theirs = ours
      let conflict = ours.conflicts[0]
      try ours.change(by: .person(4)) {
        try $0.resolve(conflict, taking: first.choice(of: conflict))
      }
      try theirs.change(by: .person(5)) {
        try $0.resolve(conflict, taking: second.choice(of: conflict))
      }
      let merged = try TwoCopies(ours, theirs).merged()
      let left = merged.json("/l") ?? ""
      #expect(left.contains(#""id":7"#) || left.contains("milk") || left.contains("[1]"), "\(left)")
      if [first, second].contains(.both) { continue }
      let isDisputed = pair[0] != pair[1] && first != second
      #expect(merged.kinds == (isDisputed ? [.register] : []), "\(left)")
    }
  }

  @Test("who leaves one of them out of a whole edit keeps the same one, too")
  func leavingOut() throws {
    let copies = try added(#""milk""#, #""milk""#)
    for number in 0...1 {
      let settled = try copies.settled { .side($0.sides[number]) }.document
      var edited = try copies.merged()
      try edited.edit([.set("/l", #"["milk"]"#)], by: 5)
      #expect(try TwoCopies(settled, edited).merged().json("/l") == #"["milk"]"#)
    }
  }

  @Test("that one copy knows of are news to nobody, whoever merges")
  func knownEqualElements() throws {
    let copies = try TwoCopies(
      of: #"{"l":[]}"#, [.insert("/l/-", #""high""#)], [.insert("/l/-", #""high""#)])
    let both = try copies.merged()
    var alone = copies.theirs
    try alone.edit([.set("/x", "null")], by: 3)
    #expect(both.conflicts.map(\.kind) == [.sameContent])
    for (into, from) in [(both, alone), (alone, both)] {
      var merged = into
      #expect(try merged.merge(from).conflicts.isEmpty)
      #expect(merged.conflicts.map(\.kind) == [.sameContent])
    }
  }

  @Test("counters that are joined on two machines count once")
  func counters() throws {
    let copies = try TwoCopies(
      of: #"{"l":[]}"#, [.insert("/l/-", #"{"c":{"$counter":2},"id":7}"#)],
      [.insert("/l/-", #"{"c":{"$counter":3},"id":7}"#)])
    let one = try copies.settled { _ in .all }.document
    #expect(one.json("/l/0/c") == "5")
    var other = try copies.merged()
    let conflict = other.conflicts[0]
    try other.change(by: .person(5)) { try $0.resolve(conflict, taking: .all) }
    let merged = try TwoCopies(one, other).merged()
    #expect(merged.json("/l/0/c") == "5" && merged.conflicts.isEmpty)
  }

  @Test("as many as both sides have are taken for the same, in their order")
  func several() throws {
    func insert(_ path: String, _ elements: String...) -> [TreeEdit] {
      elements.map { .insert(path, "\"\($0)\"") }
    }
    var merged = try TwoCopies(
      of: #"{"l":["bread"]}"#, insert("/l/-", "x", "y", "x"), insert("/l/0", "x", "x", "x")
    ).merged()
    #expect(merged.kinds == [.sameContent, .sameContent])
    let conflicts = merged.conflicts
    try merged.change(by: .person(4)) { editor in
      for conflict in conflicts.reversed() {
        let mine = try #require(conflict.sides.first { $0.author == "author 2" })
        try editor.resolve(conflict, taking: .side(mine))
      }
    }
    #expect(merged.json("/l") == #"["x","x","x","bread","y"]"#)
  }

  @Test("what one side inserted twice, edited alike, or moved is no such thing")
  func others() throws {
    let merged = try TwoCopies(
      of: #"{"l":["bread","tea"]}"#,
      [.insert("/l/-", #""milk""#), .insert("/l/-", #""milk""#), .set("/l/0", #""rye""#)],
      [.insert("/l/-", #""rye""#), .move("/l/1", "/l/0")]
    ).merged()
    #expect(merged.conflicts.isEmpty)
  }

  @Test("an element that was cut, put back and edited meanwhile is contested, and can be one again")
  func cutAndPutBack() throws {
    let copies = try TwoCopies(
      of: #"{"l":[{"id":1,"n":1},{"id":2,"n":2}]}"#,
      [.remove("/l/0"), .insert("/l/-", #"{"id":1,"n":1}"#)], [.set("/l/0/n", "7")])
    #expect(try copies.merged().kinds.contains(.sameIdentity))
    let one = try copies.settled { _ in .all }.document
    #expect(one.json("/l")?.matches(of: #/"id":1/#).count == 1)
  }

  @Test("what both sides put in one place is united, if that can be")
  func containers() throws {
    let start = #"{"x":null}"#
    for (about, ours, theirs, united) in [
      ("sets", #"{"$set":["x"]}"#, #"{"$set":["y"]}"#, #"{"$set":["x","y"]}"#),
      (
        "maps, and all in them", #"{"x":1,"l":[0,{"id":5,"v":1}],"z":{"$set":[1]}}"#,
        #"{"y":2,"l":[{"id":5,"v":2}],"z":{"$set":[2]}}"#,
        #"{"l":[0,{"v":2,"id":5}],"x":1,"y":2,"z":{"$set":[1,2]}}"#
      ),
      ("counters", #"{"$counter":3}"#, #"{"$counter":4}"#, #"{"$counter":7}"#),
      ("texts", #"{"$text":"one\n"}"#, #"{"$text":"two\n"}"#, #"{"$text":"two\none\n"}"#),
      ("lists", #"["a","b"]"#, #"["b","c"]"#, #"["a","b","c"]"#),
    ] {
      let (document, dropped) = try TwoCopies(of: start, [.set("/k", ours)], [.set("/k", theirs)])
        .settled { _ in .all }
      #expect(document.node(at: ["k"])?.json(as: .exact) == united, "\(about)")
      #expect(dropped.map(\.path.description) == (about.hasPrefix("maps") ? ["/k/l/1/v"] : []))
      for drop in dropped { #expect(document.node(at: drop.path) == drop.kept) }
    }
    let mixed = try TwoCopies(of: start, [.set("/k", "[1]")], [.set("/k", "{}")]).merged()
    #expect(!mixed.conflicts[0].allows(.all))
  }
}
