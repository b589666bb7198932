import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `resolve.txt`, `ask.txt` and `ask-git.txt`
/// of `Fixtures/outputs`.
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
    host.terminals = [.input, .error]
    host.answers = ["s", "e", "w", "y"]
    let run = host.pnmerge("resolve", "-i", "a")
    #expect(run.output == "a: resolved 1 of 2; 1 left unresolved\n")
    #expect(host.pnmerge("cat", "a", "/new").output == "1\n")
  }

  @Test("a write-protected file is refused before anybody decides anything")
  func writeProtected() {
    let host = MemoryHost()
    host.makeMeeting()
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
}
