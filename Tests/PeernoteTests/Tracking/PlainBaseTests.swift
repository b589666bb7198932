import Peernote
import Testing

@Suite("Which version a file was made from, where nothing says it")
struct PlainBaseTests {
  private static let starts = [
    "Packing list for Rome\nTake the red apples\nTake the green pears\n",
    "- red apples\n- the green pears\n- enormous watermelons\n",
    "# List\n- apples\n- pears\n",
  ]
  private static let added = "Call the hotel\nPrint the train tickets\n"

  private func file(_ text: String, _ seconds: Int64, isSavedHere: Bool = false) -> PlainFile {
    PlainFile(
      text: text, modified: Timestamp(milliseconds: 1_795_000_000_000 + seconds * 1000),
      isSavedHere: isSavedHere)
  }

  @Test(
    "a copy that moves a line is an edit of the version whose lines it has",
    arguments: [
      [0, 2, 1], [1, 0, 2], [2, 0, 1], [2, 1, 0], [1, 2, 0],
    ], ["", "Buy stamps\n", "Sell the old car\nMore\n"])
  func moved(order: [Int], more: String) throws {
    let addeds = [Self.added, "Call the hotel\n", "- plums\n- figs\n"]
    for (text, added) in Self.starts.flatMap({ text in addeds.map { (text, $0) } }) {
      let lines = text.split(separator: "\n")
      let moved = order.map { lines[$0] + "\n" }.joined()
      let start = file(text, 0)
      var history = try PlainHistory(
        id: UniqueID(randomBits: 1, 2), text: start.text, time: start.modified)
      let desk = file(start.text + added, 10)
      _ = try history.record(desk, memory: nil, copies: [])
      let copy = file(moved + added + more, 20)
      _ = try history.record(copy: copy, of: desk)
      #expect(history.text == copy.text)
    }
  }

