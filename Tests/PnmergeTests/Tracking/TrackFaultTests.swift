import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files, and what goes wrong")
struct TrackFaultTests {
  /// Two folders with a tracked file that was saved in both, and a conflict copy; in one of them there is
  /// a new note in a new directory.
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
      try host.makeDirectory(FileName("a/sub"))
      host.save("a/sub/new.md", "new\n")
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
      #expect(host[Self.copy] == nil && host.text("b/sub/new.md") == "new\n", comment)
      #expect(!host.entries.keys.contains { $0.visible.hasSuffix(".pnmerge") }, comment)
    }
  }

  /// The calls of a run.
  private func callsOfRun() throws -> Range<Int> {
    let world = try World()
    defer { world.finish("whole") }
    return world.host.calls { world.host.pnmerge("sync", "a", "b") }
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

  @Test("killed at any call, and run again: nothing is lost, and nothing is there twice")
  func killed() throws {
    for death in try callsOfRun() {
      let host = try World().host
      host.kill(at: death) { host.pnmerge("sync", "a", "b") }
      host.pass()
      for _ in 1...2 {
        host.pnmerge("sync", "a", "b")
        host.pass()
      }
      let texts = ["a/trip.md", "b/trip.md"].map { host.text($0) }
      #expect(texts == [World.wanted, World.wanted], "call \(death)")
      #expect(host["a/.peernote/trip.md.peernote"] == host["b/.peernote/trip.md.peernote"])
      let litter = host.entries.keys.map(\.visible).filter {
        $0.hasPrefix("/work/") && $0.hasSuffix(".pnmerge")
      }
      #expect(litter.isEmpty, "call \(death)")
    }
  }

  @Test("a disk that is full at whichever call: it is said, and the next run does the rest")
  func fullDisk() throws {
    for number in try callsOfRun() {
      let world = try World()
      world.host.failure = (number, HostError(.noSpace, "no space left on device"))
      let before = ["a/trip.md", "b/trip.md", World.copy].map { world.host.text($0) }
      let run = world.host.pnmerge("sync", "a", "b")
      let failed = world.host.calls[number]
      #expect(run.status != .usage && !run.errors.contains("hostError"), "call \(number), \(run)")
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
