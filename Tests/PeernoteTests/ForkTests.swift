import Peernote
import PeernoteTestSupport
import Testing

/// One change that two copies hold with different content: a merge names it, and refuses.
@Suite struct ForkTests {
  /// The one change of an agent.
  private static func id(_ agent: UInt64) -> ChangeID {
    ChangeID(agent: AgentID(rawValue: agent), sequence: 1)
  }

  private static func change(
    _ agent: UInt64, after parents: [UInt64] = [], _ edits: [Edit]
  ) -> Change {
    Change(agent, after: parents.map(id), edits)
  }

  private static func container(_ index: Int) -> ContainerID { id(1).container(index) }

  private static let start: Change = {
    let elements = ["a", "b", "c"].map { Content.value(.string($0)) }
    return change(
      1,
      [
        .put(map: .root, key: "text", content: .container(.text)),
        .put(map: .root, key: "note", content: .container(.text)),
        .put(map: .root, key: "list", content: .container(.list)),
        .put(map: .root, key: "set", content: .container(.set)),
        .put(map: .root, key: "count", content: .container(.counter)),
        .insertText(into: container(0), at: 0, text: "aaaaaaaa"),
        .insertText(into: container(1), at: 0, text: "aaaaaaaa"),
        .insertElements(
          list: container(2), at: ListPlace(left: nil, right: nil), contents: elements),
        put(composed), put(decomposed),
      ])
  }()

  private static let (text, note, list) = (container(0), container(1), container(2))
  private static let elements = (21...23).map(id(1).event)
  /// Strings that look the same are not the same: everything compares by bytes.
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  private static func place(_ left: Int?, _ right: Int?) -> ListPlace {
    ListPlace(left: left.map { elements[$0] }, right: right.map { elements[$0] })
  }

  private static func type(_ string: String, _ position: Int, in text: ContainerID = text) -> Edit {
    .insertText(into: text, at: position, text: string)
  }

  private static func delete(_ position: Int, backward: Bool = false) -> Edit {
    .deleteText(from: text, at: position, count: 2, backward: backward, text: "aa")
  }

  private static func put(_ key: String, _ content: Content = .value(1)) -> Edit {
    .put(map: .root, key: key, content: content)
  }

  private static func insert(_ values: Value..., at place: ListPlace) -> Edit {
    .insertElements(list: list, at: place, contents: values.map { .value($0) })
  }

  private static func set(_ element: Int, _ value: Value) -> Edit {
    .putElement(list: list, element: elements[element], content: .value(value))
  }

  private static func move(_ element: Int, to place: ListPlace) -> Edit {
    .moveElement(list: list, element: elements[element], to: place)
  }

  /// What a change did in one copy, and in the other.
  private static let pairs: [([Edit], [Edit])] = [
    ([type("xy", 0)], [type("xy", 1)]), ([type("xy", 0)], [type("xy", 0, in: note)]),
    ([type("xy", 0)], [type("xyz", 0)]),
    ([type("xy", 0), type("z", 5)], [type("x", 0), type("yz", 5)]),
    ([type("aa", 0)], [delete(0)]), ([delete(0)], [delete(1)]),
    ([delete(0)], [delete(0, backward: true)]),
    ([put("k")], [put("l")]), ([put("k")], [put("k", .value(2))]),
    ([put("k")], [put("k", .container(.map))]), ([put("k")], [put("k"), put("l")]),
    ([put(composed)], [put(decomposed)]),
    ([put("k", .value(.string(composed)))], [put("k", .value(.string(decomposed)))]),
    ([.remove(map: .root, key: "text")], [.remove(map: .root, key: "note")]),
    ([.remove(map: .root, key: composed)], [.remove(map: .root, key: decomposed)]),
    ([insert(1, at: place(0, 1))], [insert(1, at: place(nil, 0))]),
    ([insert(1, at: place(0, 1))], [insert(1, at: place(2, nil))]),
    ([insert(1, 2, at: place(0, 1))], [insert(1, 3, at: place(0, 1))]),
    ([set(0, 1)], [set(1, 1)]), ([set(0, 1)], [set(0, 2)]),
    ([move(0, to: place(1, 2))], [move(1, to: place(1, 2))]),
    ([move(0, to: place(1, 2))], [move(0, to: place(nil, 0))]),
    ([move(0, to: place(1, 2))], [move(0, to: place(2, nil))]),
    (
      [.removeElement(list: list, element: elements[0])],
      [.removeElement(list: list, element: elements[1])]
    ),
    ([.add(set: container(3), value: 1)], [.add(set: container(3), value: 2)]),
    ([.add(set: container(3), value: 1)], [.discard(set: container(3), value: 1)]),
    ([.increment(counter: container(4), by: 1)], [.increment(counter: container(4), by: 2)]),
  ]

