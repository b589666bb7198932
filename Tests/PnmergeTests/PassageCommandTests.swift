import Peernote
import PnmergeCommands
import Testing

@Suite("Contested passages by command")
struct PassageCommandTests {
  private let host = MemoryHost()

  /// Two copies that pay different sums on different lines.
  init() {
    host.setText(
      "i.json", #"{"body":{"$text":"Pay 12,000 euros.\nThen rest.\nSend 3 letters.\n"}}"#)
    host.pnmerge("new", "a", "--json-file", "i.json", "--agent", "a0")
    host.copy("a", "b")
    for (file, first, second) in [("a", "11,000", "4"), ("b", "9,500", "5")] {
      host.pnmerge(
        "set", file, "/body",
        "\"Pay \(first) euros.\\nThen rest.\\nSend \(second) letters.\\n\"", "--author",
        file == "a" ? "desk" : "phone", "--agent", "\(file)1")
    }
  }

  private var body: String { host.pnmerge("cat", "a", "/body", "--raw").output }

  @Test("a merge shows one side's words, says so, and lists the other's until they are settled")
  func merging() throws {
    let run = host.pnmerge("merge", "a", "b", "--json")
    #expect(run.output.contains(#""kind":"passage""#), "\(run.output)")
    #expect(body == "Pay 9,500 euros.\nThen rest.\nSend 5 letters.\n")
    let list = host.pnmerge("conflicts", "a")
    #expect(list.status == .different)
    #expect(list.output.contains("/body:1"), "\(list.output)")
    #expect(list.output.contains("/body:3"))
    #expect(list.output.contains("00000000000000b1.1  kept    \"Pay 9,500 euros.\" (phone"))
    #expect(list.output.contains("00000000000000a1.1          \"Pay 11,000 euros.\" (desk"))
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("the merge of either into the other writes the same bytes")
  func order() {
    host.copy("a", "c")
    host.copy("b", "d")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("merge", "d", "c")
    #expect(host["a"] == host["d"])
  }

  @Test("readings are taken by the name of their change, on one line or on all")
  func taking() {
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("resolve", "a", "/body", "--take", "00000000000000a1", "--line", "1")
    #expect(run.output == "a: resolved /body\n", "\(run.errors)")
    #expect(body == "Pay 11,000 euros.\nThen rest.\nSend 5 letters.\n")
    #expect(host.pnmerge("conflicts", "a").output.contains("/body:3"))
    #expect(host.pnmerge("resolve", "a", "/body", "--take", "kept").status == .done)
    #expect(body == "Pay 11,000 euros.\nThen rest.\nSend 5 letters.\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("both readings can be kept, or another be written")
  func writing() {
    host.pnmerge("merge", "a", "b")
    let many = host.pnmerge("resolve", "a", "/body", "--value", "\"1\"")
    #expect(many.status == .usage)
    #expect(many.errors.contains("there are several conflicts at /body"))
    #expect(
      host.pnmerge("resolve", "a", "/body", "--line", "3", "--value", "\"7\"").status == .done)
    #expect(host.pnmerge("resolve", "a", "/body", "--take", "both").status == .done)
    #expect(body == "Pay 9,500 11,000 euros.\nThen rest.\nSend 7 letters.\n")
    // Or with the rest of the sentence, as it is listed.
    host.pnmerge("undo", "a")
    host.pnmerge("resolve", "a", "/body", "--value", "\"Pay 10,000 euros.\"")
    #expect(body == "Pay 10,000 euros.\nThen rest.\nSend 7 letters.\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("both readings have a line once that neither changed")
  func bothLines() {
    host.setText("x", "a\nb\nc\nd\ne\n")
    host.pnmerge("new", "m", "--body-file", "x", "--agent", "1")
    host.copy("m", "n")
    host.setText("x", "a\nb\nc edited\nd\ne\n")
    host.pnmerge("edit", "m", "--body-file", "x", "--agent", "2")
    host.setText("x", "a\nb\nd\ne\n")
    host.pnmerge("edit", "n", "--body-file", "x", "--agent", "3")
    host.pnmerge("merge", "m", "n")
    #expect(host.pnmerge("resolve", "m", "/body", "--take", "both").status == .done)
    #expect(host.pnmerge("cat", "--body", "m").output == "a\nb\nc edited\nd\ne\n")
  }

  @Test("an edit of the passage settles it; undoing that brings nothing back that was hidden")
  func editing() {
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge(
      "set", "a", "/body", "\"Pay 9,000 euros.\\nThen rest.\\nSend 5 letters.\\n\"")
    #expect(
      run.output.hasPrefix(
        "a: set /body\n  settled the conflict at /body:1: it also had \"11,000\" (desk, "),
      "\(run.output)")
    #expect(!run.output.contains("/body:3"))
    let left = host.pnmerge("conflicts", "a").output
    #expect(!left.contains("/body:1"), "\(left)")
    #expect(left.contains("/body:3"))
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("an export that comes back edited says which readings it settles, and it alone")
  func comingBack() {
    host.pnmerge("merge", "a", "b")
    host.pnmerge("export", "a", "-o", "x.json", "--with-version")
    let text = String(decoding: host["x.json"] ?? [], as: UTF8.self)
      .replacing("Then rest", with: "Then sleep")
    host.setText("x.json", text)
    #expect(host.pnmerge("import", "x.json", "-o", "a").output == "a: changed /body\n")
    host.setText("x.json", text.replacing("5 letters", with: "6 letters"))
    let run = host.pnmerge("import", "x.json", "-o", "a")
    #expect(
      run.output.contains("  settled the conflict at /body:3: it also had \"4\" (desk, "),
      "\(run.output)")
    #expect(body == "Pay 9,500 euros.\nThen sleep.\nSend 6 letters.\n")
    #expect(!host.pnmerge("conflicts", "a").output.contains("/body:3"))
  }

  @Test("whatever shows the content shows readings, never what both wrote")
  func reading() {
    host.copy("a", "before")
    host.pnmerge("merge", "a", "b")
    for arguments in [
      ["diff", "before", "a"],
      ["diff", "a", "--at", "00000000000000a1.1"], ["log", "-p", "a"], ["blame", "a"],
      ["cat", "a"],
      ["cat", "--at", "00000000000000b1.1", "a"], ["merge", "-n", "-v", "before", "a"],
      ["status", "-v", "before", "b"], ["export", "a"], ["git", "textconv", "a"],
    ] {
      let run = host.pnmerge(arguments)
      #expect(!run.output.isEmpty, "\(arguments): \(run.errors)")
      for torn in ["11,0009,500", "9,50011,000", "45", "54"] {
        #expect(!run.output.replacing(/[0-9a-f]{16}/, with: "").contains(torn), "\(arguments)")
      }
    }
  }

  @Test("a reading that is not shown is redacted once it is settled")
  func redacting() {
    host.pnmerge("merge", "a", "b")
    let first = host.pnmerge("redact", "a", "--matching", "11,000")
    #expect((first.output + first.errors).contains("still held in 1 contested passage; resolve"))
    host.pnmerge("resolve", "a", "/body", "--take", "kept")
    let second = host.pnmerge("redact", "a", "--matching", "11,000")
    #expect(second.status == .done, "\(second.errors)")
    #expect(host["a"].map { String(decoding: $0, as: UTF8.self).contains("11,000") } == false)
    #expect(body == "Pay 9,500 euros.\nThen rest.\nSend 5 letters.\n")
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("sync and tidy merge copies so, say what is contested, and status counts it")
  func folders() throws {
    for folder in ["n", "m"] { try host.makeDirectory(FileName(folder)) }
    let copy = "n/pay.sync-conflict-20261101-101010-ABCDEFG.peernote"
    host.copy("a", "n/pay.peernote")
    host.copy("b", copy)
    let tidy = host.pnmerge("tidy", "n")
    #expect(tidy.output.hasPrefix("n/pay.peernote: 2 conflicts (2 passages); to see them: "))
    #expect(tidy.output.hasSuffix("1 note: 1 merged, 1 folded into their notes\n"))
    host.copy("a", "m/pay.peernote")
    host.pnmerge("sync", "n", "m")
    host.pnmerge("merge", "a", "b")
    #expect(host["n/pay.peernote"] == host["a"])
    #expect(host["m/pay.peernote"] == host["a"])
    #expect(host.pnmerge("status", "n").output.contains("2 conflicts to resolve"))
    #expect(host.pnmerge("tidy", "n").output == "1 note, nothing to do\n")
  }

  @Test("passages on one line are told apart by their columns")
  func columns() {
    func line(_ first: String, _ second: String) -> String {
      "Ünder the plan pay \(first) euros to the owner. The committee meets again in the autumn, "
        + "when all are back home. It then sends \(second) letters."
    }
    host.setText("j.json", "{\"body\":{\"$text\":\"\(line("12", "3"))\\n\"}}")
    host.pnmerge("new", "c", "--json-file", "j.json", "--agent", "c0")
    host.copy("c", "d")
    for (file, first, second) in [("c", "11", "4"), ("d", "95", "5")] {
      host.pnmerge(
        "set", file, "/body", "\"\(line(first, second))\\n\"", "--agent", "\(file)1")
    }
    host.pnmerge("merge", "c", "d")
    let list = host.pnmerge("conflicts", "c").output
    #expect(list.contains("/body:1:20\n") && list.contains("/body:1:122\n"), "\(list)")
    let json = host.pnmerge("conflicts", "c", "--json").output
    #expect(json.contains(#""line":1,"column":20,"#), "\(json)")
    let wrong = host.pnmerge("resolve", "c", "/body", "--line", "1:2", "--value", "\"7\"")
    #expect(wrong.status == .usage)
    #expect(
      wrong.errors.contains(
        "no conflict at /body:1:2; there is one at /body:1:20 and /body:1:122"))
    #expect(
      host.pnmerge("resolve", "c", "/body", "--line", "1:122", "--value", "\"7\"").status == .done)
    #expect(
      host.pnmerge("cat", "c", "/body", "--raw").output
        == "\(line("95", "7"))\n")
    // Alone on its line it needs none.
    #expect(host.pnmerge("conflicts", "c").output.contains("/body:1\n"))
    #expect(
      host.pnmerge("resolve", "c", "/body", "--line", "1", "--take", "kept").status == .done)
    #expect(host.pnmerge("conflicts", "c").status == .done)
    #expect(host.pnmerge("resolve", "c", "/body", "--line", "x", "--take", "kept").status == .usage)
  }

  @Test("what is offered can be had: nothing is yours where you had nothing")
  func offered() {
    host.copy("a", "before")
    host.pnmerge("merge", "b", "a", "-o", "c")
    // On this machine nothing tells whose is what.
    let run = host.pnmerge("resolve", "c", "/body", "--take", "ffff", "--line", "1")
    #expect(run.status == .usage)
    #expect(run.errors.contains("--take can be kept, both, 0000"), "\(run.errors)")
    host.pnmerge("merge", "a", "b")
    let known = host.pnmerge("resolve", "a", "/body", "--take", "ffff", "--line", "1")
    #expect(
      known.errors.contains("--take can be kept, mine, theirs, both, 0000"),
      "\(known.errors)")
  }

  @Test(
    "both versions of several lines stand one after the other, whole",
    arguments: [
      ("- a1\n- b1\n", "- ann x\n", "- ben p\n- ben q\n", ["- ann x\n", "- ben p\n- ben q\n"]),
      (
        "Aa.\n\nTwo cc.\n\nFf.\n", "Aa.\n\nZwei eins.\n\nZwei zwei.\n\nFf.\n",
        "Aa.\n\nDos uno.\n\nDos dos.\n\nFf.\n",
        ["Zwei eins.\n\nZwei zwei.\n", "Dos uno.\n\nDos dos.\n"]
      ),
    ])
  func bothWhole(base: String, ours: String, theirs: String, parts: [String]) {
    let host = MemoryHost()
    host.setText("t", base)
    host.pnmerge("new", "a", "--body-file", "t")
    host.copy("a", "b")
    for (file, text) in [("a", ours), ("b", theirs)] {
      host.setText("t", text)
      host.pnmerge("edit", file, "--body-file", "t")
    }
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "a").status == .different)
    host.pnmerge("resolve", "a", "--all", "--take", "both")
    let body = host.pnmerge("cat", "--body", "a").output
    for part in parts { #expect(body.contains(part), "\(body)") }
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test(
    "what a passage is to read needs no quotation marks", arguments: ["10", "- new item", "null"])
  func words(value: String) {
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("resolve", "a", "/body:3", "--value", value)
    #expect(run.status == .done && body.contains("Send \(value) letters."), "\(run) \(body)")
  }

  @Test("what stood before is not told where somebody moved the words meanwhile")
  func movedBefore() {
    let host = MemoryHost()
    func write(_ file: String, _ text: String) {
      host.setText("t", text)
      host.pnmerge("edit", file, "--body-file", "t")
    }
    host.setText("t", "Meet at 9 sharp. Bring food.\n\nSecond paragraph here.\n")
    host.pnmerge("new", "a", "--body-file", "t")
    for copy in ["b", "c"] { host.copy("a", copy) }
    write("a", "Meet at 8 sharp. Bring food.\n\nSecond paragraph here.\n")
    write("b", "Meet at 10 sharp. Bring food.\n\nSecond paragraph here.\n")
    write("c", "Second paragraph here.\n\nMeet at 9 sharp. Bring food.\n")
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "a").output.contains("before  \"Meet at 9 sharp. \"\n"))
    host.pnmerge("merge", "a", "c")
    let moved = host.pnmerge("conflicts", "a")
    #expect(moved.status == .different && !moved.output.contains("before"), "\(moved)")
  }
}
