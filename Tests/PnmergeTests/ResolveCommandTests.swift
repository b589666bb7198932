import Peernote
import PnmergeCommands
import Testing

@Suite("Settling conflicts")
struct ResolveCommandTests {
  private let host = MemoryHost()

  /// Two copies: titles set on both sides, a passage changed on both, an element removed on one
  /// side and changed on the other.
  init() {
    host.setText(
      "i.json",
      #"{"title":"T","body":{"$text":"We meet in the hall at noon.\n"},"l":[{"t":{"$text":"x"}},1]}"#
    )
    host.pnmerge("new", "a", "--json-file", "i.json", "--agent", "a0")
    host.copy("a", "b")
    host.pnmerge("set", "a", "/title", "\"U\"", "--author", "desk", "--agent", "a1")
    host.pnmerge(
      "set", "a", "/body", "\"We meet in the old hall at noon.\\n\"", "--agent", "a2")
    host.pnmerge("set", "a", "/l/0/t", "\"xy\"", "--agent", "a3")
    host.pnmerge("set", "b", "/title", "\"V\"", "--author", "phone", "--agent", "b1")
    host.pnmerge(
      "set", "b", "/body", "\"We meet in the great hall at noon.\\n\"", "--agent", "b2")
    host.pnmerge("remove", "b", "/l/0", "--agent", "b3")
  }

  private func open(_ file: String = "a") throws -> [Conflict] {
    try Document(bytes: host[file] ?? []).conflicts
  }

  private func get(_ path: String) -> String { host.pnmerge("cat", "a", path).output }

