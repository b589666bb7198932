import Foundation
import Peernote
import PnmergeCommands
import Testing

/// The review behind `merge -i`, `resolve -i` and `git mergetool`, and what is settled at one go.
@Suite("Reviews behind other commands") struct InteractiveReviewTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func ask(_ answers: [String], _ words: String...) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(words)
  }

  private func get(_ path: String) -> String { host.pnmerge("cat", "a", path).output }

  @Test("merge --interactive is a review, into another file, too")
  func merging() {
    let before = host["a"]
    let run = ask(["bob", "m", "y"], "merge", "-i", "-o", "c", "a", "b")
    #expect(run.status == .done && run.output.contains("resolved 2 of 2"), "\(run)")
    #expect(run.errors.contains("What c will hold"), "\(run)")
    #expect(host["a"] == before)
    #expect(host.pnmerge("cat", "c", "/title").output == "\"U\"\n")
    let left = ask(["q"], "merge", "-i", "a", "b")
    #expect(left.status == .different && left.output == "a: nothing was written\n", "\(left)")
    #expect(host["a"] == before)
  }

  @Test("where nothing is to be decided, merge --interactive asks nothing")
  func nothingToDecide() {
    host.copy("a", "c")
    host.pnmerge("set", "c", "/l/0/n", "5", "--author", "cleo")
    let run = ask([], "merge", "-i", "a", "c")
    #expect(run.status == .done && run.errors.isEmpty && get("/l/0/n") == "5\n", "\(run)")
  }

  @Test("resolve --interactive shows what stood before, and which side is mine")
  func resolving() throws {
    host.pnmerge("merge", "a", "b")
    let run = ask(["s", "o", "m", "y"], "resolve", "-i", "a")
    #expect(run.status == .done && run.output == "a: resolved 2 of 2\n", "\(run)")
    #expect(run.errors.contains("  2  ada, 20 Nov 14:02, mine:\n"), "\(run)")
    #expect(get("/title") == "\"T\"\n" && get("/body").contains("at one"))
  }

  @Test("what breaks the schema is said in resolve --interactive, and can be decided otherwise")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"enum":["T","U","V"]}}}"#)
    host.pnmerge("merge", "a", "b")
    host.useEditor { $0 + "W" }
    let run = ask(["s", "e", "w", "1", "w", "y"], "resolve", "-i", "--schema", "s.json", "a")
    #expect(run.errors.contains("would break the schema"), "\(run)")
    #expect(get("/title") == "\"V\"\n", "\(run)")
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

  @Test("of what one renamed and another edited all show what a side comes to, and that is written")
  func renamed() throws {
    host.setText("r.json", #"{"title":"T","row":{"place":"hall","hour":"noon"}}"#)
    host.pnmerge("new", "r", "--json-file", "r.json", "--author", "ada")
    host.copy("r", "s")
    host.pnmerge("move", "r", "/row", "/line", "--author", "ada")
    host.pnmerge("set", "r", "/line/place", "\"yard\"", "--author", "ada")
    host.pnmerge("set", "s", "/row/hour", "\"two\"", "--author", "bob")
    host.pnmerge("merge", "-q", "r", "s")
    let both = #"{"hour":"two","place":"yard"}"#
    let list = host.pnmerge("conflicts", "r").output
    #expect(list.contains("/row  \(both) (bob") && list.contains("/line  \(both) (ada"), "\(list)")
    let json = host.pnmerge("conflicts", "--json", "r").output
    #expect(json.components(separatedBy: "\"value\":\(both)").count == 3, "\(json)")
    let asked = ask(["q"], "review", "--plain", "r").errors
    #expect(asked.contains("1  row  bob \(both), ada \(both)\n"), "\(asked)")
    #expect(
      asked.contains(
        """
          ada, 20 Nov 14:02, mine:
             {
               "hour": "[-noon-]{+two+}",
               "place": "[-hall-]{+yard+}"
        """), "\(asked)")
    for (side, place, other) in [("mine", "/line", "/row"), ("theirs", "/row", "/line")] {
      let run = host.pnmerge("resolve", "r", "/row", "--take", side)
      #expect(run.status == .done, "\(run)")
      #expect(host.pnmerge("cat", "r", place).output.filter { !$0.isWhitespace } == both)
      #expect(host.pnmerge("cat", "r", other).status == .different)
      host.pnmerge("undo", "r")
    }
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
    host.pnmerge("resolve", "a", "/body", "--take", "kept")
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
      #expect(run.errors.hasPrefix("pnmerge: a: no side is called"))
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
    // The review still names them.
    #expect(!ask(["ada", "ada", "y"], "resolve", "-i", "a").errors.contains(", mine"))
    #expect(get("/title") == "\"U\"\n")
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
      host.terminals = [.input, .error]
      host.answers = ["all bob", "y"]
      let run = host.pnmerge(words)
      #expect(run.status == .cannotCreate && host.answers.count == 2, "\(run)")
      #expect(run.errors.contains("is write-protected; with --dry-run it can be looked at"))
      host.answers = ["q"]
      #expect(host.pnmerge(words + ["-n"]).status == .different)
    }
  }

  // MARK: git

  @Test("git mergetool opens the review at a terminal, and merges without one")
  func mergetool() throws {
    for (name, copy) in [("local", "a"), ("remote", "b")] { host.copy(copy, name) }
    let document = try Document(bytes: host["a"] ?? [])
    host["base"] = try document.at(version: [try #require(document.changes.first).id]).bytes()
    let tool = ["git", "mergetool", "--", "base", "local", "remote", "merged"]
    func run(_ answers: [String]?) -> MemoryHost.Run {
      host.copy("a", "merged")
      host.terminals = answers == nil ? [] : [.input, .error]
      host.answers = answers ?? []
      return host.pnmerge(tool)
    }
    let before = host["a"]
    let left = run(["q"])
    #expect(left.status == .different && left.output == "merged: nothing was written\n", "\(left)")
    #expect(host["merged"] == before)
    let decided = run(["bob", "m", "y"])
    #expect(decided.status == .done, "\(decided)")
    #expect(host.pnmerge("cat", "merged", "/title").output == "\"U\"\n")
    #expect(host.pnmerge("conflicts", "merged").status == .done)
    let interrupted = run(["s", "m", "\u{3}"])
    #expect(interrupted.status == .different && host["merged"] == before, "\(interrupted)")
    #expect(interrupted.output.hasPrefix("merged: nothing was written"))
    let unasked = run(nil)
    #expect(
      unasked.status == .done && unasked.output.contains("2 conflicts (1 passage, 1 value)"),
      "\(unasked)")
    #expect(host.pnmerge("cat", "merged", "/title").output == "\"V\"\n")
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
