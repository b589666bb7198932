import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/resolve.txt`.
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

  @Test("an interactive dry run writes nothing")
  func dryRun() {
    let before = host["a"]
    let run = ask("merge", "-i", "-n", "a", "b", answers: ["1", "1", "y"])
    #expect(run.output.contains("would resolve 2 of 2"))
    #expect(host["a"] == before)
  }
}
