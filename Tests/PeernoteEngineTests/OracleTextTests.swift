import Peernote
import PeernoteTestSupport
import Testing

/// Texts, case by case; ``OracleNonInterleavingTests`` tries the order of what is inserted at once.
@Suite struct OracleTextTests {
  /// A story that begins with an empty text, and that text.
  private func begin(_ text: String = "") -> (Story, ChangeID, ContainerID) {
    var story = Story()
    let id = ChangeID(agent: AgentID(rawValue: 0), sequence: 1)
    story.change(0, .put(map: .root, key: "body", content: .container(.text)))
    guard !text.isEmpty else { return (story, id, id.container(0)) }
    let next = story.change(0, .insertText(into: id.container(0), at: 0, text: text))
    return (story, next, id.container(0))
  }

  private func text(_ story: Story, _ container: ContainerID) -> String {
    let oracle = story.oracle
    return String(String.UnicodeScalarView(oracle.text(container, in: oracle.everything)))
  }

  @Test("text inserted into a range that someone else deletes survives")
  func insertIntoDeleted() {
    var (story, start, body) = begin("abcd")
    story.change(
      1, after: [start], .deleteText(from: body, at: 0, count: 4, backward: true, text: "abcd"))
    story.change(2, after: [start], .insertText(into: body, at: 2, text: "X"))
    #expect(text(story, body) == "X")
  }

  @Test("a scalar deleted twice is deleted once")
  func deletedTwice() {
    var (story, start, body) = begin("abcd")
    story.change(
      1, after: [start], .deleteText(from: body, at: 1, count: 2, backward: true, text: "bc"))
    story.change(
      2, after: [start], .deleteText(from: body, at: 0, count: 2, backward: false, text: "ab"))
    #expect(text(story, body) == "d")
  }

  @Test("positions in a change count what its earlier edits did")
  func editsInOneChange() {
    var (story, start, body) = begin("abc")
    story.change(
      1, after: [start], .insertText(into: body, at: 1, text: "XY"),
      .deleteText(from: body, at: 2, count: 2, backward: false, text: "Yb"),
      .insertText(into: body, at: 2, text: "Z"))
    #expect(text(story, body) == "aXZc")
  }

  @Test("positions count Unicode scalars")
  func scalars() {
    var (story, start, body) = begin("e\u{301}\u{1F469}\u{200D}\u{1F467}")
    story.change(
      1, after: [start],
      .deleteText(from: body, at: 1, count: 2, backward: false, text: "\u{301}\u{1F469}"))
    #expect(text(story, body).unicodeScalars.elementsEqual("e\u{200D}\u{1F467}".unicodeScalars))
  }
}
