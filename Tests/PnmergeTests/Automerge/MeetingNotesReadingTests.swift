import Foundation
import PnmergeCommands
import Testing

/// More stands in `Fixtures/outputs/meetingnotes.txt`.
@Suite("Reading MeetingNotes' files") struct MeetingNotesReadingTests {
  @Test("validate gives each sample the verdict of the manifest")
  func validate() throws {
    let host = MemoryHost()
    let data = try Data(
      contentsOf: MeetingNotesFiles.directory.appending(path: "e_damaged/manifest.json"))
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(manifest.count == 41)
    for entry in manifest {
      let path = try #require(entry["file"] as? String)
      let bytes = Array(
        try Data(contentsOf: MeetingNotesFiles.directory.appending(path: path)))
      host["x.meetingnotes"] = bytes
      let run = host.pnmerge("validate", "x.meetingnotes")
      #expect((run.status == .done) == (entry["valid"] as? Bool), "\(path): \(run)")
      let said = run.output + run.errors
      #expect(said.contains("x.meetingnotes: "), "\(path)")
      let names = ["08_bad_magic": "byte 68", "09_wrong_head": "heads", "13_": "byte 1176"]
      for (name, place) in names where path.contains(name) { #expect(said.contains(place)) }
      #expect(host["x.meetingnotes"] == bytes)
    }
  }

  @Test("cat shows what the library shows, whatever the file is called")
  func cat() throws {
    let expected = try MeetingNotesFiles.expected("c_diverged")
    let inputs = try #require(expected["inputs"] as? [String: Any])
    let host = try MeetingNotesFiles.host(("x", "c_diverged/left"))
    #expect(
      try MeetingNotesFiles.content("x", host) == MeetingNotesFiles.content(of: inputs["left"]))
    let before = try MeetingNotesFiles.host(("b", "b_three_items"))
    let log = try MeetingNotesFiles.json(before.pnmerge("log", "--json", "b").output)
    let head = try #require((log["heads"] as? [String])?.first)
    let old = host.pnmerge("cat", "--at", head, "x")
    #expect(old.output == before.pnmerge("cat", "b").output)
    #expect(host.pnmerge("cat", "--at", "ffff", "x").status == .usage)
  }
}
