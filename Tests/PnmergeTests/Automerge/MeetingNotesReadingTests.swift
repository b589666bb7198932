import Foundation
import PnmergeCommands
import Testing

@Suite("Reading MeetingNotes' files") struct MeetingNotesReadingTests {
  @Test("what a change did to the content is shown as of a document")
  func patch() throws {
    let host = try MeetingNotesFiles.host(("a", "c_ancestor/new"))
    let newest = host.pnmerge("log", "-p", "-n", "1", "a").output
    #expect(newest.contains("@@") && newest.contains("\n-      \"title\": \"Launch"))
  }

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

  @Test("the statuses of faults are those of the manual")
  func statuses() throws {
    let expected: [(String, ExitStatus)] = [
      ("06_bit_flip", .damaged), ("14_unknown_chunk_type", .newerFormat),
      ("34_equivocation", .forkedHistory), ("37_text_is_string", .different),
      ("41_deflate_bomb", .damaged), ("30_orphan", .done),
    ]
    for (name, status) in expected {
      let host = try MeetingNotesFiles.host(("x.meetingnotes", "e_damaged/\(name)"))
      #expect(host.pnmerge("validate", "x.meetingnotes").status == status, "\(name)")
    }
  }

  @Test("a file that cannot be read is named with the place, and what to do")
  func advice() throws {
    let host = try MeetingNotesFiles.host(
      ("cut.meetingnotes", "e_damaged/04_cut_half"), ("empty.meetingnotes", "e_damaged/01_empty"),
      ("json.meetingnotes", "e_damaged/16_json"), ("good.meetingnotes", "b_three_items"))
    for (file, words) in [
      (
        "cut.meetingnotes",
        "byte 65: a length of 1108 bytes where 520 are left; the file is damaged: take another copy"
      ),
      ("empty.meetingnotes", "is empty, not an Automerge document"),
      ("json.meetingnotes", "is neither a MeetingNotes file nor another Automerge document"),
    ] {
      for command in ["cat", "validate", "log", "inspect", "conflicts", "import"] {
        let run = host.pnmerge(command, file)
        #expect(run.status == .damaged && run.errors == "pnmerge: \(file): \(words)\n", "\(run)")
      }
      let run = host.pnmerge("merge", "good.meetingnotes", file)
      #expect(run.status == .damaged && run.errors.hasSuffix("; nothing was written\n"), "\(run)")
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

  @Test("log, inspect, diff and status tell of histories and content")
  func telling() throws {
    let host = try MeetingNotesFiles.host(
      ("left", "c_diverged/left"), ("right", "c_diverged/right"), ("old", "b_three_items"),
      ("other", "d_unrelated/one"), ("same id", "d_unrelated/two_with_id_of_one"))
    let log = host.pnmerge("log", "--max-count", "2", "left").output.split(separator: "\n")
    #expect(log.count == 2)
    #expect(
      log[0].hasPrefix("* no time  4449c608fc3af169b406a1a363f02a3c  "), "\(log)")
    let inspection = host.pnmerge("inspect", "left").output
    #expect(inspection.contains("MeetingNotes, envelope version 4"))
    #expect(inspection.contains("2TBEcVFpts7LGmFp5uemuSwTmHPj"))
    #expect(inspection.contains("682c8846-73af-4f1b-9494-4a903680a0dd"))
    let json = try MeetingNotesFiles.json(host.pnmerge("inspect", "--json", "left").output)
    #expect(json["change_count"] as? Int == 173)
    #expect(host.pnmerge("diff", "left", "left").status == .done)
    let diff = host.pnmerge("diff", "old", "left")
    #expect(diff.status == .different)
    #expect(diff.output.contains("+  \"title\": \"Weekly sync — Ana\""), "\(diff.output)")
    let status = host.pnmerge("status", "left", "right", "old", "left", "other")
    #expect(
      status.output == """
        right: diverged from left: 27 changes only here, 21 only there
        old: behind left by 21 changes
        left: same as left
        other: a different document ("Weekly sync", 09d8…), not a copy of left \
        ("Weekly sync — Ana", 682c…); to compare them: pnmerge diff left other

        """)
    #expect(status.status == .notSameDocument)
    #expect(
      host.pnmerge("status", "other", "same id").output
        == "same id: has no history in common with other, though both say they are document 09d8…; "
        + "to compare them: pnmerge diff other 'same id'\n")
  }

  @Test("conflicts lists what the library knows of conflicts")
  func conflicts() throws {
    let host = try MeetingNotesFiles.host(("x", "c_diverged/left"), ("y", "c_diverged/right"))
    host.pnmerge("merge", "x", "y")
    let run = host.pnmerge("conflicts", "x")
    #expect(run.status == .different)
    #expect(run.output.contains("/title\n"))
    #expect(run.output.contains("kept    \"Weekly sync / Bo\""), "\(run.output)")
    #expect(run.output.contains("\"Weekly sync — Ana\""))
    // Somebody set the title again who had seen both, but not that of the agenda item.
    let settled = try MeetingNotesFiles.host(("x", "c_resolved/resolved"))
    let rest = settled.pnmerge("conflicts", "x").output
    #expect(rest.hasPrefix("/agendas/1/title\n") && !rest.contains("\n/"), "\(rest)")
    let none = try MeetingNotesFiles.host(("x", "b_three_items"))
    #expect(none.pnmerge("conflicts", "x").status == .done)
  }

  @Test("commands for peernote documents say what to do with such a file")
  func otherCommands() throws {
    let host = try MeetingNotesFiles.host(("x", "b_three_items"))
    let bytes = host["x"]
    let run = host.pnmerge("set", "x", "/title", "\"New\"")
    #expect(run.status == .damaged)
    #expect(run.errors.contains("pnmerge import"))
    #expect(host["x"] == bytes)
  }

  @Test("textconv shows the content, and never fails")
  func textconv() throws {
    let host = try MeetingNotesFiles.host(
      ("x", "b_three_items"), ("bad", "e_damaged/06_bit_flip"))
    let run = host.pnmerge("git", "textconv", "x")
    #expect(run.output.contains("\"title\": \"Weekly sync\""))
    let bad = host.pnmerge("git", "textconv", "bad")
    #expect(bad.status == .done)
    #expect(bad.output.hasPrefix("(damaged Automerge document, 1176 bytes: "), "\(bad.output)")
  }
}
