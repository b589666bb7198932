import PnmergeCommands
import Testing

@Suite("Conflict copies of MeetingNotes' files folded") struct MeetingNotesTidyTests {
  private let copy = "n/w.sync-conflict-20261101-101010-ABCDEFG.meetingnotes"

  private func folder(_ files: (name: String, sample: String)...) throws -> MemoryHost {
    let host = MemoryHost()
    try host.makeDirectory(FileName("n"))
    for (name, sample) in files { host[name] = try MeetingNotesFiles.bytes(sample) }
    return host
  }

  @Test("a copy is merged into its file, and moved to the trash")
  func folding() throws {
    let host = try folder(
      ("n/w.meetingnotes", "c_diverged/left"), (copy, "c_diverged/right"),
      ("n/other.meetingnotes", "b_three_items"))
    host["x"] = try MeetingNotesFiles.bytes("c_diverged/left")
    host["y"] = try MeetingNotesFiles.bytes("c_diverged/right")
    host.pnmerge("merge", "x", "y")
    let before = host["n/w.meetingnotes"]
    let dry = host.pnmerge("tidy", "-n", "n")
    #expect(dry.output.contains("2 notes: 1 would be merged, 1 would be folded"), "\(dry)")
    #expect(host["n/w.meetingnotes"] == before)
    let run = host.pnmerge("tidy", "n")
    #expect(run.status == .done, "\(run)")
    #expect(run.output.hasSuffix("2 notes: 1 merged, 1 folded into their notes\n"), "\(run.output)")
    #expect(run.output.contains("to see them: pnmerge conflicts n/w.meetingnotes"))
    #expect(host["n/w.meetingnotes"] == host["x"])
    #expect(host[copy] == nil)
    #expect(
      host["n/.peernote/trash/w.sync-conflict-20261101-101010-ABCDEFG.meetingnotes"] == host["y"])
    #expect(host.pnmerge("tidy", "n").output == "2 notes, nothing to do\n")
    // What was merged can be taken back.
    #expect(host.pnmerge("undo", "n/w.meetingnotes").status == .done)
    #expect(host["n/w.meetingnotes"] == before)
  }

  @Test(
    "commands on folders that leave such files alone say so",
    arguments: [
      ["sync", "n", "m"], ["status", "n"], ["status", "n", "m"], ["ls", "n"], ["find", "x", "n"],
    ])
  func left(command: [String]) throws {
    let host = try folder(("n/w.meetingnotes", "a_minimal_v1"))
    try host.makeDirectory(FileName("m"))
    let run = host.pnmerge(command)
    let words = "n: 1 Automerge document (n/w.meetingnotes) is no note of the folder;"
    #expect((run.output + run.errors).contains(words), "\(run)")
  }

  @Test("a copy of another document is left alone, and a damaged one is said")
  func leftAlone() throws {
    let host = try folder(("n/w.meetingnotes", "d_unrelated/one"), (copy, "d_unrelated/two"))
    #expect(host.pnmerge("tidy", "n").output == "2 notes, nothing to do\n")
    host[copy] = try MeetingNotesFiles.bytes("d_unrelated/two_with_id_of_one")
    let apart = host.pnmerge("tidy", "n")
    #expect(apart.status == .notSameDocument, "\(apart)")
    #expect(host[copy] != nil)
    host[copy] = Array(try MeetingNotesFiles.bytes("c_diverged/right").dropLast(40))
    let run = host.pnmerge("tidy", "n")
    #expect(run.status == .damaged, "\(run)")
    #expect(run.errors.contains(copy), "\(run.errors)")
    #expect(host[copy] != nil)
  }

  @Test("a copy is folded into its file under another name, and by identity alone if asked for")
  func renamed() throws {
    let host = try folder(("n/v.meetingnotes", "c_diverged/left"), (copy, "c_diverged/right"))
    #expect(host.pnmerge("tidy", "n").output.contains("1 folded into their notes"))
    #expect(host[copy] == nil)
    host["n/v 2.meetingnotes"] = try MeetingNotesFiles.bytes("c_diverged/right")
    #expect(host.pnmerge("tidy", "n").output == "2 notes, nothing to do\n")
    #expect(
      host.pnmerge("tidy", "n", "--match=id").output == "1 note: 1 folded into their notes\n")
  }
}
