import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files, and what goes wrong")
struct TrackFaultTests {
  /// Two folders with a tracked file that was saved in both, and a conflict copy.
  private struct World {
    let host = MemoryHost()
    static let wanted = "zero\none\ntwo\nhalf\nthree\nfour\n"
    static let copy = "a/trip.sync-conflict-20261101-101010-ABCDEFG.md"

    init() throws {
      host.keepsTime = true
      for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
      host.save("a/trip.md", "one\ntwo\nthree\n")
      host.pnmerge("track", "a")
      host.pnmerge("sync", "a", "b")
      host.pass(seconds: 300)
      host.save("a/trip.md", "zero\none\ntwo\nthree\n")
      host.save("b/trip.md", "one\ntwo\nthree\nfour\n")
      host.save(Self.copy, "one\ntwo\nhalf\nthree\n")
    }

    /// Runs it until nothing is left to do, and looks whether everything is there.
    func finish(_ comment: Comment) {
      for _ in 1...3 {
        host.pass()
        host.pnmerge("sync", "a", "b")
      }
      #expect(
        host.text("a/trip.md") == Self.wanted && host.text("b/trip.md") == Self.wanted, comment)
      #expect(host["a/.peernote/trip.md.peernote"] == host["b/.peernote/trip.md.peernote"], comment)
      #expect(host[Self.copy] == nil, comment)
      #expect(!host.entries.keys.contains { $0.visible.hasSuffix(".pnmerge") }, comment)
    }
  }

  /// How many calls a run makes, and from which on.
  private func callsOfRun() throws -> Range<Int> {
    let world = try World()
    let start = world.host.calls.count
    world.host.pnmerge("sync", "a", "b")
    let end = world.host.calls.count
    world.finish("whole")
    return start..<end
  }

  @Test("a history is not made something else, unless that is forced")
  func editedHistory() throws {
    let host = MemoryHost()
    try host.makeDirectory(FileName("a"))
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a/trip.md")
    let history = "a/.peernote/trip.md.peernote"
    let bytes = host[history]
    for command in [["edit", history, "--title", "X"], ["set", history, "/x", "1"]] {
      let run = host.pnmerge(command)
      #expect(run.status == .usage && host[history] == bytes)
      #expect(
        run.errors.hasPrefix("pnmerge: \(history): is the history of a/trip.md, and has nothing"),
        "\(run)")
    }
    #expect(host.pnmerge("tidy", "a").status == .done)
    #expect(host.pnmerge("set", "--force", history, "/x", "1").status == .done)
  }

  @Test("a history that is gone comes back with what this machine has kept, or another folder has")
  func goneHistory() throws {
    let host = MemoryHost()
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/trip.md", "Tent.\n")
    host.save("a/other.md", "Other.\n")
    host.pnmerge("track", "a")
    host.pass()
    host.pnmerge("sync", "a", "b")
    let history = "a/.peernote/trip.md.peernote"
    host[history] = nil
    // Another folder has it.
    let lost = "a/trip.md: is not tracked any more, since its history is gone; to track it: "
    #expect(!host.pnmerge("sync", "a", "b").output.contains(lost))
    #expect(host[history] != nil)
    host[history] = nil
    let status = host.pnmerge("status", "a")
    #expect(
      status.status == .different
        && status.output.contains("a/trip.md: was tracked, and its history is gone"), "\(status)")
    let words = "a/trip.md: its history was gone; it is now what this machine had kept of it"
    #expect(host.pnmerge("tidy", "--dry-run", "a").output.contains(words))
    #expect(host[history] == nil)
    let run = host.pnmerge("tidy", "a")
    #expect(run.status == .done && run.output.contains(words), "\(run)")
    #expect(run.output.hasSuffix("2 notes: 1 restored\n") && host[history] != nil, "\(run)")
    #expect(host.pnmerge("tidy", "a").output == "2 notes, nothing to do\n")
    host[history] = nil
    host.save("a/trip.md", "Tent.\nMap.\n")
    host.pass()
    #expect(host.pnmerge("track", "a/trip.md").status == .done)
    host.pnmerge("sync", "a", "b")
    #expect(host.text("b/trip.md") == "Tent.\nMap.\n")
    #expect(host[history] == host["b/.peernote/trip.md.peernote"] && host[history] != nil)
    // Who has it forgotten does not hear of it.
    host.pnmerge("untrack", "a/trip.md")
    #expect(!host.pnmerge("tidy", "a").output.contains("trip.md"))
  }

  @Test("what failed is counted, and a run that failed does not say that there is nothing to do")
  func failure() throws {
    let host = MemoryHost()
    try host.makeDirectory(FileName("a"))
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a/trip.md")
    host.setText("a/.peernote/trip.md.peernote", "no history")
    // Else what this machine has kept takes its place.
    for name in host.entries.keys where name.visible.contains("/peernote/tracked/") {
      host.entries[name] = nil
    }
    let run = host.pnmerge("tidy", "a")
    #expect(run.status != .done && !run.errors.isEmpty)
    #expect(run.output.hasSuffix(": 1 failed\n"), "\(run.output)")
  }

  @Test("what is damaged in the trash is said, and hinders nothing")
  func damagedTrash() throws {
    let host = MemoryHost()
    for folder in ["a", "a/.peernote", "a/.peernote/trash", "a/.peernote/trash/.peernote"] {
      try host.makeDirectory(FileName(folder))
    }
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    host.pass()
    for name in ["old.peernote", ".peernote/old.md.peernote"] {
      host.setText("a/.peernote/trash/\(name)", "no document")
    }
    for command in [["tidy", "--trash-days", "0", "a"], ["status", "a"]] {
      let run = host.pnmerge(command)
      #expect(run.status == .done, "\(run)")
      #expect(
        run.errors.split(separator: "\n").count { $0.hasSuffix("it may be deleted") } == 2, "\(run)"
      )
    }
    let list = host.pnmerge("ls", "a")
    #expect(list.status == .done && list.errors.isEmpty, "\(list)")
    let json = host.pnmerge("tidy", "--trash-days", "0", "--json", "a").output
    #expect(json.contains("\"failures\":[],\"warnings\":[{"), "\(json)")
    // What is damaged elsewhere is still a failure.
    host.setText("a/.peernote/new.md.peernote", "no document")
    #expect(host.pnmerge("tidy", "a").status == .damaged)
  }

  @Test("a disk that is full at whichever call: it is said, and the next run does the rest")
  func fullDisk() throws {
    for number in try callsOfRun() {
      let world = try World()
      world.host.failure = (number, HostError(.noSpace, "no space left on device"))
      let before = ["a/trip.md", "b/trip.md", World.copy].map { world.host.text($0) }
      let run = world.host.pnmerge("sync", "a", "b")
      let failed = world.host.calls[number]
      // A run that says nothing has done everything.
      #expect(
        run.status != .done
          || ["a", "b"].allSatisfy { world.host.text("\($0)/trip.md") == World.wanted },
        "call \(number), \(failed)")
      // Each file is what it was, or what it is to be.
      for (name, old) in zip(["a/trip.md", "b/trip.md"], before) {
        let text = world.host.text(name)
        #expect(text == old || text?.hasPrefix("zero\n") ?? false, "call \(number), \(name)")
      }
      world.host.failure = nil
      world.finish("call \(number), \(failed)")
    }
  }

  @Test("a folder that cannot be written to is left as it is, and said; the other one is served")
  func readOnly() throws {
    let world = try World()
    func setMode(_ mode: UInt32) {
      for name in ["b", "b/.peernote"] {
        world.host.entries[FileName("/work/\(name)")]?.mode = mode
      }
    }
    setMode(0o555)
    let run = world.host.pnmerge("sync", "a", "b")
    #expect(run.status != .done && run.errors.contains("permission denied"), "\(run)")
    #expect(world.host.text("b/trip.md") == "one\ntwo\nthree\nfour\n")
    setMode(0o755)
    world.finish("writable again")
  }

  @Test("nothing is said to be recorded where the history cannot be written")
  func notRecorded() throws {
    let world = try World()
    world.host.entries[FileName("/work/b/.peernote")]?.mode = 0o555
    let run = world.host.pnmerge("tidy", "b")
    #expect(run.errors.contains("permission denied"), "\(run)")
    #expect(!run.output.contains("recorded"), "\(run)")
    world.host.entries[FileName("/work/b/.peernote")]?.mode = 0o755
    #expect(world.host.pnmerge("tidy", "b").output.contains("1 recorded"))
  }

  @Test("a folder that was copied to another place with its histories has nothing to do")
  func copiedFolder() throws {
    let world = try World()
    world.host.pnmerge("tidy", "b")
    for folder in ["c", "c/.peernote"] { try world.host.makeDirectory(FileName(folder)) }
    for name in ["trip.md", ".peernote/trip.md.peernote"] {
      world.host.copy("b/\(name)", "c/\(name)")
    }
    let run = world.host.pnmerge("status", "c")
    #expect(run.output == "0 documents, 1 tracked file, 0 with something to do\n", "\(run)")
    #expect(run.status == .done)
  }

  @Test("a file that an editor saves at whichever call keeps what was saved")
  func savedMeanwhile() throws {
    for number in try callsOfRun() {
      let world = try World()
      let host = world.host
      host.witness = { _ in
        guard host.calls.count == number + 1 else { return }
        // What the editor shows is what the file holds.
        let text = host["a/trip.md"].map { String(decoding: $0, as: UTF8.self) } ?? ""
        host.setText("a/trip.md", text + "late\n")
      }
      host.pnmerge("sync", "a", "b")
      host.witness = { _ in }
      for _ in 1...3 {
        world.host.pass()
        host.pnmerge("sync", "a", "b")
      }
      let lines = (world.host.text("a/trip.md") ?? "").split(separator: "\n").map(String.init)
      let wanted = ["four", "half", "late", "one", "three", "two", "zero"]
      #expect(
        lines.sorted() == wanted, "call \(number), \(host.calls[number]): \(lines)")
      #expect(world.host.text("b/trip.md") == world.host.text("a/trip.md"), "call \(number)")
    }
  }

  @Test("where names cannot be exchanged, files are renamed")
  func noExchange() throws {
    let world = try World()
    world.host.exchangesNames = false
    world.finish("renamed")
  }
}
