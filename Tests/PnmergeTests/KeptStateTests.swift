import Peernote
import PnmergeCommands
import Testing

/// States kept for `undo`, where processes die, fail and keep states at once.
@Suite("Kept states")
struct KeptStateTests {
  private let host = MemoryHost()
  private let directory: FileName

  /// A document after two edits, so that two states are kept.
  init() throws {
    host.pnmerge("new", "a", "--title", "0")
    host.pnmerge("edit", "a", "--title", "1")
    host.pnmerge("edit", "a", "--title", "2")
    let id = try Document(bytes: try #require(host["a"])).id
    directory = FileName("/home/me/.local/state/peernote/backups/\(id)")
    try #require(states == ["000001.peernote", "000001.txt", "000002.peernote", "000002.txt"])
  }

  /// The files of kept states, in order.
  private var states: [String] {
    host.entries.keys.filter { $0.directory == directory }.map(\.lastComponent.visible).sorted()
  }

  /// Makes a file of a state, as another process does that is alive or not.
  private func make(_ name: String, like other: String? = nil, isInUse: Bool) throws {
    let open = try host.createExclusively(directory.appending(name))
    let bytes = other.flatMap { host.entries[directory.appending($0)]?.bytes }
    try host.write((bytes ?? Array("half".utf8))[...], to: open)
    if !isInUse { host.close(open) }
  }

  private func checkComplete(_ comment: Comment) {
    let names = Set(states)
    #expect(!names.contains { $0.hasSuffix(".new") }, comment)
    for name in names where !name.hasSuffix(".new") {
      let stem = name.prefix { $0 != "." }
      #expect(names.isSuperset(of: ["\(stem).peernote", "\(stem).txt"]), comment)
    }
  }

  private func edit(_ title: String) -> MemoryHost.Run {
    host.pnmerge("edit", "a", "--title", title)
  }

  /// The calls of an edit, or of another command.
  private static func calls(
    of run: (KeptStateTests) -> MemoryHost.Run = { $0.edit("3") }
  ) throws -> Range<Int> {
    let tests = try KeptStateTests()
    return tests.host.calls { _ = run(tests) }
  }

  @Test("killed at whichever call, an edit leaves whole states, and the next one clears the rest")
  func everyDeath() throws {
    let calls = try Self.calls()
    for call in calls.lowerBound...calls.upperBound {
      let tests = try KeptStateTests()
      tests.host.kill(at: call) { _ = tests.edit("3") }
      let held = tests.host["a"]
      #expect(tests.edit("4").errors == "", "\(call)")
      tests.checkComplete("\(call)")
      #expect(tests.host.pnmerge("undo", "a").status == .done, "\(call)")
      #expect(tests.host["a"] == held, "\(call)")
    }
  }

  @Test("failing at whichever call, an edit leaves whole states and nothing else")
  func everyFailure() throws {
    for call in try Self.calls() {
      let tests = try KeptStateTests()
      tests.host.failure = (call, HostError(.other, "fault"))
      _ = tests.edit("3")
      // What cannot be removed stays, and is cleared the next time.
      if tests.host.calls[call] == .remove { _ = tests.edit("4") }
      tests.checkComplete("\(call)")
    }
  }

  @Test("failing at whichever call, an undo leaves whole states, and the file if none was kept")
  func everyUndoFailure() throws {
    for call in try Self.calls(of: { $0.host.pnmerge("undo", "a") }) {
      let tests = try KeptStateTests()
      let before = tests.host["a"]
      tests.host.failure = (call, HostError(.other, "fault"))
      let run = tests.host.pnmerge("undo", "a")
      tests.checkComplete("\(call)")
      #expect(run.status == .done || tests.host["a"] == before, "\(call)")
      #expect(run.status != .done || tests.states.contains("000003.peernote"), "\(call)")
    }
  }

  @Test("a state counts as being written until it is complete")
  func inUse() {
    var seen = 0
    host.witness = { [host, directory] _ in
      let new = host.entries.filter { $0.key.directory == directory }
        .filter { $0.key.visible.hasSuffix(".new") }
      seen += new.count
      let areInUse = new.values.allSatisfy { $0.isInUse }
      #expect(areInUse)
    }
    _ = edit("3")
    #expect(seen > 3)
  }

  @Test("a state that a living process writes is left alone; once it is dead, it is cleared")
  func neighbour() throws {
    try make("000003.new", isInUse: true)
    try make("000003.txt", like: "000002.txt", isInUse: false)
    #expect(edit("3").errors == "")
    #expect(states.filter { $0.hasPrefix("000003") } == ["000003.new", "000003.txt"])
    #expect(states.contains("000004.peernote"))
    // Nor is it taken for a state to go back to.
    #expect(host.pnmerge("undo", "a").status == .done)
    #expect(try host.note("a")?.title == "2")
    host.entries[directory.appending("000003.new")]?.isInUse = false
    #expect(edit("4").errors == "")
    #expect(!states.contains { $0.hasPrefix("000003") })
    checkComplete("cleared")
  }

  @Test("a description without bytes is no state to go back to")
  func lostBytes() throws {
    try make("000003.txt", like: "000002.txt", isInUse: false)
    #expect(host.pnmerge("undo", "a").status == .done)
    #expect(try host.note("a")?.title == "1")
  }

  @Test("a state that another process completes while others are cleared is kept")
  func completedMeanwhile() throws {
    try make("000003.new", isInUse: false)
    try make("000004.new", like: "000002.peernote", isInUse: true)
    try make("000004.txt", like: "000002.txt", isInUse: false)
    host.witness = { [host, directory] call in
      guard call == .remove else { return }
      let name = directory.appending("000004.new")
      guard let entry = host.entries.removeValue(forKey: name) else { return }
      entry.isInUse = false
      host.entries[directory.appending("000004.peernote")] = entry
    }
    #expect(edit("3").errors == "")
    #expect(states.filter { $0.hasPrefix("000004") } == ["000004.peernote", "000004.txt"])
    checkComplete("completed")
  }

  @Test("a name that another process takes first is left to it, whatever it does with it")
  func takenNumber() throws {
    var isDone = false
    host.witness = { [self] call in
      guard call == .create, !isDone, host.names.contains(".a.pnmerge") else { return }
      isDone = true
      try? make("000003.new", isInUse: true)
    }
    #expect(edit("3").errors == "")
    #expect(states.filter { $0.hasPrefix("000003") } == ["000003.new"])
    #expect(states.contains("000004.peernote") && states.contains("000004.txt"))
  }

  @Test("a directory that another process makes first is used")
  func takenDirectory() throws {
    host.variables["XDG_STATE_HOME"] = "/tmp/state"
    var isDone = false
    host.witness = { [host] call in
      guard call == .makeDirectory, !isDone else { return }
      isDone = true
      try? host.makeDirectory(FileName("/tmp/state"))
    }
    #expect(edit("3").errors == "")
    #expect(host.entries.keys.contains { $0.visible.hasPrefix("/tmp/state/peernote/backups/") })
  }

  @Test("what is no state is left alone, and no description of another form is read")
  func strangers() throws {
    let names = ["notes", "x.txt", "000009.old", "000077.peernote.bak"]
    for name in names { try make(name, isInUse: false) }
    let path = directory.appending("000002.txt")
    let sound = try #require(host.entries[path]?.bytes)
    let text = String(decoding: sound, as: UTF8.self)
    for broken in [
      "", String(text.dropLast()), text + "more 1\n", text.replacing("action ", with: "deed "),
      text.replacing("edit", with: "eat"), text.replacing("time ", with: "time x"),
      text.replacing("time ", with: "time 1 "), text.replacing("heads ", with: "heads x "),
      text.replacing("file /", with: "file %2"), text.replacing("file /", with: "file %zz/"),
    ] {
      host.entries[path]?.bytes = Array(broken.utf8)
      let run = host.pnmerge("undo", "-n", "a")
      #expect(run.status == .unreadable, "\(broken)")
    }
    host.entries[path]?.bytes = sound
    #expect(host.pnmerge("undo", "-n", "a").status == .done)
    #expect(edit("3").errors == "")
    #expect(names.allSatisfy { states.contains($0) } && states.contains("000003.peernote"))
  }
}
