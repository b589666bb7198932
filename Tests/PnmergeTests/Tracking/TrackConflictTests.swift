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

  /// Two folders in which one price became another one each.
  private func changePriceOnBothSides() {
    host.save("a/a.md", "Pay 12,000 on time.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/a.md", "Pay 11,000 on time.\n")
    host.save("b/a.md", "Pay 9,500 on time.\n")
  }

  @Test("what becomes contested is said once, also where it is only delivered")
  func contested() {
    changePriceOnBothSides()
    let words =
      "a/a.md: 1 passage is contested; to see it: pnmerge conflicts a/a.md\n"
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.output.hasPrefix(words), "\(run)")
    #expect(host.text("a/a.md") == host.text("b/a.md"))
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    for name in ["a.md", ".peernote/a.md.peernote"] { host.copy("a/\(name)", "c/\(name)") }
    host.pass()
    let delivered = host.pnmerge("tidy", "c").output
    #expect(
      delivered.hasPrefix("c/a.md: 1 passage is contested;"), "\(delivered)")
    #expect(host.pnmerge("tidy", "c").output == "1 note, nothing to do\n")
    host.save("b/a.md", (host.text("b/a.md") ?? "") + "More.\n")
    let next = host.pnmerge("sync", "--json", "a", "b").output
    #expect(next.contains("\"what\":\"taken\"") && !next.contains("conflicts"), "\(next)")
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

  @Test("a reading that was not shown and that an edit of much more settles is listed")
  func settledUnseen() throws {
    host.save("a/a.md", "one\ntwo\nthree\nfour\nfive\nsix\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
    host.save("a/a.md", "one\n2 apples\nthree desk\nfour\nfive\nsix\n")
    host.save("b/a.md", "one\n3 pears\nthree\nfour\nfive phone\nsix\n")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
    let isDesk = try #require(host.text("a/a.md")).contains("2 apples")
    let (folder, hidden) = isDesk ? ("a", "3 pears") : ("b", "2 apples")
    // No version without the hidden reading shows all these lines.
    host.save("\(folder)/a.md", "one\nall of it is new\nsix\n")
    let run = host.pnmerge("tidy", folder)
    #expect(run.output.contains("took out what may have been meant to stay ("), "\(run)")
    let listed = host.pnmerge("conflicts", folder).output
    #expect(listed.contains("may have been meant to stay: \"\(hidden)\""), "\(listed)")
    #expect(host.text("\(folder)/a.md") == "one\nall of it is new\nsix\n")
  }

  @Test("a file that lacks what was resolved in its history has something to do")
  func behind() {
    changePriceOnBothSides()
    host.pnmerge("sync", "a", "b")
    let value = #""10,000""#
    let resolved = host.pnmerge("resolve", "a/a.md", "/body", "--value", value)
    #expect(resolved.status == .done, "\(resolved)")
    let work = "a/a.md: lacks changes of its history, which 'tidy' writes into it\n"
    let status = host.pnmerge("status", "a")
    #expect(status.status == .different && status.output.hasPrefix(work), "\(status)")
    #expect(host.pnmerge("status", "--json", "a").output.contains(#""what":"behind""#))
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == "Pay 10,000 on time.\n")
    #expect(host.pnmerge("status", "a").status == .done)
  }

  @Test("what is deleted right after it came is put back once, which is said, and then deleted")
  func deletedAtOnce() {
    host.save("a/a.md", "Bread.\n\nMilk.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass()
    host.save("b/a.md", "Bread.\n\nJam.\n\nMilk.\n")
    host.pass()
    #expect(host.pnmerge("sync", "a", "b").status == .done)
    for isLast in [false, true] {
      host.pass()
      host.save("a/a.md", "Bread.\n\nMilk.\n")
      host.pass()
      let run = host.pnmerge("sync", "a", "b").output
      let said = "a/a.md: was saved as it had been before others' edits came in, which are in it"
      #expect(run.contains(said) != isLast, "\(run)")
      let text = isLast ? "Bread.\n\nMilk.\n" : "Bread.\n\nJam.\n\nMilk.\n"
      #expect(host.text("a/a.md") == text && host.text("b/a.md") == text, "\(run)")
      #expect(host.pnmerge("conflicts", "a").output.contains("Jam") != isLast)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test("a contested passage is settled by typing what the file said before, the second time")
  func settledByTyping() throws {
    host.save("a/a.md", "Pay 12,000 on time.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass()
    host.save("a/a.md", "Pay 11,000 on time.\n")
    host.save("b/a.md", "Pay 9,500 on time.\n")
    host.pass()
    host.pnmerge("sync", "a", "b")
    // The machine whose text is not the one that is shown.
    let folder = host.text("a/a.md")?.contains("11,000") ?? false ? "b" : "a"
    let own = folder == "b" ? "Pay 9,500 on time.\n" : "Pay 11,000 on time.\n"
    for isLast in [false, true] {
      host.pass()
      host.save("\(folder)/a.md", own)
      host.pass()
      host.pnmerge("tidy", folder)
      #expect((host.text("\(folder)/a.md") == own) == isLast)
      let conflicts = host.pnmerge("conflicts", folder)
      #expect((conflicts.status == .done) == isLast, "\(conflicts)")
    }
  }

  @Test("what is typed over a contested passage settles the reading that was written here, too")
  func typedOver() throws {
    for isOwn in [true, false] {
      let host = MemoryHost()
      host.keepsTime = true
      for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
      host.save("a/a.md", "Pay 12,000 on time.\n")
      host.pnmerge("track", "a")
      host.pnmerge("sync", "a", "b")
      host.save("a/a.md", "Pay 11,000 on time.\n")
      host.save("b/a.md", "Pay 9,500 on time.\n")
      host.pass()
      host.pnmerge("sync", "a", "b")
      // The machine whose text is not the one that is shown, or the other one.
      let isShown = host.text("a/a.md")?.contains("11,000") ?? false
      let folder = isShown == isOwn ? "b" : "a"
      let hidden = isShown ? "9,500" : "11,000"
      for value in ["10,000", "8,000"] {
        host.save("\(folder)/a.md", "Pay \(value) on time.\n")
        host.pass()
        host.pnmerge("sync", "a", "b")
        #expect(host.text("a/a.md") == "Pay \(value) on time.\n")
        #expect(host.text("b/a.md") == "Pay \(value) on time.\n")
        // What stood in no file here was not decided upon.
        let listed = host.pnmerge("conflicts", "a").output
        #expect(listed.contains(hidden) != isOwn && !listed.contains("10,000") || value == "10,000")
        #expect(isOwn == (listed == "no conflicts\n"), "\(folder) \(value): \(listed)")
      }
    }
  }

  @Test("own saves do not pile up as readings where two people type by turns")
  func typedByTurns() {
    host.save("a/a.md", "Pay 12,000 on time.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    for (folder, value) in zip(["a", "b", "a", "b", "a", "b"], 1...) {
      host.save("\(folder)/a.md", "Pay \(value),500 on time.\n")
      if value == 1 { host.save("b/a.md", "Pay 9,000 on time.\n") }
      host.pass()
      host.pnmerge("sync", "a", "b")
    }
    let listed = host.pnmerge("conflicts", "a").output
    let readings = listed.split(separator: "\n").count { $0.contains(" (unknown, ") }
    #expect(listed.contains("6,500") && readings == 2, "\(listed)")
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
    "what nothing can read any more since both sides' edits are in it is said and listed",
    arguments: [
      (
        "a.json", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"c\": 3\n}\n",
        "is no longer JSON"
      ),
      (
        "a.md", "---\ntitle: A\n---\nText.\n", "---\ntitle: A\ntags: [x]\n---\nText.\n",
        "---\ntags: [y]\ntitle: A\n---\nText.\n", "has front matter that can no longer be read"
      ),
    ])
  func invalid(name: String, start: String, first: String, second: String, words: String) {
    host.save("a/\(name)", start)
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/\(name)", first)
    host.save("b/\(name)", second)
    host.pass()
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("a/\(name): \(words) since both sides' edits are in it"), "\(run)")
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different && listed.output.contains(words), "\(listed)")
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains("\"invalid\":\"line "), "\(json)")
    let status = host.pnmerge("status", "a")
    #expect(status.status == .different && status.output.contains(words), "\(status)")
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    // Whoever saves it has seen it, mended or not.
    let shown = host.text("a/\(name)") ?? ""
    host.pass(seconds: 300)
    host.save("b/\(name)", shown + "\n")
    host.pass()
    let next = host.pnmerge("sync", "a", "b")
    #expect(!next.output.contains(words) && host.text("a/\(name)") == shown + "\n", "\(next)")
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
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

  @Test("what a phone may have deleted is kept, and listed until somebody saves")
  func keptInDoubt() throws {
    host.save("a/a.md", "Bread.\nMilk.\n")
    host.pnmerge("track", "a")
    host.save("a/a.md", "Bread.\nMilk.\nTea at five.\n")
    host.pnmerge("tidy", "a")
    let history = "a/.peernote/a.md.peernote"
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    // The phone deleted the tea, or never had it.
    try deliver("Eggs.\nBread.\nMilk.\n")
    #expect(host.pnmerge("tidy", "a").status == .done)
    #expect(host.text("a/a.md") == "Eggs.\nBread.\nMilk.\nTea at five.\n")
    let listed = host.pnmerge("conflicts", history)
    #expect(listed.status == .different)
    #expect(
      listed.output.hasPrefix("a/a.md:4\n")
        && listed.output.contains("kept; may have been deleted: \"Tea at five.\" (not in a file")
        && listed.output.contains("delete it from a/a.md"), "\(listed)")
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains("\"kept\":[{\"line\":4,\"text\":\"Tea at five.\",\"change\":"), "\(json)")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    // The same text as before comes once more: a file that is behind, or somebody took all back.
    try deliver("Bread.\nMilk.\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == "Eggs.\nBread.\nMilk.\nTea at five.\n")
    let back = host.pnmerge("conflicts", history).output
    #expect(back.contains("\"Eggs.\"") && back.contains("\"Tea at five.\""), "\(back)")
    // Who saves the file has seen it.
    host.save("a/a.md", "Eggs.\nBread.\nMilk.\nTea at five.\nCake.\n")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("conflicts", history).output == "a/a.md: no conflicts\n")
  }

  @Test("an edit beside a contested line settles nothing that the file did not show")
  func besideContested() throws {
    host.save("a/a.md", "one\ntwo\nthree\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/a.md", "one\n2 apples\nthree\n")
    host.save("b/a.md", "one\n3 pears\nthree\n")
    host.pnmerge("sync", "a", "b")
    let shown = try #require(host.text("a/a.md"))
    #expect(shown.split(separator: "\n").count == 3)
    host.save("a/a.md", shown.replacing("three", with: "more\nthree"))
    host.pnmerge("sync", "a", "b")
    let listed = host.pnmerge("conflicts", "a/.peernote/a.md.peernote").output
    #expect(listed.contains("apples") && listed.contains("pears"), "\(listed)")
    #expect(host.text("b/a.md")?.hasSuffix("more\nthree\n") ?? false)
  }

  /// Has a synchroniser deliver the file of a machine without the program, saved a moment ago.
  private func deliver(_ text: String) throws {
    host.setText("a/a.md", text)
    let entry = try #require(host.entries[FileName("/work/a/a.md")])
    host.pass(seconds: 60)
    entry.changed = entry.modified + 60_000_000_000
    host.pass()
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
    #expect(plan.contains(words) && plan.contains("1 would be joined"), "\(plan)")
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
    host.pnmerge("track", "a")
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
    arguments: ["inspect", "cat"])
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
    "a conflict copy of something else takes nothing out, and what it lacks is listed",
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
    let list = host.pnmerge("conflicts", "a/a.md").output
    for line in old { #expect(list.contains("may have been deleted: \"\(line)\""), "\(list)") }
  }
}
