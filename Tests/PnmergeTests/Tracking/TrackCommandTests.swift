import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/track.txt`.
@Suite("Plain files that are tracked")
struct TrackCommandTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "a/sub"] { try host.makeDirectory(FileName(folder)) }
  }

  /// Delivers a file as a synchroniser does, which keeps the time of the save.
  private func deliver(_ name: String, to copy: String) {
    host.copy(name, copy)
    func entry(_ name: String) -> MemoryHost.Entry? { host.entries[FileName("/work/\(name)")] }
    guard let from = entry(name), let to = entry(copy) else { return }
    (to.changed, to.modified) = (to.modified, from.modified)
  }

  @Test("'log' and 'blame' name who saved on this machine, and how the rest came")
  func names() {
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    host.pass()
    host.save("a/trip.md", "Tent.\nMap.\n")
    host.pnmerge("tidy", "a")
    host.pass()
    host.save("b/trip.md", "Tent.\nMap.\nBoots.\n")
    host.pass(seconds: 60)
    deliver("b/trip.md", to: "a/trip.md")
    host.pass()
    host.pnmerge("tidy", "a")
    let who = "me"
    func column(_ command: String) -> [String] {
      host.pnmerge(command, "a/trip.md").output.split(separator: "\n").map { line in
        [who, "as found", "a device"].first { line.contains("  \($0) ") } ?? "none"
      }
    }
    #expect(column("log") == ["a device", who, "as found"], "\(host.pnmerge("log", "a/trip.md"))")
    #expect(column("blame") == ["as found", who, "a device"])
  }

  @Test("the marker is the advice, until it is taken or declined")
  func advice() {
    let words =
      "  advice for files that are edited on machines without pnmerge: pnmerge track --marker"
    for name in ["one.md", "two.json"] { host.save("a/\(name)", "{}\n") }
    #expect(host.pnmerge("track", "a").output == "2 files tracked\n\(words) a\n")
    host.save("a/three.md", "x\n")
    #expect(
      host.pnmerge("track", "--no-marker", "a").output == "1 file tracked, 2 tracked already\n")
    host.pnmerge("track", "--marker", "a")
    host.save("a/four.md", "x\n")
    #expect(host.pnmerge("track", "a").output == "1 file tracked, 3 tracked already\n")
    #expect(host.text("a/four.md")?.contains("peernote-version") ?? false)
  }

  @Test("nothing that is written of a private file is more readable than it")
  func permissions() {
    host.save("a/trip.md", "Tent.\n")
    func mode(_ name: String) -> UInt32? { host.entries[FileName("/work/\(name)")]?.mode }
    host.entries[FileName("/work/a/trip.md")]?.mode = 0o600
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass()
    host.save("a/trip.md", "Tent.\nMap.\n")
    host.entries[FileName("/work/a/trip.md")]?.mode = 0o600
    host.pnmerge("sync", "a", "b")
    host.pnmerge("export", "a/trip.md", "-o", "out.md")
    host.pnmerge(
      "merge", "a/.peernote/trip.md.peernote", "b/.peernote/trip.md.peernote", "-o", "out.peernote")
    let files = [
      "a/trip.md", "b/trip.md", "a/.peernote/trip.md.peernote", "b/.peernote/trip.md.peernote",
      "out.md", "out.peernote",
    ]
    for file in files { #expect(mode(file).map { $0 & 0o077 } == 0, "\(file)") }
    #expect(host.text("b/trip.md") == "Tent.\nMap.\n")
  }

  @Test("what is no text is refused, and one bad file hides none of the others")
  func refusals() {
    host["a/zero.md"] = [0x41, 0x00, 0x42]
    host["a/latin.md"] = [0xE4, 0x0A]
    host.save("a/good.md", "x\n")
    let run = host.pnmerge("track", "a")
    #expect(run.status == .unreadable && run.output.hasPrefix("1 file tracked\n"))
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(host.pnmerge("track", "a/none.md").status == .unreadable)
    host.pnmerge("new", "a/note.peernote")
    #expect(host.pnmerge("track", "a/note.peernote").status == .usage)
    let long = String(repeating: "x", count: 250) + ".md"
    host.save("a/\(long)", "x\n")
    #expect(host.pnmerge("track", "a/\(long)").status == .cannotCreate)
  }

  @Test("a save is recorded, and no save is recorded twice")
  func record() throws {
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    host.save("a/trip.md", "Tent.\nMap.\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    let count = host.calls.count
    host.pnmerge("tidy", "a")
    #expect(Array(host.calls[count...]) == [.read])
    let history = try Document(bytes: #require(host["a/.peernote/trip.md.peernote"]))
    #expect(history.changeCount == 2 && history.root["body"] == .text("Tent.\nMap.\n"))
  }

  @Test("a file that was saved a moment ago is waited for")
  func busy() {
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    host.setText("a/trip.md", "Tent.\nMap.\n")
    let before = host.now.milliseconds
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
    #expect(host.now.milliseconds - before >= 5000)
  }

  @Test("two folders: both sides' saves are in both files, and the next run is idle")
  func sync() {
    host.save("a/sub/trip.md", "one\ntwo\nthree\n")
    host.pnmerge("track", "a")
    #expect(host.pnmerge("sync", "a", "b").output == "1 note: 1 copied\n")
    #expect(host["b/sub/trip.md"] == host["a/sub/trip.md"])
    host.pass()
    host.save("a/sub/trip.md", "zero\none\ntwo\nthree\n")
    host.save("b/sub/trip.md", "one\ntwo\nthree\nfour\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output == "1 note: 2 recorded, 2 brought up to date\n", "\(run.errors)")
    #expect(host.text("a/sub/trip.md") == "zero\none\ntwo\nthree\nfour\n")
    #expect(host["b/sub/trip.md"] == host["a/sub/trip.md"])
    #expect(host["b/sub/.peernote/trip.md.peernote"] == host["a/sub/.peernote/trip.md.peernote"])
    host.pass()
    host.pnmerge("sync", "a", "b")
    let count = host.calls.count
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    #expect(Array(host.calls[count...]) == [.read, .read])
  }

  @Test("conflict copies of file and history are folded, and go to the trash")
  func conflictCopies() {
    host.save("a/trip.md", "one\ntwo\nthree\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 300)
    // Elsewhere, with pnmerge, the last line is another one; by Syncthing file and history conflict.
    deliver("a/trip.md", to: "b/trip.md")
    try? host.makeDirectory(FileName("b/.peernote"))
    deliver("a/.peernote/trip.md.peernote", to: "b/.peernote/trip.md.peernote")
    host.save("b/trip.md", "one\ntwo\nTHREE\n")
    host.pnmerge("tidy", "b")
    host.pass(seconds: 300)
    host.save("a/trip.md", "ONE\ntwo\nthree\n")
    host.pnmerge("tidy", "a")
    let suffix = "sync-conflict-20261101-101010-ABCDEFG"
    deliver("b/trip.md", to: "a/trip.\(suffix).md")
    deliver("b/.peernote/trip.md.peernote", to: "a/.peernote/trip.md.\(suffix).peernote")
    host.pass()
    let run = host.pnmerge("tidy", "a")
    #expect(run.status == .done && run.errors == "", "\(run.errors)")
    #expect(host.text("a/trip.md") == "ONE\ntwo\nTHREE\n")
    #expect(host["a/trip.\(suffix).md"] == nil)
    #expect(host["a/.peernote/trip.md.\(suffix).peernote"] == nil)
    #expect(host.text("a/.peernote/trash/trip.\(suffix).md") == "one\ntwo\nTHREE\n")
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
  }

  @Test("many conflict copies of a history are folded at once, and nothing of any is lost")
  func manyHistories() throws {
    let lines = (0..<7).map { "line \($0)\n\n" }
    host.save("a/trip.md", lines.joined())
    host.pnmerge("track", "a")
    host.pass(seconds: 300)
    for number in 1..<lines.count {
      let folder = "machine-\(number)"
      try host.makeDirectory(FileName(folder))
      try host.makeDirectory(FileName("\(folder)/.peernote"))
      deliver("a/trip.md", to: "\(folder)/trip.md")
      deliver("a/.peernote/trip.md.peernote", to: "\(folder)/.peernote/trip.md.peernote")
      host.save(
        "\(folder)/trip.md", lines.joined().replacing("line \(number)", with: "LINE \(number)"))
      host.pnmerge("tidy", folder)
      host.pass(seconds: 300)
    }
    for number in 1..<lines.count {
      deliver(
        "machine-\(number)/.peernote/trip.md.peernote",
        to: "a/.peernote/trip.md.sync-conflict-20261101-10101\(number)-ABCDEFG.peernote")
    }
    host.pass()
    let run = host.pnmerge("tidy", "a")
    #expect(run.status == .done && run.errors == "", "\(run.errors)")
    #expect(
      host.text("a/trip.md")
        == lines[0] + lines.dropFirst().map { $0.replacing("line", with: "LINE") }.joined())
  }

  @Test("a history may come before its file, or after it", arguments: [true, false])
  func order(isHistoryFirst: Bool) {
    host.save("a/trip.md", "one\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
    host.save("a/trip.md", "one\ntwo\n")
    host.pnmerge("tidy", "a")
    let names = [
      ("a/.peernote/trip.md.peernote", "b/.peernote/trip.md.peernote"), ("a/trip.md", "b/trip.md"),
    ]
    // Another state directory: the folder is on another machine.
    host.variables["XDG_STATE_HOME"] = "/home/me/other"
    for (from, to) in isHistoryFirst ? names : names.reversed() {
      deliver(from, to: to)
      host.pass(seconds: 300)
      let run = host.pnmerge("tidy", "b")
      #expect(run.status == .done && run.errors == "", "\(run.errors)")
    }
    #expect(host.text("b/trip.md") == "one\ntwo\n")
    if isHistoryFirst {
      #expect(host["b/.peernote/trip.md.peernote"] == host["a/.peernote/trip.md.peernote"])
    } else {
      // Nobody there could know who had saved it: both changes count, and do the same.
      deliver(names[0].1, to: names[0].0)
      host.pass()
      host.variables["XDG_STATE_HOME"] = nil
      #expect(host.pnmerge("sync", "a", "b").status == .done)
      #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
      #expect(host.text("a/trip.md") == "one\ntwo\n" && host.text("b/trip.md") == "one\ntwo\n")
    }
  }

  @Test("a phone that knows nothing of histories edits the file, and every edit is there once")
  func phone() {
    host.save("a/trip.md", "one\ntwo\nthree\n")
    host.pnmerge("track", "a")
    for folder in ["b"] { deliver("a/trip.md", to: "\(folder)/trip.md") }
    host.pass(seconds: 300)
    // On the phone; and on the desk at once, so that the phone's becomes a conflict copy.
    host.save("b/trip.md", "one\ntwo\nthree\nfour\n")
    host.save("a/trip.md", "zero\none\ntwo\nthree\n")
    deliver("b/trip.md", to: "a/trip.sync-conflict-20261101-101010-ABCDEFG.md")
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.text("a/trip.md") == "zero\none\ntwo\nthree\nfour\n")
  }

  @Test("a file that is empty, or no text any more, is left alone, and said")
  func leftAlone() {
    host.save("a/trip.md", "one\n")
    host.pnmerge("track", "a")
    host.save("a/trip.md", "")
    #expect(host.pnmerge("tidy", "a").errors.contains("a/trip.md: is empty"))
    #expect(host.text("a/trip.md") == "")
    host["a/trip.md"] = [0xFF, 0x00]
    host.pass()
    #expect(host.pnmerge("tidy", "a").errors.contains("a/trip.md: is not text (UTF-8"))
    #expect(host["a/trip.md"] == [0xFF, 0x00])
  }

  @Test("a tracked file that is named is listed, and its history is validated")
  func named() {
    host.save("a/trip.md", "---\ntitle: Trip\npriority: high\n---\nTent.\n")
    host.pnmerge("track", "a")
    let list = host.pnmerge("ls", "a/trip.md")
    #expect(list.output.hasPrefix("a/trip.md  Trip  high  ") && list.status == .done, "\(list)")
    #expect(
      host.pnmerge("validate", "a/trip.md").output == "a/.peernote/trip.md.peernote: sound\n")
    host.setText("a/.peernote/trip.md.peernote", "no document")
    for command in ["ls", "validate"] {
      let run = host.pnmerge(command, "a/trip.md")
      let said = run.errors + run.output
      #expect(run.status == .damaged && said.contains("a/.peernote/trip.md.peernote"), "\(run)")
    }
  }

  @Test("a name that leaves no room for the history's is refused, and how long it may be is said")
  func longNames() {
    for (count, status) in [(246, ExitStatus.done), (247, .cannotCreate)] {
      let name = "a/" + String(repeating: "x", count: count - 3) + ".md"
      host.save(name, "Tent.\n")
      let run = host.pnmerge("track", name)
      #expect(run.status == status, "\(run)")
      #expect(run.errors.contains("a name of at most 246 bytes") == (status != .done), "\(run)")
    }
  }

  @Test("a file that was tracked on two machines apart is one in the end, with the same bytes")
  func twice() throws {
    host.save("a/trip.md", "one\ntwo\n")
    deliver("a/trip.md", to: "b/trip.md")
    host.pnmerge("track", "a")
    host.pnmerge("track", "b")
    host.pass(seconds: 300)
    host.save("b/trip.md", "one\ntwo\nthree\n")
    host.pnmerge("tidy", "b")
    let copy = "trip.md.sync-conflict-20261101-101010-ABCDEFG.peernote"
    host.copy("b/.peernote/trip.md.peernote", "a/.peernote/\(copy)")
    host.copy("a/.peernote/trip.md.peernote", "b/.peernote/\(copy)")
    host.pass(seconds: 300)
    for folder in ["a", "b"] {
      let run = host.pnmerge("tidy", folder)
      #expect(
        run.errors == "" && host.text("\(folder)/trip.md") == "one\ntwo\nthree\n", "\(run.errors)")
    }
    #expect(host["a/.peernote/trip.md.peernote"] == host["b/.peernote/trip.md.peernote"])
  }

  @Test("killed at any call, and run again: nothing is lost, and nothing is there twice")
  func killed() throws {
    func world() throws -> TrackCommandTests {
      let tests = try TrackCommandTests()
      tests.host.save("a/trip.md", "one\ntwo\nthree\n")
      tests.host.pnmerge("track", "a")
      tests.host.pnmerge("sync", "a", "b")
      tests.host.pass(seconds: 300)
      tests.host.save("a/trip.md", "zero\none\ntwo\nthree\n")
      tests.host.save("b/trip.md", "one\ntwo\nthree\nfour\n")
      tests.host.save("a/trip.sync-conflict-20261101-101010-ABCDEFG.md", "one\ntwo\nhalf\nthree\n")
      return tests
    }
    let whole = try world()
    let start = whole.host.calls.count
    whole.host.pnmerge("sync", "a", "b")
    let end = whole.host.calls.count
    let wanted = "zero\none\ntwo\nhalf\nthree\nfour\n"
    #expect(whole.host.text("a/trip.md") == wanted)
    for death in start..<end {
      let tests = try world()
      tests.host.death = death
      tests.host.pnmerge("sync", "a", "b")
      tests.host.death = nil
      tests.host.locked = []
      tests.host.pass()
      for _ in 1...2 {
        tests.host.pnmerge("sync", "a", "b")
        tests.host.pass()
      }
      #expect(
        tests.host.text("a/trip.md") == wanted && tests.host.text("b/trip.md") == wanted,
        "call \(death)")
      #expect(
        tests.host["a/.peernote/trip.md.peernote"] == tests.host["b/.peernote/trip.md.peernote"])
      #expect(
        !tests.host.entries.keys.contains {
          $0.visible.hasPrefix("/work/") && $0.visible.hasSuffix(".pnmerge")
        })
    }
  }
}
