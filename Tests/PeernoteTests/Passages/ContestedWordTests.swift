import Peernote
import PeernoteTestSupport
import Testing

/// What counts as one word or number, so that no merge makes a new one of two halves.
@Suite("Words that are contested as a whole")
struct ContestedWordTests {
  @Test(
    "The whole of one side is shown, and the other one is listed",
    arguments: [
      ("We can't go.", "We can go.", "We won't go."),
      ("We can\u{2019}t go.", "We can go.", "We won\u{2019}t go."),
      ("Balance -500 euros.", "Balance 500 euros.", "Balance -700 euros."),
      ("Balance \u{2212}500.", "Balance 500.", "Balance \u{2212}700."),
      ("It is +3 now.", "It is +5 now.", "It is -3 now."),
      ("(-5)", "(-6)", "(5)"),
      ("Pay 12 000 now.", "Pay 11 000 now.", "Pay 12 500 now."),
      ("1 234 567", "1 234 568", "2 234 567"),
      ("x = foo_bar + 1", "x = foo_baz + 1", "x = goo_bar + 1"),
      // What one side wrote the other one wrote, too, beside more.
      ("Buy a tent.", "Buy a new tent.", "Buy a new tent and pegs."),
    ])
  func whole(base: String, ours: String, theirs: String) throws {
    let document = try TwoCopies(ofText: base, ours, theirs).merged()
    #expect([ours, theirs].contains(document.body) && document.kinds == [.passage])
  }

  @Test("What both sides changed in the sentence of a contested word is contested with it")
  func beside() throws {
    let document = try TwoCopies(
      ofText: "At 9 am pay 300.\n", "At 9 pm pay 400.\n", "At 11 am pay 500.\n"
    ).merged()
    #expect(document.body == "At 11 am pay 500.\n")
    #expect(
      document.conflicts.map { $0.others.map(\.node) } == [[.text("9 pm pay 400.")]])
  }
}
