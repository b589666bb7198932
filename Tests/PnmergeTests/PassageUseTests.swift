import Peernote
import PnmergeCommands
import Testing

/// What people do with contested texts for weeks: decide twice, write on, take back.
@Suite("Contested texts in use")
struct PassageUseTests {
  private let host = MemoryHost()

  private func write(_ text: String, _ file: String, by author: String = "ann") {
    host.setText("text", text)
    host.pnmerge("edit", file, "--body-file", "text", "--author", author)
  }

  private func body(_ file: String) -> String {
    host.pnmerge("cat", "--raw", file, "/body").output
  }

  private func replace(_ old: String, by new: String, _ file: String, by author: String) {
    write(body(file).replacing(old, with: new), file, by: author)
  }

  /// Two copies, a and b, of a note.
  private func begin(_ text: String) {
    host.pnmerge("new", "a", "--title", "T")
    write(text, "a")
    host.copy("a", "b")
  }

  /// Brings the copies together; both are the same then.
  private func meet() {
    host.copy("b", "c")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("merge", "c", "a")
    #expect(host["a"] == host["c"])
    host.copy("a", "b")
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  /// Both change one sum, and what is shown is one of theirs, with the other kept.
  private func contest(_ sum: String = "12,000", in line: String = "Pay 12,000 on time.") {
    replace(line, by: line.replacing(sum, with: "7,777"), "a", by: "ann")
    replace(line, by: line.replacing(sum, with: "8,888"), "b", by: "bob")
    meet()
    let lines = [line.replacing(sum, with: "7,777"), line.replacing(sum, with: "8,888")]
    #expect(lines.contains { body("a").contains($0) }, "\(body("a"))")
    let list = host.pnmerge("conflicts", "a")
    #expect(list.status == .different)
    for sum in ["7,777", "8,888"] { #expect(list.output.contains(sum), "\(list.output)") }
  }

  @Test(
    "who confirms what is shown has decided as well",
    arguments: [["--take", "mine"], ["--value", "\"9\""]])
  func decidedTwice(other: [String]) throws {
    begin("Pay 12,000 on time.\n")
    contest()
    let kept = try #require(try Document(bytes: host["a"] ?? []).conflicts.first).kept
    let isAnns = kept.node == .text("7,777")
    // The one whose reading is shown keeps it.
    let (keeper, changer) = isAnns ? ("ann", "bob") : ("bob", "ann")
    let take = isAnns ? "8,888" : "7,777"
    #expect(
      host.pnmerge("resolve", "a", "/body", "--take", "kept", "--author", keeper).status == .done)
    let arguments = other[0] == "--take" ? ["--value", "\"\(take)\""] : other
    #expect(
      host.pnmerge(["resolve", "b", "/body"] + arguments + ["--author", changer]).status == .done)
    meet()
    let list = host.pnmerge("conflicts", "a")
    #expect(list.status == .different)
    #expect(list.output.contains(isAnns ? "7,777" : "8,888"), "\(list.output)")
  }

  @Test("what was written beside somebody else's work is text like any other, once both have met")
  func longText() {
    begin("Agenda\n\nRecieve the guests.\n")
    let lines = (1...100).map { "Item \($0): the committee talked about the matter.\n" }.joined()
    write(body("a") + lines + "Pay 12,000 on time.\n", "a")
    replace("Recieve", by: "Receive", "b", by: "bob")
    meet()
    contest()
    // What is listed stays so, whatever else is merged.
    write(body("a") + lines, "a")
    replace("Agenda", by: "AGENDA", "b", by: "bob")
    meet()
    #expect(host.pnmerge("conflicts", "a").output.contains("8,888"))
  }

  @Test("a paragraph that both edit every day for weeks")
  func paragraph() {
    let words = (100..<220).map { "word\($0)" }
    begin("Pay 12,000 on time. " + words.joined(separator: " ") + "\n")
    for day in 0..<40 {
      replace(words[2 * day], by: "ann\(day)", "a", by: "ann")
      replace(words[2 * day + 1], by: "bob\(day)", "b", by: "bob")
      meet()
    }
    contest()
  }

  @Test("a log to which both add a line every day for weeks")
  func log() {
    begin("Log\n")
    for day in 0..<60 {
      write(body("a") + "Day \(day): paid 12,000 for a lamp that stood in the window.\n", "a")
      write(body("b") + "Day \(day): went to town for bread.\n", "b", by: "bob")
      meet()
    }
    contest(in: "Day 7: paid 12,000 for a lamp that stood in the window.")
  }

