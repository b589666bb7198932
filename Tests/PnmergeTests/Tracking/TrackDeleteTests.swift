import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/track-delete*.txt`.
@Suite("Tracked files that are deleted")
struct TrackDeleteTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "a/sub"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/sub/note.md", "Bring the tent.\nBring the map.\nBuy some bread.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
  }

  private func files(_ folder: String, trash: Bool = false) -> [String] {
    host.tree(of: folder).keys.filter {
      $0.contains("/trash/") == trash && !$0.hasSuffix(".peernote/folder")
    }.sorted()
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
    for death in whole.host.calls(of: { whole.host.pnmerge("sync", "a", "b") }) {
      let tests = try world()
      tests.host.kill(at: death) { tests.host.pnmerge("sync", "a", "b") }
      for _ in 1...2 {
        tests.host.pass()
        tests.host.pnmerge("sync", "a", "b")
      }
      for folder in ["a", "b"] {
        #expect(tests.files(folder) == [], "call \(death)")
        let trash = tests.files(folder, trash: true)
        #expect(trash.filter { $0.hasSuffix(".md") }.count == 1, "call \(death): \(trash)")
        #expect(
          trash.contains(".peernote/trash/sub/.peernote/note.md.peernote"),
          "call \(death): \(trash)")
      }
    }
  }
}
