package import Peernote

/// A document that no person would make: well-formed, with the right checksum, and as dear to read
/// as its bytes allow.
package struct HostileFile: Sendable, CustomStringConvertible {
  /// What it is about.
  package let name: String
  /// Makes the changes of a document; about so many of whatever it is about.
  private let make: @Sendable (_ count: Int) -> [Change]
  /// About how many bytes of file one of them takes.
  private let bytesEach: Int

  init(_ name: String, bytesEach: Int, _ make: @escaping @Sendable (_ count: Int) -> [Change]) {
    self.name = name
    self.bytesEach = bytesEach
    self.make = make
  }

  /// The name.
  package var description: String { name }

  package static let id = UniqueID(high: 0x686F_7374_696C_4565, low: 0x8000_0000_0000_0001)

  /// The document, in a file of about so many bytes.
  package func document(size: Int) throws -> Document {
    try Document(id: Self.id, changes: changes(size: size))
  }

  /// The changes of that document.
  package func changes(size: Int) -> [Change] { make(max(2, size / bytesEach)) }

  /// A copy from the beginning of the document's history that went on by itself.
  package func sibling() throws -> Document {
    let changes = Array(make(2).prefix(1))
    var document = try Document(id: Self.id, changes: changes)
    try document.change(by: .person(.max, "good", at: 5)) { editor in
      try editor.put(.string("mine"), at: JSONPointer(["own"]))
      try editor.spliceText(at: JSONPointer(["body"]), scalars: 0..<0, with: "own ")
    }
    return document
  }

  /// The first change of every such document.
  package static let start = HostileChanges.first
  /// The text that it makes.
  package static let body = HostileChanges.body

  /// All of them.
  package static let all: [HostileFile] =
    graphs + registers + lists + texts + walks + questions + trifles + claims + crowds

  /// The one that is about this; `nil` if there is none.
  package static func named(_ name: String) -> HostileFile? { all.first { $0.name == name } }
}

/// Changes for hostile files.
enum HostileChanges {
  /// The first change of every document: a text, a list of one element, a set and a counter.
  static let first = Change(
    1, 1,
    [
      .put(map: .root, key: "body", content: .container(.text)),
      .put(map: .root, key: "list", content: .container(.list)),
      .put(map: .root, key: "set", content: .container(.set)),
      .put(map: .root, key: "count", content: .container(.counter)),
      .insertElements(
        list: .created(event(1)), at: ListPlace(left: nil, right: nil), contents: [.value(.null)]),
      .insertText(into: .created(event(0)), at: 0, text: "base text"),
    ])

  static let start = ChangeID(agent: AgentID(rawValue: 1), sequence: 1)
  static let body = ContainerID.created(event(0))
  static let list = ContainerID.created(event(1))
  static let set = ContainerID.created(event(2))
  static let counter = ContainerID.created(event(3))
  static let element = event(4)

  static let increment = Edit.increment(counter: counter, by: 1)
  static let write = Edit.put(map: .root, key: "k", content: .value(.null))

  static func event(_ index: Int) -> EventID { start.event(index) }

  /// The insertion of elements of one content after the first one.
  static func elements(_ count: Int, _ content: Content) -> Edit {
    .insertElements(
      list: list, at: ListPlace(left: element, right: nil),
      contents: Array(repeating: content, count: count))
  }

  /// Characters that are deleted as soon as they are typed.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - text: what the deletions carry; `nil` if that was redacted.
  /// - Returns: the edits of the body.
  static func typingAndDeleting(_ count: Int, text: String?) -> [Edit] {
    (0..<count).flatMap { _ -> [Edit] in
      [
        .insertText(into: body, at: 0, text: "x"),
        .deleteText(from: body, at: 0, count: 1, backward: false, text: text),
      ]
    }
  }

  /// The first change, and others that all follow it alone, each by an agent of its own.
  static func concurrent(_ count: Int, _ edits: (Int) -> [Edit]) -> [Change] {
    [first]
      + (0..<count).map { number in
        Change(UInt64(number + 2), 1, after: [start], time: Int64(number), edits(number))
      }
  }

  /// The first change, and others that each follow the one before.
  static func chain(_ count: Int, _ next: (_ number: Int, _ last: ChangeID) -> Change) -> [Change] {
    (0..<count).reduce(into: [first]) { changes, number in
      changes.append(next(number, changes[number].id))
    }
  }

  /// The first change, and those of two agents, each of which has not seen the other's last one.
  static func crossing(
    rounds: Int, _ edits: (_ round: Int, _ side: Int) -> [Edit]
  ) -> [Change] {
    var changes = [first]
    var last = [start, start]
    var before = last
    for round in 0..<rounds {
      let heads = last
      for side in 0..<2 {
        let crossed = before[1 - side] == start ? [] : [before[1 - side]]
        let change = Change(
          UInt64(2 + side), round + 1, after: [last[side]] + crossed, edits(round, side))
        changes.append(change)
        before[side] = heads[side]
        last[side] = change.id
      }
    }
    return changes
  }

  /// An event of the first change of the first agent of a ``crossing(rounds:_:)``.
  static func crossingEvent(_ index: Int) -> EventID {
    EventID(change: ChangeID(agent: AgentID(rawValue: 2), sequence: 1), index: index)
  }

  /// The first change, and one by the same agent that makes edits.
  static func oneMore(_ edits: [Edit]) -> [Change] {
    [first, Change(1, 2, after: [start], edits)]
  }
}
