import AutomergeFormat
import Foundation
import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// More stands in `Fixtures/outputs/meetingnotes-import.txt`.
@Suite("Importing and exporting MeetingNotes' files", .serialized) struct MeetingNotesImportTests {
  /// Checks the law of imports for two copies in files of a host.
  private func check(_ left: String, _ right: String, _ host: MemoryHost, _ name: String) throws {
    for (input, output) in [(left, "1.peernote"), (right, "2.peernote")] {
      host[output] = nil
      let run = host.pnmerge("import", input, "-o", output)
      try #require(run.status == .done, "\(name): \(run)")
      #expect(host.pnmerge("validate", output).status == .done, "\(name)")
    }
    host["m"] = nil
    try #require(host.pnmerge("merge", "-o", "m", left, right).status == .done, "\(name)")
    host["3.peernote"] = nil
    try #require(host.pnmerge("import", "m", "-o", "3.peernote").status == .done, "\(name)")
    let merge = host.pnmerge("merge", "-q", "1.peernote", "2.peernote")
    #expect(merge.status == .done, "\(name): \(merge)")
    #expect(host["1.peernote"] == host["3.peernote"], "\(name): merged after and before importing")
  }

  @Test(
    "copies that are imported apart merge to the import of the merged copies, to the byte",
    arguments: [
      "c_diverged", "c_diverged_app_delete", "c_mixed_variants", "c_ancestor", "c_resolved",
    ])
  func diverged(name: String) throws {
    let names = name == "c_ancestor" ? ("old", "new") : ("left", "right")
    let host = try MeetingNotesFiles.host(
      ("left", "\(name)/\(names.0)"), ("right", "\(name)/\(names.1)"))
    try check("left", "right", host, name)
  }

  @Test("a document without concurrent changes at its end shows what Automerge shows")
  func content() throws {
    for sample in [
      "a_minimal_v1", "b_three_items", "c_ancestor/new", "c_diverged/left", "c_diverged/right",
      "c_resolved/resolved", "e_damaged/27_changes_only", "e_damaged/15_raw_automerge",
    ] {
      let host = try MeetingNotesFiles.host(("x", sample))
      let run = host.pnmerge("import", "x", "-o", "y.peernote")
      #expect(run.status == .done && !run.output.contains("otherwise"), "\(sample): \(run)")
      #expect(
        try MeetingNotesFiles.content("x", host) == MeetingNotesFiles.content("y.peernote", host),
        "\(sample)")
    }
  }

  @Test("what is nested deeper than a document may be is read, but not imported")
  func depth() throws {
    for (depth, status) in [(63, ExitStatus.done), (64, .damaged)] {
      var builder = AutomergeBuilder(by: [1])
      var map = AutomergeBuilder.root
      for _ in 0..<depth { map = builder.put(.object(.map), at: "d", of: map) }
      let host = MemoryHost()
      host["x.automerge"] = AutomergeState.encoded(try builder.finish(time: 0))
      #expect(host.pnmerge("validate", "x.automerge").status == .done)
      let run = host.pnmerge("import", "x.automerge")
      #expect(run.status == status, "\(run)")
      #expect(run.errors.contains("deeper") == (status == .damaged))
      #expect((host["x.peernote"] == nil) == (status == .damaged))
    }
  }

  @Test("a text of many letters in one change becomes one edit")
  func longText() throws {
    var builder = AutomergeBuilder(by: [1])
    let text = String(repeating: "héllo 👩‍👩‍👧\n", count: 3000)
    builder.insert(text, into: builder.put(.object(.text), at: "t", of: AutomergeBuilder.root))
    let host = MemoryHost()
    host["x.automerge"] = AutomergeState.encoded(try builder.finish(time: 0))
    #expect(host.pnmerge("import", "x.automerge").status == .done)
    #expect(host.pnmerge("cat", "-r", "x.peernote", "/t").output.hasPrefix(text))
  }

  @Test(
    "random documents of the library are imported by the same law, with what the library shows",
    arguments: AutomergeLibrary.Version.allCases)
  func randomPairs(version: AutomergeLibrary.Version) throws {
    guard let library = try AutomergeLibrary(version) else { return }
    let first = TestSetting.count("SEED") ?? 1
    let count = TestSetting.count("AUTOMERGE_PAIRS") ?? 25
    print("automerge \(version.rawValue): imports of seeds from \(first); PEERNOTE_SEED")
    try withTemporaryDirectory { directory in
      _ = try library.run([
        "random", directory.path(percentEncoded: false), String(first), String(count),
      ])
      for seed in first..<first + count {
        let host = MemoryHost()
        for side in ["left", "right"] {
          host[side] = Array(try Data(contentsOf: directory.appending(path: "\(seed).\(side)")))
        }
        try check("left", "right", host, "seed \(seed)")
        let history = try AutomergeHistory(
          AutomergeFile(try #require(host["left"])).source)
        guard history.heads.count == 1 else { continue }
        host["own.peernote"] = nil
        host.pnmerge("import", "left", "-o", "own.peernote")
        #expect(
          try host.content("own.peernote", "") == host.content("left", ""), "seed \(seed)")
      }
    }
  }
}
