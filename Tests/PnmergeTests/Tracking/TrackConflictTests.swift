import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/track-conflicts.txt`.
@Suite("Tracked files that were edited apart, or tracked apart")
struct TrackConflictTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "c", "c/.peernote"] { try host.makeDirectory(FileName(folder)) }
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
