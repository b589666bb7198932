import Peernote
import PeernoteTestSupport
import Testing

/// Every kind of conflict is settled by one call, and stays settled in every copy.
@Suite("Settling conflicts by the library")
struct ResolvingTests {
  private typealias Edit = (inout Editor) throws -> Void

  private static let place = JSONPointer(["k"])

  /// Two copies, edited apart.
  private static func copies(
    of start: Edit, _ left: Edit, _ right: Edit
  ) throws -> (left: Document, right: Document) {
    var ours = Document(id: UniqueID(high: 7, low: 7))
    try ours.change(by: .person(1), start)
    var theirs = ours
    try ours.change(by: .person(2), left)
    try theirs.change(by: .person(3), right)
    return (ours, theirs)
  }

  /// What becomes of the merged copies when the only conflict is settled; checked for what holds for
  /// all kinds.
  private static func settled(
    _ copies: (left: Document, right: Document), kind: Conflict.Kind,
    _ choose: (Conflict) -> Conflict.Choice
  ) throws -> Document {
    var document = copies.left
    _ = try document.merge(copies.right)
    let conflict = try #require(document.conflicts.first)
    #expect(document.conflicts.count == 1 && conflict.kind == kind)
    let choice = choose(conflict)
    #expect(conflict.allows(choice))
    let change = try document.change(by: .person(4)) { editor in
      try editor.resolve(conflict, taking: choice)
    }
    #expect(change != nil)
    #expect(document.conflicts.isEmpty, "\(choice)")
    // Who does not know of that brings nothing up again.
    for copy in [copies.left, copies.right] {
      var other = copy
      _ = try other.merge(document)
      #expect(other.conflicts.isEmpty && other.bytes() == document.bytes())
      var again = document
      _ = try again.merge(copy)
      #expect(again.bytes() == document.bytes())
    }
    return document
  }

