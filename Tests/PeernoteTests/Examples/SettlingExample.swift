import Peernote
import Testing

/// The code of the guide on settling conflicts, which a test compares with it.
@Suite struct SettlingExample {
  private let title = JSONPointer(["title"])
  private let tags = JSONPointer(["tags"])
  private let body = JSONPointer(["body"])
  private let session = DocumentSession(
    agent: AgentID(rawValue: 9), author: "Carol", time: Timestamp(milliseconds: 1_795_000_120_000))

  private static func session(of author: String, _ agent: UInt64) -> DocumentSession {
    DocumentSession(
      agent: AgentID(rawValue: agent), author: author,
      time: Timestamp(milliseconds: 1_795_000_060_000))
  }

  /// What two people made of one plan without knowing of each other.
  private func copies() throws -> (desk: Document, phone: Document) {
    var desk = Document(id: exampleID(700))
    try desk.change(by: Self.session(of: "Ada", 7)) { editor in
      try editor.put("Plans", at: title)
      try editor.put(node: .text("It costs 12,000 in all.\n"), at: body)
    }
    var phone = desk
    try desk.change(by: Self.session(of: "Ada", 7)) { editor in
      try editor.put("Summer", at: title)
      try editor.put(node: .set(members: [.string("sea")]), at: tags)
      try editor.replaceText(at: body, with: "It costs 11,000 in all.\n")
    }
    try phone.change(by: Self.session(of: "Bob", 8)) { editor in
      try editor.put("Winter", at: title)
      try editor.put(node: .set(members: [.string("snow")]), at: tags)
      try editor.replaceText(at: body, with: "It costs 9,500 in all.\n")
    }
    return (desk, phone)
  }

  @Test("conflicts are shown, and settled one by one")
  func oneByOne() throws {
    let (desk, phone) = try copies()
    var document = desk
    _ = try document.merge(phone)

    for conflict in document.conflicts {
      print(conflict.path, conflict.kind)
      for side in conflict.sides {
        print(side.author, side.node.map { "wrote \($0)" } ?? "removed it")
      }
    }
    let conflicts = document.conflicts
    let before = try document.earlierContent(of: conflicts)
    for (conflict, earlier) in zip(conflicts, before) where earlier.isKnown {
      print(conflict.path, earlier.node.map { "was \($0)" } ?? "was not there")
    }
    try #require(conflicts.map(\.path) == [body, tags, title])
    #expect(
      before == [.known(.text("12,000")), .known(nil), .known(.value(.string("Plans")))])

    let conflict = conflicts[2]
    try document.change(by: session) { editor in
      try editor.resolve(conflict, taking: .side(conflict.others[0]))
    }
    #expect(document.node(at: conflict.path) == conflict.others[0].node)
    #expect(document.conflicts.map(\.path) == [body, tags])

    try document.change(by: session) { editor in
      try editor.resolve(conflicts[1], taking: .all)
    }
    #expect(
      document.node(at: ["tags"]) == .set(members: [.string("sea"), .string("snow")]))

    try document.change(by: session) { editor in
      try editor.resolve(conflicts[0], taking: .content(.text("10,500")))
    }
    #expect(document.node(at: ["body"]) == .text("It costs 10,500 in all.\n"))
    #expect(document.conflicts.isEmpty)

    // Whoever has not seen this yet gets it by a merge.
    var other = phone
    _ = try other.merge(document)
    #expect(other.conflicts.isEmpty && other.root == document.root)
  }

  @Test("all conflicts are settled alike, in one change")
  func together() throws {
    let (desk, phone) = try copies()
    var document = desk
    _ = try document.merge(phone)

    let open = document.conflicts
    try document.change(by: session) { editor in
      for conflict in open.reversed() {
        let mine = conflict.sides.first { desk.contains($0.change) }
        try editor.resolve(conflict, taking: mine.map { .side($0) } ?? .kept)
      }
    }
    #expect(document.conflicts.isEmpty)
    #expect(document.root == desk.root)
  }
}
