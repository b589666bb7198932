import Peernote
import PeernoteJSON

extension Divergence {
  /// The members of a report for programs, with names for the lists of what either copy did;
  /// pnmerge-json(5) describes them.
  func members(ours: String, theirs: String) -> [JSON.Member] {
    let met = meetings.map { meeting -> JSON in
      [theirs: .count(meeting.theirs), ours: .count(meeting.ours)]
    }
    return [
      JSON.Member(name: "common", value: .array(common.map { .string($0.description) })),
      JSON.Member(name: theirs, value: .array(self.theirs.places.map(\.json))),
      JSON.Member(name: "\(theirs)_count", value: .count(self.theirs.count)),
      JSON.Member(name: ours, value: .array(self.ours.places.map(\.json))),
      JSON.Member(name: "\(ours)_count", value: .count(self.ours.count)),
      JSON.Member(name: "meetings", value: .array(met)),
    ]
  }
}

extension PlaceChange {
  /// The change for programs.
  var json: JSON {
    let (change, old, new): (JSON, JSON?, JSON?) =
      switch action {
      case .added(let node): ("added", nil, node.json)
      case .removed(let node): ("removed", node.json, nil)
      case .replaced(let old, let new): ("replaced", old.json, new.json)
      case .moved: ("moved", nil, nil)
      case .text: ("text", nil, nil)
      case .memberAdded(let value): ("member-added", nil, value.json)
      case .memberRemoved(let value): ("member-removed", value.json, nil)
      case .counted(let old, let new): ("counted", .integer(old), .integer(new))
      }
    let from: JSON? = if case .moved(let from) = action { .count(from) } else { nil }
    let lines: [ChangedLines]? =
      if case .text(let old, let new) = action { ChangedLines.find(from: old, to: new) } else {
        nil
      }
    return .object(present: [
      "path": .string(path.description), "name": .string(name.words), "change": change,
      "from": from, "old": old, "new": new, "lines": lines.map { .array($0.map(\.json)) },
      "authors": .array(authors.map { .string($0) }), "time": time.map { .string($0.iso8601) },
    ])
  }
}

extension ChangedLines {
  /// The lines for programs: numbers from 1, and what stood there and stands there now.
  fileprivate var json: JSON {
    [
      "old_line": .count(oldLines.lowerBound + 1), "new_line": .count(newLines.lowerBound + 1),
      "old": .string(old), "new": .string(new),
    ]
  }
}
