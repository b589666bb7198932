import Peernote
import PeernoteTestSupport
import Testing

/// What people do with contested texts for weeks: decide twice, write on, take back.
@Suite("Contested texts in use")
struct PassageUseTests {
  /// Two people's copies of a text.
  private struct Pair {
    var ann: Document
    var bob: Document

    init(_ text: String) throws {
      ann = try Document(ofText: text)
      bob = ann
    }

    /// What both show once they have met.
    var text: String { ann.body }

    mutating func annWrites(_ text: String) throws { try ann.write(text, by: 2) }

    mutating func bobWrites(_ text: String) throws { try bob.write(text, by: 3) }

    /// Brings the copies together; both are the same then.
    mutating func meet() throws {
      ann = try TwoCopies(ann, bob).merged()
      bob = ann
    }

    /// All that is listed.
    var listed: String {
      ann.conflicts.flatMap(\.sides).compactMap(\.node?.string).joined(separator: "\n")
    }

    /// Both change one sum, and what is shown is one of theirs, with the other kept.
    mutating func contest(in line: String = "Pay 12,000 on time.") throws {
      let lines = ["7,777", "8,888"].map { line.replacing("12,000", with: $0) }
      let text = text
      try annWrites(text.replacing(line, with: lines[0]))
      try bobWrites(text.replacing(line, with: lines[1]))
      try meet()
      #expect(lines.contains { self.text.contains($0) }, "\(self.text)")
      for sum in ["7,777", "8,888"] { #expect(listed.contains(sum), "\(listed)") }
    }
  }

  @Test("who confirms what is shown has decided as well", arguments: [false, true])
  func decidedTwice(writesAnother: Bool) throws {
    var pair = try Pair("Pay 12,000 on time.\n")
    try pair.contest()
    let conflict = try #require(pair.ann.conflicts.first)
    // The one keeps what is shown, the other one takes the other reading, or writes one.
    let other = Conflict.Choice.side(conflict.others[0])
    try pair.ann.change(by: .person(2)) { try $0.resolve(conflict, taking: .kept) }
    try pair.bob.change(by: .person(3)) {
      try $0.resolve(conflict, taking: writesAnother ? .content(.text("9")) : other)
    }
    try pair.meet()
    let kept = try #require(conflict.kept.node?.string)
    #expect(!pair.ann.conflicts.isEmpty && pair.listed.contains(kept), "\(pair.listed)")
  }

  @Test("what was written beside somebody else's work is text like any other, once both have met")
  func longText() throws {
    var pair = try Pair("Agenda\n\nRecieve the guests.\n")
    let lines = (1...100).map { "Item \($0): the committee talked about the matter.\n" }.joined()
    try pair.annWrites(pair.text + lines + "Pay 12,000 on time.\n")
    try pair.bobWrites("Agenda\n\nReceive the guests.\n")
    try pair.meet()
    try pair.contest()
    // What is listed stays so, whatever else is merged.
    let text = pair.text
    try pair.annWrites(text + lines)
    try pair.bobWrites(text.replacing("Agenda", with: "AGENDA"))
    try pair.meet()
    #expect(pair.listed.contains("8,888"))
  }

  @Test("a paragraph that both edit every day for weeks")
  func paragraph() throws {
    let words = (100..<220).map { "word\($0)" }
    var pair = try Pair("Pay 12,000 on time. " + words.joined(separator: " ") + "\n")
    for day in 0..<40 {
      let text = pair.text
      try pair.annWrites(text.replacing(words[2 * day], with: "ann\(day)"))
      try pair.bobWrites(text.replacing(words[2 * day + 1], with: "bob\(day)"))
      try pair.meet()
    }
    try pair.contest()
  }

  @Test("a log to which both add a line every day for weeks")
  func log() throws {
    var pair = try Pair("Log\n")
    for day in 0..<60 {
      let text = pair.text
      try pair.annWrites(text + "Day \(day): paid 12,000 for a lamp that stood in the window.\n")
      try pair.bobWrites(text + "Day \(day): went to town for bread.\n")
      try pair.meet()
    }
    try pair.contest(in: "Day 7: paid 12,000 for a lamp that stood in the window.")
  }

  @Test("what is contested in a long text stays so when somebody only changed the title long ago")
  func changedElsewhere() throws {
    var pair = try Pair("Agenda\n")
    var old = pair.ann
    try old.change(by: .person(4)) { try $0.put("Guests", at: ["title"]) }
    let lines = (1...600).map { "Item \($0): the committee talked about an old matter.\n" }
    try pair.annWrites(pair.text + lines.joined() + "Pay 12,000 on time.\n")
    pair.bob = pair.ann
    try pair.contest()
    let (text, listed) = (pair.text, pair.ann.conflicts)
    pair.bob = old
    try pair.meet()
    #expect(pair.text == text && pair.ann.conflicts == listed)
  }

  @Test(
    "a line between two that the other one joined begins and ends as it was written",
    arguments: [false, true], ["- milk\n- eggs", "- milk- eggs", "- milk; - eggs"])
  func lineBetweenJoined(bobInserts: Bool, joined: String) throws {
    var pair = try Pair("Buy\n- milk.\n- eggs\nsoon\n")
    let lines = "Buy\n- milk.\n- bread\n- eggs\nsoon\n"
    let one = "Buy\n" + joined.replacing("\n", with: " ") + "\nsoon\n"
    try pair.annWrites(bobInserts ? one : lines)
    try pair.bobWrites(bobInserts ? lines : one)
    try pair.meet()
    #expect(pair.text == lines || pair.text == one, "\(pair.text)")
    #expect(pair.listed.contains("bread"), "\(pair.listed)")
  }

  @Test("who wraps a paragraph anew takes nothing from who edits it", arguments: [false, true])
  func wrappedAnew(bobWraps: Bool) throws {
    let text = "The ferry leaves at nine in the morning from platform\nseven, so be there early.\n"
    var pair = try Pair(text)
    let wrapped =
      "The ferry leaves at nine in the morning from\nplatform seven, so be there early.\n"
    func edited(_ text: String) -> String {
      text.replacing("morning", with: "evening").replacing("so be", with: "so please be")
    }
    try pair.annWrites(bobWraps ? edited(text) : wrapped)
    try pair.bobWrites(bobWraps ? wrapped : edited(text))
    try pair.meet()
    #expect(pair.text == edited(wrapped) && pair.ann.conflicts.isEmpty)
  }
}
