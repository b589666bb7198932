import Peernote
import PeernoteJSON

/// What one document has, as `status` of it alone says.
struct FileStatus {
  var file: FileName
  var document: UniqueID
  var root: DocumentNode
  var changes: [ChangeSummary]
  /// The changes that no other one was made upon, ascending.
  var heads: [ChangeID]
  var conflictCount: Int

  /// Says it; the status is 1 if something is contested.
  func report(json isJSON: Bool, _ invocation: Invocation) throws -> ExitStatus {
    let status = conflictCount > 0 ? ExitStatus.different : .done
    // Clocks differ: the change that was made last, as far as they tell.
    let last = changes.indices.max { (changes[$0].time, $0) < (changes[$1].time, $1) }
      .map { changes[$0] }
    if isJSON {
      try invocation.console.printResult([
        "schema": 1, "file": .string(file.visible), "document": .string(document.description),
        "changes": .count(changes.count), "last": last?.json ?? .null,
        "heads": .array(heads.map { .string($0.description) }), "conflicts": .count(conflictCount),
      ])
      return status
    }
    let name = file.isStandardStream ? "-" : shellQuoted(file)
    var lines = [
      "\(file.inputName) \(titleAndID(document, root)): "
        + ChangeTally(authors: changes.lazy.map(\.author)).summary
    ]
    if let last {
      let message = last.message.map { " \(quoted($0))" } ?? ""
      lines.append("  last change: \(last.signature(invocation))\(message), \(last.id)")
    }
    if heads.count > 1 {
      lines.append("  not merged by an edit yet: \(enumerated(heads.map(\.description)))")
    }
    lines.append(
      conflictCount == 0
        ? "  no conflicts" : "  \(counted(conflictCount, "conflict")): pnmerge conflicts \(name)")
    for line in lines { try invocation.console.report(line) }
    return status
  }
}

extension FileStatus {
  /// That of a document, which has been read.
  init(of document: Document, _ operand: Operand) {
    self.init(
      file: operand.file, document: document.id, root: document.root,
      changes: Array(document.changes), heads: document.heads,
      conflictCount: operand.conflicts(in: document).count)
  }
}

extension ChangeSummary {
  /// Who made it, and when.
  fileprivate func signature(_ invocation: Invocation) -> String {
    time.milliseconds == 0
      ? authorName(author) : "\(authorName(author)), \(invocation.localText(time))"
  }
}
