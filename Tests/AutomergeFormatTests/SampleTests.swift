import AutomergeFormat
import Foundation
import PeernoteJSON
import PeernoteTestSupport
import Testing

/// The sample files of MeetingNotes against what the Automerge library says of them.
@Suite("Samples of MeetingNotes") struct SampleTests {
  @Test(
    "Content, heads, changes and identifiers are those that the library sees",
    arguments: [
      ("a_minimal", ["a_minimal_v1", "a_minimal_v2", "a_minimal_v3", "a_minimal_v4"]),
      ("b_three_items", ["b_three_items"]),
    ])
  func content(name: String, files: [String]) throws {
    let expected = try Samples.json("\(name).expected.json")
    for (index, file) in files.enumerated() {
      let file = try AutomergeFile(try Samples.bytes("\(file).meetingnotes"))
      try check(try AutomergeHistory(file.source), expected)
      let envelope = try #require(file.envelope)
      #expect(Base58Check.encoded(envelope.id) == expected["document_id"] as? String)
      if files.count > 1 { #expect(envelope.version == index + 1) }
    }
  }

  @Test(
    "Pairs merge in both orders as the library merges them",
    arguments: ["c_diverged", "c_diverged_app_delete", "c_mixed_variants", "c_ancestor"])
  func pairs(name: String) throws {
    let expected = try Samples.json("\(name)/expected.json")
    let inputs = try #require(expected["inputs"] as? [String: [String: Any]])
    let files = inputs.keys.sorted().map { "\(name)/\($0).meetingnotes" }
    for (file, key) in zip(files, inputs.keys.sorted()) {
      try check(try Samples.history(file), inputs[key] ?? [:])
    }
    let merged = try Samples.history(files[0], files[1])
    let expectedMerge = try #require(expected["merged"] as? [String: Any])
    try check(merged, expectedMerge)
    let reversed = AutomergeState.encoded(try Samples.history(files[1], files[0]))
    let bytes = AutomergeState.encoded(merged)
    #expect(bytes == reversed)
    let again = try AutomergeHistory(AutomergeHistory.Source(bytes, bytes.indices))
    try check(again, expectedMerge)
    #expect(AutomergeState.encoded(again) == bytes)
  }

  private func check(_ history: AutomergeHistory, _ expected: [String: Any]) throws {
    let state = AutomergeState(history)
    let content = try #require(state.json(ofObject: 0) as? [String: Any])
    for key in ["title", "attendees", "agendas"] {
      #expect(try text(content[key]) == text(expected[key]), "\(key)")
    }
    #expect(history.heads.map(\.description) == expected["heads"] as? [String])
    #expect(history.order.count == expected["changes"] as? Int)
    #expect(history.store.operations.count == expected["ops"] as? Int)
    #expect(history.actors.actors.map { hexadecimal($0) } == expected["actors"] as? [String])
    let conflicts = state.conflicts.map { conflict -> [String: Any] in
      [
        "path": state.path(ofCell: conflict).map { Int($0).map { $0 as Any } ?? $0 },
        "values": state.visible(conflict).map {
          ["op": state.name(ofOperation: $0), "value": state.json($0)]
        },
      ]
    }
    #expect(try text(conflicts) == text(expected["conflicts"]))
  }

  @Test("Clocks know which changes were made upon which, and objects where they stand")
  func clocksAndPlaces() throws {
    let history = try Samples.history(
      "c_resolved/resolved.meetingnotes", "c_diverged/left.meetingnotes")
    let clocks = try ChangeClocks(history)
    var pasts: [Int: Set<Int>] = [:]
    for number in history.order {
      var past: Set = [number]
      for parent in history.parents[number] { past.formUnion(pasts[Int(parent)] ?? []) }
      pasts[number] = past
      let known = history.order.filter { clocks.isMade(number, upon: $0) }
      #expect(Set(known) == past)
    }
    let state = AutomergeState(history)
    var shown: Set = [0]
    for cell in state.shownCells {
      guard let object = state.object(madeBy: state.shown(cell)) else { continue }
      shown.insert(object)
      #expect(state.path(ofObject: object) == state.path(ofCell: cell))
    }
    #expect(state.path(ofObject: 0) == [])
    #expect(state.objects.indices.filter { state.path(ofObject: $0) != nil } == shown.sorted())
    #expect(shown.count > 10 && shown.count < state.objects.count)
  }

  @Test("Copies with one identifier and no common change share nothing")
  func unrelated() throws {
    let history = try Samples.history(
      "d_unrelated/one.meetingnotes", "d_unrelated/two_with_id_of_one.meetingnotes")
    #expect(Set(history.copies[0].changes).isDisjoint(with: history.copies[1].changes))
  }

  /// What is wrong with a file: nothing, what the reader says, or what the app cannot read.
  static let verdicts: [(file: String, verdict: String)] = [
    ("01_empty", "byte 0: ends too early"),
    ("02_five_bytes", "byte 5: ends too early"),
    ("03_cut_in_id", "byte 8: a length of 28 bytes where 10 are left"),
    ("04_cut_half", "byte 65: a length of 1108 bytes where 520 are left"),
    ("05_cut_last_byte", "byte 65: a length of 1108 bytes where 1107 are left"),
    ("06_bit_flip", "byte 72: the checksum does not fit"),
    ("07_checksum_flip", "byte 72: the checksum does not fit"),
    ("08_bad_magic", "byte 68: no Automerge chunk begins here"),
    ("09_wrong_head", "byte 68: its changes do not lead to its heads"),
    ("10_wrong_head_index", "head indexes"),
    ("11_no_head_index", ""),
    ("12_garbage_after_chunk", "byte 1176: no Automerge chunk begins here"),
    ("13_garbage_after_cbor", "byte 1176: 3 bytes behind the end of the envelope"),
    ("14_unknown_chunk_type", "byte 76: a chunk of the unknown type 9"),
    ("15_raw_automerge", "bare"),
    ("16_json", "byte 0: not a map"),
    ("17_no_data_key", "byte 0: an envelope without the key \"data\""),
    (
      "18_id_bytes_disagree",
      "byte 4: the text and the bytes of the identifier name different documents"
    ),
    (
      "19_bad_bs58_check",
      "byte 8: an identifier that is not Base58Check, or has a wrong checksum"
    ),
    ("20_uuid_15_bytes", "byte 4: an identifier of 15 bytes instead of 16"),
    ("21_data_is_text", "byte 65: a byte string with the document is missing"),
    ("22_huge_length", "byte 65: a length of 1099511627776 bytes where 64 are left"),
    ("23_keys_swapped", ""),
    ("24_indefinite", ""),
    ("25_extra_key", ""),
    ("26_uuid_text", "byte 4: an identifier that is not Base58Check, or has a wrong checksum"),
    ("27_changes_only", ""),
    ("28_changes_compressed", ""),
    ("29_incremental", ""),
    ("30_orphan", "1 pending"),
    (
      "31_missing_base",
      "byte 68: change e8a2dd5441e9… was made upon change a7109fbb89f2…, which is missing"
    ),
    ("32_reversed", ""),
    ("33_two_docs", ""),
    (
      "34_equivocation",
      "two different changes are number 1 of actor 09216a74c1d4f064a32fda747e8dc5d7"
    ),
    ("35_empty_data", "title is missing; attendees is missing; agendas is missing"),
    ("36_no_agendas", "attendees is missing; agendas is missing"),
    ("37_text_is_string", "agendas/0/discussion is no text"),
    ("38_bad_item_uuid", "agendas/0/id is no UUID"),
    ("39_old_schema_agenda", "agendas is missing"),
    ("40_rle_bomb", "byte 109: an operation without a key or an element"),
    ("41_deflate_bomb", "byte 107: inflates to more than 25946112 bytes"),
  ]

  @Test("Damaged files get their verdict, and sound ones none", arguments: verdicts)
  func verdict(file: String, verdict: String) throws {
    #expect(Self.verdict(of: try Samples.bytes("e_damaged/\(file).meetingnotes")) == verdict)
  }

  @Test("There is a verdict for each file, and it agrees with the manifest")
  func allVerdicts() throws {
    let data = try Data(
      contentsOf: Samples.directory.appending(path: "e_damaged/manifest.json"))
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    // What harms nobody, or is for others to say.
    let remarks = ["", "head indexes", "1 pending"]
    var expected: [String: Bool] = [:]
    for entry in manifest {
      let name = try #require(entry["file"] as? String)
      expected[name] = entry["valid"] as? Bool
    }
    for (file, verdict) in Self.verdicts {
      let isSound = remarks.contains(verdict)
      #expect(expected.removeValue(forKey: "e_damaged/\(file).meetingnotes") == isSound, "\(file)")
    }
    #expect(expected.isEmpty)
  }

  private static func verdict(of bytes: [UInt8]) -> String {
    do throws(AutomergeError) {
      let file = try AutomergeFile(bytes)
      let history = try AutomergeHistory(file.source)
      if file.envelope == nil { return "bare" }
      if history.copies[0].hasWrongHeadIndexes { return "head indexes" }
      if !history.pending.isEmpty { return "\(history.pending.count) pending" }
      return MeetingNotesSchema.violations(in: AutomergeState(history))
        .map { "\($0.path.joined(separator: "/")) \($0.reason)" }.joined(separator: "; ")
    } catch {
      return error.description
    }
  }
}
