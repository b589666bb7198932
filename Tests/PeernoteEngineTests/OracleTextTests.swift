import Peernote
import PeernoteTestSupport
import Testing

/// The figures and definitions of Weidner & Kleppmann, "The Art of the Fugue" (arXiv 2305.00583).
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

  @Test("runs typed forwards at one place do not interleave")
  func forwardRuns() {
    var (story, start, body) = begin("[]")
    for agent: UInt64 in [2, 1] {
      var last = start
      for (offset, letter) in Array(agent == 1 ? "abc" : "xyz").enumerated() {
        last = story.change(
          agent, after: [start, last],
          .insertText(into: body, at: 1 + offset, text: String(letter)))
      }
    }
    #expect(text(story, body) == "[abcxyz]")
  }

  @Test("runs typed backwards at one place do not interleave")
  func backwardRuns() {
    var (story, start, body) = begin("[]")
    for agent: UInt64 in [2, 1] {
      for letter in Array(agent == 1 ? "cba" : "zyx") {
        story.change(agent, after: [start], .insertText(into: body, at: 1, text: String(letter)))
      }
    }
    #expect(text(story, body) == "[abcxyz]")
  }

  @Test("a run typed forwards and one typed backwards at one place do not interleave")
  func mixedRuns() {
    var (story, start, body) = begin()
    for (offset, letter) in "abc".enumerated() {
      story.change(
        1, after: [start], .insertText(into: body, at: offset, text: String(letter)))
    }
    for letter in "zyx" {
      story.change(2, after: [start], .insertText(into: body, at: 0, text: String(letter)))
    }
    #expect(text(story, body) == "abcxyz")
  }

  @Test("a run started forwards and continued before its start stays together")
  func runWithSecondThought() {
    var (story, start, body) = begin()
    story.change(1, after: [start], .insertText(into: body, at: 0, text: "milk"))
    story.change(1, .insertText(into: body, at: 0, text: "eggs "))
    story.change(2, after: [start], .insertText(into: body, at: 0, text: "bread"))
    story.change(2, .insertText(into: body, at: 0, text: "flour "))
    #expect(text(story, body) == "eggs milkflour bread")
  }

  @Test("right siblings stand in reverse order of their right origins", arguments: [true, false])
  func figureSeven(isXLower: Bool) {
    // Three people type one letter each into an empty text. Then one who knows A and C types X
    // between them, and one who knows A and B types Y between those. Only X before Y keeps Y
    // beside B; by name alone either could come first.
    var (story, start, body) = begin()
    let a = story.change(1, after: [start], .insertText(into: body, at: 0, text: "A"))
    let b = story.change(2, after: [start], .insertText(into: body, at: 0, text: "B"))
    let c = story.change(3, after: [start], .insertText(into: body, at: 0, text: "C"))
    let (x, y): (UInt64, UInt64) = isXLower ? (4, 5) : (5, 4)
    story.change(x, after: [a, c], .insertText(into: body, at: 1, text: "X"))
    story.change(y, after: [a, b], .insertText(into: body, at: 1, text: "Y"))
    #expect(text(story, body) == "AXYBC")
  }

  @Test("deleted scalars go on to hold the place of what was inserted beside them")
  func tombstones() {
    var (story, start, body) = begin("ab")
    story.change(
      1, after: [start],
      .deleteText(from: body, at: 0, count: 2, backward: false, text: "ab"),
      .insertText(into: body, at: 0, text: "X"))
    story.change(2, after: [start], .insertText(into: body, at: 1, text: "Y"))
    #expect(text(story, body) == "XY")
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

  @Test("a text at a version shows what that version holds")
  func versions() {
    var (story, start, body) = begin("ab")
    let one = story.change(1, after: [start], .insertText(into: body, at: 1, text: "X"))
    let two = story.change(
      2, after: [start], .deleteText(from: body, at: 0, count: 1, backward: false, text: "a"))
    let oracle = story.oracle
    func text(_ ids: ChangeID...) -> String {
      String(String.UnicodeScalarView(oracle.text(body, in: oracle.version(of: ids))))
    }
    #expect(text(start) == "ab")
    #expect(text(one) == "aXb")
    #expect(text(two) == "b")
    #expect(text(one, two) == "Xb")
  }
}
