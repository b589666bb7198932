import Peernote
import PeernoteJSON

extension Operand {
  /// Says what the document has, which has been read; the status is 1 if something is contested.
  func report(
    on document: Document, json isJSON: Bool, _ invocation: Invocation
  ) throws -> ExitStatus {
    let (changes, heads) = (Array(document.changes), document.heads)
    let conflictCount = conflicts(in: document).count
    let status = conflictCount > 0 ? ExitStatus.different : .done
    // Clocks differ: the change that was made last, as far as they tell.
    let last = changes.indices.max { (changes[$0].time, $0) < (changes[$1].time, $1) }
      .map { changes[$0] }
    if isJSON {
      try invocation.console.printResult([
        "file": .string(file.visible), "document": .string(document.id.description),
        "changes": .count(changes.count), "last": last?.json ?? .null,
        "heads": .array(heads.map { .string($0.description) }), "conflicts": .count(conflictCount),
      ])
      return status
    }
    let name = file.isStandardStream ? "-" : shellQuoted(file)
    var lines = [
      "\(file.inputName) \(titleAndID(document.id, document.root)): "
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

extension ChangeSummary {
  /// Who made it, and when.
  fileprivate func signature(_ invocation: Invocation) -> String {
    time.milliseconds == 0
      ? authorName(author) : "\(authorName(author)), \(invocation.localText(time))"
  }
}
