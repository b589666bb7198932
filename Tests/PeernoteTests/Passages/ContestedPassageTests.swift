import Peernote
import PeernoteTestSupport
import Testing

@Suite("Contested passages")
struct ContestedPassageTests {
  /// Two copies that name another sum each.
  private static func payment() throws -> TwoCopies {
    try TwoCopies(ofText: "Pay 12,000 now\n", "Pay 11,000 now\n", "Pay 9,500 now\n")
  }

  @Test(
    "What both sides did is combined, and contested nowhere",
    arguments: [
      // Of two insertions one begins or ends the other, that stands; whole tokens count.
      ("buy milk\n", "buy milk bread\n", "buy milk bread and tea\n", ["buy milk bread and tea\n"]),
      ("go home\n", "go right home\n", "go by bus right home\n", ["go by bus right home\n"]),
      ("go b\n", "go no b\n", "go north b\n", ["go no north b\n", "go north no b\n"]),
      // Edits touch, and white space parts them.
      ("in the 90s.\n", "in the 90s. The\n", "in the 80s.\n", ["in the 80s. The\n"]),
      // The same edit counts once.
      ("I recieve letters", "I receive letters", "I receive letters", ["I receive letters"]),
      ("version 3.3.0.3", "version 3.3.0.4", "version 3.3.0.4", ["version 3.3.0.4"]),
      ("- milk\n", "- milk\n- eggs\n", "- milk\n- eggs\n", ["- milk\n- eggs\n"]),
      ("no line feed", "no line feed\n", "no line feed\n", ["no line feed\n"]),
      ("a b c\n", "a c\n", "a c\n", ["a c\n"]),
      // So does a line, whether or not something was added to the line before it.
      (
        "one\ntwo\nthree\n", "one\ntwo\ncall\nthree\n", "one\ntwo and a bit\ncall\nthree\n",
        ["one\ntwo and a bit\ncall\nthree\n"]
      ),
      (
        "one\ntwo\nthree\n", "one\ntwo and a bit\ncall\nthree\n", "one\ntwo\ncall\nthree\n",
        ["one\ntwo and a bit\ncall\nthree\n"]
      ),
      // What two deletions leave is shown.
      (
        "go baz big rug the end.\n", "go baz the end.\n", "go baz rug the end.\n",
        ["go baz the end.\n"]
      ),
      // Lines are inserted beside a line that the other side deletes.
      ("- x\n- y\n- z\n", "- x\n- w\n- y\n- z\n", "- x\n- z\n", ["- x\n- w\n- z\n"]),
      ("- x\n- y\n- z\n", "- x\n- y\n- w\n- z\n", "- x\n- z\n", ["- x\n- w\n- z\n"]),
      // Words stand beside each other.
      ("from 12 to 300 km", "from 13 to 300 km", "from 12 to 400 km", ["from 13 to 400 km"]),
      ("- 500 eggs\n", "- 500 new eggs\n", "* 500 eggs\n", ["* 500 new eggs\n"]),
      ("'one' two", "'uno' two", "'one' due", ["'uno' due"]),
      ("It is late now.", "It was late now.", "It is late here.", ["It was late here."]),
    ])
  func uncontested(base: String, ours: String, theirs: String, merged: [String]) throws {
    let document = try TwoCopies(ofText: base, ours, theirs).merged()
    #expect(merged.contains(document.body) && document.conflicts.isEmpty, "\(document.body)")
  }

