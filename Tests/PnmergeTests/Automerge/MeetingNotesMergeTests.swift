import AutomergeFormat
import Foundation
import PnmergeCommands
import Testing

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

  @Test("a merge says who set what, what was deleted, and where both changed lines")
  func report() throws {
    let host = try MeetingNotesFiles.host(("a", "c_diverged/left"), ("b", "c_diverged/right"))
    let dry = host.pnmerge("merge", "-n", "a", "b").output
    #expect(
      dry.contains("\n  would come in:\n    ") && dry.contains("\n  only here:\n    "), "\(dry)")
    let run = host.pnmerge("merge", "a", "b")
    let (ours, theirs) = (
      "4449c608fc3af169b406a1a363f02a3c", "754dcb97a833bfa11c4be258b6321270"
    )
    let edited = "{\"id\":\"C549EDA5-FA2D-49CE-A51C-CB8AACE29AEE\",\"title\":\"Launc…"
    #expect(
      run.output == """
        a: merged 1 copy: 27 changes by \(theirs); 2 conflicts (1 deletion, 1 value)
          /title                     kept "Weekly sync / Bo" (\(theirs)), also had \
        "Weekly sync — Ana" (\(ours))
          /agendas/1                 kept nothing (\(ours)), also had \(edited) (\(theirs))
          /agendas/0/discussion:1    changed next to each other: "Budget review. [Bo absent] \
        (Ana presents) Spend is 4.2% und…"
          /agendas/0/discussion:4    changed next to each other: "• hiring freeze 🥶 lifted \
        🎉the end of Q4"
          to go back: pnmerge undo a

        """)
    #expect(host.pnmerge("validate", "a").output == "a: sound\n")
    let mixed = try MeetingNotesFiles.host(
      ("a", "c_diverged_app_delete/left"), ("b", "c_diverged_app_delete/right"))
    let advice = "mixed up by a deletion in the app; to put back: pnmerge repair a -o NEW\n"
    #expect(
      mixed.pnmerge("merge", "a", "b").output.contains("  4 things of agenda items were \(advice)"))
    #expect(
      mixed.pnmerge("validate", "a").output.hasSuffix("4 things of agenda items were \(advice)"))
    let strict = try MeetingNotesFiles.host(("a", "c_diverged/left"), ("b", "c_diverged/right"))
    let json = strict.pnmerge("merge", "--strict", "--json", "a", "b")
    #expect(json.status == .different)
    let report = try MeetingNotesFiles.json(json.output)
    #expect(report["result"] as? String == "merged")
    #expect(report["document"] as? String == "682c8846-73af-4f1b-9494-4a903680a0dd")
    #expect((report["conflicts"] as? [Any])?.count == 4)
    #expect(json.output.contains("EDITED ON THE RIGHT"))
  }

  @Test("a copy that is only behind catches up, and undo goes back")
  func catchingUp() throws {
    let host = try MeetingNotesFiles.host(("a", "c_ancestor/old"), ("b", "c_ancestor/new"))
    let old = host["a"]
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.output.hasPrefix("a: caught up with 1 copy: 21 changes by "), "\(run.output)")
    #expect(host.pnmerge("status", "a", "b").status == .done)
    #expect(host.pnmerge("undo", "a").output.contains("without 21 changes since"))
    #expect(host["a"] == old)
    host.pnmerge("undo", "--redo", "a")
    #expect(host.pnmerge("status", "a", "b").status == .done)
    let trial = host.pnmerge("merge", "--dry-run", "a", "b")
    #expect(trial.status == .done)
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

  @Test("what cannot be merged is refused with its status, and every file stays")
  func refusals() throws {
    let cases: [(String, String, ExitStatus, String)] = [
      ("d_unrelated/one", "d_unrelated/two", .notSameDocument, "different document"),
      (
        "d_unrelated/one", "d_unrelated/two_with_id_of_one", .notSameDocument,
        "no change in common"
      ),
      ("b_three_items", "e_damaged/34_equivocation", .forkedHistory, "two different changes"),
      ("b_three_items", "e_damaged/06_bit_flip", .damaged, "byte 72"),
      ("e_damaged/09_wrong_head", "b_three_items", .damaged, "byte 68"),
      ("b_three_items", "e_damaged/04_cut_half", .damaged, "byte 65"),
    ]
    for (first, second, status, words) in cases {
      let host = try MeetingNotesFiles.host(("a", first), ("b", second))
      for (into, from) in [("a", "b"), ("b", "a")] {
        let run = host.pnmerge("merge", into, from)
        #expect(run.status == status, "\(first) \(second): \(run)")
        #expect(run.errors.contains(words) && run.errors.contains("nothing was written"), "\(run)")
      }
      #expect(try host["a"] == MeetingNotesFiles.bytes(first))
      #expect(try host["b"] == MeetingNotesFiles.bytes(second))
    }
    let host = try MeetingNotesFiles.host(("a", "b_three_items"))
    host.pnmerge("new", "n")
    #expect(host.pnmerge("merge", "a", "n").status == .notSameDocument)
    #expect(host.pnmerge("merge", "n", "a").errors.contains("pnmerge import"))
  }

  @Test("bare documents stay bare, and take the envelope if a copy has one")
  func bare() throws {
    let host = try MeetingNotesFiles.host(
      ("a", "e_damaged/15_raw_automerge"), ("b", "c_diverged/left"))
    #expect(host.pnmerge("merge", "-o", "c", "a", "b").status == .done)
    #expect(try AutomergeFile(try #require(host["c"])).envelope != nil)
    #expect(host.pnmerge("merge", "-o", "d", "a", "a").status == .done)
    #expect(try AutomergeFile(try #require(host["d"])).envelope == nil)
  }

  @Test("pipes, which can be read only once, are merged like files")
  func pipes() throws {
    let program = try Program()
    let samples = MeetingNotesFiles.directory.path(percentEncoded: false) + "/c_diverged"
    let run = try program.sh(
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

  @Test("a file that is not there yet gets its first copy by cp")
  func missing() throws {
    let host = try MeetingNotesFiles.host(("a", "b_three_items"))
    let run = host.pnmerge("merge", "new.meetingnotes", "a")
    #expect(run.status == .unreadable)
    #expect(run.errors.hasSuffix("for a new copy: cp a new.meetingnotes\n"), "\(run.errors)")
    #expect(host["new.meetingnotes"] == nil)
  }

  @Test("git's driver merges them")
  func driver() throws {
    let host = try MeetingNotesFiles.host(
      ("O", "b_three_items"), ("A", "c_diverged/left"), ("B", "c_diverged/right"),
      ("expected", "c_diverged/left"))
    host.pnmerge("merge", "expected", "B")
    let run = host.pnmerge("git", "driver", "--", "O", "A", "B", "7", "m.meetingnotes")
    #expect(run.status == .done, "\(run)")
    #expect(run.errors.contains("m.meetingnotes: merged; 2 conflicts (1 deletion, 1 value): "))
    #expect(host["A"] == host["expected"])
  }
}
