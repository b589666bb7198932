import Peernote
import PnmergeCommands
import Testing

/// Names are given away and passed on, and a phone that does not know sends an edit of the file that
/// had the name before.
@Suite("What comes under a tracked file's name and is of another one")
struct TrackStrayTests {
  private let host = MemoryHost()
  private static let list = "# Shopping list\n\nmilk\nbread\neggs\n"
  private static let work = "# Work\n\nwrite the report\nprepare some slides\n"
  private static let copy = "a.sync-conflict-20261126-070000-ABCDEFG.md"

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/a.md", Self.list)
    host.save("a/b.md", Self.work)
    host.pnmerge("track", "a")
    host.pass(seconds: 300)
  }

  /// `a.md` is `c.md` now, and `b.md` is `a.md`.
  private func passNamesOn(marked: Bool = false) throws {
    if marked { host.pnmerge("track", "--marker", "a") }
    host.pass()
    host.pnmerge("tidy", "a")
    try host.rename(FileName("a/a.md"), to: FileName("a/c.md"), replacing: false)
    host.pass()
    host.pnmerge("tidy", "a")
    try host.rename(FileName("a/b.md"), to: FileName("a/a.md"), replacing: false)
    host.pass()
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
  }

  /// Puts a file where it is as a synchroniser does: with the time at which it was saved elsewhere.
  private func deliver(_ name: String, _ text: String) throws {
    host.setText(name, text)
    let entry = try #require(host.entries[FileName("/work/\(name)")])
    host.pass(seconds: 60)
    entry.changed = entry.modified + 60_000_000_000
    host.pass()
  }

  @Test("an edit of the file that had the name before is taken in there", arguments: [false, true])
  func lateEdit(marked: Bool) throws {
    if marked { host.pnmerge("track", "--marker", "a") }
    host.pass()
    host.pnmerge("tidy", "a")
    let old = try #require(host.text("a/a.md"))
    try passNamesOn(marked: marked)
    let names = ["a/a.md", "a/c.md"]
    let work = try #require(host.text("a/a.md"))
    #expect(work.hasSuffix(Self.work))
    for name in ["a/a.md", "a/\(Self.copy)"] {
      try deliver(name, old.replacing("eggs\n", with: "eggs\nbutter\n"))
      let run = host.pnmerge("tidy", "a")
      #expect(run.status == .done, "\(run)")
      #expect(
        run.output.contains("\(name): came under this name, but is an edit of a/c.md"), "\(run)")
      #expect(host.text("a/a.md")?.hasSuffix(Self.work) ?? false, "\(name)")
      #expect(host.text("a/c.md")?.hasSuffix("eggs\nbutter\n") ?? false, "\(name)")
      #expect(host.pnmerge("ls", "a").output.split(separator: "\n").count == 2)
      #expect(host.pnmerge("tidy", "a").output == "2 notes, nothing to do\n")
      let files = host.tree(of: "a").keys.filter { !$0.contains("/trash/") }.sorted()
      #expect(files == [".peernote/a.md.peernote", ".peernote/c.md.peernote", "a.md", "c.md"])
    }
    #expect(names.allSatisfy { host.pnmerge("conflicts", $0).output.contains("no conflicts") })
  }

  @Test("so is one of a file that was edited much since")
  func muchEdited() throws {
    try passNamesOn()
    host.save("a/c.md", "# Shopping list\n\npears and plums\noranges for Ann\n")
    host.pass(seconds: 300)
    host.pnmerge("tidy", "a")
    try deliver("a/\(Self.copy)", Self.list.replacing("bread", with: "dark bread"))
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("is an edit of a/c.md, and is taken in there"), "\(run)")
    host.pass(seconds: 60)
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == Self.work)
    let held = try #require(host.text("a/c.md")) + host.pnmerge("conflicts", "a").output
    #expect(held.contains("dark bread"), "\(held)")
  }

  @Test("what comes under the name that a file had is an edit, also if that was never edited")
  func oldName() throws {
    try host.rename(FileName("a/a.md"), to: FileName("a/x.md"), replacing: false)
    host.pass(seconds: 60)
    host.pnmerge("tidy", "a")
    let edited = "# Shopping list\n\nmilk\ndark bread\n"
    for name in ["a.md", "b.md"] {
      try deliver("a/\(name)", name == "a.md" ? edited : edited + "butter\n")
      host.pnmerge("tidy", "a")
      host.pass(seconds: 60)
      host.pnmerge("tidy", "a")
    }
    #expect(host.text("a/x.md") == edited + "butter\n")
    #expect(host.text("a/b.md") == Self.work)
    #expect(!host.pnmerge("conflicts", "a").output.contains("eggs"))
  }

  @Test("a file with the front matter of another one, and its line, is an edit of itself")
  func copiedFrontMatter() throws {
    host.pnmerge("track", "--marker", "a")
    host.pass()
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    let other = try #require(host.text("a/a.md"))
    let line = try #require(other.split(separator: "\n").first { $0.hasPrefix("peernote-version") })
    let text = Self.work + "call Eve\n"
    for name in ["a/b.md", "a/b.sync-conflict-20261126-070000-ABCDEFG.md"] {
      try deliver(name, "---\n\(line)\n---\n\(text)")
      let run = host.pnmerge("tidy", "a")
      #expect(run.status == .done && !run.output.contains("came under"), "\(run)")
      #expect(host.text("a/b.md")?.hasSuffix(text) == true)
      #expect(host.text("a/b.md")?.contains(line) == false)
      #expect(host.text("a/a.md") == other)
      #expect(host.pnmerge("tidy", "a").output == "2 notes, nothing to do\n")
    }
  }

  @Test("an edit of a copy of a marked note stays there", arguments: [false, true])
  func duplicate(isMarked: Bool) throws {
    host.pnmerge("track", "--marker", "a")
    host.pass(seconds: 60)
    let original = try #require(host.text("a/a.md"))
    let copied = original.replacing("milk", with: "oat milk").replacing("list", with: "plan")
    try deliver("a/p.md", copied)
    host.pnmerge(["track"] + (isMarked ? ["--marker"] : []) + ["a"])
    host.pass(seconds: 60)
    try deliver("a/p.md", copied.replacing("bread", with: "dark bread"))
    let run = host.pnmerge("tidy", "a")
    #expect(run.status == .done && !run.output.contains("is an edit of"), "\(run)")
    #expect(host.text("a/a.md") == original)
    let text = try #require(host.text("a/p.md"))
    #expect(text.contains("oat milk\ndark bread"), "\(text)")
    #expect(text.ranges(of: "peernote-version").count == 1, "\(text)")
  }

  @Test("a name that goes to a file in another directory sends copies there")
  func directory() throws {
    try host.makeDirectory(FileName("a/sub"))
    try host.rename(FileName("a/a.md"), to: FileName("a/sub/a.md"), replacing: false)
    host.pass()
    host.pnmerge("tidy", "a")
    try host.rename(FileName("a/b.md"), to: FileName("a/a.md"), replacing: false)
    host.pass()
    host.pnmerge("tidy", "a")
    try deliver("a/\(Self.copy)", Self.list + "butter\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == Self.work)
    #expect(host.text("a/sub/a.md") == Self.list + "butter\n")
  }

  @Test("an old copy of a deleted file goes to the trash, though another file has its name")
  func deleted() throws {
    host.pnmerge("delete", "a/a.md")
    host.pnmerge("tidy", "a")
    try host.rename(FileName("a/b.md"), to: FileName("a/a.md"), replacing: false)
    host.pass()
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    try deliver("a/a.md", Self.list)
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("is an old copy of a file that is deleted"), "\(run)")
    #expect(host.text("a/a.md") == Self.work)
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
  }

  @Test("an edit of a deleted file gets another name, if another file has its own by now")
  func editOfDeleted() throws {
    host.pnmerge("delete", "a/a.md")
    host.pass()
    host.pnmerge("tidy", "a")
    let planets = "# Astronomy\n\nSaturn rises at ten.\n"
    host.save("a/a.md", planets)
    host.pnmerge("track", "a")
    host.pass(seconds: 300)
    let edited = Self.list.replacing("bread", with: "dark bread")
    for (file, now) in [(Self.copy, "a/a (2).md"), ("a.md", "a/a (3).md")] {
      try deliver("a/\(file)", edited)
      let trial = host.pnmerge("tidy", "-n", "a").output
      let run = host.pnmerge("tidy", "a")
      let said = "is an edit of a file that is deleted, and is now \(now); to track it: "
      #expect(run.output.contains(said) && trial.contains(said), "\(run)")
      #expect(host.text(now) == edited)
      #expect(host.text("a/a.md") == planets)
      host.pass(seconds: 300)
    }
  }

  @Test("what is written anew here stays, and so does what is like no other file")
  func edits() throws {
    try passNamesOn()
    host.save("a/a.md", Self.list + "written here\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/a.md") == Self.list + "written here\n")
    try deliver("a/c.md", "Nothing of that kind at all.\n")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/c.md")?.contains("Nothing of that kind at all.\n") ?? false)
  }
}
