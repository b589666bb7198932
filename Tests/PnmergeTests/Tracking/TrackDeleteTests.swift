import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that are deleted")
struct TrackDeleteTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "a/sub", "c"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/sub/note.md", Self.text)
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
  }

  private static let text = "Bring the tent.\nBring the map.\nBuy some bread.\n"

  private func files(_ folder: String, trash: Bool = false) -> [String] {
    host.tree(of: folder).keys.filter {
      $0.contains("/trash/") == trash && !$0.hasSuffix(".peernote/folder")
    }.sorted()
  }

  private static let trash = [
    ".peernote/trash/sub/.peernote/note.md.peernote", ".peernote/trash/sub/note.md",
  ]

  @Test("delete marks it, and sync moves file and history to the trash of each folder")
  func delete() {
    #expect(host.pnmerge("delete", "-n", "a/sub/note.md").output.contains("would mark"))
    #expect(host.pnmerge("status", "a").status == .done)
    #expect(host.pnmerge("delete", "a/sub/note.md").output == "a/sub/note.md: marked as deleted\n")
    #expect(host.pnmerge("delete", "a/sub/note.md").output.contains("as deleted already"))
    #expect(host.pnmerge("status", "a").output.hasPrefix("a/sub/note.md: marked as deleted\n"))
    #expect(host.pnmerge("ls", "a").output.isEmpty)
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("b/sub/note.md: deleted, and moved to the trash"), "\(run)")
    for folder in ["a", "b"] {
      #expect(files(folder) == [] && files(folder, trash: true) == Self.trash, "\(folder)")
    }
    host.pass()
    host.pnmerge("sync", "a", "b")
    let count = host.calls.count
    #expect(host.pnmerge("sync", "a", "b").output == "0 notes, nothing to do\n")
    #expect(Array(host.calls[count...]) == [.read, .read])
    #expect(host.pnmerge("diff", "a", "b").status == .done)
  }

  @Test("a text file that is not tracked is refused, and what deletes it is said")
  func untracked() {
    host.save("a/my list.md", "Bread.\n")
    host.save("a/empty.md", "")
    for name in ["a/my list.md", "a/empty.md"] {
      let run = host.pnmerge("delete", name)
      #expect(run.status == .usage, "\(run)")
      #expect(run.errors.hasPrefix("pnmerge: \(name): is not tracked, "), "\(run)")
      let quoted = name.contains(" ") ? "'\(name)'" : name
      #expect(
        run.errors.contains("rm \(quoted); ")
          && run.errors.contains("pnmerge track \(quoted)\n") && !run.errors.contains("import"),
        "\(run)")
    }
    #expect(host.text("a/my list.md") == "Bread.\n")
    #expect(host.pnmerge("delete", "a/none.md").status == .unreadable)
    // A document under another name is one.
    host["a/plan"] = host["a/sub/.peernote/note.md.peernote"]
    #expect(host.pnmerge("delete", "a/plan").output == "a/plan: marked as deleted\n")
  }

  @Test("what was saved before is in the history that goes to the trash")
  func savedBefore() throws {
    host.save("a/sub/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("delete", "a/sub/note.md")
    #expect(host.pnmerge("tidy", "a").status == .done)
    let buried = try Document(bytes: #require(host["a/" + Self.trash[0]]))
    #expect(buried.root["body"] == .text(Self.text + "Call Ann.\n"))
    #expect(files("a") == [])
  }

  @Test("an edit elsewhere that did not know of it brings it back, and that is said")
  func broughtBack() {
    host.pnmerge("delete", "a/sub/note.md", "--author", "ada")
    host.pnmerge("tidy", "a")
    host.save("b/sub/note.md", Self.text + "Call Ann.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("is back; ada deleted it without knowing of later edits"), "\(run)")
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/sub/note.md") == Self.text + "Call Ann.\n", "\(folder)")
      #expect(!files(folder, trash: true).contains { $0.hasSuffix(".peernote") })
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test(
    "who deleted it is told that it is back, too",
    arguments: ["a/sub/note.md", "a/plan.peernote"])
  func toldToDeleter(name: String) {
    if name == "a/plan.peernote" { host.pnmerge("new", name, "--title", "Plan") }
    let other = name.replacing("a/", with: "b/", maxReplacements: 1)
    host.pnmerge("sync", "a", "c")
    host.pnmerge("sync", "b", "c")
    host.pnmerge("delete", name, "--author", "ada")
    host.pass()
    host.pnmerge("sync", "a", "c")
    if name == "a/plan.peernote" {
      host.pnmerge("edit", other, "--title", "Our plan")
    } else {
      host.save(other, Self.text + "Call Ann.\n")
    }
    host.pass()
    let words = "is back; ada deleted it without knowing of later edits"
    for folder in ["b", "a"] {
      let run = host.pnmerge("sync", folder, "c")
      #expect(run.output.contains(words), "\(run)")
    }
    #expect(host.text(name) != nil)
    #expect(!host.pnmerge("sync", "a", "c").output.contains("is back"))
  }

  @Test("an old copy, of the file or with its history, goes to the trash again")
  func oldCopy() {
    host.save("a/sub/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "a")
    let history = host["a/sub/.peernote/note.md.peernote"]
    host.pnmerge("delete", "a/sub/note.md")
    host.pnmerge("tidy", "a")
    // From a stick that keeps no times, as if it was saved now.
    host.save("a/sub/note.md", Self.text)
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("a/sub/note.md: deleted, and moved to the trash"), "\(run)")
    #expect(files("a") == [])
    host["a/sub/.peernote/note.md.peernote"] = history
    host.save("a/sub/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "a")
    #expect(files("a") == [])
    #expect(host.pnmerge("tidy", "a").output == "0 notes, nothing to do\n")
  }

  @Test("a file that comes back edited, without its history, is back")
  func comesBackEdited() throws {
    host.pnmerge("delete", "a/sub/note.md")
    host.pnmerge("tidy", "a")
    host.save("a/sub/note.md", "Bring Bob.\n" + Self.text)
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("a/sub/note.md: is back"), "\(run)")
    #expect(host.text("a/sub/note.md") == "Bring Bob.\n" + Self.text)
    let history = try Document(bytes: #require(host["a/sub/.peernote/note.md.peernote"]))
    #expect(history.changeCount == 4 && history.root["deleted"] == nil)
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
  }

  @Test("a save after the mark takes it back; and so does track, from the trash")
  func takenBack() {
    host.pnmerge("delete", "a/sub/note.md")
    host.save("a/sub/note.md", Self.text + "Call Ann.\n")
    #expect(host.pnmerge("tidy", "a").output.contains("is back"))
    #expect(host.text("a/sub/note.md") == Self.text + "Call Ann.\n")
    host.pnmerge("delete", "a/sub/note.md")
    host.pnmerge("tidy", "a")
    #expect(files("a") == [])
    let run = host.pnmerge("track", "a/sub/note.md")
    #expect(run.output == "a/sub/note.md: written again from its history\n", "\(run)")
    #expect(host.text("a/sub/note.md") == Self.text + "Call Ann.\n")
    host.pass()
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.text("b/sub/note.md") == Self.text + "Call Ann.\n")
  }

  @Test("who deleted it and brings it back is named with both, not with edits that nobody made")
  func restoredKnowingly() {
    host.variables["PNMERGE_AUTHOR"] = "ada"
    host.pnmerge("delete", "a/sub/note.md")
    host.pass()
    host.pnmerge("sync", "a", "b")
    host.pnmerge("track", "a/sub/note.md")
    host.pass()
    let run = host.pnmerge("sync", "a", "b")
    #expect(
      run.output.contains("sub/note.md: is back; ada deleted it, and brought it back\n"), "\(run)")
    #expect(host.text("b/sub/note.md") == Self.text)
    #expect(!host.pnmerge("sync", "a", "b").output.contains("is back"))
  }

  @Test("what came in and is not shown yet is looked at before a file is deleted")
  func notShown() {
    host.save("b/sub/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "b")
    host.copy("b/sub/.peernote/note.md.peernote", "a/sub/.peernote/note.md.peernote")
    host.pass()
    let run = host.pnmerge("delete", "a/sub/note.md")
    #expect(run.status == .tryAgain && run.errors.contains("pnmerge tidy a/sub"), "\(run)")
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("delete", "a/sub/note.md").status == .done)
  }

  @Test("killed at any call, and run again: deleted all the same, and nothing is lost")
  func killed() throws {
    func world() throws -> TrackDeleteTests {
      let tests = try TrackDeleteTests()
      tests.host.pnmerge("delete", "a/sub/note.md")
      tests.host.pass()
      return tests
    }
    let whole = try world()
    let start = whole.host.calls.count
    whole.host.pnmerge("sync", "a", "b")
    for death in start..<whole.host.calls.count {
      let tests = try world()
      tests.host.death = death
      tests.host.pnmerge("sync", "a", "b")
      tests.host.death = nil
      tests.host.locked = []
      for _ in 1...2 {
        tests.host.pass()
        tests.host.pnmerge("sync", "a", "b")
      }
      for folder in ["a", "b"] {
        #expect(tests.files(folder) == [], "call \(death)")
        let trash = tests.files(folder, trash: true)
        #expect(trash.filter { $0.hasSuffix(".md") }.count == 1, "call \(death): \(trash)")
        #expect(trash.contains(Self.trash[0]), "call \(death): \(trash)")
      }
    }
  }
}