  @Test("what is undecided is listed with the names to take")
  func listing() throws {
    #expect(host.pnmerge("conflicts", "a").output == "a: no conflicts\n")
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("conflicts", "a")
    #expect(run.status == .different)
    #expect(
      run.output.contains(
        """
        /title
                              before  "T"
          00000000000000b1.1  kept    "V" (phone, 20 Nov 14:02)
          00000000000000a1.1          "U" (desk, 20 Nov 14:02)
        """), "\(run.output)")
    #expect(run.output.contains("00000000000000b3.1          deleted (me"))
    #expect(
      host.pnmerge("conflicts", "a", "--json").output.contains(
        #""path":"/title","kind":"register","tier":"contested","what":"set on both sides","before":"#
      ))
  }

  @Test("each side can be taken by its name")
  func taking() throws {
    host.pnmerge("merge", "a", "b")
    #expect(
      host.pnmerge("resolve", "a", "/title", "--take", "00000000000000a").output
        == "a: resolved /title\n")
    #expect(get("/title") == "\"U\"\n")
    #expect(try open().map(\.path.description) == ["/l/0"])
    let removal = host.pnmerge("resolve", "a", "/l/0", "--take", "00000000000000b3.1")
    #expect(removal.output == "a: resolved /l/0\n", "\(removal.errors)")
    #expect(try open().isEmpty)
    #expect(get("/l") == "[\n  1\n]\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("what stands there can be kept, and does not change")
  func keeping() throws {
    host.pnmerge("merge", "a", "b")
    let before = try Document(bytes: host["a"] ?? []).root
    #expect(host.pnmerge("resolve", "a", "/title", "--take", "kept").status == .done)
    #expect(host.pnmerge("resolve", "a", "/l/0", "--take", "kept").status == .done)
    #expect(try open().isEmpty)
    #expect(try Document(bytes: host["a"] ?? []).root == before)
  }

  @Test("another value settles, too")
  func values() throws {
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("resolve", "a", "/title", "--value", "\"W\"").status == .done)
    #expect(host.pnmerge("resolve", "a", "/l/0", "--value", #"{"t":"z"}"#).status == .done)
    #expect(get("/title") == "\"W\"\n")
    #expect(host.pnmerge("cat", "a", "/l/0/t", "--exact").output.contains("$text"))
    #expect(try open().isEmpty)
  }

  @Test("a merge of settled copies stays settled")
  func settledCopies() throws {
    host.pnmerge("merge", "a", "b")
    host.pnmerge("resolve", "a", "/title", "--take", "00000000000000a")
    #expect(host.pnmerge("merge", "b", "a").status == .done)
    #expect(host["a"] == host["b"])
    #expect(try open("b").map(\.path.description) == ["/l/0"])
  }

  @Test(
    "wrong words are status 64, and nothing is written",
    arguments: [
      ["/title"], ["/none", "--take", "kept"], ["/title", "--take", "ff"],
      ["/title", "--take", "00000000000000"], ["/title", "--take", ""],
      ["/title", "--take", "kept", "--value", "1"], ["/title", "--value", "{x"],
      ["/title", "--interactive"], ["--interactive"], [],
    ])
  func refusals(arguments: [String]) {
    host.pnmerge("merge", "a", "b")
    let before = host["a"]
    let run = host.pnmerge((["resolve", "a"] + arguments).map { Array($0.utf8) })
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("pnmerge: ") && run.errors.count { $0 == "\n" } == 1)
    #expect(host["a"] == before)
  }

  // MARK: At a terminal

  private func ask(_ arguments: String..., answers: [String]) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(arguments.map { Array($0.utf8) })
  }

  @Test("an interactive merge asks about each place and takes what it is told")
  func interactive() throws {
    let run = ask("merge", "-i", "a", "b", answers: ["2", "2", "y"])
    #expect(run.status == .done)
    #expect(host.answers.isEmpty)
    #expect(
      run.errors.contains("1 of 2  l, element 1  deleted on one side, changed on the other (/l/0)"),
      "\(run.errors)")
    #expect(
      run.errors.contains("1  phone, 20 Nov 14:02, shown unless decided:\n     {+V+}\n")
        || run.errors.contains("1  phone, 20 Nov 14:02, shown unless decided:\n     [-T-]{+V+}\n"),
      "\(run.errors)")
    #expect(run.errors.contains("2  desk, 20 Nov 14:02, mine:\n"))
    #expect(run.errors.contains("(nothing)"))
    #expect(run.output.contains("  resolved 2 of 2\n"), "\(run.output)")
    #expect(try open().isEmpty && get("/title") == "\"U\"\n")
  }

  @Test("who stops can go on later")
  func stopping() throws {
    let run = ask("merge", "-i", "a", "b", answers: ["?", "1", "w", "y"])
    #expect(
      run.output.contains("  resolved 1 of 2; 1 left unresolved\n"),
      "\(run.output)")
    #expect(try open().map(\.path.description) == ["/title"])
    let next = ask("resolve", "a", "-i", answers: ["2", "y"])
    #expect(next.output == "a: resolved 1 of 1\n")
    #expect(get("/title") == "\"U\"\n")
    #expect(try open().isEmpty)
    #expect(ask("resolve", "a", "-i", answers: []).output == "a: no conflicts\n")
  }

  @Test("the end of the input leaves everything as it was")
  func endOfInput() throws {
    let before = host["a"]
    let run = ask("merge", "-i", "--strict", "a", "b", answers: ["1"])
    #expect(
      run.status == .interrupted
        && run.output == "a: nothing was written; 1 answer kept for the next time\n", "\(run)")
    #expect(host["a"] == before)
    host.pnmerge("merge", "a", "b")
    let merged = host["a"]
    #expect(ask("resolve", "a", "-i", answers: []).status == .interrupted)
    #expect(host["a"] == merged)
  }

  @Test("without a terminal nothing is asked, and nothing written")
  func noTerminal() {
    let before = host["a"]
    for terminals in [[], [.input], [.error]] as [Set<StandardStream>] {
      host.terminals = terminals
      let run = host.pnmerge("merge", "-i", "a", "b")
      #expect(run.status == .usage)
      #expect(
        run.errors == "pnmerge: a review needs a terminal; on a page instead: "
          + "pnmerge review --html NEW.html a b\n")
    }
    #expect(host.pnmerge("merge", "-i", "a", "-").status == .usage)
    #expect(host["a"] == before)
  }

  @Test("what others write while questions are asked is kept")
  func meanwhile() throws {
    host.terminals = [.input, .error]
    host.answers = ["q"]
    host.pnmerge("merge", "a", "b")
    let other = MemoryHost()
    other["a"] = host["a"]
    other.now = host.now
    other.pnmerge("set", "a", "/new", "1", "--agent", "c1")
    host.useEditor { [host] text in
      host["a"] = other["a"]
      return text + "W"
    }
    let run = ask("resolve", "-i", "a", answers: ["s", "e", "w", "y"])
    #expect(run.output == "a: resolved 1 of 2; 1 left unresolved\n")
    #expect(get("/new") == "1\n")
  }

  // MARK: Conflicts inside of what is undecided itself

  /// One deletes an object, two others set the same name in it.
  private func makeNested() {
    host.setText("n.json", #"{"m":{"k":{"deep":1,"x":"y"}}}"#)
    host.pnmerge("new", "n", "--json-file", "n.json", "--agent", "c0", "--author", "start")
    for copy in ["p", "q"] { host.copy("n", copy) }
    host.pnmerge("remove", "n", "/m/k", "--author", "desk", "--agent", "c1")
    host.pnmerge("set", "p", "/m/k/deep", "2", "--author", "phone", "--agent", "c2")
    host.pnmerge("set", "q", "/m/k/deep", "3", "--author", "tablet", "--agent", "c3")
  }

  @Test("what is settled inside of what stays is as it was settled")
  func nestedChoice() throws {
    makeNested()
    let run = ask("merge", "-i", "n", "p", "q", answers: ["1", "2", "y"])
    #expect(run.output.contains("resolved 2 of 2"), "\(run.output)")
    #expect(host.pnmerge("cat", "n", "/m/k/deep").output == "2\n")
    #expect(try open("n").isEmpty)
  }

  @Test("what stays is left open as long as something inside is: nothing is settled unasked")
  func nestedLater() throws {
    makeNested()
    let run = ask("merge", "-i", "n", "p", "q", answers: ["1", "w", "y"])
    #expect(run.output.contains("resolved 0 of 2; 2 left unresolved"), "\(run.output)")
    #expect(try open("n").map(\.path.description) == ["/m/k", "/m/k/deep"])
    #expect(try open("n").map(\.kept.author) == ["tablet", "tablet"])
    let refusal = host.pnmerge("resolve", "n", "/m/k", "--take", "kept")
    #expect(refusal.status == .usage)
    #expect(refusal.errors == "pnmerge: n: resolve first the conflicts inside: /m/k/deep\n")
    host.pnmerge("resolve", "n", "/m/k/deep", "--take", "00000000000000c2")
    #expect(host.pnmerge("resolve", "n", "/m/k", "--take", "kept").status == .done)
    #expect(host.pnmerge("cat", "n", "/m/k/deep").output == "2\n")
    #expect(try open("n").isEmpty)
  }

  @Test("what stands inside of what goes is not asked about")
  func nestedRemoval() throws {
    makeNested()
    let run = ask("merge", "-i", "n", "p", "q", answers: ["2", "y"])
    #expect(run.output.contains("resolved 2 of 2"), "\(run.output)")
    #expect(host.pnmerge("cat", "n", "/m").output == "{}\n")
  }

  @Test("what was kept for an edit inside names who made that edit")
  func editorsName() throws {
    makeNested()
    let run = host.pnmerge("merge", "n", "p")
    #expect(
      run.output.contains(
        #"/m/k    kept {"x":"y","deep":2} (phone, 20 Nov 14:02), deleted by desk, 20 Nov 14:02"#),
      "\(run.output)")
    let listing = host.pnmerge("conflicts", "n").output
    #expect(listing.contains("  00000000000000c2.1  kept    {"), "\(listing)")
    // More edits of the same kind are no new conflict.
    host.pnmerge("set", "p", "/m/k/x", "5", "--author", "phone", "--agent", "c4")
    let next = host.pnmerge("merge", "n", "p").output
    #expect(next.hasPrefix("n: merged 1 copy: 1 change by phone\n"), "\(next)")
    #expect(try open("n").map(\.kept.change.description) == ["00000000000000c4.1"])
    // Nor is what the author of the removal saw.
    #expect(host.pnmerge("resolve", "n", "/m/k", "--take", "00000000000000c4").status == .done)
    #expect(try open("n").isEmpty)
  }

  @Test("an interactive dry run writes nothing")
  func dryRun() {
    let before = host["a"]
    let run = ask("merge", "-i", "-n", "a", "b", answers: ["1", "1", "y"])
    #expect(run.output.contains("would resolve 2 of 2"))
    #expect(host["a"] == before)
  }
}
