import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/track*.txt`.
@Suite("Plain files that are tracked")
struct TrackCommandTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
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

  @Test("what is noticed is said once, however often files are waited for")
  func notices() {
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    let copy = "a/other.sync-conflict-20261101-101010-ABCDEFG.md"
    host.save(copy, "Lost.\n")
    host.setText("a/trip.md", "Tent.\nMap.\n")
    #expect(
      host.pnmerge("tidy", "a").output
        == "a: 1 file looks like a conflict copy of nothing that is there, and was left alone "
        + "(\(copy))\n1 note: 1 recorded, 1 left to you\n")
  }

  @Test("a tracked directory that holds no note takes in new ones")
  func firstNotes() {
    host.pnmerge("track", "a")
    host.save("a/trip.md", "Tent.\n")
    #expect(host.pnmerge("tidy", "a").output == "a/trip.md: new, and tracked\n1 note: 1 tracked\n")
    host.pnmerge("track", "b")
    host.save("b/list.md", "Milk.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(
      run.output == "b/list.md: new, and tracked\n2 notes: 1 tracked, 2 copied\n", "\(run)")
    for note in ["b/trip.md", "b/list.md"] { host.pnmerge("delete", note) }
    host.pass()
    host.pnmerge("tidy", "b")
    host.save("b/map.md", "Map.\n")
    #expect(host.pnmerge("tidy", "b").output == "b/map.md: new, and tracked\n1 note: 1 tracked\n")
  }

  @Test("a new note below two directories that are tracked is tracked once")
  func nested() throws {
    try host.makeDirectory(FileName("a/sub"))
    host.save("a/sub/trip.md", "Tent.\n")
    for directory in ["a", "a/sub"] { host.pnmerge("track", directory) }
    host.save("a/sub/list.md", "Milk.\n")
    #expect(
      host.pnmerge("tidy", "a").output == "a/sub/list.md: new, and tracked\n2 notes: 1 tracked\n")
  }

  @Test("a history that gets changes is told of, also if the file stays as it is")
  func historyAlone() throws {
    try host.makeDirectory(FileName("c"))
    host.save("a/trip.md", "Tent.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b", "c")
    host.save("a/trip.md", "Tent.\nMap.\n")
    host.pnmerge("delete", "b/trip.md")
    host.pass()
    host.pnmerge("sync", "a", "c")
    host.pnmerge("sync", "b", "c")
    #expect(host.pnmerge("sync", "-n", "a", "c").output.hasSuffix("1 note: 1 would be merged\n"))
    #expect(host.pnmerge("status", "a", "c").status == .different)
    #expect(host.pnmerge("sync", "--json", "a", "c").output.contains("\"written\":true"))
    #expect(host.pnmerge("sync", "a", "c").output == "1 note, nothing to do\n")
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

  @Test("a dry run says what comes of a save that is waited for")
  func recentSave() {
    host.save("a/n.md", "alpha\nbeta\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
    host.setText("a/n.md", "alpha\nbeta\ngamma\n")
    #expect(
      host.pnmerge("tidy", "-n", "a").output
        == "a/n.md: 1 save would be recorded\n1 note: 1 would be recorded\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
  }
}
