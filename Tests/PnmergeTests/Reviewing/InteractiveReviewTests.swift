import Foundation
import Peernote
import PnmergeCommands
import Testing

/// The review behind `merge -i`, `resolve -i` and `git mergetool`, and what is settled at one go.
@Suite("Reviews behind other commands") struct InteractiveReviewTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func type(_ keys: String, _ words: String...) -> (
    run: MemoryHost.Run, screen: MemoryScreen
  ) {
    let screen = MemoryScreen(typing: keys)
    host.terminals = [.input, .error]
    host.screen = screen
    return (host.pnmerge(words), screen)
  }

  private func get(_ path: String) -> String { host.pnmerge("get", "a", path).output }

  @Test("merge --interactive is a review, into another file, too")
  func merging() {
    let before = host["a"]
    let (run, screen) = type("\ntmy", "merge", "-i", "-o", "c", "a", "b")
    #expect(run.status == .done && run.output.contains("resolved all 2"), "\(run)")
    #expect(screen.text(0).contains("Merge into c") && screen.text(0).contains("Comes in"))
    #expect(screen.text(1).contains("Before\n"))
    #expect(host["a"] == before)
    #expect(host.pnmerge("get", "c", "/title").output == "\"U\"\n")
    let left = type("q", "merge", "-i", "a", "b").run
    #expect(left.status == .different && left.output == "a: nothing was written\n", "\(left)")
    #expect(host["a"] == before)
  }

  @Test("where nothing is to be decided, merge --interactive asks nothing")
  func nothingToDecide() {
    host.copy("a", "c")
    host.pnmerge("set", "c", "/l/0/n", "5", "--author", "cleo")
    let (run, screen) = type("", "merge", "-i", "a", "c")
    #expect(run.status == .done && screen.shown.isEmpty && get("/l/0/n") == "5\n", "\(run)")
  }

  @Test("resolve --interactive shows what stood before, and whose the sides are")
  func resolving() throws {
    host.pnmerge("merge", "a", "b")
    let (run, screen) = type("\noy", "resolve", "-i", "a")
    #expect(run.status == .done && run.output == "a: resolved 1 of 1\n", "\(run)")
    let text = screen.allText
    #expect(screen.text(0).contains("Resolve a") && !text.contains("Comes in"), "\(text)")
    #expect(text.contains("Before\n  T\n") && text.contains("2  Mine, ada"), "\(text)")
    #expect(text.contains("1  Theirs, bob") && text.contains("o before"), "\(text)")
    #expect(get("/title") == "\"T\"\n")
  }

  @Test("what breaks the schema is said in resolve --interactive, and the decision taken back")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"enum":["T","U","V"]}}}"#)
    host.pnmerge("merge", "a", "b")
    host.useEditor { _ in "W" }
    let (run, screen) = type("\ne2y", "resolve", "-i", "--schema", "s.json", "a")
    #expect(screen.allText.contains("would break the schema"), "\(screen.allText)")
    #expect(run.status == .done && get("/title") == "\"U\"\n", "\(run)")
  }

  @Test("an editor that fails in resolve --interactive decides nothing")
  func editor() {
    host.pnmerge("merge", "a", "b")
    let before = host["a"]
    host.useEditor(status: 1) { _ in "W" }
    let (run, screen) = type("\newy", "resolve", "-i", "a")
    #expect(screen.leaveCount == 1 && run.output == "a: resolved 0 of 1; 1 left unresolved\n")
    #expect(run.status == .different && host["a"] == before, "\(run)")
  }

  @Test("what stood before is found for each merge by itself, also where nothing did")
  func severalMerges() throws {
    host.pnmerge("merge", "a", "b")
    for (copy, value) in [("c", "1"), ("d", "2")] {
      host.copy("a", copy)
      host.pnmerge("set", copy, "/new", value, "--author", copy, "--agent", "\(copy)9")
    }
    host.pnmerge("merge", "-q", "c", "d")
    let list = host.pnmerge("conflicts", "c").output
    #expect(list.contains("before  \"T\"\n") && list.contains("before  nothing\n"), "\(list)")
    let json = host.pnmerge("conflicts", "--json", "c").output
    #expect(
      json.contains(#""before":{"value":"T"}"#) && json.contains(#""before":null"#), "\(json)")
  }

  @Test("conflicts --all lists what is worth a look of the last merges, until someone touches it")
  func worthALook() {
    host.pnmerge("merge", "a", "b")
    #expect(!host.pnmerge("conflicts", "a").output.contains("/body"))
    let list = host.pnmerge("conflicts", "--all", "a")
    #expect(list.status == .different)
    #expect(
      list.output.contains("/body:1\n  both wrote here: ")
        && list.output.contains("  before: nothing\n"), "\(list)")
    #expect(!list.output.contains("to go on with the passages"))
    // A change that follows both sides.
    host.pnmerge("resolve", "-q", "a", "/title", "--take", "kept")
    let next = host.pnmerge("conflicts", "--all", "--json", "a").output
    #expect(next.contains(#""path":"/body","line":1,"kind":"overlap""#), "\(next)")
    host.pnmerge("set", "a", "/body", "\"We meet in the large hall at noon.\\n\"")
    #expect(host.pnmerge("conflicts", "--all", "a").output == "a: no conflicts\n")
  }

  @Test("conflicts --all lists lines that both changed next to each other")
  func adjacentLines() {
    host.pnmerge("set", "a", "/list", "--text", "one\ntwo\nthree\n", "--agent", "c1")
    host.copy("a", "c")
    host.pnmerge("set", "a", "/list", "\"ONE\\ntwo\\nthree\\n\"", "--agent", "c2")
    host.pnmerge("set", "c", "/list", "\"one\\nTWO\\nthree\\n\"", "--agent", "c3")
    host.pnmerge("merge", "-q", "a", "c")
    #expect(host.pnmerge("conflicts", "a").output == "a: no conflicts\n")
    let list = host.pnmerge("conflicts", "--all", "a").output
    #expect(list.contains("/list:1\n  changed next to each other: "), "\(list)")
  }

  // MARK: All at one go

  /// A second contested value, and what `resolve --all --take` makes of both.
  private func takeAll(_ side: String) -> (run: MemoryHost.Run, title: String, more: String) {
    host.pnmerge("set", "a", "/more", "1", "--author", "ada", "--agent", "c1")
    host.pnmerge("set", "b", "/more", "2", "--author", "bob", "--agent", "c2")
    host.pnmerge("merge", "a", "b")
    let run = host.pnmerge("resolve", "a", "--all", "--take", side)
    return (run, get("/title"), get("/more"))
  }

  @Test(
    "a side of all conflicts is taken at one go",
    arguments: [
      ("mine", "\"U\"\n", "1\n"), ("theirs", "\"V\"\n", "2\n"), ("kept", "\"V\"\n", "2\n"),
    ])
  func all(side: String, title: String, more: String) {
    let taken = takeAll(side)
    #expect(taken.run.status == .done && taken.run.output == "a: resolved 2 of 2\n", "\(taken)")
    #expect(taken.title == title && taken.more == more, "\(taken)")
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("what has no such side is left open, and nothing at all is a mistake")
  func someAtOnce() {
    let taken = takeAll("00000000000000c1")
    #expect(taken.run.status == .different, "\(taken)")
    #expect(taken.run.output == "a: resolved 1 of 2; 1 left unresolved\n" && taken.more == "1\n")
    let before = host["a"]
    for side in ["both", "c", ""] {
      let run = host.pnmerge("resolve", "a", "--all", "--take", side)
      #expect(run.status == (side == "both" ? .different : .usage), "\(run)")
      #expect(run.errors.hasPrefix("pnmerge: a: no conflict has a side"))
      #expect(host["a"] == before)
    }
    #expect(host.pnmerge("resolve", "a", "/title", "--all", "--take", "mine").status == .usage)
    #expect(host.pnmerge("resolve", "a", "--all").status == .usage)
  }

  @Test("sides that nobody knows are said, and nothing is written")
  func unknownOwners() {
    host.pnmerge("merge", "--no-backup", "a", "b")
    let before = host["a"]
    let run = host.pnmerge("resolve", "a", "--all", "--take", "mine")
    #expect(run.status == .usage && run.errors.contains("which side was yours"), "\(run)")
    #expect(host["a"] == before)
    // The review still shows them, by number.
    let screen = type("\n2y", "resolve", "-i", "a").screen
    #expect(screen.allText.contains("1  Side, bob") && get("/title") == "\"U\"\n")
  }

  @Test("where nothing is open, all of it is settled")
  func nothingOpen() {
    for side in ["mine", "both", "kept"] {
      let run = host.pnmerge("resolve", "a", "--all", "--take", side)
      #expect(run.status == .done && run.output == "a: no conflicts\n", "\(run)")
    }
  }

  @Test("a write-protected file is refused before anybody decides anything")
  func writeProtected() {
    host.pnmerge("merge", "-q", "-o", "c", "a", "b")
    for name in ["a", "c"] { host.entries[FileName("/work/\(name)")]?.mode = 0o400 }
    for words in [["review", "a", "b"], ["merge", "-i", "a", "b"], ["resolve", "-i", "c"]] {
      let screen = MemoryScreen(typing: "Ty")
      host.terminals = [.input, .error]
      host.screen = screen
      let run = host.pnmerge(words)
      #expect(run.status == .cannotCreate && screen.shown.isEmpty, "\(run)")
      #expect(run.errors.contains("is write-protected; with --dry-run it can be looked at"))
      host.screen = MemoryScreen(typing: "q")
      #expect(host.pnmerge(words + ["-n"]).status == .different)
    }
  }

  // MARK: git

  @Test("git mergetool opens the review at a terminal, and merges without one")
  func mergetool() throws {
    for (name, copy) in [("local", "a"), ("remote", "b")] { host.copy(copy, name) }
    let document = try Document(bytes: host["a"] ?? [])
    host["base"] = try document.at(version: [try #require(document.changes.first).id]).encoded()
    let tool = ["git", "mergetool", "--", "base", "local", "remote", "merged"]
    func run(_ keys: String?) -> MemoryHost.Run {
      host.copy("a", "merged")
      host.terminals = keys == nil ? [] : [.input, .error]
      host.screen = keys.map { MemoryScreen(typing: $0) }
      return host.pnmerge(tool)
    }
    let before = host["a"]
    let left = run("q")
    #expect(left.status == .different && left.output == "merged: nothing was written\n", "\(left)")
    #expect(host["merged"] == before)
    let decided = run("\ntmy")
    #expect(decided.status == .done, "\(decided)")
    #expect(host.pnmerge("get", "merged", "/title").output == "\"U\"\n")
    #expect(host.pnmerge("conflicts", "merged").status == .done)
    let interrupted = run("\nnm\u{3}")
    #expect(interrupted.status == .different, "\(interrupted)")
    #expect(host.pnmerge("get", "merged", "/title").output == "\"U\"\n")
    let unasked = run(nil)
    #expect(unasked.status == .done && unasked.output.contains("1 value was decided"), "\(unasked)")
    #expect(host.pnmerge("get", "merged", "/title").output == "\"V\"\n")
  }

  @Test("--interactive asks, and is for nobody who reads JSON")
  func exclusions() {
    host.terminals = [.input, .error]
    for words in [
      ["merge", "-i", "--json", "a", "b"], ["merge", "--plain", "a", "b"],
      ["resolve", "-i", "a", "--all", "--take", "mine"],
    ] { #expect(host.pnmerge(words).status == .usage, "\(words)") }
  }
}
