import Peernote
import Testing

/// Text that is moved stands at its new place as it was, whatever others did where it had been.
@Suite("Text that one side moved and the other one deleted a part of")
struct MovedTextTests {
  private static let body = JSONPointer(["body"])
  private static let base = """
    The rent is due on Monday.

    We do not pay Peter. The stove is broken.

    Bring bread.

    See you in Oslo.

    """
  private static let moved = """
    The rent is due on Monday.

    Bring bread.

    See you in Oslo.

    We do not pay Peter. The stove is broken.

    """

  private func session(_ number: UInt64) -> Session {
    Session(
      agent: AgentID(rawValue: number), author: "author \(number)",
      time: Timestamp(milliseconds: 1000 * Int64(number)))
  }

  private func conflicts(_ ours: String, _ theirs: String) throws -> [Conflict] {
    var first = Document(id: UniqueID(high: 1, low: 2))
    try first.change(by: session(1)) { try $0.create(Note(body: Self.base)) }
    var second = first
    try first.change(by: session(2)) { try $0.replaceText(at: Self.body, with: ours) }
    try second.change(by: session(3)) { try $0.replaceText(at: Self.body, with: theirs) }
    return try first.merge(second).conflicts
  }

  @Test(
    "is named where it stands now",
    arguments: [(" The stove is broken.", "We do not pay Peter."), ("not ", "")])
  func deletion(part: String, rest: String) throws {
    let edited = Self.base.replacing(part, with: "")
    for (ours, theirs) in [(edited, Self.moved), (Self.moved, edited)] {
      let found = try conflicts(ours, theirs)
      #expect(found.contains { $0.kind == .overlap && $0.line == 7 }, "\(found)")
    }
  }

  @Test("is no news where the other one edited something else")
  func elsewhere() throws {
    let edited = Self.base.replacing("Monday", with: "Friday")
    #expect(try conflicts(edited, Self.moved).isEmpty)
  }
}