  private static func refuses(
    _ conflict: Conflict, in document: Document, _ choice: Conflict.Choice
  )
    throws
  {
    #expect(!conflict.allows(choice))
    var copy = document
    #expect(throws: EditError.noSuchChoice(conflict.path)) {
      try copy.change(by: .person(5)) { editor in try editor.resolve(conflict, taking: choice) }
    }
    #expect(copy.bytes() == document.bytes())
  }

  // MARK: Values

  private static func values() throws -> (left: Document, right: Document) {
    try copies(
      of: { try $0.put(.integer(0), at: place) }, { try $0.put(.integer(1), at: place) },
      { try $0.put(.integer(2), at: place) })
  }

  @Test("a value that both wrote becomes that of a side, another one, or stays")
  func register() throws {
    let copies = try Self.values()
    let kept = try Self.settled(copies, kind: .register) { _ in .kept }
    for number in 0...1 {
      var chosen: DocumentNode?
      let document = try Self.settled(copies, kind: .register) { conflict in
        chosen = conflict.sides[number].node
        return .side(conflict.sides[number])
      }
      #expect(document.node(at: Self.place) == chosen)
      #expect((document.root == kept.root) == (number == 0))
    }
    let other = try Self.settled(copies, kind: .register) { _ in .content(.value(.integer(3))) }
    #expect(other.node(at: Self.place) == .value(.integer(3)))
  }

  @Test("values exclude each other, and a side of another conflict is none of this one")
  func refusals() throws {
    var (document, theirs) = try Self.values()
    _ = try document.merge(theirs)
    let conflict = try #require(document.conflicts.first)
    try Self.refuses(conflict, in: document, .all)
    var foreign = conflict.others[0]
    foreign.node = .value(.integer(5))
    try Self.refuses(conflict, in: document, .side(foreign))
  }

  @Test("a side is found by the change that wrote it")
  func sideByChange() throws {
    var (document, theirs) = try Self.values()
    _ = try document.merge(theirs)
    let conflict = try #require(document.conflicts.first)
    #expect(conflict.sides.count == 2 && conflict.sides[0] == conflict.kept)
    for side in conflict.sides { #expect(conflict.side(by: side.change) == side) }
    #expect(conflict.side(by: ChangeID(agent: AgentID(rawValue: 9), sequence: 1)) == nil)
  }

  @Test("what one removed and the other wrote stays, or goes")
  func deletion() throws {
    let copies = try Self.copies(
      of: { try $0.put(.integer(0), at: Self.place) }, { try $0.remove(at: Self.place) },
      { try $0.put(.integer(2), at: Self.place) })
    let kept = try Self.settled(copies, kind: .deleteEdit) { _ in .kept }
    #expect(kept.node(at: Self.place) == .value(.integer(2)))
    let removed = try Self.settled(copies, kind: .deleteEdit) { .side($0.others[0]) }
    #expect(removed.node(at: Self.place) == nil)
  }

  @Test("containers of one kind are united; what is left out is told")
  func containers() throws {
    let copies = try Self.copies(
      of: { try $0.put(.null, at: JSONPointer(["x"])) },
      { try $0.put(node: Self.map(["a": 1, "b": 2]), at: Self.place) },
      { try $0.put(node: Self.map(["a": 3, "c": 4]), at: Self.place) })
    let both = try Self.settled(copies, kind: .register) { _ in .all }
    let shown = try #require(both.node(at: Self.place))
    #expect(shown["b"] == .value(.integer(2)) && shown["c"] == .value(.integer(4)))

    var document = copies.left
    _ = try document.merge(copies.right)
    let conflict = try #require(document.conflicts.first)
    var dropped: [DroppedValue] = []
    try document.change(by: .person(4)) { editor in
      dropped = try editor.resolve(conflict, taking: .all)
    }
    #expect(dropped.map(\.path) == [JSONPointer(["k", "a"])])
    #expect(dropped.first?.kept == shown["a"])
  }

  private static func map(_ entries: [String: Int64]) -> DocumentNode {
    .map(
      entries.sorted { $0.key < $1.key }.map {
        .init(key: $0.key, node: .value(.integer($0.value)))
      })
  }

  // MARK: Elements of lists

  private static func element(_ id: Int64, _ key: String, _ value: Int64) -> DocumentNode {
    .map([
      .init(key: key, node: .value(.integer(value))), .init(key: "id", node: .value(.integer(id))),
    ])
  }

  private static func insert(_ node: DocumentNode, _ list: String = "k") -> Edit {
    { try $0.insert(node: node, at: JSONPointer([list, "-"])) }
  }

  @Test("elements with one identity become one")
  func sameIdentity() throws {
    let copies = try Self.copies(
      of: { try $0.putContainer(.list, at: Self.place) }, Self.insert(Self.element(1, "a", 2)),
      Self.insert(Self.element(1, "b", 3)))
    let both = try Self.settled(copies, kind: .sameIdentity) { _ in .all }
    #expect(
      both.node(at: Self.place)
        == .list([
          .map([
            .init(key: "a", node: .value(.integer(2))), .init(key: "b", node: .value(.integer(3))),
            .init(key: "id", node: .value(.integer(1))),
          ])
        ]))
    for number in 0...1 {
      var chosen: DocumentNode?
      let one = try Self.settled(copies, kind: .sameIdentity) { conflict in
        chosen = conflict.sides[number].node
        return .side(conflict.sides[number])
      }
      #expect(one.node(at: Self.place) == chosen.map { .list([$0]) })
    }
    let other = try Self.settled(copies, kind: .sameIdentity) { _ in
      .content(Self.element(1, "c", 4))
    }
    #expect(other.node(at: Self.place) == .list([Self.element(1, "c", 4)]))
  }

  @Test("of equal elements all stay, or one")
  func sameContent() throws {
    let milk = DocumentNode.value(.string("milk"))
    let copies = try Self.copies(
      of: { try $0.putContainer(.list, at: Self.place) }, Self.insert(milk), Self.insert(milk))
    let both = try Self.settled(copies, kind: .sameContent) { _ in .all }
    #expect(both.node(at: Self.place) == .list([milk, milk]))
    let one = try Self.settled(copies, kind: .sameContent) { _ in .kept }
    #expect(one.node(at: Self.place) == .list([milk]))
  }

  @Test("an element that was moved to two lists stands in one, or stays in both")
  func movedApart() throws {
    func move(to list: String) -> Edit {
      { editor in
        let source = JSONPointer(["todo", "0"])
        let node = try #require(editor.node(at: source))
        try editor.remove(at: source)
        try editor.insert(node: node, at: JSONPointer([list, "-"]))
      }
    }
    let task = Self.element(1, "t", 2)
    let copies = try Self.copies(
      of: { editor in
        for list in ["todo", "done", "later"] {
          try editor.putContainer(.list, at: JSONPointer([list]))
        }
        try editor.insert(node: task, at: JSONPointer(["todo", "-"]))
      }, move(to: "done"), move(to: "later"))
    for number in 0...1 {
      var list: JSONPointer?
      let one = try Self.settled(copies, kind: .moved) { conflict in
        list = conflict.sides[number].path?.parent
        return .side(conflict.sides[number])
      }
      for name in ["done", "later"] {
        let path = JSONPointer([name])
        #expect(one.node(at: path) == .list(path == list ? [task] : []))
      }
    }
    let both = try Self.settled(copies, kind: .moved) { _ in .all }
    var document = copies.left
    _ = try document.merge(copies.right)
    #expect(try document.earlierContent(of: document.conflicts) == [.known(task)])
    for name in ["done", "later"] { #expect(both.node(at: JSONPointer([name])) == .list([task])) }
  }

  @Test("what was changed of a moved element in each list stays if it is known what it was before")
  func movedAndEdited() throws {
    func move(to list: String, _ key: String, _ value: Int64) -> Edit {
      { editor in
        let source = JSONPointer(["todo", "0"])
        var node = try #require(editor.node(at: source))
        if case .map(var entries) = node {
          for index in entries.indices where entries[index].key == key {
            entries[index].node = .value(.integer(value))
          }
          node = .map(entries)
        }
        try editor.remove(at: source)
        try editor.insert(node: node, at: JSONPointer([list, "-"]))
      }
    }
    func task(_ a: Int64, _ b: Int64) -> DocumentNode {
      .map([
        .init(key: "a", node: .value(.integer(a))), .init(key: "b", node: .value(.integer(b))),
        .init(key: "id", node: .value(.integer(1))),
      ])
    }
    let (left, right) = try Self.copies(
      of: { editor in
        for list in ["todo", "done", "later"] {
          try editor.putContainer(.list, at: JSONPointer([list]))
        }
        try editor.insert(node: task(0, 0), at: JSONPointer(["todo", "-"]))
      }, move(to: "done", "a", 1), move(to: "later", "b", 2))
    var document = left
    _ = try document.merge(right)
    let conflict = try #require(document.conflicts.first)
    #expect(conflict.kind == .moved)
    let before = try document.earlierContent(of: [conflict])
    #expect(before == [.known(task(0, 0))])
    var dropped: [DroppedValue] = []
    try document.change(by: .person(4)) { editor in
      dropped = try editor.resolve(conflict, taking: .kept, since: before[0].node)
    }
    #expect(document.node(at: conflict.path) == task(1, 2) && dropped.isEmpty)
    #expect(document.conflicts.isEmpty)
  }

  // MARK: Texts

  @Test("a contested passage reads as a side, as all one after the other, or as somebody writes")
  func passage() throws {
    let copies = try Self.copies(
      of: { try $0.put(node: .text("It costs 12,000 in all.\n"), at: Self.place) },
      { try $0.replaceText(at: Self.place, with: "It costs 11,000 in all.\n") },
      { try $0.replaceText(at: Self.place, with: "It costs 9,500 in all.\n") })
    var readings: Set<String> = []
    for number in 0...1 {
      let document = try Self.settled(copies, kind: .passage) { .side($0.sides[number]) }
      guard case .text(let text)? = document.node(at: Self.place) else { continue }
      readings.insert(text)
    }
    #expect(readings == ["It costs 11,000 in all.\n", "It costs 9,500 in all.\n"])
    let both = try Self.settled(copies, kind: .passage) { _ in .all }
    guard case .text(let text)? = both.node(at: Self.place) else { return }
    #expect(text.contains("11,000") && text.contains("9,500") && text.hasSuffix(" in all.\n"))
    for content in [DocumentNode.text("10,000"), .value(.string("10,000"))] {
      let other = try Self.settled(copies, kind: .passage) { _ in .content(content) }
      #expect(other.node(at: Self.place) == .text("It costs 10,000 in all.\n"))
    }
    var document = copies.left
    _ = try document.merge(copies.right)
    let conflict = try #require(document.conflicts.first)
    try Self.refuses(conflict, in: document, .content(.counter(1)))
  }

  @Test("whoever keeps both readings and whoever keeps one have decided differently")
  func decidedDifferently() throws {
    let copies = try Self.copies(
      of: { try $0.put(node: .text("We meet in the big hall.\n"), at: Self.place) },
      { try $0.replaceText(at: Self.place, with: "We meet in the old barn.\n") },
      { try $0.replaceText(at: Self.place, with: "We meet in the new house.\n") })
    for number in 0...1 {
      var ours = copies.left
      _ = try ours.merge(copies.right)
      var theirs = ours
      let conflict = try #require(ours.conflicts.first)
      try ours.change(by: .person(4)) { try $0.resolve(conflict, taking: .all) }
      try theirs.change(by: .person(5)) {
        try $0.resolve(conflict, taking: .side(conflict.sides[number]))
      }
      _ = try ours.merge(theirs)
      #expect(ours.conflicts.map(\.kind) == [.passage])
    }
    // Who keeps the same agrees.
    let one = try Self.settled(copies, kind: .passage) { .side($0.sides[0]) }
    var other = copies.left
    _ = try other.merge(copies.right)
    let conflict = try #require(other.conflicts.first)
    try other.change(by: .person(5)) {
      try $0.resolve(conflict, taking: .side(conflict.sides[0]))
    }
    _ = try other.merge(one)
    #expect(other.conflicts.isEmpty)
  }

  @Test("lines that adjoin stay as they were merged without an edit, or read as a side")
  func adjoining() throws {
    let copies = try Self.copies(
      of: { try $0.put(node: .text("one\ntwo\nthree\nfour\n"), at: Self.place) },
      { try $0.replaceText(at: Self.place, with: "one\nTWO of ours\nthree\nfour\n") },
      { try $0.replaceText(at: Self.place, with: "one\ntwo\nTHREE of theirs\nfour\n") })
    var merged = copies.left
    let report = try merged.merge(copies.right)
    #expect(report.conflicts.isEmpty && merged.conflicts.isEmpty)
    let place = try #require(report.adjoining.first)
    #expect(place.allows(.all))
    for choice in [Conflict.Choice.kept, .all] {
      var document = merged
      let change = try document.change(by: .person(4)) { editor in
        try editor.resolve(place, taking: choice)
      }
      #expect(change == nil && document.root == merged.root)
    }
    for (number, copy) in [copies.left, copies.right].enumerated() {
      let side = try #require(place.others.first { copy.contains($0.change) }, "\(number)")
      var document = merged
      try document.change(by: .person(4)) { editor in
        try editor.resolve(place, taking: .side(side))
      }
      #expect(document.root == copy.root)
    }
  }

  // MARK: Several

  @Test("several are settled in one change, from the last to the first")
  func several() throws {
    let task = Self.element(1, "t", 2)
    let copies = try Self.copies(
      of: { editor in
        try editor.put(.integer(0), at: JSONPointer(["a"]))
        try editor.putContainer(.list, at: JSONPointer(["l"]))
        for value in 1...2 {
          try editor.insert(.value(.integer(Int64(value))), at: JSONPointer(["l", "-"]))
        }
      },
      { editor in
        try editor.put(.integer(1), at: JSONPointer(["a"]))
        try editor.insert(node: task, at: JSONPointer(["l", "0"]))
        try editor.remove(at: JSONPointer(["l", "2"]))
      },
      { editor in
        try editor.put(.integer(2), at: JSONPointer(["a"]))
        try editor.insert(node: task, at: JSONPointer(["l", "0"]))
        try editor.put(.integer(3), at: JSONPointer(["l", "2"]))
      })
    var document = copies.left
    _ = try document.merge(copies.right)
    let conflicts = document.conflicts
    #expect(conflicts.map(\.kind) == [.register, .sameIdentity, .deleteEdit])
    try document.change(by: .person(4)) { editor in
      for conflict in conflicts.reversed() {
        let mine = conflict.sides.first { copies.left.contains($0.change) }
        try editor.resolve(conflict, taking: mine.map { .side($0) } ?? .kept)
      }
    }
    #expect(document.conflicts.isEmpty)
    #expect(document.root == copies.left.root)
  }

  @Test("what is gone cannot be settled any more")
  func late() throws {
    var (document, theirs) = try Self.values()
    _ = try document.merge(theirs)
    let conflict = try #require(document.conflicts.first)
    try document.change(by: .person(4)) { try $0.remove(at: Self.place) }
    let before = document.bytes()
    #expect(throws: EditError.noSuchPlace(Self.place)) {
      try document.change(by: .person(5)) { editor in
        try editor.resolve(conflict, taking: .kept)
      }
    }
    #expect(document.bytes() == before)
  }
}
