import Peernote
import PeernoteTestSupport
import Testing

/// Lists, case by case.
@Suite struct OracleListTests {
  private var story = Story()
  /// The list, its first change, and elements 0 to 3.
  private let list: ContainerID
  private let start: ChangeID

  init() {
    let made = story.change(0, .put(map: .root, key: "l", content: .container(.list)))
    list = made.container(0)
    start = story.change(
      0,
      .insertElements(
        list: list, at: ListPlace(left: nil, right: nil),
        contents: (0...3).map { .value(.integer($0)) }))
  }

  private var view: String {
    switch story.oracle.view.root {
    case .map(let entries): entries[ExactString("l")]?.description ?? "absent"
    case .value, .list, .text, .set, .counter: "no map"
    }
  }

  private var conflicts: [String] { story.oracle.view.conflicts.map(\.description).sorted() }

  private func numbers(_ numbers: Int...) -> String {
    "[" + numbers.map { ".integer(\($0))" }.joined(separator: ", ") + "]"
  }

  private func insertion(_ numbers: Int64..., left: EventID?, right: EventID?) -> Edit {
    .insertElements(
      list: list, at: ListPlace(left: left, right: right),
      contents: numbers.map { .value(.integer($0)) })
  }

  private func move(_ element: EventID, left: EventID?, right: EventID?) -> Edit {
    .moveElement(list: list, element: element, to: ListPlace(left: left, right: right))
  }

  private func put(_ element: EventID, _ number: Int64) -> Edit {
    .putElement(list: list, element: element, content: .value(.integer(number)))
  }

  private func removal(_ element: EventID) -> Edit {
    .removeElement(list: list, element: element)
  }

  @Test("a moved element stands at its new place and nowhere else")
  mutating func moved() {
    story.change(
      1, after: [start], move(start.event(0), left: start.event(2), right: start.event(3)))
    #expect(view == numbers(1, 2, 0, 3))
    story.change(1, move(start.event(3), left: nil, right: start.event(0)))
    #expect(view == numbers(3, 1, 2, 0))
  }

  @Test("of concurrent moves of one element the later one counts")
  mutating func concurrentMoves() {
    story.change(
      1, after: [start], time: 2, move(start.event(0), left: start.event(1), right: start.event(2)))
    story.change(
      2, after: [start], time: 1, move(start.event(0), left: start.event(3), right: nil))
    #expect(view == numbers(1, 0, 2, 3))
    #expect(conflicts == [])
  }

  @Test("a move supersedes the slots it has seen, whatever their times")
  mutating func seenMovesLose() {
    let one = story.change(
      1, after: [start], time: 9, move(start.event(0), left: start.event(1), right: start.event(2)))
    story.change(2, after: [one], time: -9, move(start.event(0), left: nil, right: start.event(0)))
    #expect(view == numbers(0, 1, 2, 3))
  }

  @Test("what is inserted beside a moved element goes with the slot it saw")
  mutating func insertBesideMoved() {
    let one = story.change(
      1, after: [start], move(start.event(0), left: start.event(3), right: nil))
    story.change(2, after: [start], insertion(7, left: start.event(0), right: start.event(1)))
    #expect(view == numbers(7, 1, 2, 3, 0))
    story.change(3, after: [one], insertion(8, left: one.event(0), right: nil))
    #expect(view == numbers(7, 1, 2, 3, 0, 8))
  }

  @Test("a removed element is not shown, and a bare move does not bring it back")
  mutating func removed() {
    story.change(1, after: [start], removal(start.event(1)))
    story.change(2, after: [start], move(start.event(1), left: nil, right: start.event(0)))
    #expect(view == numbers(0, 2, 3))
    #expect(conflicts == [])
  }

  @Test("a write wins over a removal that has not seen it, in conflict")
  mutating func writeWinsOverRemoval() {
    story.change(1, after: [start], removal(start.event(1)))
    let write = story.change(2, after: [start], put(start.event(1), 9))
    #expect(view == numbers(0, 9, 2, 3))
    #expect(conflicts == ["delete-edit at [\"l\", \"1\"]"])
    story.change(3, after: [write], removal(start.event(1)))
    #expect(view == numbers(0, 2, 3))
    #expect(conflicts == [])
  }

  @Test("concurrent writes of an element: the later is shown, in conflict")
  mutating func concurrentWrites() {
    let one = story.change(1, after: [start], time: 2, put(start.event(1), 8))
    let two = story.change(2, after: [start], time: 1, put(start.event(1), 9))
    #expect(view == numbers(0, 8, 2, 3))
    #expect(conflicts == ["register at [\"l\", \"1\"]"])
    story.change(3, after: [one, two], put(start.event(1), 7))
    #expect(view == numbers(0, 7, 2, 3))
    #expect(conflicts == [])
  }

  @Test("an edit inside a removed element that its remover had not seen keeps it, in conflict")
  mutating func editInsideRemoved() {
    let made = story.change(
      1, after: [start],
      .putElement(list: list, element: start.event(0), content: .container(.counter)))
    let removal = story.change(2, after: [made], removal(start.event(0)))
    #expect(view == numbers(1, 2, 3))
    let edit = story.change(1, .increment(counter: made.container(0), by: 5))
    #expect(view == "[counter(5), .integer(1), .integer(2), .integer(3)]")
    #expect(conflicts == ["delete-edit at [\"l\", \"0\"]"])
    story.change(3, after: [removal, edit], self.removal(start.event(0)))
    #expect(view == numbers(1, 2, 3))
  }

  @Test("a container that was overwritten, with an edit the writer had not seen, is kept")
  mutating func keptAgainstWrite() {
    let made = story.change(
      1, after: [start],
      .putElement(list: list, element: start.event(0), content: .container(.counter)))
    story.change(2, after: [made], put(start.event(0), 9))
    story.change(1, .increment(counter: made.container(0), by: 5))
    #expect(view == numbers(9, 1, 2, 3))
    #expect(conflicts == ["delete-edit at [\"l\", \"0\"]"])
  }

  @Test("positions in the paths of conflicts count the elements shown")
  mutating func conflictPaths() {
    let one = story.change(1, after: [start], removal(start.event(0)))
    story.change(1, put(start.event(2), 8))
    story.change(2, after: [one], put(start.event(2), 9))
    #expect(conflicts == ["register at [\"l\", \"1\"]"])
  }
}