  @Test("what is contested in a long text stays so when somebody only changed the title long ago")
  func changedElsewhere() {
    begin("Agenda\n")
    host.copy("a", "old")
    host.pnmerge("set", "old", "/title", "\"Guests\"", "--author", "eve")
    let lines = (1...600).map { "Item \($0): the committee talked about an old matter.\n" }
    write(body("a") + lines.joined() + "Pay 12,000 on time.\n", "a")
    host.copy("a", "b")
    contest()
    let before = body("a")
    let list = host.pnmerge("conflicts", "a").output
    #expect(host.pnmerge("merge", "a", "old").status == .done)
    #expect(body("a") == before)
    #expect(host.pnmerge("conflicts", "a").output == list)
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("a place can be named as it is listed")
  func placeAsListed() {
    begin("Lamps\n\nPay 12,000 on time.\n")
    contest()
    #expect(host.pnmerge("conflicts", "a").output.contains("/body:3"))
    #expect(host.pnmerge("resolve", "a", "/body:3", "--take", "kept").status == .done)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("a report shows no side as nobody had it, and a review writes none")
  func sidesAsTheyWere() {
    begin("Pay 12,000 on time to the bank.\n")
    contest(in: "Pay 12,000 on time to the bank.")
    host.pnmerge("resolve", "a", "/body", "--take", "kept", "--author", "ann")
    replace("bank", by: "bench", "b", by: "bob")
    let report = host.pnmerge("merge", "-n", "-v", "a", "b")
    #expect(report.output.contains("bench"))
    for word in ["7,7778,888", "8,8887,777"] {
      #expect(!report.output.contains(word), "\(report.output)")
    }
  }

  @Test("of long readings what differs is listed")
  func longReadings() {
    begin("one\ntwo\nthree\n")
    let start = String(repeating: "we meet in the old hall ", count: 20)
    write("one\n\(start)says ann today\nthree\n", "a")
    write("one\n\(start)wrote bob yesterday\nthree\n", "b", by: "bob")
    meet()
    let list = host.pnmerge("conflicts", "a")
    #expect(list.output.contains("hall says ann today\""), "\(list)")
    #expect(list.output.contains("hall wrote bob yesterday\""), "\(list)")
    #expect(list.output.contains("kept    \"…"), "\(list)")
  }

  @Test("whole lines stay whole lines, whatever is put in their place")
  func valueForLines() {
    begin("one\ntwo words\n")
    write("one\ntwo words more\n", "a")
    write("one\n", "b", by: "bob")
    meet()
    #expect(host.pnmerge("resolve", "a", "/body:2", "--value", "\"2\"").status == .done)
    #expect(body("a") == "one\n2\n")
  }

  @Test(
    "a line between two that the other one joined begins and ends as it was written",
    arguments: [false, true], ["- milk\n- eggs", "- milk- eggs", "- milk; - eggs"])
  func lineBetweenJoined(bobInserts: Bool, joined: String) {
    begin("Buy\n- milk.\n- eggs\nsoon\n")
    let lines = "Buy\n- milk.\n- bread\n- eggs\nsoon\n"
    let one = "Buy\n" + joined.replacing("\n", with: " ") + "\nsoon\n"
    write(bobInserts ? one : lines, "a")
    write(bobInserts ? lines : one, "b", by: "bob")
    meet()
    #expect(body("a") == lines || body("a") == one, "\(body("a"))")
    let list = host.pnmerge("conflicts", "a")
    #expect(list.status == .different)
    #expect(list.output.contains("bread"), "\(list)")
  }

  @Test("who wraps a paragraph anew takes nothing from who edits it", arguments: [false, true])
  func wrappedAnew(bobWraps: Bool) {
    let text = "The ferry leaves at nine in the morning from platform\nseven, so be there early.\n"
    begin(text)
    let wrapped =
      "The ferry leaves at nine in the morning from\nplatform seven, so be there early.\n"
    func edited(_ text: String) -> String {
      text.replacing("morning", with: "evening").replacing("so be", with: "so please be")
    }
    write(bobWraps ? edited(text) : wrapped, "a")
    write(bobWraps ? wrapped : edited(text), "b", by: "bob")
    meet()
    #expect(body("a") == edited(wrapped))
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }
}
