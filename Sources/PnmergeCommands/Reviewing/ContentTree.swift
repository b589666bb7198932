import JSONSchema
import Peernote
import PeernoteJSON

/// The content that a merge leads to, as a tree with what changed and what a schema refuses.
///
/// What is the same is shown as far as it stands beside something that is not; the rest is counted.
struct ContentTree {
  /// What happened to a place.
  enum Mark: String {
    case same = " "
    case added = "+"
    case removed = "-"
    case changed = "~"
    case moved = ">"
  }

  /// A line of the tree.
  struct Row {
    /// How many containers it stands in.
    var depth: Int
    /// The key, or what names the element.
    var name: String
    /// What stands there, on one line; `nil` if its parts follow.
    var value: String?
    /// What stood there; `nil` if that is the same, or nothing.
    var before: String?
    var mark: Mark
    /// What a schema says against it.
    var faults: [String] = []
  }

  /// The most rows that are made.
  static let limit = 2000

  private(set) var rows: [Row] = []
  /// How many rows were left out.
  private(set) var leftOut = 0
  private let document: Document
  private var changes: [JSONPointer: [PlaceChange]] = [:]
  /// What is there no more, by the way to what it stood in.
  private var removals: [[PlaceChange.Step]: [PlaceChange]] = [:]
  /// The ways to all that changed, and to what that stands in.
  private var touched: Set<[PlaceChange.Step]> = []
  private var faults: [JSONPointer: [String]] = [:]
  /// Places of faults and what they stand in.
  private var faulty: Set<JSONPointer> = []

  /// Compares a document with an earlier state of it.
  ///
  /// O(n log n) for the size of both.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - earlier: an earlier state of it.
  ///   - violations: what a schema says against the document.
  init(of document: Document, since earlier: Document, _ violations: [Schema.Violation] = []) {
    self.document = document
    for change in document.places(changedSince: earlier).places {
      if case .removed = change.action {
        removals[Array(change.steps.dropLast()), default: []].append(change)
      } else {
        changes[change.path, default: []].append(change)
      }
      for depth in 0...change.steps.count { touched.insert(Array(change.steps.prefix(depth))) }
    }
    for violation in violations {
      let path = JSONPointer(violation.place.tokens)
      faults[path, default: []].append(violation.reason)
      for depth in 0...path.tokens.count {
        faulty.insert(JSONPointer(Array(path.tokens.prefix(depth))))
      }
    }
    let root = document.root
    if touched.isEmpty, faulty.isEmpty { return }
    if let reasons = faults[JSONPointer()] {
      append(Row(depth: 0, name: "the whole document", mark: .same, faults: reasons))
    }
    addParts(of: root, JSONPointer(), [], depth: 0, isNew: false)
  }

  private mutating func append(_ row: Row) {
    if rows.count < Self.limit { rows.append(row) } else { leftOut += 1 }
  }

  /// Adds what stands in a container, of which something changed or is at fault.
  private mutating func addParts(
    of node: Node, _ path: JSONPointer, _ steps: [PlaceChange.Step], depth: Int, isNew: Bool
  ) {
    var isMap = false
    var parts: [(name: String, token: String, step: PlaceChange.Step?, node: Node)] = []
    switch node {
    case .map(let entries):
      isMap = true
      parts = entries.map { ($0.key, $0.key, .key($0.key), $0.node) }
    case .list(let elements):
      let names = document.elementSteps(ofListAt: path)
      parts = elements.enumerated().map { index, element in
        let token = String(index)
        let name = PlaceName([PlaceName.part(element, at: index)]).words
        return (name, token, index < names.count ? names[index] : nil, element)
      }
    case .value, .text, .set, .counter: break
    }
    var same = 0
    for part in parts {
      let path = path.appending(part.token)
      let steps = part.step.map { steps + [$0] }
      let isTouched = isNew || (steps.map { touched.contains($0) } ?? false)
      if !isTouched, !faulty.contains(path), !(isMap && part.node.isScalar) {
        same += 1
        continue
      }
      add(part.node, named: part.name, path, steps ?? [], depth: depth, isNew: isNew)
    }
    for change in removals[steps] ?? [] {
      guard case .removed(let old) = change.action else { continue }
      let name = change.name.parts.last.map { PlaceName([$0]).words } ?? ""
      append(Row(depth: depth, name: name, before: old.preview, mark: .removed))
    }
    if same > 0 {
      append(Row(depth: depth, name: "\(counted(same, "part")) as before", mark: .same))
    }
  }

  private mutating func add(
    _ node: Node, named name: String, _ path: JSONPointer, _ steps: [PlaceChange.Step], depth: Int,
    isNew: Bool
  ) {
    var row = Row(
      depth: depth, name: name, mark: isNew ? .added : .same, faults: faults[path] ?? [])
    for action in changes[path]?.map(\.action) ?? [] {
      switch action {
      case .added: row.mark = .added
      case .replaced(let old, _): (row.mark, row.before) = (.changed, old.preview)
      case .text(let old, _): (row.mark, row.before) = (.changed, quoted(old))
      case .counted(let old, _): (row.mark, row.before) = (.changed, String(old))
      case .memberAdded, .memberRemoved: row.mark = .changed
      case .moved: if row.mark == .same { row.mark = .moved }
      case .removed: break
      }
    }
    guard node.hasParts else {
      row.value = node.preview
      return append(row)
    }
    append(row)
    // Of what is new, or was put in the place of something else, all is new.
    addParts(
      of: node, path, steps, depth: depth + 1,
      isNew: row.mark == .added || (row.mark == .changed && row.before != nil))
  }
}

extension Node {
  /// Whether it is one value.
  fileprivate var isScalar: Bool {
    switch self {
    case .value, .counter: true
    case .map, .list, .text, .set: false
    }
  }

  /// Whether other content stands in it.
  fileprivate var hasParts: Bool {
    switch self {
    case .map, .list: true
    case .value, .text, .set, .counter: false
    }
  }
}

extension ContentTree {
  /// The tree in lines, indented.
  var lines: [String] {
    var lines: [String] = []
    for row in rows {
      let indent = "\(row.mark.rawValue) " + spaces(2 * row.depth)
      lines.append(indent + row.words)
      lines += row.faults.map { "\(spaces(2 * row.depth + 4))would be refused: \($0)" }
    }
    if leftOut > 0 { lines.append("  and \(counted(leftOut, "more line"))") }
    return lines
  }
}

extension ContentTree.Row {
  /// The name, and what stands there.
  var words: String {
    switch (before, value) {
    case (let before?, let value?): "\(name): \(before) became \(value)"
    case (let before?, nil):
      "\(name): " + (mark == .removed ? "removed; it was \(before)" : "in the place of \(before)")
    case (nil, let value?): "\(name): \(value)"
    case (nil, nil): name
    }
  }
}
