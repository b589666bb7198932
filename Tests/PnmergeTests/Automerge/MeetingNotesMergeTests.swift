import AutomergeFormat
import Foundation
import PnmergeCommands
import Testing

/// More stands in `Fixtures/outputs/meetingnotes-merge.txt`.
@Suite("Merging MeetingNotes' files") struct MeetingNotesMergeTests {
  @Test(
    "copies merge as the library merges them, to the same bytes in any order",
    arguments: ["c_diverged", "c_diverged_app_delete", "c_mixed_variants"])
  func pairs(name: String) throws {
    let expected = try MeetingNotesFiles.expected(name)
    let host = try MeetingNotesFiles.host(
      ("a", "\(name)/left"), ("b", "\(name)/right"), ("c", "\(name)/right"))
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.status == .done, "\(run)")
    #expect(host.pnmerge("merge", "c", "a").status == .done)
    #expect(host["c"] == host["a"])
    #expect(
      try MeetingNotesFiles.content("a", host) == MeetingNotesFiles.content(of: expected["merged"]))
    let file = try AutomergeFile(try #require(host["a"]))
    #expect(file.envelope?.version == 4)
    // Nothing new: nothing written.
    let entry = host.entries[FileName("a").absolute(from: host.workingDirectory)]
    let modified = entry?.modified
    let again = host.pnmerge("merge", "a", "b")
    #expect(again.output == "a: already has everything in b\n")
    #expect(
      host.entries[FileName("a").absolute(from: host.workingDirectory)]?.modified == modified)
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("a merge into another file, and of three copies in any order, gives the same bytes")
  func output() throws {
    let samples = ["c_diverged/left", "c_diverged/right", "c_mixed_variants/left"]
    var results = Set<[UInt8]>()
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      let host = MemoryHost()
      for place in order { host["f\(place)"] = try MeetingNotesFiles.bytes(samples[place]) }
      let run = host.pnmerge(
        "merge", "-o", "out", "f\(order[0])", "f\(order[1])", "f\(order[2])")
      #expect(run.status == .done, "\(run)")
      results.insert(try #require(host["out"]))
    }
    #expect(results.count == 1)
  }

  @Test("copies merge that both changed a text in an element of a text")
  func textInText() throws {
    var builder = AutomergeBuilder(by: [1])
    let outer = builder.put(.object(.text), at: "t", of: AutomergeBuilder.root)
    let inner = builder.put(.object(.text), at: "x", of: builder.insert(.object(.map), into: outer))
    builder.insert("h", into: inner)
    let base = try builder.finish(time: 0)
    let host = MemoryHost()
    for (actor, text) in [(UInt8(2), "i"), (3, "j")] {
      var builder = AutomergeBuilder(by: [actor], upon: base)
      builder.insert(text, into: inner)
      host["\(actor).automerge"] = AutomergeState.encoded(try builder.finish(time: 0))
    }
    let run = host.pnmerge("merge", "2.automerge", "3.automerge")
    #expect(run.status == .done, "\(run)")
  }

  @Test("pipes, which can be read only once, are merged like files")
  func pipes() throws {
    let samples = MeetingNotesFiles.directory.path(percentEncoded: false) + "/c_diverged"
    let run = try Program().sh(
      """
      set -e
      mkdir home && mkfifo p q
      pnmerge merge -q -o expected '\(samples)/left.meetingnotes' '\(samples)/right.meetingnotes'
      cat '\(samples)/left.meetingnotes' > p & cat '\(samples)/right.meetingnotes' > q &
      pnmerge merge -q -o actual p q
      cmp actual expected
      pnmerge new -q n --title T && cp n m && pnmerge edit -q m --tag x
      cat n > p & cat m > q &
      pnmerge merge -q -o notes p q
      cmp notes m
      """)
    #expect(run.status == 0, "\(run.errors)")
  }
}