  @Test(
    "One whole reading is shown, and the others are kept",
    arguments: [
      (
        "Pay 12,000 euros on 3 December", "Pay 11,000 euros on 10 December",
        "Pay 9,500 euros on 30 December"
      ),
      ("The quick brown fox.", "A slow red fox.", "The fast grey fox."),
      ("one\ntwo three\nfour\n", "one\ntwo 3\nfour\n", "\n"),
      ("List\neggs\nbread\nCall Tom\n", "List\nNo eggs\nbread\nCall Tom\n", "List\nCall Tom\n"),
      ("List\neggs\nend\n", "List\nten eggs\nend\n", "List\ncheese\nend\n"),
      ("## Head\nText\n", "### Head\nText\n", "Text\n"), ("a\nlast", "a\nlast!", "a"),
      ("a\nlast\nb\n", "a\nlast!\nb\n", "a\nb\n"),
      ("We meet on Monday.\n", "We meet on Tuesday.\n", "We meet on Tuesday at ten.\n"),
      ("Meet at 18:00.\n", "Meet at 18:30.\n", "Meet at 19:00.\n"),
      ("Due 2026-10-08\n", "Due 2026-11-08\n", "Due 2026-10-09\n"),
      ("- milk\n- eggs\n", "- milk\n- eggs", "- milk\n- eggs\n- ham\n"),
    ])
  func wholeReading(base: String, ours: String, theirs: String) throws {
    let merged = try TwoCopies(ofText: base, ours, theirs).merged()
    #expect([ours, theirs].contains(merged.body))
    let passages = merged.conflicts.filter { $0.kind == .passage }
    #expect(!passages.isEmpty)
    for passage in passages { #expect(passage.others.count == 1) }
  }

  @Test(
    "A word or a number is contested as a whole, so that no merge makes a new one of two halves",
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
  func words(base: String, ours: String, theirs: String) throws {
    let document = try TwoCopies(ofText: base, ours, theirs).merged()
    #expect([ours, theirs].contains(document.body) && document.kinds == [.passage])
  }

  @Test("Two deletions join no words that white space parts on both sides")
  func deletions() throws {
    let joined = try TwoCopies(
      ofText: "go baz \nrug the end.\n", "go baz the end.\n", "go baz\nrug the end.\n"
    )
    .merged()
    #expect(!joined.body.contains("bazthe") && joined.conflicts.count == 1)
  }

  @Test("A contested word takes in all that either side changed in its sentence, and no other")
  func besides() throws {
    let merged = try TwoCopies(
      ofText: "Go. a b c d e. So\n", "Come. a x y d e. So\n", "Go. a b z q e. No\n"
    ).merged()
    #expect(merged.body == "Come. a b z q e. No\n")
    let passage = try #require(merged.conflicts.first)
    #expect(passage.kept.node == .text("b z q"))
    #expect(passage.others.map(\.node) == [.text("x y d")])
  }

  @Test(
    "What is added to a line stands in no other line that is inserted beside it",
    arguments: [
      ("Bob\nmilk\n", "Call Bob\nmilk\n", "Rent\nBob\nmilk\n"),
      ("x\nBob\n", "x\nCall Bob\n", "x\nRent\nTax\nBob\n"),
      ("Bob", "Bob today", "Bob\nRent"),
      ("x\nBob", "x\nBob today", "x\nBob\nRent\nTax"),
    ])
  func addedToLine(base: String, one: String, other: String) throws {
    for (ours, theirs) in [(one, other), (other, one)] {
      let merged = try TwoCopies(ofText: base, ours, theirs).merged()
      let lines = merged.body.split(separator: "\n")
      let written = [one, other].flatMap { $0.split(separator: "\n") }
      #expect(lines.allSatisfy { written.contains($0) }, "\(lines)")
      // Both are there, or one is and the other is kept.
      let isCombined = written.allSatisfy { line in
        line == "Bob" || lines.contains(line)
      }
      #expect(isCombined || merged.conflicts.contains { $0.kind == .passage }, "\(lines)")
    }
  }

  @Test(
    "Lines that nobody joined are not joined, be it by deletions or where a text ends",
    arguments: [
      ("tags: [a, b]\ndraft: true\nphone\n", "tags: [a, b]\nphone\n", "tags: [a, b, c]\nphone\n"),
      ("(one)\ntwo three\n[four]\n", "(one)\n[four]\n", "(one, 1)\n[four]\n"),
      ("- milk\n", "- milk\n- coffee", "- milk\n- tea\n"),
      ("- bread\n", "- bread, rye", "- bread\n- tea\n"), ("a\n\nb\n", "a\n(x)\nb\n", "a\n(y)\nb\n"),
    ])
  func joinedLines(base: String, one: String, other: String) throws {
    for (ours, theirs) in [(one, other), (other, one)] {
      let merged = try TwoCopies(ofText: base, ours, theirs).merged()
      let lines = (one + "\n" + other).split(separator: "\n")
      #expect(
        merged.body.split(separator: "\n").allSatisfy { lines.contains($0) }, "\(merged.body)")
    }
  }

  @Test("Edits that do not meet are combined, in a file as before")
  func combined() throws {
    let merged = try TwoCopies(
      ofText: "one two\nthree four\nfive six\n", "one 2\nthree four\nfive six\n",
      "one two\nthree four\nfive 6\n"
    ).merged()
    #expect(merged.body == "one 2\nthree four\nfive 6\n")
    #expect(try DocumentFile(merged.bytes()).passages.isEmpty)
  }

  @Test(
    "Who settles a passage writes words anew that the other side deletes: that is contested",
    arguments: [
      "do pay Bob\nbuy bread\n", "do not pay Bob\nbuy\n", "buy bread\n", "do not pay Bob\n",
    ])
  func restating(theirs: String) throws {
    var divergence = try TwoCopies(
      ofText: "Shopping: nothing yet\n", "Shopping is off this week\n",
      "do not pay Bob\nbuy bread\n")
    divergence.ours = try divergence.merged()
    #expect(divergence.ours.body == "do not pay Bob\nbuy bread\n")
    try divergence.ours.write("do not pay Bob\nbuy bread now\n", by: 4)
    try divergence.theirs.write(theirs, by: 5)
    let merged = try divergence.merged()
    #expect(merged.body == "do not pay Bob\nbuy bread now\n")
    #expect(merged.conflicts.count == 1)
  }

  @Test("Each reading can be taken, and is ordinary text from then on, also for a stale copy")
  func settling() throws {
    let divergence = try Self.payment()
    let merged = try divergence.merged()
    let passage = try #require(merged.conflicts.first)
    let scalars = try #require(passage.scalars)
    for side in [passage.kept] + passage.others {
      guard case .text(let text) = side.node else { continue }
      var settled = merged
      try settled.change(by: .person(4)) {
        try $0.settlePassage(at: ["body"], scalars: scalars, with: text)
      }
      #expect(settled.body == "Pay \(text) now\n")
      #expect(settled.conflicts.isEmpty)
      #expect(try DocumentFile(settled.bytes()).passages.isEmpty)
      for stale in [divergence.ours, divergence.theirs, merged] {
        let copy = try PeernoteTestSupport.merged(stale, settled)
        #expect(copy.bytes() == settled.bytes())
      }
      var late = divergence.ours
      try late.write("Pay 11,000 now\nPlease.\n", by: 5)
      _ = try late.merge(settled)
      #expect(late.body == "Pay \(text) now\nPlease.\n")
    }
  }

  @Test(
    "An edit in, across or at the border of a passage settles it; one elsewhere does not",
    arguments: [
      ("Pay 9,500 now\n", "Pay 9,900 now\n", true), ("Pay 9,500 now\n", "Pay soon\n", true),
      ("Pay 9,500 now\n", "Pay 9,500! now\n", true), ("Pay 9,500 now\n", "Pay \"9,500 now\n", true),
      ("Pay 9,500 now\n", "Pay 9,500 euros now\n", false),
      ("Pay 9,500 now\n", "Pay 9,500 now!\n", false),
      ("Pay 9,500 now\n", "Dear Ann,\nPay 9,500 now\n", false),
    ])
  func editing(shown: String, new: String, settles: Bool) throws {
    var merged = try Self.payment().merged()
    #expect(merged.body == shown)
    try merged.write(new, by: 4)
    #expect(merged.body == new)
    #expect(merged.conflicts.isEmpty == settles)
    #expect(Document.validate(bytes: merged.bytes()).isEmpty)
  }

  @Test("A cursor beside a passage stays beside it")
  func cursors() throws {
    let divergence = try Self.payment()
    let merged = try divergence.merged()
    for (scalar, affinity) in [(4, TextCursor.Affinity.backward), (9, .forward), (10, .forward)] {
      let cursor = try merged.cursor(
        inTextAt: ["body"], scalar: scalar, affinity: affinity)
      #expect(try merged.place(of: cursor).scalar == scalar, "\(scalar)")
    }
    let before = try divergence.ours.cursor(
      inTextAt: ["body"], scalar: 11, affinity: .forward)
    #expect(try merged.place(of: before).scalar == 10)
  }

  @Test("The work to merge, edit and list contested passages grows as their number does")
  func many() throws {
    func lines(_ word: String) -> String {
      (0..<2_000).map { "line \($0) says \(word)\n" }.joined()
    }
    let divergence = try TwoCopies(ofText: lines("old"), lines("mine"), lines("theirs"))
    var merged = try divergence.merged()
    #expect(merged.conflicts.count == 2_000)
    let new = merged.body.replacing("line 7 says theirs", with: "line 7")
    try merged.write(new, by: 4)
    #expect(merged.conflicts.count == 1_999)
  }

  @Test("However many changes led to them, the readings are those that people saw")
  func keystrokes() throws {
    var divergence = try TwoCopies(
      ofText: "Pay 12,000 now\n", "Pay 12,000 now\n", "Pay 12,000 now\n")
    func type(_ text: String, in document: inout Document, _ number: UInt64) throws {
      // Each keystroke is a change; much is typed and taken out again.
      for round in 0..<20 {
        for end in [5, 3, 4] {
          let typed = text.prefix(end) + String(repeating: "x", count: round % 3)
          try document.write("Pay \(typed) now\n", by: number)
        }
        for end in 0..<8 {
          let more = "please".prefix(end)
          try document.write("Pay \(text) now\(more)\n", by: number)
        }
      }
      try document.write("Pay \(text) now\n", by: number)
    }
    try type("11,000", in: &divergence.ours, 4)
    try type("9,500", in: &divergence.theirs, 5)
    #expect(divergence.ours.changeCount > 200)
    var merged = try divergence.merged()
    #expect(["Pay 11,000 now\n", "Pay 9,500 now\n"].contains(merged.body), "\(merged.body)")
    #expect(merged.conflicts.count == 1)
    let shown = merged.body
    for number in 0..<1_100 {
      try merged.write(number.isMultiple(of: 2) ? "Do \(number)! \(shown)" : shown, by: 6)
    }
    #expect(merged.body == shown)
    #expect(merged.conflicts.count == 1)
    #expect(Document.validate(bytes: merged.bytes()).isEmpty)
  }

  @Test("An edit beside passages, or of one, leaves all others as they are")
  func leavingOthers() throws {
    func lines(_ word: String) -> String {
      (0..<50).map { "line \($0) says \(word)\n" }.joined()
    }
    var merged = try TwoCopies(ofText: lines("old"), lines("mine"), lines("theirs")).merged()
    func edit(_ old: String, _ new: String, leaving count: Int) throws {
      let text = merged.body.replacing(old, with: new)
      try merged.write(text, by: 4)
      #expect(merged.body == text)
      #expect(merged.conflicts.count == count)
      #expect(Document.validate(bytes: merged.bytes()).isEmpty)
    }
    try edit("line 3 says", "line 3 said", leaving: 50)
    try edit("line 4 says", "line 4 spoke", leaving: 50)
    try edit("line 5 says theirs", "line 5 says 5", leaving: 49)
    try edit("line 9 says theirs\n", "", leaving: 48)
    try edit("line 11", "new\nline 11", leaving: 48)
  }

  /// Two copies of a document that read differently from then on.
  private static func divergence(
    from document: Document, _ ours: String, _ theirs: String
  ) throws -> TwoCopies {
    var copies = TwoCopies(document, document)
    try copies.ours.write(ours, by: 4)
    try copies.theirs.write(theirs, by: 5)
    return copies
  }

  @Test("A passage stays while both sides edit other things, contested or not")
  func staysBesideOthers() throws {
    let first = try TwoCopies(
      ofText: "Pay 12,000 euros.\nCall Tom\n", "Pay 11,000 euros.\nCall Tom\n",
      "Pay 9,500 euros.\nCall Tom\n"
    ).merged()
    #expect(first.body == "Pay 9,500 euros.\nCall Tom\n")
    let passage = try #require(first.conflicts.first)
    let calm = try Self.divergence(
      from: first, "Now\n\(first.body)", first.body + "Buy milk\n"
    ).merged()
    #expect(calm.body == "Now\n\(first.body)Buy milk\n")
    #expect(calm.conflicts.map(\.others) == [passage.others])
    let contested = try Self.divergence(
      from: first, "Pay 9,500 euros.\nCall Ann\n", "Pay 9,500 euros.\nCall Bob\n"
    ).merged()
    #expect(contested.body == "Pay 9,500 euros.\nCall Bob\n")
    #expect(contested.conflicts.count == 2)
    #expect(contested.conflicts.first?.others == passage.others)
  }

  @Test("A passage between two places that become contested is part of the new one")
  func liesBetweenOthers() throws {
    let first = try TwoCopies(
      ofText: "Pay 12,000 euros to Ann by Monday\n", "Pay 11,000 euros to Ann by Monday\n",
      "Pay 9,500 euros to Ann by Monday\n"
    ).merged()
    let ours = "Send 9,500 euros to Ann by Friday\n"
    let theirs = "Give 9,500 euros to Ann by Tuesday\n"
    let merged = try Self.divergence(from: first, ours, theirs).merged()
    #expect(merged.body == theirs)
    #expect(merged.conflicts.count == 1)
    // Both had seen what else the amount might be, and neither settled it.
    let others = merged.conflicts.flatMap(\.others).compactMap(\.node)
    #expect(
      others == [
        .text("Send 9,500 euros to Ann by Friday"), .text("Give 11,000 euros to Ann by Tuesday"),
        .text("Send 11,000 euros to Ann by Friday"),
      ])
  }

