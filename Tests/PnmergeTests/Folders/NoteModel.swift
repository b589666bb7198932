import PnmergeCommands

/// What a copy of a note has seen: edits and marks of deletion, each with what it had seen.
struct NoteModel {
  var seen: [String: Set<String>] = [:]

  /// The events that no other has seen.
  var heads: Set<String> {
    Set(seen.keys.filter { event in !seen.values.contains { $0.contains(event) } })
  }

  var isDeleted: Bool { !heads.isEmpty && heads.allSatisfy { $0.hasPrefix("deleted") } }

  mutating func add(_ event: String) { seen[event] = Set(seen.keys) }

  /// What follows from seeing a deletion that does not count: the mark is taken off.
  mutating func settle() {
    let isWithdrawn = seen.keys.filter { $0.hasPrefix("deleted") }.allSatisfy { mark in
      seen.contains { $0.key.hasPrefix("back") && $0.value.contains(mark) }
    }
    if !isDeleted, !isWithdrawn { add("back \(heads.sorted().joined(separator: ","))") }
  }

  /// The words that have to stand in the note.
  var words: Set<String> { Set(seen.keys.filter { $0.hasPrefix("word") }) }

  /// Those of them that nobody took out.
  var remainingWords: Set<String> {
    words.filter { !has("removed", $0) || has("kept", $0) }
  }

  /// Whether a word was `removed`, or `kept` by somebody who saw that.
  func has(_ what: String, _ word: String) -> Bool {
    seen.keys.contains { $0.hasPrefix(what) && $0.hasSuffix(" \(word)") }
  }
}

extension MemoryHost {
  /// The files of a folder, by their names in it, with their bytes; hidden ones and trash among them.
  func tree(of folder: String) -> [String: [UInt8]] {
    let start = "/work/\(folder)/"
    var result: [String: [UInt8]] = [:]
    for (name, entry) in entries where entry.kind == .regular && name.visible.hasPrefix(start) {
      result[String(name.visible.dropFirst(start.count))] = entry.bytes
    }
    return result
  }
}
