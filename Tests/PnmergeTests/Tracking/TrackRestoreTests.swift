import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files whose histories are gone or damaged")
struct TrackRestoreTests {
  private let host = MemoryHost()
  private static let history = "a/.peernote/trip.md.peernote"

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/trip.md", "Tent.\nStove.\n")
    host.save("a/other.md", "Other.\n")
    host.pnmerge("track", "a")
    host.pass()
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
  }

  /// What became of a history.
  enum Loss: CaseIterable {
    case gone, empty, text, cut
  }

  private func lose(_ loss: Loss) throws {
    let bytes = try #require(host[Self.history])
    switch loss {
    case .gone: host[Self.history] = nil
    case .empty: host[Self.history] = []
    case .text: host.setText(Self.history, "x")
    case .cut: host[Self.history] = Array(bytes[..<100])
    }
    host.pass()
  }

  @Test(
    "a file that was edited since goes on with what this machine has kept", arguments: Loss.allCases
  )
  func edited(loss: Loss) throws {
    for command in [["sync", "a", "b"], ["sync", "b", "a"], ["tidy", "a"]] {
      let tests = try TrackRestoreTests()
      let host = tests.host
      try tests.lose(loss)
      host.save("a/trip.md", "Tent.\nStove.\nMap.\n")
      host.save("b/trip.md", "Boat.\nTent.\nStove.\n")
      let dry = host.pnmerge(command + ["--dry-run"])
      #expect(dry.output.contains("a/trip.md: its history was"), "\(dry)")
      let run = host.pnmerge(command)
      #expect(run.status == .done, "\(run)")
      let words = loss == .gone ? "was gone; it is now" : "was damaged, and is in the trash"
      #expect(run.output.contains("a/trip.md: its history \(words)"), "\(run)")
      host.pnmerge("sync", "a", "b")
      for folder in ["a", "b"] {
        #expect(host.text("\(folder)/trip.md") == "Boat.\nTent.\nStove.\nMap.\n", "\(command)")
        #expect(host["\(folder)/trip (2).md"] == nil)
      }
      #expect(host[Self.history] == host["b/.peernote/trip.md.peernote"])
      #expect(host.pnmerge("sync", "a", "b").output == "2 notes, nothing to do\n")
    }
  }

  @Test("a history that is being written is waited for")
  func restless() throws {
    host.setText(Self.history, "x")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.output.contains("was damaged"), "\(run)")
    #expect(host[Self.history] == host["b/.peernote/trip.md.peernote"])
  }

  @Test("of a folder that lost all histories nobody says that it is empty")
  func allGone() throws {
    for name in ["trip", "other"] { host["a/.peernote/\(name).md.peernote"] = nil }
    host.save("a/trip.md", "Tent.\nStove.\nMap.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    #expect(host.text("b/trip.md") == "Tent.\nStove.\nMap.\n")
    #expect(host["a/trip (2).md"] == nil)
    #expect(host.pnmerge("sync", "a", "b").output == "2 notes, nothing to do\n")
  }

  @Test("what is damaged takes over what another folder has, where this machine has kept nothing")
  func fromOther() throws {
    try lose(.cut)
    for name in host.entries.keys where name.visible.contains("/tracked/") {
      host.entries[name] = nil
    }
    host.save("a/trip.md", "Tent.\nStove.\nMap.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.output.contains("in its place is what another folder has"), "\(run)")
    #expect(host["a/trip (2).md"] == nil)
    host.pnmerge("sync", "a", "b")
    #expect(host.text("b/trip.md") == "Tent.\nStove.\nMap.\n")
  }

  @Test("another file without a history is a new note")
  func another() throws {
    try lose(.gone)
    host.save("a/trip.md", "Something quite different.\n")
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("a/trip.md: new, and tracked"), "\(run)")
    host.pnmerge("untrack", "a/trip.md")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    let status = host.pnmerge("status", "a")
    #expect(status.output.contains("a: 1 text file is not tracked: trip.md"), "\(status)")
  }

  @Test("a history that a newer version of the program wrote stays where it is")
  func newer() throws {
    var bytes = try #require(host[Self.history])
    host.pnmerge("untrack", "a/other.md")
    // What the first bytes say is the format's number.
    let place = try #require(bytes.indices.first { bytes[$0] == 1 && $0 > 3 })
    bytes[place] = 23
    host[Self.history] = bytes
    host.pass()
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status != .done && host["a/trip (2).md"] == nil, "\(run)")
    if run.status == .newerFormat { #expect(host[Self.history] == bytes) }
  }
}