  @Test("Who writes on in a line that counts once has it apart", arguments: [false, true])
  func lineThatGoesOn(isOurs: Bool) throws {
    let (one, other) = ("milk\njam\n", "milk\nbread\njam\n")
    var apart = try TwoCopies(ofText: "milk\n", isOurs ? one : other, isOurs ? other : one)
    func write(in document: inout Document) throws {
      try document.write("milk\nplum jam\n", by: 4)
    }
    if isOurs { try write(in: &apart.ours) } else { try write(in: &apart.theirs) }
    let lines = Set(try apart.merged().body.split(separator: "\n"))
    #expect(lines.isSubset(of: ["milk", "jam", "plum jam", "bread"]), "\(lines)")
  }

  @Test("A passage that one side settled stays settled, whatever the other one did beside it")
  func settledByOne() throws {
    let first = try Self.payment().merged()
    let merged = try Self.divergence(from: first, "Pay 10,000 now\n", "Pay 9,500 now\nBye\n")
      .merged()
    #expect(merged.body == "Pay 10,000 now\nBye\n")
    #expect(merged.conflicts.isEmpty)
    let apart = try Self.divergence(from: first, "Pay 10,000 now\n", "Pay 8,000 now\n").merged()
    #expect(apart.body == "Pay 8,000 now\n")
    #expect(apart.conflicts.flatMap(\.others).compactMap(\.node) == [.text("10,000")])
  }

