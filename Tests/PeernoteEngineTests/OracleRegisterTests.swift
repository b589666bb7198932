import Peernote
import PeernoteTestSupport
import Testing

/// Registers, containers kept against a deletion, sets and counters, case by case.
@Suite struct OracleRegisterTests {
  private func put(_ key: String, _ value: Int64, in map: ContainerID = .root) -> Edit {
    .put(map: map, key: key, content: .value(.integer(value)))
  }

  private func view(_ story: Story) -> String { story.oracle.view.root.description }

  private func conflicts(_ story: Story) -> [String] {
    story.oracle.view.conflicts.map(\.description).sorted()
  }

  @Test("of concurrent writes the one with the later time is shown, and all stay in conflict")
  func laterTimeWins() {
    var story = Story()
    let start = story.change(0, put("k", 0))
    story.change(1, after: [start], time: 20, put("k", 1))
    story.change(2, after: [start], time: 10, put("k", 2))
    #expect(view(story) == "{\"k\": .integer(1)}")
    #expect(conflicts(story) == ["register at [\"k\"]"])
  }

  @Test("a write supersedes those it has seen, whatever their times")
  func seenWritesLose() {
    var story = Story()
    let start = story.change(0, time: 100, put("k", 0))
    story.change(1, after: [start], time: -100, put("k", 1))
    #expect(view(story) == "{\"k\": .integer(1)}")
    #expect(conflicts(story) == [])
  }

  @Test("writes of one time are ordered by Lamport time, then by agent")
  func ties() {
    var story = Story()
    let start = story.change(0, put("other", 0))
    story.change(1, after: [start], put("k", 1))
    story.change(2, after: [start], put("k", 2))
    #expect(view(story) == "{\"k\": .integer(2), \"other\": .integer(0)}")
    let busy = story.change(3, after: [start], put("other", 3))
    story.change(1, after: [busy], put("k", 4))
    #expect(view(story) == "{\"k\": .integer(4), \"other\": .integer(3)}")
  }

  @Test("Lamport times count the events of changes")
  func lamportCountsEvents() {
    var story = Story()
    let start = story.change(0, put("a", 0))
    story.change(1, after: [start], put("a", 1), put("a", 2), put("k", 3))
    let two = story.change(2, after: [start], put("a", 4))
    story.change(2, after: [two], put("k", 5))
    let root = story.oracle.view.root
    #expect(root.description == "{\"a\": .integer(2), \"k\": .integer(3)}")
  }

  @Test("a write settles the conflict it has seen")
  func settled() {
    var story = Story()
    let start = story.change(0, put("k", 0))
    let one = story.change(1, after: [start], put("k", 1))
    let two = story.change(2, after: [start], put("k", 2))
    story.change(3, after: [one, two], time: -5, put("k", 3))
    #expect(view(story) == "{\"k\": .integer(3)}")
    #expect(conflicts(story) == [])
  }

  @Test("a write wins over a removal that has not seen it, in conflict until it is written again")
  func writeWinsOverRemoval() {
    var story = Story()
    let start = story.change(0, put("k", 0))
    story.change(1, after: [start], time: 99, .remove(map: .root, key: "k"))
    #expect(view(story) == "{}")
    story.change(2, after: [start], put("k", 2))
    #expect(view(story) == "{\"k\": .integer(2)}")
    #expect(conflicts(story) == ["delete-edit at [\"k\"]"])
    story.change(1, after: story.changes.map(\.id), put("k", 3))
    #expect(conflicts(story) == [])
  }

  @Test("keys differ that differ in bytes")
  func keysAreBytes() {
    var story = Story()
    story.change(0, put("\u{E9}", 1), put("e\u{301}", 2))
    #expect(view(story) == "{\"e\\u{0301}\": .integer(2), \"\\u{00E9}\": .integer(1)}")
  }

