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
      ("schema", .json(1)), ("result", .json(.string(result.rawValue))),
      ("written", .json(.bool(isWritten))), ("output", .json(.string(output.visible))),
      ("document", .json(.string(document.description))), ("copies", .json(.array(copies))),
      ("conflicts", .list(conflicts + adjoining, \.json)),
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
  var json: JSON {
    var members = [
      JSON.Member(name: "path", value: .string(path.description)),
      JSON.Member(name: "kind", value: .string(kind.rawValue)),
      JSON.Member(name: "tier", value: .string(isCombined ? "adjacent" : "contested")),
      JSON.Member(name: "what", value: .string(what)),
      JSON.Member(name: "kept", value: kept.json),
      JSON.Member(name: "others", value: .array(others.map(\.json))),
      JSON.Member(name: "id", value: .string(id)),
    ]
    if let line { members.insert(JSON.Member(name: "line", value: .count(line)), at: 1) }
    return .object(members)
  }
}

extension Conflict.Side {
  /// A deletion has the value null and says so, since null may be a value too.
  var json: JSON {
    var members = [
      JSON.Member(name: "value", value: node?.json ?? .null),
      JSON.Member(name: "author", value: .string(author)),
      JSON.Member(name: "time", value: .string(time.iso8601)),
      JSON.Member(name: "change", value: .string(change.description)),
    ]
    if !otherAuthors.isEmpty {
      let names = otherAuthors.map { JSON.string($0) }
      members.append(JSON.Member(name: "other_authors", value: .array(names)))
    }
    if node == nil { members.append(JSON.Member(name: "deleted", value: true)) }
    if let path { members.append(JSON.Member(name: "path", value: .string(path.description))) }
    if let line { members.append(JSON.Member(name: "line", value: .count(line))) }
    if isMoved { members.append(JSON.Member(name: "moved", value: true)) }
    if isMoved, isAbsent { members.append(JSON.Member(name: "absent", value: true)) }
    return .object(members)
  }
}
