import Peernote
import PnmergeCommands
import Testing

@Suite("A review at the terminal") struct ReviewDialogTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func review(_ words: String..., answers: [String]) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(["review"] + words)
  }

  private func get(_ path: String) -> String { host.pnmerge("cat", "a", path).output }

  @Test("lists, whole sentences with struck and added words, people, result: all before a write")
  func whole() throws {
    let run = review("a", "b", answers: ["ada", "2", "y"])
    #expect(run.status == .done, "\(run)")
    for part in [
      "2 conflicts:\n", "  1  body:1  bob \"two\", ada \"one\"\n",
      "  2  title  bob \"V\", ada \"U\"\n",
      "Nobody contests these; to leave one out: decline NUMBER.\n",
      "  4  body:3  \"Bring a coat.\" became \"Bring a red coat.\" (ada, 20 Nov 14:02)\n",
      "  3  l, \"Row\", n  1 became 2 (bob, 20 Nov 14:02)\n",
      "1 of 2  body  written against each other (/body:1)\n",
      "  before:\n     We meet at noon in the hall.\n",
      "  2  ada, 20 Nov 14:02, mine:\n     We meet at [-noon-]{+one+} in the hall.\n",
      "1 bob, 2 ada [m]ine, [b]oth, bef[o]re, [e]dit, ",
      "  Result:\n     We meet at one in the hall.\n",
      "2 of 2  title  set on both sides (/title)\n  before:\n     T\n",
      "What a will hold that it does not hold now:\n", "\"n\": [-1-]{+2+}", "Write it? [y]es",
    ] { #expect(run.errors.contains(part), "\(part) in \(run.errors)") }
    #expect(run.output.contains("resolved 2 of 2"), "\(run.output)")
    #expect(get("/title") == "\"U\"\n")
    #expect(get("/body") == "\"We meet at one in the hall.\\n\\nBring a red coat.\\n\"\n")
    #expect(get("/l/0/n") == "2\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    #expect(host.pnmerge("undo", "a").status == .done)
    #expect(get("/title") == "\"U\"\n" && get("/l/0/n") == "1\n")
  }

  @Test("in whole words, without numbers and colours, for screen readers")
  func plain() {
    host.variables["TERM"] = "xterm"
    let run = review("--plain", "a", "b", answers: ["bob", "before", "yes"])
    #expect(run.status == .done && !run.errors.contains("\u{1B}"), "\(run)")
    #expect(run.errors.contains("bob, mine, both, before, edit, skip, back, write, quit, help: "))
    #expect(run.errors.contains("  ada, 20 Nov 14:02, mine:\n"))
    #expect(get("/title") == "\"T\"\n")
    let coloured = review("-n", "a", "b", answers: ["q"])
    #expect(coloured.errors.contains("\u{1B}["), "\(coloured)")
    host.variables["NO_COLOR"] = "1"
    #expect(!review("-n", "a", "b", answers: ["q"]).errors.contains("\u{1B}"))
  }

  @Test("left before the end, nothing is written", arguments: [["q"], ["ada", "q"], ["w", "n"]])
  func left(answers: [String]) {
    let before = host["a"]
    let run = review("a", "b", answers: answers)
    #expect(run.status == .different && run.output == "a: nothing was written\n", "\(run)")
    #expect(host["a"] == before)
    // Who leaves wants no answer back.
    #expect(!review("a", "b", answers: ["q"]).errors.contains("taken up"))
  }

  @Test("an interrupt writes nothing, and keeps the answers for the next time")
  func interrupted() {
    let before = host["a"]
    let nothing = review("a", "b", answers: ["\u{3}"])
    #expect(nothing.status == .interrupted && nothing.output == "a: nothing was written\n")
    host.useEditor { $0 + "!" }
    let run = review("a", "b", answers: ["e", "d 4", "\u{3}"])
    #expect(run.status == .interrupted && host["a"] == before, "\(run)")
    #expect(run.output == "a: nothing was written; 2 answers kept for the next time\n")
    let next = review("a", "b", answers: ["ada", "y"])
    #expect(next.errors.hasPrefix("2 answers of last time are taken up; undo takes them back.\n"))
    #expect(next.status == .done && get("/title") == "\"U\"\n", "\(next)")
    #expect(get("/body") == "\"We meet at two! in the hall.\\n\\nBring a coat.\\n\"\n")
    #expect(
      !host.entries.keys.contains {
        $0.visible.contains("/reviews/") && $0.visible.hasSuffix(".json")
      })
  }

  @Test("answers about another merge are not taken up")
  func movedOn() {
    _ = review("a", "b", answers: ["ada", "\u{3}"])
    host.pnmerge("set", "b", "/new", "1", "--author", "bob")
    #expect(!review("a", "b", answers: ["q"]).errors.contains("taken up"))
  }

  @Test("decisions are taken back, listed, and made for one person everywhere")
  func commands() {
    let run = review(
      "a", "b",
      answers: ["all mine", "u", "bob", "l", "k", "s", "u", "?", "9", "all bob", "y"])
    #expect(run.status == .done, "\(run)")
    #expect(run.errors.contains("  Decided 2 places.\n"))
    #expect(run.errors.contains("  1  body:1  bob \"two\", ada \"one\" (bob)\n"))
    #expect(run.errors.contains("all NAME takes that version"))
    #expect(get("/title") == "\"V\"\n")
    #expect(get("/body").contains("at two"))
  }

  @Test("what nobody contests can be left out, also where nothing else is asked")
  func declining() {
    let run = review("a", "b", answers: ["d 9", "d 1", "d 3", "all mine", "y"])
    #expect(run.errors.contains("Give the number of a change that nobody contests"), "\(run)")
    #expect(run.output.contains("  left out 1 change\n"))
    #expect(get("/l/0/n") == "1\n" && host.pnmerge("conflicts", "a").status == .done)
    host.copy("a", "c")
    host.pnmerge("set", "c", "/l/0/n", "5", "--author", "cleo")
    host.pnmerge("set", "c", "/more", "6", "--author", "cleo")
    let quiet = review("a", "c", answers: ["d 1", "y"])
    #expect(quiet.errors.contains("No conflicts."), "\(quiet)")
    #expect(get("/l/0/n") == "1\n" && get("/more") == "6\n")
  }

  @Test("what was removed from a list comes back where it stood, and what was moved goes back")
  func decliningElements() {
    host.setText(
      "o.json",
      #"{"title":"O","l":[{"id":1,"p":{"x":1}},{"id":2,"p":{"x":1}},{"id":3},{"id":4},{"id":5}]}"#)
    host.pnmerge("new", "o", "--json-file", "o.json", "--author", "ada")
    host.copy("o", "p")
    for words in [
      ["remove", "p", "/l/2"], ["remove", "p", "/l/0"], ["move", "p", "/l/2", "/l/0"],
      ["insert", "p", "/l/1", #"{"id":6}"#], ["remove", "p", "/l/2/p/x"],
    ] { #expect(host.pnmerge(words + ["--author", "bob"]).status == .done, "\(words)") }
    func names() -> String {
      host.pnmerge("cat", "o", "/l").output.matches(of: #/"id": ([0-9])/#).map { String($0.1) }
        .joined()
    }
    host.copy("o", "kept")
    let all = review("o", "p", answers: ["d 1", "d 2", "d 3", "d 4", "d 5", "y"])
    #expect(!all.errors.contains("cannot be left out"), "\(all)")
    #expect(all.errors.contains("nothing but history"), "\(all)")
    #expect(names() == "12345" && host.pnmerge("cat", "o", "/l/1/p/x").output == "1\n", "\(all)")
    for (declined, wanted) in [
      ("removed; it was {\"p\"", "56124"), ("removed; it was {\"id\":3", "56234"),
      ("moved from place 5", "6245"), ("removed; it was 1", "5624"),
    ] {
      host.copy("kept", "o")
      let list = review("-n", "o", "p", answers: ["q"]).errors
      let line = list.split(separator: "\n").first { $0.contains(declined) } ?? ""
      let number = line.split(separator: " ").first.map(String.init) ?? ""
      let run = review("o", "p", answers: ["d \(number)", "y"])
      #expect(names() == wanted, "\(declined) \(run)")
      #expect(host.pnmerge("conflicts", "o").status == .done)
    }
    #expect(host.pnmerge("cat", "o", "/l/2/p/x").output == "1\n")
  }

  @Test("what stands right beside a contested passage says who wrote it")
  func beside() {
    for (file, author, hour, first, coat) in [
      ("a", "ada", "one", "New. ", ""), ("b", "bob", "two", "", "Bring a coat.\\n"),
    ] {
      host.pnmerge(
        "set", file, "/body", "\"\(first)We meet at \(hour) in the hall.\\n\\n\(coat)\"",
        "--author",
        author)
    }
    let run = review("a", "b", answers: ["d 4", "d 5", "all bob", "y"])
    #expect(
      run.errors.contains(
        "  4  body:1  \"We meet at noon in the hall.\" became \"New. We meet at noon in the hall.\" "
          + "(ada, 20 Nov 14:02) (cannot be left out by itself, as something contested is right "
          + "beside it)\n"), "\(run)")
    #expect(run.errors.contains("  5  body:3  removed \"Bring a coat.\" (ada, 20 Nov 14:02)\n"))
    #expect(run.errors.contains("  That cannot be left out by itself, as something contested"))
    #expect(
      get("/body") == "\"New. We meet at two in the hall.\\n\\nBring a coat.\\n\"\n", "\(run)")
  }

  @Test("the editor opens one file with before, each person's and the result, and reads it back")
  func editors() {
    var seen = ""
    host.useEditor { text in
      seen = text
      return text + "-thirty"
    }
    let run = review("a", "b", answers: ["e", "all mine", "y"])
    #expect(run.status == .done, "\(run)")
    for part in [
      "\n  before:\nWe meet at noon in the hall.\n",
      "  1  bob, 20 Nov 14:02, shown unless decided:\nWe meet at two in the hall.\n",
      "It stands between \"We meet at \" and \" in the hall.\".\n",
      "\n========================================\ntwo",
    ] { #expect(seen.contains(part), "\(part) in \(seen)") }
    #expect(get("/body").contains("We meet at two-thirty in the hall."))
    #expect(host.entries.keys.allSatisfy { !$0.visible.hasPrefix("/tmp/") })
  }

  @Test("an editor that is left without a change, or fails, or loses the line, decides nothing")
  func failingEditors() {
    host.useEditor { $0 }
    let unchanged = review("a", "b", answers: ["e", "q"])
    #expect(unchanged.errors.contains("Nothing was edited, and nothing is decided."))
    host.useEditor(status: 1) { $0 + "W" }
    let failed = review("a", "b", answers: ["e", "q"])
    #expect(failed.errors.contains("the editor ended with status 1"))
    #expect(failed.errors.contains("nothing is decided."), "\(failed.errors)")
    host.useEditor { _ in "W" }
    let lost = review("a", "b", answers: ["e", "n", "q"])
    #expect(lost.errors.contains("is missing, below which the text begins"), "\(lost.errors)")
    #expect(get("/title") == "\"U\"\n")
  }

  @Test("a dry run writes nothing, and says what would be done")
  func dryRun() {
    let before = host["a"]
    let run = review("-n", "a", "b", answers: ["all mine", "y"])
    #expect(run.output.contains("would resolve 2 of 2"), "\(run)")
    #expect(host["a"] == before)
  }

  @Test("what a schema would refuse stands at the choice, and nothing else is taken back for it")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"not":{"const":"T"}}}}"#)
    let run = review("a", "b", "--schema", "s.json", answers: ["ada", "o", "all mine", "ada", "y"])
    #expect(run.errors.contains("  would be refused: /title: "), "\(run)")
    #expect(run.errors.contains("a: would break the schema: /title"), "\(run)")
    #expect(run.errors.contains("Decide it otherwise, or leave with quit."))
    #expect(run.status == .done && get("/title") == "\"U\"\n" && get("/body").contains("at one"))
  }

  @Test("all of a long text is shown in a pager")
  func pager() {
    var shown = ""
    host.variables["PAGER"] = "pg"
    host.program = { [unowned host] arguments in
      shown = String(
        decoding: arguments.last.flatMap { host.entries[$0]?.bytes } ?? [], as: UTF8.self)
      return ProcessResult(status: 0)
    }
    let run = review("a", "b", answers: ["v", "q"])
    #expect(run.status == .different, "\(run)")
    #expect(shown.contains("before:\n     We meet at noon in the hall.\n"), "\(shown)")
    #expect(shown.contains("  We meet at [-noon-]{+two+} in the hall.\n"))
  }

  @Test("one file alone is reviewed for what is open in it")
  func alone() {
    host.pnmerge("merge", "a", "b")
    let run = review("a", answers: ["ada", "bob", "y"])
    #expect(run.status == .done && run.output == "a: resolved 2 of 2\n", "\(run)")
    #expect(get("/body").contains("at one") && get("/title") == "\"V\"\n")
  }

  @Test("folders are reviewed as one: all notes that differ, then what else is to be merged")
  func folders() throws {
    for folder in ["x", "y"] { try host.makeDirectory(FileName(folder), isPrivate: false) }
    host.copy("a", "x/one.peernote")
    host.copy("b", "y/one.peernote")
    host.pnmerge("new", "y/new.peernote", "--title", "New")
    host.pnmerge("new", "x/two.peernote", "--title", "0")
    host.copy("x/two.peernote", "y/two.peernote")
    for folder in ["x", "y"] {
      host.pnmerge("edit", "\(folder)/two.peernote", "--title", folder, "--author", "\(folder)er")
    }
    let run = review("x", "y", answers: ["ada", "bob", "yer", "y"])
    #expect(run.status == .done, "\(run)")
    #expect(run.errors.contains("x/two.peernote: title"), "\(run.errors)")
    #expect(host.pnmerge("cat", "x/two.peernote", "/title").output == "\"y\"\n")
    #expect(host.pnmerge("cat", "x/one.peernote", "/title").output == "\"V\"\n")
    #expect(host["x/new.peernote"] == host["y/new.peernote"])
    host.copy("a", "x/one.peernote")
    host.pnmerge("merge", "x", "y")
    host.copy("b", "y/one.peernote")
    let open = review("x", answers: ["q"])
    #expect(open.errors.contains("2 conflicts"), "\(open)")
  }

  @Test("without a terminal, with streams or nonsense, there is one line and status 64")
  func refusals() throws {
    let before = host["a"]
    let run = host.pnmerge("review", "a", "b")
    #expect(run.status == .usage)
    #expect(
      run.errors
        == "pnmerge: a review needs a terminal; to see what a merge would do: "
        + "pnmerge merge -n a b\n")
    host.terminals = [.input, .error]
    try host.makeDirectory(FileName("d"))
    for words in [["review"], ["review", "a", "-"], ["review", "-", "b"], ["review", "a", "d"]] {
      #expect(host.pnmerge(words).status == .usage)
    }
    #expect(host["a"] == before)
  }

  @Test("what documents hold cannot act on the terminal")
  func hostile() {
    host.pnmerge("set", "b", "/title", #""\u001b[2J\u202e""#, "--author", "b\u{1B}[0m")
    let run = review("a", "b", answers: ["s", "v", "q"])
    #expect(!run.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    #expect(run.errors.contains(#"\u{1b}[2J\u{202e}"#))
  }
}