  @Test("a deleted container with an edit its remover had not seen is kept, in conflict")
  func keptAgainstRemoval() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "m", content: .container(.map)))
    story.change(1, after: [start], .remove(map: .root, key: "m"))
    #expect(view(story) == "{}")
    story.change(2, after: [start], put("k", 1, in: start.container(0)))
    #expect(view(story) == "{\"m\": {\"k\": .integer(1)}}")
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
  }

  @Test("an edit deep inside keeps the container, and so does a removal")
  func keptByDeepEdits() {
    var story = Story()
    let start = story.change(
      0, .put(map: .root, key: "m", content: .container(.map)))
    let inner = story.change(
      0, .put(map: start.container(0), key: "t", content: .container(.text)),
      .insertText(into: .created(EventID(change: next(start), index: 0)), at: 0, text: "a"))
    story.change(1, after: [inner], .remove(map: .root, key: "m"))
    #expect(view(story) == "{}")
    story.change(
      2, after: [inner],
      .deleteText(from: inner.container(0), at: 0, count: 1, backward: false, text: "a"))
    #expect(view(story) == "{\"m\": {\"t\": text \"\"}}")
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
  }

  private func next(_ id: ChangeID) -> ChangeID {
    ChangeID(agent: id.agent, sequence: id.sequence + 1)
  }

  @Test("a removal that has seen the edits deletes the container, though another has not")
  func removalThatHasSeen() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "m", content: .container(.map)))
    let edit = story.change(1, after: [start], put("k", 1, in: start.container(0)))
    story.change(2, after: [start], .remove(map: .root, key: "m"))
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
    story.change(3, after: [edit], .remove(map: .root, key: "m"))
    #expect(view(story) == "{}")
    #expect(conflicts(story) == [])
  }

  @Test("edits unseen by different removals each keep the container only if no removal saw them")
  func eachEditNeedsARemoval() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "m", content: .container(.map)))
    let one = story.change(1, after: [start], put("a", 1, in: start.container(0)))
    let two = story.change(2, after: [start], put("b", 2, in: start.container(0)))
    story.change(3, after: [one], .remove(map: .root, key: "m"))
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
    story.change(4, after: [two], .remove(map: .root, key: "m"))
    #expect(view(story) == "{}")
  }

  @Test("a current value is shown before a kept container, which stays in conflict")
  func currentBeforeKept() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "m", content: .container(.counter)))
    story.change(1, after: [start], time: -9, put("m", 7))
    story.change(2, after: [start], .increment(counter: start.container(0), by: 1))
    #expect(view(story) == "{\"m\": .integer(7)}")
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
  }

  @Test("of two kept containers the later one is shown")
  func twoKept() {
    var story = Story()
    let start = story.change(0, put("k", 0))
    let one = story.change(
      1, after: [start], time: 2, .put(map: .root, key: "m", content: .container(.counter)))
    let two = story.change(
      2, after: [start], time: 1, .put(map: .root, key: "m", content: .container(.counter)))
    story.change(3, after: [one, two], .remove(map: .root, key: "m"))
    story.change(1, .increment(counter: one.container(0), by: 1))
    story.change(2, .increment(counter: two.container(0), by: 2))
    #expect(view(story) == "{\"k\": .integer(0), \"m\": counter(1)}")
    #expect(conflicts(story) == ["delete-edit at [\"m\"]"])
  }

  @Test("what a hidden container holds is not listed as a conflict, and comes back with it")
  func hiddenConflicts() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "m", content: .container(.map)))
    let one = story.change(1, after: [start], put("k", 1, in: start.container(0)))
    let two = story.change(2, after: [start], put("k", 2, in: start.container(0)))
    #expect(conflicts(story) == ["register at [\"m\", \"k\"]"])
    story.change(3, after: [one, two], .remove(map: .root, key: "m"))
    #expect(conflicts(story) == [])
    story.change(4, after: [one, two], put("a", 0, in: start.container(0)))
    #expect(conflicts(story) == ["delete-edit at [\"m\"]", "register at [\"m\", \"k\"]"])
  }

  @Test("adding to a set wins over a concurrent discard")
  func sets() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "s", content: .container(.set)))
    let set = start.container(0)
    let added = story.change(0, .add(set: set, value: .null), .add(set: set, value: .bool(true)))
    story.change(1, after: [added], .discard(set: set, value: .null))
    #expect(view(story) == "{\"s\": set(.bool(true))}")
    story.change(2, after: [added], .add(set: set, value: .null))
    #expect(view(story) == "{\"s\": set(.bool(true), .null)}")
    #expect(conflicts(story) == [])
  }

  @Test("values of a set differ that differ in bits")
  func setsOfBits() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "s", content: .container(.set)))
    let values: [Value] = [
      .double(0), .double(-0.0), .double(.nan), .string("\u{E9}"), .string("e\u{301}"),
      .integer(0),
    ]
    for value in values { story.change(0, .add(set: start.container(0), value: value)) }
    let oracle = story.oracle
    #expect(oracle.values(of: start.container(0), in: oracle.everything).count == values.count)
  }

  @Test("increments of a counter add up and wrap around")
  func counters() {
    var story = Story()
    let start = story.change(0, .put(map: .root, key: "c", content: .container(.counter)))
    let counter = start.container(0)
    story.change(1, after: [start], .increment(counter: counter, by: .max))
    #expect(view(story) == "{\"c\": counter(9223372036854775807)}")
    story.change(2, after: [start], .increment(counter: counter, by: 2))
    #expect(view(story) == "{\"c\": counter(-9223372036854775807)}")
  }
}
