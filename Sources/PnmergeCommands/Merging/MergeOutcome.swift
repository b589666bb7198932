import Peernote
import PeernoteJSON

/// What came of a merge of several copies.
struct MergeOutcome {
  /// A copy that was brought in.
  struct Copy {
    var file: FileName
    /// What it had that the copies before it lacked.
    var newChanges: ChangeTally
    /// How it compared with the copies before it.
    var result: MergeReport.Result
    /// The deleted text that is gone, since this copy has redacted it.
    var takenOut: [TakenOutText]
  }

  var document: UniqueID
  /// The first copy.
  var base: FileName
  /// Where the result went, or would have gone.
  var output: FileName
  var copies: [Copy] = []
  /// The agents whose changes were left out of all copies.
  var leftOut: [AgentID] = []
  /// How many changes that were, with those that follow them.
  var leftOutCount = 0
  /// What came in, place by place, beside what the first copy did since they parted; `nil` unless
  /// that was asked for.
  var divergence: Divergence?
  /// What was decided or overlaps, as it stands after all merges.
  var conflicts: [Conflict] = []
  /// What others have left contested, if the first copy had nothing that they lacked: it shows their
  /// choice now.
  var arrived: [Conflict] = []
  /// Where lines that both sides changed adjoin; likewise.
  var adjoining: [Conflict] = []
  /// What stands around what was decided, by name.
  var sentences: [String: PassageSentence] = [:]
  /// That the document is marked as deleted, or was, if the copies brought that or undid it.
  var deletion: DocumentSummary.Deletion?
  /// What a copy has redacted and the result still has because of others.
  var leftover: [LeftoverText] = []
  /// Whether the document is one of Automerge, whose conflicts are settled in its app.
  var isForeign = false
  /// What else could be done about what the result holds.
  var advice: String?
  /// Whether the output's bytes differ from what it held before.
  var hasChanged = false
  var isWritten = false
  /// Whether its old bytes were kept.
  var isUndoable = false

  /// Adds what the merge of one more copy did, after those before it.
  mutating func add(_ report: MergeReport, from file: FileName) {
    copies.append(
      Copy(
        file: file, newChanges: ChangeTally(report.newChanges), result: report.result,
        takenOut: report.takenOut))
    conflicts = report.conflicts
    adjoining = report.adjoining
    leftover += report.leftover
  }

  /// Takes down in which sentences what was decided stands.
  mutating func tellConflicts(in document: Document) {
    var texts = TextsByLine(of: document)
    for conflict in conflicts { sentences[conflict.id] = texts.sentence(around: conflict) }
  }

  /// Whether a copy brought redactions of text that those before it still had.
  var isRedacted: Bool { copies.contains { !$0.takenOut.isEmpty } }

  /// Whether there is anything that a person may want to look at.
  var needsAttention: Bool { !conflicts.isEmpty || isRedacted || !leftover.isEmpty }

  /// The result over all copies: the one that says most.
  var result: MergeReport.Result {
    let results = copies.map(\.result)
    // A copy that ran ahead of the first one may leave a later one behind.
    return [.merged, .fastForward, .behind].first(where: results.contains) ?? .identical
  }

  /// What all copies had that the first one lacked.
  var newChanges: ChangeTally {
    copies.reduce(into: ChangeTally()) { $0.add($1.newChanges) }
  }

  /// The same with what became of the file.
  func written(
    _ outcome: DocumentFile.Outcome<MergeOutcome>, to target: FileName
  ) -> MergeOutcome {
    var result = self
    result.output = target
    result.hasChanged = outcome.hasChanged
    result.isWritten = outcome.isWritten
    result.isUndoable = outcome.isUndoable
    return result
  }
}

extension MergeOutcome {
  /// The report for programs; pnmerge-json(5) describes the members.
  var json: JSONReport {
    let copies = copies.map { copy -> JSON in
      [
        "file": .string(copy.file.visible), "new_changes": .count(copy.newChanges.count),
        "authors": .array(copy.newChanges.authors.map { .string($0.name) }),
        "redactions": .array(copy.takenOut.map(\.json)),
      ]
    }
    var report = JSONReport([
      "result": .json(.string(result.rawValue)),
      "written": .json(.bool(isWritten)), "output": .json(.string(output.visible)),
      "document": .json(.string(document.description)), "copies": .json(.array(copies)),
      "conflicts": .list(conflicts + adjoining) { $0.json() },
    ])
    if !arrived.isEmpty { report.append("arrived", .list(arrived) { $0.json() }) }
    if !leftover.isEmpty { report.append("redacted_left", .list(leftover, \.json)) }
    report.append(divergence?.members(ours: "own", theirs: "incoming") ?? [])
    if !leftOut.isEmpty {
      report.append("without", .list(leftOut) { .string($0.description) })
    }
    return report
  }
}

extension TakenOutText {
  var json: JSON {
    [
      "path": .optional(path?.description), "characters": .count(scalars),
      "deleted_by": .array(authors.map { .string($0) }),
    ]
  }
}

extension LeftoverText {
  fileprivate var json: JSON {
    switch self {
    case .shown(let path, let line):
      ["path": .string(path.description), "line": line.map { .count($0) } ?? .null]
    case .deleted(let text): text.json
    }
  }
}

extension Conflict {
  /// For programs, with the column where it stands, and what stood there before, if they are known.
  func json(column: Int? = nil, before: JSON? = nil) -> JSON {
    .object(present: [
      "path": .string(path.description), "line": line.map { .count($0) },
      "column": column.map { .count($0) }, "kind": .string(kind.rawValue),
      "tier": isCombined ? "adjacent" : "contested", "what": .string(what), "before": before,
      "kept": kept.json, "others": .array(others.map(\.json)), "id": .string(id),
    ])
  }
}

extension Conflict.Side {
  /// A deletion has the value null and says so, since null may be a value too.
  var json: JSON {
    let names = otherAuthors.map { JSON.string($0) }
    return .object(present: [
      "value": node?.json ?? .null, "author": .string(author), "time": .string(time.iso8601),
      "change": .string(change.description), "other_authors": names.isEmpty ? nil : .array(names),
      "deleted": node == nil ? true : nil, "path": path.map { .string($0.description) },
      "line": line.map { .count($0) }, "moved": isMoved ? true : nil,
      "absent": isAbsent && (isMoved || isShortened) ? true : nil,
    ])
  }
}