  /// The text after a phone saved one, when a desk had saved another.
  private func merged(_ start: String, desk: String, phone: String) throws -> String {
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: start, time: file(start, 0).modified)
    _ = try history.record(file(desk, 10), memory: nil, copies: [])
    _ = try history.record(file(phone, 7200), memory: nil, copies: [])
    return history.text
  }

  @Test("what came in last is put right by a phone, and does not stand beside that")
  func corrected() throws {
    let start = "# List\n- milk\n- bread\n- eggs\n"
    let cases = [
      ("- eggs\n", "- eggs\n- recieve letters\n", "recieve", "receive"),
      ("- bread\n", "- bread from Ann\n", "Ann", "Anna"),
      ("- bread\n", "- rye bread\n", "rye", "white"),
      ("- bread\n", "- Meet Robert at the station at 10\n- bread\n", "10", "11"),
      ("- bread\n", "- Meet Robert at the station\n- bread\n", "Meet Robert", "See Robert off"),
    ]
    for (old, new, mistake, word) in cases {
      let desk = start.replacing(old, with: new)
      let phone = desk.replacing(mistake, with: word)
      #expect(try merged(start, desk: desk, phone: phone) == phone)
    }
  }

  @Test("lines that two people wrote stay, though they are alike")
  func alike() throws {
    let start = "# List\n- milk\n- bread\n"
    for (desk, phone) in [
      ("- call Ann\n", "- call Bob\n"), ("- call Tom\n", "- call Tim\n"),
      ("- day 1: 5 km\n", "- day 2: 7 km\n"), ("- buy stamps\n", "- buy eggs\n"),
    ] {
      let result = try merged(start, desk: start + desk, phone: start + phone)
      #expect(result.contains(desk) && result.contains(phone), "\(result)")
    }
    let result = try merged(
      start, desk: start.replacing("bread", with: "bread from Ann"),
      phone: start.replacing("bread", with: "bread, two"))
    #expect(result.contains("from Ann") && result.contains("two"), "\(result)")
  }

  @Test("an earlier save of a file, as a conflict copy, brings nothing twice")
  func earlierSave() throws {
    let start = "Call Miller.\nOrder compost\nWater roses\n"
    let first = start.replacing("Order", with: "Buy stone tiles\nURGENT: Order")
    let second = first.replacing("tiles\n", with: "tiles\nPaint the fence\n")
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: start, time: file(start, 0).modified)
    let copy = file(first, 3600)
    _ = try history.record(file(second, 7200), memory: nil, copies: [copy])
    let recording = try history.record(copy: copy, of: file(second, 7200))
    #expect(recording.finding == .behind)
    #expect(history.text == second)
    // What a copy takes out it takes out, though all that it has stands in the file.
    let shorter = file(start.replacing("Water roses\n", with: ""), 8000)
    _ = try history.record(copy: shorter, of: file(second, 7200))
    #expect(history.text == second.replacing("Water roses\n", with: ""))
  }

  @Test("who writes both readings of a contested line has settled it", arguments: 1...8)
  func bothReadings(id: UInt64) throws {
    func text(_ day: String) -> String { "# Plan\n\nWe meet on \(day) in the hall.\n\nChairs.\n" }
    var history = try PlainHistory(
      id: UniqueID(randomBits: id, 2), text: text("Monday at nine"), time: file("", 0).modified)
    let desk = file(text("Tuesday at ten"), 3600)
    _ = try history.record(desk, memory: nil, copies: [])
    _ = try history.record(copy: file(text("Friday at noon"), 4000), of: desk)
    #expect(history.document.conflicts.count == 1)
    let shown = history.text.contains("Friday") ? "Friday at noon" : "Tuesday at ten"
    let other = shown == "Friday at noon" ? "Tuesday at ten" : "Friday at noon"
    for wanted in ["\(other) or \(shown)", "\(shown) or \(other)"] {
      var settled = history
      _ = try settled.record(file(text(wanted), 9000), memory: nil, copies: [])
      #expect(settled.text == text(wanted))
      #expect(settled.document.conflicts.isEmpty)
    }
  }

  @Test("words of both readings elsewhere in a file don't say that its writer has seen both")
  func wordsElsewhere() throws {
    func text(_ first: String, _ more: String = "") -> String {
      "\(first)\nhouse plan\n\(more)milk mother window\n"
    }
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: text("alpha fence fence"), time: file("", 0).modified)
    let desk = file(text("lesson alpha lesson fence"), 3600, isSavedHere: true)
    let recording = try history.record(desk, memory: nil, copies: [])
    guard case .recorded(_, let heads) = recording.finding else {
      Issue.record("\(recording)")
      return
    }
    let memory = PlainMemory(
      shown: heads, text: desk.text, modified: desk.modified, since: desk.modified, floor: heads)
    let laptop = file(text("report alpha mother fence", "NEW gamma lamp\n"), 3700)
    _ = try history.record(copy: laptop, of: desk)
    #expect(history.document.conflicts.count == 1)
    // The desk has not seen that.
    let more = file(desk.text + "the desk adds this\n", 4000, isSavedHere: true)
    let last = try history.record(more, memory: memory, copies: [])
    guard case .recorded(heads, _) = last.finding else {
      Issue.record("\(last)")
      return
    }
    #expect(history.text.contains("NEW gamma lamp\n"))
    #expect(history.text.hasSuffix("the desk adds this\n"))
    #expect(history.document.conflicts.count == 1)
  }

  /// A note to which a line was added, and what a machine remembers that showed it at some second.
  private func withCheese() throws -> (PlainHistory, (Int64) -> PlainMemory) {
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: "milk\nbread\n", time: file("", 0).modified)
    _ = try history.record(file("milk\nbread\ncheese\n", 3600), memory: nil, copies: [])
    let (heads, text) = (history.document.heads, history.text)
    return (
      history,
      { seconds in
        let shown = file(text, seconds)
        return PlainMemory(
          shown: heads, text: text, modified: shown.modified, since: shown.modified, floor: [])
      }
    )
  }

  @Test("a line that a phone deletes at once stays once, and is gone if the phone deletes it again")
  func deletedTwice() throws {
    var (history, memory) = try withCheese()
    let start = "milk\nbread\n"
    let first = try history.record(file(start, 3650), memory: memory(3600), copies: [])
    #expect(first.finding == .behind)
    let guess = try #require(first.guess)
    #expect(try history.keptInDoubt(after: [guess]).map(\.text) == ["cheese"])
    // A phone that was away may save the same again.
    let late = try history.record(
      file(start, 3700), memory: memory(3750), copies: [], after: [guess])
    #expect(late.finding == .behind)
    let second = try history.record(
      file(start, 9000), memory: memory(3750), copies: [], after: [guess])
    #expect(history.text == start)
    #expect(try history.undoneInDoubt(after: [#require(second.undone)]).map(\.text) == ["cheese"])
  }

  @Test("what a phone takes back minutes later is taken back, and listed")
  func takenBack() throws {
    var (history, memory) = try withCheese()
    let start = "milk\nbread\n"
    let earlier = history
    // A copy beside it, or a file that was saved before the line, may be of somebody who lacked it.
    let copy = file("milk\nbread\nham\n", 7100)
    #expect(
      try history.record(file(start, 7200), memory: memory(3600), copies: [copy]).finding
        == .behind)
    #expect(
      try history.record(file(start, 3000), memory: memory(3600), copies: []).finding == .behind)
    #expect(history == earlier)
    let found = try history.record(file(start, 7200), memory: memory(3600), copies: [])
    #expect(history.text == start)
    #expect(try history.undoneInDoubt(after: [#require(found.undone)]).map(\.text) == ["cheese"])
    // And put back days later.
    let whole = "milk\nbread\ncheese\n"
    let shown = PlainMemory(
      shown: history.document.heads, text: start, modified: file(start, 7200).modified,
      since: file(start, 7200).modified, floor: [])
    _ = try history.record(file(whole, 400_000), memory: shown, copies: [])
    #expect(history.text == whole)
  }

  @Test("a short line that a phone moves stands there once", arguments: ["- milk", "- salt bread"])
  func movedAgain(line: String) throws {
    let start = "- boots\n- map\n"
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: start, time: file(start, 0).modified)
    _ = try history.record(file(start + line + "\n", 3600), memory: nil, copies: [])
    let shown = PlainMemory(
      shown: history.document.heads, text: history.text, modified: file("", 3600).modified,
      since: file("", 3600).modified, floor: [])
    let moved = "- boots\n\(line)\n- map\n"
    _ = try history.record(file(moved, 200_000), memory: shown, copies: [])
    #expect(history.text == moved)
  }

  @Test(
    "what a phone does with white space alone is an edit",
    arguments: [
      ("- [ ] wine", "  - [ ] wine"), ("drinks\n", "drinks  \n"), ("guests\n", "guests\n\n"),
      ("for the", "for\n  the"), ("\n\n", "\n"), ("cake\n", "cake"),
    ])
  func whiteSpace(old: String, new: String) throws {
    let start = "# Party\n\n- [ ] drinks\n- [ ] wine for the guests\n- [ ] cake\n"
    var history = try PlainHistory(
      id: UniqueID(randomBits: 1, 2), text: start, time: file(start, 0).modified)
    let memory = PlainMemory(
      shown: history.document.heads, text: start, modified: file(start, 0).modified,
      since: file(start, 0).modified, floor: history.document.heads)
    let phone = file(start.replacing(old, with: new), 3600)
    let recording = try history.record(phone, memory: memory, copies: [])
    guard case .recorded = recording.finding else {
      Issue.record("\(recording)")
      return
    }
    #expect(history.text == phone.text)
    let guesses = [recording.guess].compactMap(\.self)
    #expect(try history.keptInDoubt(after: guesses).isEmpty)
  }
}
