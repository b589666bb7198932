import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/track-restore.txt`.
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

  @Test("a history that is being written is waited for")
  func restless() throws {
    host.setText(Self.history, "x")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.output.contains("was damaged"), "\(run)")
    #expect(host[Self.history] == host["b/.peernote/trip.md.peernote"])
  }

  @Test("what is damaged takes over what another folder has, where this machine has kept nothing")
  func fromOther() throws {
    host[Self.history] = Array(try #require(host[Self.history])[..<100])
    host.pass()
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
