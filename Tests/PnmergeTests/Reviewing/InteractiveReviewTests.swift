import Peernote
import PnmergeCommands
import Testing

/// The review behind `merge -i`, `resolve -i` and `git mergetool`; more stands in
/// `Fixtures/outputs/ask.txt`.
@Suite("Reviews behind other commands") struct InteractiveReviewTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func ask(_ answers: [String], _ words: String...) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(words)
  }

  private func get(_ path: String) -> String { host.pnmerge("cat", "a", path).output }

  @Test("what breaks the schema is said in resolve --interactive, and can be decided otherwise")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"enum":["T","U","V"]}}}"#)
    host.pnmerge("merge", "a", "b")
    host.useEditor { $0 + "W" }
    let run = ask(["s", "e", "w", "1", "w", "y"], "resolve", "-i", "--schema", "s.json", "a")
    #expect(run.errors.contains("would break the schema"), "\(run)")
    #expect(get("/title") == "\"V\"\n", "\(run)")
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
}
