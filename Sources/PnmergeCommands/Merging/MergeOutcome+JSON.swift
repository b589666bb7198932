import Peernote
import PeernoteJSON

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
      "schema": .json(1), "result": .json(.string(result.rawValue)),
      "written": .json(.bool(isWritten)), "output": .json(.string(output.visible)),
      "document": .json(.string(document.description)), "copies": .json(.array(copies)),
      "conflicts": .list(conflicts + adjoining, \.json),
    ])
    if !arrived.isEmpty { report.append("arrived", .list(arrived, \.json)) }
    if !leftover.isEmpty { report.append("redacted_left", .list(leftover, \.json)) }
    for member in divergence?.members(ours: "own", theirs: "incoming") ?? [] {
      report.append(member.name, .json(member.value))
    }
    if !leftOut.isEmpty {
      report.append("without", .list(leftOut) { .string($0.description) })
    }
    return report
  }
}

extension TakenOutText {
  /// For programs.
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
  var json: JSON { json() }

  /// Likewise, with the column where it stands, and what stood there before, if they are known.
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
