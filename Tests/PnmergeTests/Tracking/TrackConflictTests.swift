import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that were edited apart, or tracked apart")
struct TrackConflictTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "c", "c/.peernote"] { try host.makeDirectory(FileName(folder)) }
  }

  @Test(
    "where both sides changed a line both lines stand, which is said once, and nothing is asked")
  func both() {
    host.save("a/a.md", "Pay 12,000 on time.\nTea.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/a.md", "Pay 11,000 on time.\nTea.\n")
    host.save("b/a.md", "Pay 9,500 on time.\nTea.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(
      run.status == .done
        && run.output.contains(
          "a/a.md: both sides changed or deleted the same lines, and these stand as well (\"Pay"),
      "\(run)")
    let lines = (host.text("a/a.md") ?? "").split(separator: "\n")
    #expect(Set(lines) == ["Pay 11,000 on time.", "Pay 9,500 on time.", "Tea."])
    #expect(host.text("b/a.md") == host.text("a/a.md"))
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    // Somebody deletes what is too much.
    host.save("b/a.md", "Pay 10,000 on time.\nTea.\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.text("a/a.md") == "Pay 10,000 on time.\nTea.\n")
  }

  @Test(
    "no command breaks a file that only makes sense whole, unless it is forced",
    arguments: [
      ("c.json", "{\n  \"a\": VALUE,\n  \"b\": 2\n}\n"),
      ("c.md", "---\ntitle: VALUE\n---\nTent.\n"),
    ])
  func soundness(name: String, text: String) {
    func with(_ value: String) -> String { text.replacing("VALUE", with: value) }
    host.save("a/\(name)", with("1"))
    host.pnmerge("track", "a")
    host.copy("a/.peernote/\(name).peernote", "c/.peernote/\(name).peernote")
    host.save("c/\(name)", with("1"))
    host.pnmerge("tidy", "c")
    host.pass()
    host.save("a/\(name)", with("[10]"))
    host.save("c/\(name)", with("[20]"))
    host.pnmerge("tidy", "a")
    host.pnmerge("tidy", "c")
    let (history, other) = ("a/.peernote/\(name).peernote", "c/.peernote/\(name).peernote")
    host.pnmerge("merge", history, other)
    let before = host[history]
    let both = ["resolve", "a/\(name)", "/body", "--take", "both"]
    let run = host.pnmerge(both)
    #expect(
      run.status == .usage && run.errors.hasSuffix("--force writes it all the same\n"), "\(run)")
    #expect(host.pnmerge(["resolve", "a/\(name)", "--all", "--take", "both"]).status == .usage)
    #expect(host[history] == before)
    #expect(host.pnmerge("resolve", "a/\(name)", "/body", "--take", "kept").status == .done)
    host.pnmerge("tidy", "a")
    #expect([with("[10]"), with("[20]")].contains(host.text("a/\(name)")))
    // A copy that nobody could read is left apart.
    host.pass()
    let copy = "a/\(name)".replacing("c.", with: "c.sync-conflict-20261120-140000-ABCDEFG.")
    host.save(copy, with("[20, "))
    let tidy = host.pnmerge("tidy", "a")
    #expect(tidy.output.contains("a conflict copy that was left alone"), "\(tidy)")
    #expect(host[copy] != nil)
    #expect([with("[10]"), with("[20]")].contains(host.text("a/\(name)")))
  }

  @Test(
    "a copy with the line ends of another system takes those of the file",
    arguments: ["\r\n", "\r"])
  func lineEnds(end: String) {
    host.save("a/a.md", "Bread.\nMilk.\n")
    host.pnmerge("track", "a")
    host.pass()
    host.save(
      "a/a.sync-conflict-20261120-140000-ABCDEFG.md",
      "Bread.\nMilk.\nJam.\n".replacing("\n", with: end))
    host.pass()
    #expect(host.pnmerge("tidy", "a").output.hasSuffix(" 1 folded into their notes\n"))
    #expect(host.text("a/a.md") == "Bread.\nMilk.\nJam.\n")
  }

  @Test("a dry run says what would be folded")
  func dryRun() {
    host.save("a/a.md", "Bread.\n")
    host.pnmerge("track", "a")
    host.save("a/a.sync-conflict-20261120-140000-ABCDEFG.md", "Bread.\nMilk.\n")
    host.pass(seconds: 60)
    let trial = host.pnmerge("tidy", "-n", "a").output
    #expect(trial.hasSuffix("1 would be folded into their notes\n"), "\(trial)")
    #expect(host.pnmerge("tidy", "a").output.hasSuffix(" 1 folded into their notes\n"))
  }

  @Test("what is deleted right after it came is deleted", arguments: [0, 300])
  func deletedAtOnce(seconds: Int64) {
    host.save("a/a.md", "Bread.\n\nMilk.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass()
    host.save("b/a.md", "Bread.\n\nJam.\n\nMilk.\n")
    host.pass()
    #expect(host.pnmerge("sync", "a", "b").status == .done)
    host.pass(seconds: seconds)
    host.save("a/a.md", "Bread.\n\nMilk.\n")
    host.pass()
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] { #expect(host.text("\(folder)/a.md") == "Bread.\n\nMilk.\n") }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test("of two folders copied by hand, in which another line was deleted, both deletions stay")
  func copiedByHand() {
    let start = "# Shopping\n- Milk 3\n- Milk 4\n- Tea\n"
    for folders in [["a", "c"], ["c", "a"]] {
      host.save("a/a.md", start)
      host.pnmerge("track", "a")
      for name in ["a.md", ".peernote/a.md.peernote"] { host.copy("a/\(name)", "c/\(name)") }
      host.pass()
      host.save("a/a.md", start.replacing("- Milk 3\n", with: ""))
      host.save("c/a.md", start.replacing("- Milk 4\n", with: ""))
      host.pass()
      #expect(host.pnmerge(["sync"] + folders).status == .done)
      #expect(host.text("a/a.md") == "# Shopping\n- Tea\n", "\(folders)")
      #expect(host.text("c/a.md") == "# Shopping\n- Tea\n", "\(folders)")
      for folder in folders {
        host.pnmerge("untrack", folder)
        host["\(folder)/a.md"] = nil
        host["\(folder)/.peernote/trash/a.md.peernote"] = nil
      }
    }
  }

  @Test(
    "what nothing could read with both sides' edits is the later side's, and the other's is listed",
    arguments: [
      (
        "a.json", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"c\": 3\n}\n"
      ),
      (
        "a.md", "---\ntitle: A\n---\nText.\n", "---\ntitle: A\ntags: [x]\n---\nText.\n",
        "---\ntags: [y]\ntitle: A\n---\nText.\n"
      ),
      (
        "b.md", "---\ntitle: A\n---\nText.\n", "---\ntitle: B\n---\nText.\n",
        "---\ntitle: C\n---\nText.\n"
      ),
    ])
  func structured(name: String, start: String, first: String, second: String) {
    host.save("a/\(name)", start)
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/\(name)", first)
    host.pass()
    host.save("b/\(name)", second)
    host.pass()
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("a/\(name): 1 line taken out ("), "\(run)")
    #expect(host.text("a/\(name)") == second && host.text("b/\(name)") == second)
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different && listed.output.contains("1 line taken out"), "\(listed)")
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains("\"taken_out\":[{\"change\":"), "\(json)")
    let status = host.pnmerge("status", "a")
    #expect(status.status == .different && status.output.contains("1 line taken out"), "\(status)")
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    // Whoever saves it there has seen it.
    host.pass(seconds: 300)
    host.save("a/\(name)", second + "\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
  }

  @Test("a conflict copy with which a file could not be read is left apart, and said each time")
  func apart() {
    host.save("a/a.json", "{\n  \"a\": 1\n}\n")
    host.save("a/a.sync-conflict-20261120-140000-ABCDEFG.json", "{\n  \"b\": 2\n}\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 60)
    for _ in 1...2 {
      let run = host.pnmerge("tidy", "a").output
      #expect(
        run.contains("a conflict copy that was left alone: with it in the file it would be"),
        "\(run)")
    }
    #expect(host.text("a/a.json") == "{\n  \"a\": 1\n}\n")
    #expect(host.pnmerge("status", "a").output.contains("a/a.json: a conflict copy"))
  }

  @Test("a vault with a conflict copy from before loses no line of either at the first tidy")
  func oldCopy() {
    host.save("a/a.md", "# List\n- milk\n- bread\n- eggs\n")
    host.save(
      "a/a (Conflicted copy Phone 202611201400).md", "# List\n- bread\n- jam\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 60)
    #expect(host.pnmerge("tidy", "a").status == .done)
    let lines = (host.text("a/a.md") ?? "").split(separator: "\n")
    #expect(Set(lines) == ["# List", "- milk", "- bread", "- eggs", "- jam"] && lines.count == 5)
  }

  @Test("folders are not the same while a save is not recorded")
  func unrecorded() {
    host.save("a/a.md", "One.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    #expect(host.pnmerge("status", "a", "b").output == "1 note the same in b\n")
    host.save("b/a.md", "Two.\n")
    let words = "b/a.md: differs from a/a.md; a save is not recorded yet\n0 notes the same in b\n"
    let run = host.pnmerge("status", "a", "b")
    #expect(run.status == .different && run.output == words, "\(run)")
    let json = host.pnmerge("status", "--json", "a", "b").output
    #expect(json.contains("\"relation\":\"unrecorded\",\"with\":\"a/a.md\""), "\(json)")
    host["b/a.md"] = nil
    #expect(host.pnmerge("status", "a", "b").output == "a/a.md: not in b\n0 notes the same in b\n")
    host.save("b/a.md", "One.\n")
    #expect(host.pnmerge("status", "a", "b").status == .done)
  }

  @Test("what a phone takes out is taken out, and listed until somebody saves here")
  func takenOut() throws {
    host.save("a/a.md", "Bread.\nMilk.\n")
    host.pnmerge("track", "a")
    host.save("a/a.md", "Bread.\nMilk.\nTea at five.\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    try deliver("Eggs.\nBread.\nMilk.\n")
    let run = host.pnmerge("tidy", "a").output
    #expect(run.contains("a/a.md: 1 line taken out (\"Tea at five.\")"), "\(run)")
    #expect(host.text("a/a.md") == "Eggs.\nBread.\nMilk.\n")
    let listed = host.pnmerge("conflicts", "a/a.md")
    #expect(
      listed.status == .different && listed.output.contains("    \"Tea at five.\"\n")
        && listed.output.contains("pnmerge restore a/a.md --at "), "\(listed)")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    // An old text that comes is a return to it.
    try deliver("Bread.\nMilk.\nTea at five.\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == "Bread.\nMilk.\nTea at five.\n")
    host.save("a/a.md", "Bread.\nMilk.\nTea at five.\nCake.\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", "a/a.md").output == "a/a.md: no conflicts\n")
  }

  /// Has a synchroniser deliver the file of a machine without the program, saved a moment ago.
  private func deliver(_ text: String) throws {
    host.setText("a/a.md", text)
    let entry = try #require(host.entries[FileName("/work/a/a.md")])
    host.pass(seconds: 60)
    entry.changed = entry.modified + 60_000_000_000
    host.pass()
  }

  @Test("'cat', 'export', 'inspect' and 'diff' take a tracked file, also as it was")
  func content() throws {
    host.save("a/a.md", "---\ntitle: Tea\n---\nOne.\n")
    host.pnmerge("track", "--marker", "a")
    host.pnmerge("tidy", "a")
    let first = try #require(host.text("a/a.md"))
    host.save("a/a.md", first.replacing("One.", with: "Two."))
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("cat", "a/a.md").output == "---\ntitle: Tea\n---\nTwo.\n")
    let log = host.pnmerge("log", "a/a.md").output.split(separator: "\n")
    let names = log.compactMap { $0.split(separator: " ").first { $0.contains(".") } }
    let name = String(try #require(names.last))
    #expect(host.pnmerge("cat", "--at", name, "a/a.md").output == "---\ntitle: Tea\n---\nOne.\n")
    #expect(host.pnmerge("cat", "--raw", "a/a.md", "/body").output.hasSuffix("Two.\n"))
    let difference = host.pnmerge("diff", "a/a.md", "--at", name)
    #expect(
      difference.status == .different && difference.output.contains("-One.\n+Two.\n")
        && difference.output.contains("a/a.md (\(name))"), "\(difference)")
    host.pnmerge("export", "a/a.md", "--output", "b/x.md")
    #expect(host.text("b/x.md") == "---\ntitle: Tea\n---\nTwo.\n")
    #expect(host.pnmerge("inspect", "a/a.md").output.contains("changes             "))
    host.copy("a/.peernote/a.md.peernote", "c/.peernote/a.md.peernote")
    host.save("a/a.md", try #require(host.text("a/a.md")).replacing("Two.", with: "Three."))
    host.pnmerge("tidy", "a")
    let copies = host.pnmerge("diff", "a/a.md", "c/a.md")
    #expect(
      copies.status == .different && copies.output.hasPrefix("--- a/a.md\t")
        && copies.output.contains("-Three.\n+Two.\n"), "\(copies)")
  }

  @Test("one file that was tracked twice becomes one, whatever was edited since")
  func trackedApart() throws {
    host.save("a/t.md", "one\ntwo\n")
    host.save("b/t.md", "one\ntwo\n")
    host.pnmerge("track", "a")
    host.pnmerge("track", "b")
    let name = ".peernote/t.md.peernote"
    let ids = try ["a", "b"].map { try Document(bytes: #require(host["\($0)/\(name)"])).id }
    #expect(ids[0] != ids[1])
    host.save("a/t.md", "zero\none\ntwo\n")
    host.pnmerge("tidy", "a")
    host.save("b/t.md", "one\ntwo\nthree\n")
    host.pnmerge("tidy", "b")
    let words = "/t.md: its histories, which were started apart, are one\n"
    let plan = host.pnmerge("sync", "-n", "a", "b").output
    #expect(
      plan.contains("/t.md: its histories, which were started apart, would be one\n")
        && plan.contains("1 would be joined"), "\(plan)")
    for number in 1...2 {
      let run = host.pnmerge("sync", "a", "b")
      #expect(run.status == .done && run.errors.isEmpty, "\(run)")
      #expect(run.output.contains(words) == (number == 1), "\(run)")
    }
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/t.md") == "zero\none\ntwo\nthree\n")
      #expect(host["\(folder)/\(name)"] == host["a/\(name)"])
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test("two files of one name that have nothing in common stay two, with names of their own")
  func unlike() {
    host.save("a/t.md", "one\ntwo\n")
    host.save("b/t.md", "bread\n")
    host.pnmerge("track", "a")
    host.pnmerge("track", "b")
    #expect(host.pnmerge("sync", "a", "b").status == .done)
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/t.md") == "one\ntwo\n")
      #expect(host.text("\(folder)/t (2).md") == "bread\n")
    }
    #expect(host.pnmerge("sync", "a", "b").output == "2 notes, nothing to do\n")
  }

  @Test("a file that is not tracked keeps the name that another folder's has")
  func untracked() {
    host.save("a/t.md", "one\ntwo\n")
    host.save("b/t.md", "bread\n")
    host.pnmerge("track", "a/t.md")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.hasPrefix("b/t.md: called b/t (2).md"), "\(run)")
    #expect(host.text("b/t.md") == "bread\n" && host.text("b/t (2).md") == "one\ntwo\n")
    host.save("b/t (2).md", "one\ntwo\nthree\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.text("a/t.md") == "one\ntwo\nthree\n" && host["a/t (2).md"] == nil)
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test(
    "a command that takes documents names the history of a tracked file",
    arguments: ["redact"])
  func namesHistory(command: String) {
    host.save("a/a.md", "Pay.\n")
    host.pnmerge("track", "a")
    #expect(
      host.pnmerge(command, "a/a.md").errors
        == "pnmerge: a/a.md: is a tracked text file, for any editor; the document is its history: "
        + "a/.peernote/a.md.peernote\n")
    host.save("a/b.md", "Pay.\n")
    #expect(host.pnmerge(command, "a/b.md").errors.contains("pnmerge import a/b.md"))
  }

  @Test(
    "a conflict copy of something else takes nothing out",
    arguments: ["\n", "\r\n"])
  func foreignCopy(end: String) {
    func save(_ file: String, _ lines: String...) {
      host.save(file, lines.map { $0 + end }.joined())
    }
    save("a/a.md", "The title here", "", "Bring the tent and the map", "Ann drives")
    host.pnmerge("track", "a")
    host.pass(seconds: 300)
    save("a/a.md", "The title here", "", "Bring the tent and the lamp", "Ann drives")
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    save("a/a.sync-conflict-20261127-120000-PHONEAA.md", "Oak", "", "Elm, ash, fir", "Fig, gum")
    host.pass(seconds: 60)
    host.pnmerge("tidy", "a")
    let lines = (host.text("a/a.md") ?? "").replacing("\r\n", with: "\n").split(separator: "\n")
    let old = ["The title here", "Bring the tent and the lamp", "Ann drives"]
    for line in old + ["Oak", "Elm, ash, fir", "Fig, gum"] {
      #expect(lines.count { $0 == line } == 1, "\(line): \(lines)")
    }
  }
}
