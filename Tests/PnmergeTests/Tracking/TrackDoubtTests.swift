import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that show something else than was saved")
struct TrackDoubtTests {
  private let host = MemoryHost()
  private static let history = "a/.peernote/n.md.peernote"

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
  }

  private func start(_ text: String) {
    host.save("a/n.md", text)
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
  }

  @Test("an old file with a deletion that took the place of an edit is listed")
  func oldFile() throws {
    start("alpha first\nbeta second\ngamma third\n")
    host.save("a/n.md", "alpha first\nbeta second and the desk\ngamma third\n")
    host.pnmerge("tidy", "a")
    host.save("a/n.md", "beta second\ngamma phone third\n")
    let run = host.pnmerge("tidy", "a")
    let line = "\"beta second and the desk\""
    let words = "a/n.md: the save took out what may have been meant to stay (\(line))"
    #expect(run.output.contains(words), "\(run)")
    let listed = host.pnmerge("conflicts", "a/n.md")
    #expect(
      listed.status == .different
        && listed.output.contains("taken out; may have been meant to stay: \(line)"), "\(listed)")
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains("\"undone\":[{\"text\":\(line)"), "\(json)")
    // It is listed until somebody saves the file.
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    #expect(host.pnmerge("conflicts", "a").status == .different)
    host.save("a/n.md", "beta second and the desk\ngamma phone third\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
  }

  @Test("an old copy that was written over the file is listed, one save that was taken back is not")
  func oldText() {
    start("alpha\nbeta\n")
    for text in ["alpha\ngamma\nbeta\n", "alpha\ngamma\nbeta\ndelta\n"] {
      host.save("a/n.md", text)
      host.pnmerge("tidy", "a")
      host.pass(seconds: 300)
    }
    host.save("a/n.md", "alpha\ngamma\nbeta\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    host.save("a/n.md", "alpha\ngamma\nbeta\ndelta\n")
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    host.save("a/n.md", "alpha\nbeta\n")
    let run = host.pnmerge("tidy", "a")
    let said = "the save took out what may have been meant to stay (\"gamma\""
    #expect(run.output.contains(said), "\(run)")
    let listed = host.pnmerge("conflicts", "a").output
    #expect(listed.contains("\"gamma\"") && listed.contains("\"delta\""), "\(listed)")
    #expect(host.text("a/n.md") == "alpha\nbeta\n")
  }

  @Test("a conflict copy from before the file was tracked takes nothing out")
  func copyFromBefore() {
    host.save("a/n.md", "# Trip\n\nBring the tent.\nBook the ferry.\nAsk Maria at 9.\nCall Bob.\n")
    host.pass(seconds: 3600)
    host.pnmerge("track", "a")
    host.pass(seconds: 3600)
    host.save(
      "a/n.sync-conflict-20261126-101010-ABCDEFG.md",
      "# Trip\n\nBring the tent.\nAsk Maria at 8.\nCall Bob.\nBuy sun cream.\n")
    host.pnmerge("tidy", "a")
    #expect(
      host.text("a/n.md")
        == "# Trip\n\nBring the tent.\nBook the ferry.\nAsk Maria at 9.\nAsk Maria at 8.\nCall Bob.\n"
        + "Buy sun cream.\n")
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different, "\(listed)")
    for line in ["Book the ferry.", "Ask Maria at 9."] {
      #expect(listed.output.contains("kept; may have been deleted: \"\(line)\""), "\(listed)")
    }
    // A dump and a new start of what this machine knows change nothing in that.
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    #expect(host.pnmerge("conflicts", "a").output == listed.output)
    host.pass(seconds: 300)
    host.save("a/n.md", "# Trip\n\nBring the tent.\nAsk Maria at 9.\nCall Bob.\nBuy sun cream.\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
  }

  @Test("who saves a file as it stands has seen what was kept in it")
  func savedAsItStands() {
    start("alpha\nbeta\n")
    host.save("a/n.md", "alpha\nbeta\ngamma\n")
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    host.save("a/n.sync-conflict-20261126-101010-ABCDEFG.md", "alpha\nbeta\ndelta\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").status == .different)
    host.pass(seconds: 60)
    host.save("a/n.md", host.text("a/n.md") ?? "")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    // So it is with what an old file lacked that was edited here.
    for line in ["wed was rainy", "thu I met Maria"] {
      host.pass(seconds: 1200)
      host.save("a/n.md", (host.text("a/n.md") ?? "") + line + "\n")
      host.pnmerge("tidy", "a")
    }
    host.pass(seconds: 1200)
    host.save("a/n.md", "alpha\nbeta\ngamma\ndelta\nfri new\n")
    host.pnmerge("tidy", "a")
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different, "\(listed)")
    host.save("a/n.md", host.text("a/n.md") ?? "")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n", "\(listed)")
  }

  @Test("what another machine wrote on a stick, file and history, nobody has saved there")
  func stick() throws {
    try host.makeDirectory(FileName("stick"))
    func other(_ arguments: String...) -> MemoryHost.Run {
      host.variables["XDG_STATE_HOME"] = "/home/me/other"
      defer { host.variables["XDG_STATE_HOME"] = nil }
      return host.pnmerge(arguments)
    }
    host.save("a/n.md", "# List\n\nsecond\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "stick")
    host.pass(seconds: 300)
    _ = other("sync", "b", "stick")
    host.pass(seconds: 300)
    host.save("a/n.md", "# List\n\nsecond\na3\n")
    host.save("b/n.md", "# List\n\nsecond\nb3\n")
    host.pnmerge("sync", "a", "stick")
    host.pass(seconds: 300)
    let run = other("sync", "b", "stick")
    #expect(run.status == .done && !run.output.contains("was saved"), "\(run)")
    #expect(host.text("stick/n.md") == host.text("b/n.md"))
    for line in ["a3", "b3"] { #expect(host.text("b/n.md")?.contains(line) == true) }
    #expect(other("conflicts", "stick").output == "no conflicts\n")
    #expect(other("sync", "b", "stick").output == "1 note, nothing to do\n")
  }

  @Test("an editor that writes other line ends edits only what else it changed")
  func lineEnds() {
    start("milk\nbread\neggs\n")
    host.save("a/n.md", "milk\nbread\neggs\ntea\n")
    host.pnmerge("tidy", "a")
    host.save("a/n.sync-conflict-20261126-101010-ABCDEFG.md", "milk\r\nrye bread\r\neggs\r\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "milk\nrye bread\neggs\ntea\n")
    host.save("a/n.md", "milk\r\nrye bread\r\neggs\r\ntea, green\r\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "milk\nrye bread\neggs\ntea, green\n")
    // Who changes nothing but the line ends means that.
    host.save("a/n.md", "milk\r\nrye bread\r\neggs\r\ntea, green\r\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "milk\r\nrye bread\r\neggs\r\ntea, green\r\n")
    host.save("a/n.md", "milk\nrye bread\neggs\ntea, green\ncake\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "milk\r\nrye bread\r\neggs\r\ntea, green\r\ncake\r\n")
  }

  @Test("a line that had been deleted and is there again is said to be that")
  func lineAgain() throws {
    start("milk\nbread\neggs\n")
    for text in ["milk\neggs\n", "milk\neggs\nbread\n"] {
      // It comes from elsewhere: its attributes changed later than its content.
      host.setText("a/n.md", text)
      let entry = try #require(host.entries[FileName("/work/a/n.md")])
      host.pass(seconds: 60)
      entry.changed = entry.modified + 60_000_000_000
      host.pass(seconds: 300)
      host.pnmerge("tidy", "a")
      #expect(host.text("a/n.md") == text)
    }
    let listed = host.pnmerge("conflicts", "a/n.md").output
    #expect(listed.contains("kept; had been deleted: \"bread\" (again in a file"), "\(listed)")
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains("\"back_at\""), "\(json)")
  }

  @Test(
    "a file whose history was adopted by another one gets what that has", arguments: ["a", "b"])
  func adopting(into folder: String) {
    host.save("a/n.md", "list\nmilk\nbread\ntea\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 60)
    host.save("b/n.md", "list\nmilk\neggs\nbread\n")
    host.pnmerge("track", "b")
    let other = folder == "a" ? "b" : "a"
    #expect(host.pnmerge("adopt", "\(folder)/n.md", "\(other)/n.md").status == .done)
    host.pnmerge("tidy", folder)
    let text = host.text("\(folder)/n.md") ?? ""
    #expect(text.contains("tea\n") && text.contains("eggs\n"), "\(text)")
  }

  @Test("a file follows its history after undo")
  func undoing() throws {
    start("one\ntwo\n")
    let first = try #require(try Document(bytes: host[Self.history] ?? []).heads.first)
    host.save("a/n.md", "one\ntwo\nthree\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("restore", "a/n.md", "--at", "\(first)").status == .done)
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "one\ntwo\n")
    host.pass(seconds: 10)
    #expect(host.pnmerge("undo", "a/n.md").status == .done)
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "one\ntwo\nthree\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
  }

  @Test("an old file without a line beside the edit whose place it took is listed, too")
  func oldFileBeside() throws {
    for gone in ["alpha first\n", "beta second\n", "gamma third\n"] {
      let tests = try TrackDoubtTests()
      let host = tests.host
      tests.start("alpha first\nbeta second\ngamma third\n")
      host.save("a/n.md", "alpha first\nThe desk wrote this.\nbeta second\ngamma third\n")
      host.pnmerge("tidy", "a")
      host.save("a/n.md", "alpha first\nbeta second\ngamma third\n".replacing(gone, with: ""))
      let run = host.pnmerge("tidy", "a")
      #expect(run.output.contains("(\"The desk wrote this.\")"), "\(gone): \(run)")
      #expect(host.pnmerge("conflicts", "a").output.contains("taken out;"), "\(gone)")
    }
  }

  @Test("who goes on with what they saved last hears nothing of it")
  func ordinary() throws {
    start("alpha first\nbeta second\ngamma third\n")
    for text in [
      "alpha first\nbeta second\nDelta\ngamma third\n",
      "alpha first\nbeta second\nEpsilon zeta\ngamma third\n",
      "alpha first\nbeta second\nEpsilon\ngamma third\n",
      "alpha first\nbeta second\ngamma third\n", "alpha first\ngamma third\n",
      "alpha first\ngamma third\nmore\n", "alpha first\ngamma third\n",
    ] {
      host.save("a/n.md", text)
      let run = host.pnmerge("tidy", "a")
      #expect(run.output.hasPrefix("1 note: 1 recorded\n"), "\(text): \(run)")
      #expect(host.text("a/n.md") == text)
      #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    }
  }

  @Test("what is deleted beside another edit just after it came is said, and goes the second time")
  func deletedAtOnce() throws {
    start("alpha\nbeta\ngamma\n")
    host.save("b/n.md", "alpha\nbeta\ngamma\nspam from b\n")
    host.pnmerge("sync", "a", "b")
    host.save("a/n.md", "Alpha\nbeta\ngamma\n")
    let run = host.pnmerge("sync", "a", "b")
    let words = "a/n.md: 1 line that the save lacks is kept"
    #expect(run.output.contains(words) && run.output.contains("\"spam from b\""), "\(run)")
    #expect(host.text("a/n.md") == "Alpha\nbeta\ngamma\nspam from b\n")
    host.save("a/n.md", "Alpha\nbeta\ngamma\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.text("a/n.md") == "Alpha\nbeta\ngamma\n")
    #expect(host.text("b/n.md") == "Alpha\nbeta\ngamma\n")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
  }

  @Test("a restored line that is deleted at once is said, and deleted the second time")
  func restored() throws {
    start("one\npassword\nthree\n")
    host.save("a/n.md", "one\nthree\n")
    host.pnmerge("tidy", "a")
    host.save("a/n.md", "one\nthree\nfour\n")
    host.pnmerge("tidy", "a")
    let first = try #require(
      host.pnmerge("log", "a/n.md").output.split(separator: "\n").last?.split(separator: " ").first)
    host.pnmerge("restore", "--at", String(first), "a/n.md")
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "one\npassword\nthree\n")
    host.pass()
    host.save("a/n.md", "one\nthree\n")
    let run = host.pnmerge("tidy", "a")
    let isSaid = run.output.contains("once more")
    #expect(isSaid == (host.text("a/n.md") != "one\nthree\n"), "\(run)")
    host.save("a/n.md", "one\nthree\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/n.md") == "one\nthree\n")
  }

  @Test("where a contested line is deleted the other reading comes, which is said")
  func otherReading() throws {
    start("Title\n\nCall Bob at 5.\nBuy milk.\n")
    host.save("a/n.md", "Title\n\nCall Bob at 6.\nBuy milk.\n")
    host.save("b/n.md", "Title\n\nCall Bob at 7.\nBuy milk.\n")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
    host.save("a/n.md", "Title\n\nBuy milk.\n")
    let run = host.pnmerge("sync", "a", "b")
    let text = try #require(host.text("a/n.md"))
    #expect(text != "Title\n\nBuy milk.\n", "\(run)")
    #expect(run.output.contains("the other reading is in its place"), "\(run)")
    host.save("a/n.md", "Title\n\nBuy milk.\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.text("a/n.md") == "Title\n\nBuy milk.\n")
  }

  @Test("edits that were combined and adjoin are said, once")
  func adjoining() throws {
    start("# List\n- apples\n- pears\n\nCost 50 EUR\n")
    host.save("a/n.md", "# List\n- red apples\n- pears\n\nCost 500 EUR\n")
    host.save("b/n.md", "# List\n- kiwis\n- pears\n\nCost 50 EUR net\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(
      run.output.contains("to see that: pnmerge conflicts --all a/n.md"), "\(run)")
    #expect(host.pnmerge("conflicts", "--all", "a/n.md").status == .different)
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    let json = host.pnmerge("status", "a", "b")
    #expect(json.status == .done)
  }

  @Test("what is contested in both folders alike is said of one")
  func statusOfContested() throws {
    start("Pay 12,000 on time.\n")
    host.save("a/n.md", "Pay 11,000 on time.\n")
    host.save("b/n.md", "Pay 9,500 on time.\n")
    host.pnmerge("sync", "a", "b")
    let run = host.pnmerge("status", "a", "b")
    #expect(run.output == "a/n.md: 1 conflict to resolve\n1 note the same in b\n", "\(run)")
    let json = host.pnmerge("status", "--json", "a", "b").output
    #expect(json.contains("\"conflicts\":[{\"file\":\"a/n.md\",\"count\":1}]"), "\(json)")
  }

  @Test(
    "commands about a history take the tracked file for it",
    arguments: [["conflicts"], ["log"], ["blame"], ["undo"], ["restore", "--at", "x"]])
  func historyCommands(command: [String]) throws {
    start("Pay 12,000 on time.\n")
    let (plain, history) = (
      host.pnmerge(command + ["a/n.md"]), host.pnmerge(command + [Self.history])
    )
    #expect(plain.status == history.status && plain.output == history.output, "\(plain)")
    #expect(plain.status != .damaged)
    host.save("a/loose.md", "Not tracked.\n")
    let run = host.pnmerge(command + ["a/loose.md"])
    #expect(run.status == .usage && run.errors.contains("pnmerge track a/loose.md"), "\(run)")
  }

  @Test("adopt joins the histories of two tracked files")
  func adopt() throws {
    start("One.\n")
    host.save("a/m.md", "One.\nTwo.\n")
    host.pnmerge("track", "a/m.md")
    let run = host.pnmerge("adopt", "a/n.md", "a/m.md")
    #expect(run.status == .done, "\(run)")
    #expect(run.output.hasSuffix("a/n.md: follows with the next 'tidy', 'sync' or 'watch'\n"))
  }

  @Test("an edited conflict copy of a deleted file is said until it is gone")
  func copyOfDeleted() throws {
    start("one\ntwo\nthree\n")
    host.pnmerge("delete", "a/n.md")
    host.pnmerge("sync", "a", "b")
    #expect(host["a/n.md"] == nil && host["b/n.md"] == nil)
    let copy = "a/n.sync-conflict-20261125-101010-ABCDEFG.md"
    host.save(copy, "one\ntwo\nthree\nphone\n")
    let words = "\(copy): a conflict copy of a/n.md, which is deleted"
    for command in [["tidy", "a"], ["sync", "a", "b"], ["status", "a"], ["status", "a", "b"]] {
      let run = host.pnmerge(command)
      #expect(run.output.contains(words), "\(command): \(run)")
    }
    host.setText("a/n.md", host.text(copy) ?? "")
    host[copy] = nil
    host.pass()
    host.pnmerge("sync", "a", "b")
    #expect(host.text("b/n.md") == "one\ntwo\nthree\nphone\n")
  }

  @Test("a file to which much was written keeps its history under a new name")
  func grown() throws {
    start("note 2\nline\n")
    let more = (1...20).map { "a2.\($0)\n" }.joined()
    host["a/n.md"] = nil
    host.save("a/r2.md", "note 2\nline\n" + more)
    host.save("b/n.md", "note 2\nline\nb edit\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("1 renamed") || run.output.contains("renamed"), "\(run)")
    host.pass()
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      #expect(host["\(folder)/n.md"] == nil)
      let text = host.text("\(folder)/r2.md") ?? ""
      #expect(text.contains("b edit\n") && text.contains("a2.20\n"), "\(text)")
    }
  }
}