  private static func document(_ changes: [Change]) throws -> Document {
    try Document(id: UniqueID(high: 1, low: 2), changes: [start] + changes)
  }

  /// Merges both ways.
  private static func expectFork(
    of agent: UInt64, sequence: Int = 1, _ reason: String, _ one: Document, _ other: Document,
    _ comment: Comment
  ) {
    let name = ChangeID(agent: AgentID(rawValue: agent), sequence: sequence)
    for (ours, theirs) in [(one, other), (other, one)] {
      var document = ours
      do {
        _ = try document.merge(theirs)
        Issue.record("merged: \(comment)")
      } catch {
        guard case MergeError.forked(name, let found) = error, found == reason else {
          Issue.record("\(error): \(comment)")
          continue
        }
      }
      #expect(document.bytes() == ours.bytes(), comment)
    }
  }

  @Test("a change that did one thing here and another there is named, whatever it did")
  func operations() throws {
    for (one, other) in Self.pairs {
      // The next change makes the rest of the files differ as well.
      let next = [Self.change(3, after: [2], [.remove(map: .root, key: "set")])]
      for rest in [[], next] {
        let ours = try Self.document([Self.change(2, after: [1], one)] + rest)
        let theirs = try Self.document([Self.change(2, after: [1], other)])
        Self.expectFork(of: 2, "operations", ours, theirs, "\(one) and \(other)")
      }
      #expect(throws: DocumentError.self) {
        try Self.document([one, other].map { Self.change(2, after: [1], $0) })
      }
    }
  }

  @Test("a change with another time, author or message here and there is named")
  func metadata() throws {
    let agent = AgentID(rawValue: 2)
    let chain = (1...3).map { sequence in
      Change(
        id: ChangeID(agent: agent, sequence: sequence),
        parents: [sequence == 1 ? Self.start.id : ChangeID(agent: agent, sequence: sequence - 1)],
        time: Timestamp(milliseconds: 1), author: "Zo" + Self.composed, message: Self.composed,
        edits: [Self.put("k")])
    }
    let others: [(String, (inout Change) -> Void)] = [
      ("time", { $0.time = Timestamp(milliseconds: 2) }), ("author", { $0.author = "bob" }),
      ("author", { $0.author = "Zo" + Self.decomposed }), ("message", { $0.message = "n" }),
      ("message", { $0.message = Self.decomposed }), ("message", { $0.message = nil }),
    ]
    for (reason, change) in others {
      for first in 1...3 {
        for last in first...3 {
          var other = chain
          for index in first - 1..<last { change(&other[index]) }
          Self.expectFork(
            of: 2, sequence: first, reason, try Self.document(chain), try Self.document(other),
            "\(reason), \(first) to \(last)")
        }
      }
    }
  }

  @Test("a change that follows one change here and another there is named")
  func parents() throws {
    let edit = Self.put("k")
    let ours = try Self.document([
      Self.change(5, after: [1], [edit]), Self.change(2, after: [5], [edit]),
    ])
    let theirs = try Self.document([
      Self.change(6, after: [1], [edit]), Self.change(2, after: [6], [edit]),
    ])
    Self.expectFork(of: 2, "parents", ours, theirs, "")
  }
}