  @Test("A copy that was forged to have no passages is refused, whichever comes first")
  func leftOut() throws {
    let first = try Self.payment().merged()
    var forged = try DocumentFile(first.bytes())
    forged.passages = [:]
    #expect(Document.validate(bytes: forged.bytes()).map(\.section) == ["passages"])
    let raw = try #require(Document(bytes: forged.bytes()).body.split(separator: "\n").first)
    var apart = try Self.divergence(from: first, first.body + "Bye\n", first.body)
    apart.theirs = try Document(bytes: forged.bytes())
    try apart.theirs.write("Now\n\(raw)\n", by: 6)
    for (one, other) in [(apart.ours, apart.theirs), (apart.theirs, apart.ours)] {
      var copy = one
      #expect(throws: MergeError.self) { try copy.merge(other) }
      #expect(copy.bytes() == one.bytes())
    }
  }

  @Test("A repair finds the passages of a file from before there were any")
  func older() throws {
    let merged = try Self.payment().merged()
    var file = try DocumentFile(merged.bytes())
    file.passages = [:]
    // Whoever edits is told what whoever checks is told.
    let fault = try #require(Document.validate(bytes: file.bytes()).first)
    #expect(throws: fault) { try Document(bytes: file.bytes()).checkTexts() }
    let repair = Document.repair(copies: [file.bytes()])
    #expect(repair.document?.bytes() == merged.bytes())
    #expect(repair.copies.map(\.reading) == [.restored(.derived)])
  }
}
