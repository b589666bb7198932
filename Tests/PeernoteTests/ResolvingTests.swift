import Peernote
import PeernoteTestSupport
import Testing

/// Every kind of conflict is settled by one call, and stays settled in every copy; elements and things
/// that were moved have suites of their own.
@Suite("Settling conflicts by the library")
struct ResolvingTests {
  private static let place: JSONPointer = ["k"]

  /// Copies in which both set what stands at the place, in exact JSON.
  private static func copies(of start: String, _ left: String, _ right: String) throws -> TwoCopies
  {
    try TwoCopies(of: #"{"k":\#(start)}"#, [.set("/k", left)], [.set("/k", right)])
  }

  private static func text(_ text: String) -> String { #"{"$text":"\#(text)\n"}"# }

  /// What is shown at the place when the only conflict is settled.
  private static func settled(
    _ copies: TwoCopies, kind: Conflict.Kind, _ choose: (Conflict) -> Conflict.Choice
  ) throws -> String? {
    #expect(try copies.merged().kinds == [kind])
    return try copies.settled(choose).document.json("/k")
  }

  private static func refuses(
    _ conflict: Conflict, in document: Document, _ choice: Conflict.Choice
  ) throws {
    #expect(!conflict.allows(choice))
    var copy = document
    #expect(throws: EditError.noSuchChoice(conflict.path)) {
      try copy.change(by: .person(5)) { try $0.resolve(conflict, taking: choice) }
    }
    #expect(copy.bytes() == document.bytes())
  }

  // MARK: Values

  private static func values() throws -> TwoCopies { try copies(of: "0", "1", "2") }

  @Test("a value that both wrote becomes that of a side, another one, or stays")
  func register() throws {
    let copies = try Self.values()
    let sides = try #require(copies.merged().conflicts.first).sides
    #expect(sides.map(\.node) == [.value(2), .value(1)])
    for (choice, value) in [
      (Conflict.Choice.kept, "2"), (.side(sides[0]), "2"), (.side(sides[1]), "1"),
      (.content(.value(3)), "3"),
    ] {
      #expect(try Self.settled(copies, kind: .register) { _ in choice } == value)
    }
  }

  @Test("values exclude each other, and a side of another conflict is none of this one")
  func refusals() throws {
    let document = try Self.values().merged()
    let conflict = try #require(document.conflicts.first)
    try Self.refuses(conflict, in: document, .all)
    var foreign = conflict.others[0]
    foreign.node = .value(5)
    try Self.refuses(conflict, in: document, .side(foreign))
  }

  @Test("a side is found by the change that wrote it")
  func sideByChange() throws {
    let conflict = try #require(Self.values().merged().conflicts.first)
    #expect(conflict.sides.count == 2 && conflict.sides[0] == conflict.kept)
    for side in conflict.sides { #expect(conflict.side(by: side.change) == side) }
    #expect(conflict.side(by: ChangeID(agent: AgentID(rawValue: 9), sequence: 1)) == nil)
  }

  @Test("what one removed and the other wrote stays, or goes")
  func deletion() throws {
    let copies = try TwoCopies(of: #"{"k":0}"#, [.remove("/k")], [.set("/k", "2")])
    #expect(try Self.settled(copies, kind: .deleteEdit) { _ in .kept } == "2")
    #expect(try Self.settled(copies, kind: .deleteEdit) { .side($0.others[0]) } == nil)
  }

  // MARK: Elements of lists

  @Test("elements with one identity become one")
  func sameIdentity() throws {
    let copies = try TwoCopies(
      of: #"{"k":[]}"#, [.insert("/k/-", #"{"a":2,"id":1}"#)], [.insert("/k/-", #"{"b":3,"id":1}"#)]
    )
    let both = try Self.settled(copies, kind: .sameIdentity) { _ in .all }
    #expect(both == #"[{"a":2,"b":3,"id":1}]"#)
    for side in try copies.merged().conflicts[0].sides {
      let one = try copies.settled { _ in .side(side) }.document
      #expect(one.node(at: Self.place) == side.node.map { .list([$0]) })
    }
    let other = try DocumentNode(json: #"{"c":4,"id":1}"#, as: .exact)
    #expect(
      try copies.settled { _ in .content(other) }.document.node(at: Self.place) == .list([other]))
  }

  @Test("what was changed of a moved element in each list stays if it is known what it was before")
  func movedAndEdited() throws {
    let copies = try TwoCopies(
      of: #"{"todo":[{"a":0,"b":0,"id":1}],"done":[],"later":[]}"#,
      [.move("/todo/0", "/done/-"), .set("/done/0/a", "1")],
      [.move("/todo/0", "/later/-"), .set("/later/0/b", "2")])
    let merged = try copies.merged()
    #expect(merged.kinds == [.moved])
    let before = try DocumentNode(json: #"{"a":0,"b":0,"id":1}"#, as: .exact)
    #expect(try merged.earlierContent(of: merged.conflicts) == [.known(before)])
    let (document, dropped) = try copies.settled { _ in .kept }
    let combined = try DocumentNode(json: #"{"a":1,"b":2,"id":1}"#, as: .exact)
    #expect(document.node(at: merged.conflicts[0].path) == combined && dropped.isEmpty)
  }

  // MARK: Texts

  @Test("a contested passage reads as a side, as all one after the other, or as somebody writes")
  func passage() throws {
    let sums = ["11,000", "9,500"].map { Self.text("It costs \($0) in all.") }
    let copies = try Self.copies(of: Self.text("It costs 12,000 in all."), sums[0], sums[1])
    func settled(_ choose: (Conflict) -> Conflict.Choice) throws -> String {
      try Self.settled(copies, kind: .passage, choose) ?? ""
    }
    let readings = try Set([0, 1].map { number in try settled { .side($0.sides[number]) } })
    #expect(
      readings == [#""It costs 11,000 in all.\n""#, #""It costs 9,500 in all.\n""#])
    let text = try settled { _ in .all }
    #expect(text.contains("11,000") && text.contains("9,500") && text.hasSuffix(#" in all.\n""#))
    for content in [DocumentNode.text("10,000"), .value("10,000")] {
      #expect(try settled { _ in .content(content) } == #""It costs 10,000 in all.\n""#)
    }
    let document = try copies.merged()
    try Self.refuses(document.conflicts[0], in: document, .content(.counter(1)))
  }

  @Test("what was replaced right after a passage is no part of what stood there")
  func earlierPassage() {
    let passages = EarlierPassage(of: "foo; bar", in: "foo, quux bar")
    #expect([0..<3, 0..<4, 4..<8].map { passages.text(of: $0) } == ["foo", "foo, quux", " bar"])
    #expect(passages.text(of: 3..<3) == "")
  }

  @Test("whoever keeps both readings and whoever keeps one have decided differently")
  func decidedDifferently() throws {
    let copies = try TwoCopies(
      ofText: "We meet in the big hall.\n", "We meet in the old barn.\n",
      "We meet in the new house.\n")
    let merged = try copies.merged()
    let conflict = try #require(merged.conflicts.first)
    func settled(_ choice: Conflict.Choice, by person: UInt64) throws -> Document {
      var document = merged
      try document.change(by: .person(person)) { try $0.resolve(conflict, taking: choice) }
      return document
    }
    for side in conflict.sides {
      let apart = TwoCopies(try settled(.all, by: 4), try settled(.side(side), by: 5))
      #expect(try apart.merged().kinds == [.passage])
    }
    // Who keeps the same agrees.
    let choice = Conflict.Choice.side(conflict.sides[0])
    let agreed = TwoCopies(try settled(choice, by: 5), try settled(choice, by: 4))
    #expect(try agreed.merged().conflicts.isEmpty)
  }

  @Test("lines that adjoin stay as they were merged without an edit, or read as a side")
  func adjoining() throws {
    let copies = try TwoCopies(
      ofText: "one\ntwo\nthree\nfour\n", "one\nTWO of ours\nthree\nfour\n",
      "one\ntwo\nTHREE of theirs\nfour\n")
    var merged = copies.ours
    let report = try merged.merge(copies.theirs)
    #expect(report.conflicts.isEmpty && merged.conflicts.isEmpty)
    let place = try #require(report.adjoining.first)
    #expect(place.allows(.all))
    for choice in [Conflict.Choice.kept, .all] {
      var document = merged
      let change = try document.change(by: .person(4)) { try $0.resolve(place, taking: choice) }
      #expect(change == nil && document.root == merged.root)
    }
    for (number, copy) in [copies.ours, copies.theirs].enumerated() {
      let side = try #require(place.others.first { copy.contains($0.change) }, "\(number)")
      var document = merged
      try document.change(by: .person(4)) { try $0.resolve(place, taking: .side(side)) }
      #expect(document.root == copy.root)
    }
  }

  // MARK: Several

  @Test("several are settled in one change, from the last to the first")
  func several() throws {
    let task = #"{"id":1,"t":2}"#
    let copies = try TwoCopies(
      of: #"{"a":0,"l":[1,2]}"#, [.set("/a", "1"), .insert("/l/0", task), .remove("/l/2")],
      [.set("/a", "2"), .insert("/l/0", task), .set("/l/2", "3")])
    var document = try copies.merged()
    let conflicts = document.conflicts
    #expect(conflicts.map(\.kind) == [.register, .sameIdentity, .deleteEdit])
    try document.change(by: .person(4)) { editor in
      for conflict in conflicts.reversed() {
        let mine = conflict.sides.first { copies.ours.contains($0.change) }
        try editor.resolve(conflict, taking: mine.map { .side($0) } ?? .kept)
      }
    }
    #expect(document.conflicts.isEmpty)
    #expect(document.root == copies.ours.root)
  }

  @Test("what is gone cannot be settled any more")
  func late() throws {
    var document = try Self.values().merged()
    let conflict = try #require(document.conflicts.first)
    try document.change(by: .person(4)) { try $0.remove(at: Self.place) }
    let before = document.bytes()
    #expect(throws: EditError.noSuchPlace(Self.place)) {
      try document.change(by: .person(5)) { try $0.resolve(conflict, taking: .kept) }
    }
    #expect(document.bytes() == before)
  }
}
