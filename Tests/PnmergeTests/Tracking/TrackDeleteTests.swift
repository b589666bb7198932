import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/track-delete.txt`.
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

  @Test("what was saved before is in the history that goes to the trash")
  func savedBefore() throws {
    host.save("a/sub/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("delete", "a/sub/note.md")
    #expect(host.pnmerge("tidy", "a").status == .done)
    let buried = try Document(bytes: #require(host["a/" + Self.trash[0]]))
    #expect(buried.root["body"] == .text(Self.text + "Call Ann.\n"))
    #expect(files("a") == [])
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
