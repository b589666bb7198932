import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `undo.txt` and `plain.txt` of
/// `Fixtures/outputs`.
@Suite("Undoing")
struct UndoCommandTests {
  private let host = MemoryHost()

  init() {
    host.pnmerge("new", "a", "--title", "0")
  }

  @Test("a file of any name has a past")
  func oddNames() {
    let name = "é %20\u{1B}\n"
    host.copy("a", name)
    let before = host[name]
    host.pnmerge("edit", name, "--title", "1")
    #expect(host.pnmerge("undo", name).status == .done)
    #expect(host[name] == before)
  }

  @Test("the last 20 states of a document are kept")
  func pruning() throws {
    for number in 1...25 { host.pnmerge("edit", "a", "--title", "\(number)") }
    let kept = host.entries.keys.filter { $0.visible.contains("/peernote/backups/") }
    #expect(kept.count { $0.visible.hasSuffix(".peernote") } == 20)
    #expect(kept.count { $0.visible.hasSuffix(".txt") } == 20)
    #expect(kept.allSatisfy { $0.visible.hasPrefix("/home/me/.local/state/peernote/backups/") })
    for number in [24, 23] {
      #expect(host.pnmerge("undo", "a").status == .done)
      #expect(try host.note("a")?.title == "\(number)")
    }
  }

  @Test("a state that another process completes at the same moment is left alone")
  func sharedNumber() throws {
    host.pnmerge("edit", "a", "--title", "1")
    let kept = host.entries.filter { $0.key.visible.contains("/000001.") }
    let theirs = kept.map { file, entry in
      let name = file.visible.replacing("/000001.", with: "/000002.")
      return (name: FileName(name), entry: entry)
    }
    #expect(theirs.count == 2)
    var creations = 0
    host.witness = { [host] call in
      guard call == .create else { return }
      creations += 1
      // The first is that of the new document.
      if creations == 2 { for (name, entry) in theirs { host.entries[name] = entry } }
    }
    let run = host.pnmerge("edit", "a", "--title", "2")
    #expect(run.status == .done && run.errors == "")
    for (name, entry) in theirs { #expect(host.entries[name] === entry) }
    #expect(host.entries.keys.count { $0.visible.contains("/000003.") } == 2)
    #expect(!host.entries.keys.contains { $0.visible.hasSuffix(".new") })
  }

  @Test("XDG_STATE_HOME moves the kept states, unless it is relative")
  func stateHome() {
    host.variables["XDG_STATE_HOME"] = "relative"
    host.pnmerge("edit", "a", "--title", "1")
    host.variables["XDG_STATE_HOME"] = "/tmp/state"
    host.pnmerge("edit", "a", "--title", "2")
    let places = host.entries.keys.filter { $0.visible.hasSuffix("1.peernote") }.map(\.visible)
    #expect(places.contains { $0.hasPrefix("/tmp/state/peernote/backups/") })
    #expect(places.contains { $0.hasPrefix("/home/me/.local/state/peernote/backups/") })
    #expect(places.count == 2)
  }

  @Test("undo refuses to take changes out before they are safe")
  func unsafeUndo() throws {
    host.pnmerge("edit", "a", "--title", "1")
    let before = host["a"]
    let id = try Document(bytes: try #require(before)).id
    let place = FileName("/home/me/.local/state/peernote/backups/\(id)")
    host.entries[place]?.mode = 0o500
    #expect(host.pnmerge("undo", "a").status == .ioError)
    #expect(host["a"] == before)
    #expect(host.names == ["a"])
  }
}
