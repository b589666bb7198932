import Peernote
import PeernoteFiles
import PnmergeCommands

/// What the program reads beside documents: decisions, tracked files, names.
extension FuzzTarget {
  // MARK: Decisions

  /// Decisions are read, or refused with a sentence that says where they came from.
  static func decisionFaults(_ bytes: [UInt8]) -> [String] {
    let file = FileName("decisions.json")
    do {
      _ = try DecisionFile(bytes, from: file)
      return []
    } catch {
      return error.file == file && !error.message.isEmpty ? [] : ["refused without a place"]
    }
  }

  static let decisionSeeds = [
    """
    {"schema": 1, "document": "5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10",
     "copies": [["000000000000000a.1"], ["000000000000000b.2", "000000000000000c.1"]],
     "decisions": [
      {"kind": "value", "id": "000000000000000a.1:0", "path": "/title", "take": "mine"},
      {"kind": "passage", "id": "x", "path": "/body", "take": 2},
      {"kind": "value", "id": "y", "path": "/list/0", "take": "both"},
      {"kind": "element", "id": "z", "path": "/list/1", "edited": "new\\ntext"}]}
    """
  ].map { Array($0.utf8) }

  static let decisionWords = [
    "\"schema\"", "\"document\"", "\"copies\"", "\"decisions\"", "\"kind\"", "\"take\"",
    "\"edited\"", "\"before\"", "\"theirs\"", "2147483648", "-1", "[]", "{}", "null", ",", ":",
  ]

  // MARK: Tracked files

  private static let mark = VersionMark(
    "5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10 000000000000000a.1 000000000000000b.2")

  /// What is left of a text without its line gets another one, and is the same without it again.
  static func markerFaults(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self), let mark else { return [] }
    let plain = PlainMarker.taken(from: text).text
    // Front matter of nothing but such lines is none without them.
    guard PlainMarker.taken(from: plain).text == plain else { return [] }
    let again = PlainMarker.taken(from: PlainMarker.marked(plain, mark))
    var faults: [String] = []
    if !again.text.utf8.elementsEqual(plain.utf8) { faults.append("the text is another one") }
    if again.mark != mark { faults.append("the line is not found again") }
    return faults
  }

  static let markerSeeds = [
    "", "text\n", "---\ntitle: x\n---\nbody\n", "\u{feff}---\r\ntitle: x\r\n---\r\nbody",
    "---\npeernote-version: 5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10 000000000000000a.1\n---\nbody\n",
    "---\ntags: [a]\npeernote-version: x\npeernote-version: y\n...\n",
  ].map { Array($0.utf8) }

  static let markerWords = [
    "---\n", "...\n", "---\r\n", "peernote-version: ", "peernote-version:", "\n", "\r\n",
    "\u{feff}",
    "5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10 000000000000000a.1", "title: x\n", "- ", "# ",
  ]

  // MARK: Names

  /// What a name is a copy of is shorter, and no path.
  static func nameFaults(_ bytes: [UInt8]) -> [String] {
    let name = bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") }
    var faults: [String] = []
    for original in [
      ConflictCopyName.original(of: name), ConflictCopyName.deliveredOriginal(of: name[...]),
    ] {
      guard let original else { continue }
      if original.isEmpty || original.count >= name.count { faults.append("a name of nothing") }
      if original.contains(UInt8(ascii: "/")) { faults.append("a path") }
    }
    return faults
  }

  static let nameSeeds = [
    "Note.peernote", "Note.sync-conflict-20261120-140211-ABCDEFG.peernote",
    "Note (conflicted copy 2026-11-20 140211).peernote", "Note (Ada's conflicted copy).md",
    "Note (SFConflict ada 2026-11-20-14-02-11).md", "Note.peernote.conflict1", "Note.md.orig",
    "Note_LOCAL_123.md", "Note_REMOTE_1.peernote", "Note.variant-a.md",
  ].map { Array($0.utf8) }

  static let nameWords = [
    ".sync-conflict-", " (conflicted copy ", "conflicted copy", " (", ")", ".orig", ".conflict",
    "_LOCAL_", "_BASE", "_BACKUP_1", ".variant-", "SFConflict", ".", "é", "1",
  ]
}
