import Peernote
import Testing

/// What a phone typed once, and two changes brought in, as its file was met in two states.
@Suite("Lines that two changes brought into a plain file")
struct PlainTwinTests {
  private static let start = Timestamp(milliseconds: 1_795_000_000_000)

  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start.milliseconds + seconds * 1000)
  }

  private func history(_ text: String) throws -> PlainHistory {
    try PlainHistory(id: UniqueID(randomBits: 1, 2), text: text, time: Self.start)
  }

  /// A history that has met some states of the file, each without knowing of the others.
  private func met(_ old: String, _ states: String...) throws -> [PlainHistory] {
    let base = try history(old)
    return try states.enumerated().map { number, state in
      var copy = base
      let file = PlainFile(
        text: state, modified: Self.time(Int64(100 * (number + 1))), isSavedHere: false)
      _ = try copy.record(file, memory: nil, copies: [])
      return copy
    }
  }

  /// The text after all histories met, in both orders, which makes no difference.
  private func united(_ histories: [PlainHistory]) throws -> String {
    func union(_ histories: some Sequence<PlainHistory>) throws -> PlainHistory {
      var result: PlainHistory?
      for history in histories {
        guard var known = result else {
          result = history
          continue
        }
        try known.merge(history)
        result = known
      }
      var whole = try #require(result)
      try whole.countTwinsOnce()
      let bytes = whole.document.encoded()
      #expect(try !whole.countTwinsOnce() && whole.document.encoded() == bytes)
      #expect(Document.validate(bytes: bytes).isEmpty)
      return whole
    }
    let there = try union(histories)
    let back = try union(histories.reversed())
    #expect(there.document.encoded() == back.document.encoded())
    return there.text
  }

  @Test("a line is the same whatever word it shares with the line in whose place it stands")
  func sharedWord() throws {
    let states = try met(
      "# List\nmilk\nbread from the baker\ncall the plumber\n",
      "# List\nmilk\nanswer the letter\nbread from the baker\ncall the plumber\n",
      "# List\nmilk\nanswer the letter\ncall the plumber\n")
    #expect(try united(states) == "# List\nmilk\nanswer the letter\ncall the plumber\n")
    let edit = PlainDifference(
      from: "- milk\n- water the plants\n", to: "- milk\n- paint the fence, today\n")
    #expect(edit.splices.map(\.inserted) == ["- paint the fence, today\n"])
    #expect(edit.splices.map(\.position) == [7] && edit.splices.map(\.deleted) == [19])
    let version = PlainDifference(from: "- milk\n- buy milk\n", to: "- milk\n- buy bread\n")
    #expect(version.splices.map(\.inserted) == ["bread"])
  }

  @Test("common lines count once, the others are kept")
  func once() throws {
    let states = try met(
      "a\nb\nc\n", "a\nthree\none\nfive\nb\nc\ntwo\nsix\n",
      "a\nthree\none\neight\nb\nc\nnine\ntwo\nseven\n")
    let lines = try united(states).split(separator: "\n")
    #expect(
      lines.sorted() == [
        "a", "b", "c", "eight", "five", "nine", "one", "seven", "six", "three", "two",
      ])
    #expect(lines.firstIndex(of: "three") == 1 && lines.firstIndex(of: "one") == 2, "\(lines)")
  }

  @Test("three states: whoever has met which of them first, all come to the same")
  func three() throws {
    let states = try met("a\n", "a\none\ntwo\n", "a\none\nthree\n", "zero\na\none\nfour\n")
    var first = states[0]
    try first.merge(states[1])
    try first.countTwinsOnce()
    var second = states[2]
    try second.merge(states[1])
    try second.countTwinsOnce()
    let lines = try united([first, second]).split(separator: "\n").map(String.init)
    #expect(lines.sorted() == ["a", "four", "one", "three", "two", "zero"], "\(lines)")
  }

  @Test("two machines that take out each another one of three leave it once", arguments: 0..<12)
  func crossed(_ number: Int) throws {
    // Which one is taken out goes by names that follow from the texts.
    let states = try met(
      "a\nb\nc\n", "a\nnew \(number)\nb\nc\n", "a\nnew \(number)\nb\nc\nx\n",
      "y\na\nnew \(number)\nb\nc\n")
    var pairs: [PlainHistory] = []
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
      var pair = states[one]
      try pair.merge(states[other])
      try pair.countTwinsOnce()
      pairs.append(pair)
    }
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
      let lines = try united([pairs[one], pairs[other]]).split(separator: "\n").map(String.init)
      #expect(lines.sorted() == ["a", "b", "c", "new \(number)", "x", "y"], "\(lines)")
    }
  }

  @Test("a text without a final line feed")
  func openEnd() throws {
    let states = try met("a", "a\none\ntwo", "a\none\nthree")
    let lines = try united(states).split(separator: "\n").map(String.init)
    #expect(lines.count { $0 == "one" } == 1 && lines.count == 4, "\(lines)")
  }

  @Test("two lines that share a line feed, of which neither has the other one")
  func sharedLineFeed() throws {
    let states = try met("a\n\nb\n", "a\none\ntwo\nb\n", "a\none\ntwo\nthree\nb\n")
    let lines = try united(states).split(separator: "\n").map(String.init)
    #expect(Set(lines).count == lines.count, "\(lines)")
  }

  @Test("what says nothing, stands elsewhere or repeats is no twin")
  func others() throws {
    // Rules between paragraphs.
    let rules = try united(met("a\n", "a\none\n---\ntwo\n", "a\nthree\n---\nfour\n"))
    #expect(rules.split(separator: "\n").count { $0 == "---" } == 2, "\(rules)")
    // The same under two headings.
    let places = try united(met("a\nb\n", "a\ncall\nx\nb\n", "a\ny\nb\ncall\n"))
    #expect(places.split(separator: "\n").count { $0 == "call" } == 2, "\(places)")
    // A line that stands in the text already.
    let repeated = try united(met("a\ndone\n", "a\ndone\none\ndone\n", "a\ndone\ntwo\ndone\n"))
    #expect(repeated.split(separator: "\n").count { $0 == "done" } == 3, "\(repeated)")
  }

  @Test("what somebody saved who has seen both stays")
  func seen() throws {
    let states = try met("a\n", "a\none\ntwo\n", "a\none\nthree\n")
    var whole = states[0]
    try whole.merge(states[1])
    try whole.countTwinsOnce()
    let text = whole.text + "one\n"
    let file = PlainFile(text: text, modified: Self.time(1000), isSavedHere: true)
    _ = try whole.record(file, memory: nil, copies: [])
    #expect(try !whole.countTwinsOnce())
    #expect(whole.text == text)
  }

  @Test("an edit beside a line that was taken out as a twin is not contested")
  func besideTwins() throws {
    // The phone's file was met in two states, and counted on one machine; another one knows of the
    // first state alone, and meets a third one.
    var first = try met("a\nb\n", "a\none\ntwo\nb\n")[0]
    var second = first
    let later = PlainFile(
      text: "a\none\ntwo\nthree\nb\n", modified: Self.time(300), isSavedHere: false)
    _ = try second.record(later, memory: nil, copies: [])
    let apart = try met("a\nb\n", "a\none\ntwo\nfour\nb\n")[0]
    try first.merge(apart)
    try first.countTwinsOnce()
    let lines = try united([first, second]).split(separator: "\n").map(String.init)
    #expect(lines.sorted() == ["a", "b", "four", "one", "three", "two"], "\(lines)")
  }

  @Test("a line that was deleted goes with its twin, which nobody knew of")
  func deletedTwin() throws {
    let states = try met("a\nb\n", "a\none\ntwo\nb\n", "a\none\nthree\nb\n")
    var first = states[0]
    let file = PlainFile(text: "a\ntwo\nb\n", modified: Self.time(900), isSavedHere: true)
    let memory = PlainMemory(
      shown: first.document.heads, text: first.text, modified: Self.time(100),
      since: Self.time(101), floor: first.document.heads)
    _ = try first.record(file, memory: memory, copies: [])
    #expect(first.text == "a\ntwo\nb\n")
    let lines = try united([first, states[1]]).split(separator: "\n").map(String.init)
    #expect(lines.sorted() == ["a", "b", "three", "two"], "\(lines)")
  }

  @Test("a line that was edited stands for its twin, which nobody knew of")
  func editedTwin() throws {
    let states = try met("a\nb\n", "a\none\ntwo\nb\n", "a\none\nthree\nb\n")
    var first = states[0]
    let file = PlainFile(
      text: "a\none and a half\ntwo\nb\n", modified: Self.time(900), isSavedHere: true)
    let memory = PlainMemory(
      shown: first.document.heads, text: first.text, modified: Self.time(100),
      since: Self.time(101), floor: first.document.heads)
    _ = try first.record(file, memory: memory, copies: [])
    let lines = try united([first, states[1]]).split(separator: "\n").map(String.init)
    #expect(lines.sorted() == ["a", "b", "one and a half", "three", "two"], "\(lines)")
  }
}
