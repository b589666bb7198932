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
    var members = [
      JSON.Member(name: "path", value: .string(path.description)),
      JSON.Member(name: "name", value: .string(name.words)),
    ]
    func add(_ name: String, _ value: JSON) {
      members.append(JSON.Member(name: name, value: value))
    }
    switch action {
    case .added(let node):
      add("change", "added")
      add("new", node.json)
    case .removed(let node):
      add("change", "removed")
      add("old", node.json)
    case .replaced(let old, let new):
      add("change", "replaced")
      add("old", old.json)
      add("new", new.json)
    case .moved(let from):
      add("change", "moved")
      add("from", .count(from))
    case .text(let old, let new):
      add("change", "text")
      add("lines", .array(ChangedLines.find(from: old, to: new).map(\.json)))
    case .memberAdded(let value):
      add("change", "member-added")
      add("new", value.json)
    case .memberRemoved(let value):
      add("change", "member-removed")
      add("old", value.json)
    case .counted(let old, let new):
      add("change", "counted")
      add("old", .integer(old))
      add("new", .integer(new))
    }
    add("authors", .array(authors.map { .string($0) }))
    if let time { add("time", .string(time.iso8601)) }
    return .object(members)
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
