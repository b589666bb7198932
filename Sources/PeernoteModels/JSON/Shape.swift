import PeernoteJSON
package import PeernoteEngine
package import PeernoteMerging

/// The types in a content, which JSON without marks takes over where it stands in its place.
///
/// So a document can be printed as plain JSON, changed by any program and read again: a string
/// where a text stands changes the text, an integer where a counter stands counts. An element of a
/// list has the types of the one that it is, as edits find it. What that one does not tell, and what
/// is new, has the types that all elements have in common.
package indirect enum Shape: Hashable {
  /// An element of a list, and its shape.
  package struct Element: Hashable {
    package var node: DocumentNode
    package var shape: Shape
  }

  /// Nothing is known.
  case unknown
  /// What JSON can tell by itself.
  case plain
  /// Several types.
  case mixed
  /// Any other type that plain JSON does not tell.
  case type(ExactJSON.Tag)
  /// A set, and its members by their plain form.
  case set([[UInt8]: Value])
  case map([[UInt8]: Shape])
  /// What the elements have in common, and each of them if they differ in types.
  case list(Shape, each: [Element])

  /// The shape of a content; near-linear in its size, times the depth of lists in lists.
  package init(of node: DocumentNode) {
    switch node {
    case .set(let members):
      self = .set([:].merging(members.map { ($0.json.bytes(), $0) }) { first, _ in first })
    case .value(.null): self = .unknown
    case .map(let entries):
      var shapes: [[UInt8]: Shape] = [:]
      for entry in entries { shapes[Array(entry.key.utf8)] = Shape(of: entry.node) }
      self = .map(shapes)
    case .list(let elements):
      let shapes = elements.map { Shape(of: $0) }
      let common = shapes.reduce(into: Shape.unknown) { $0.join($1) }
      let each = zip(elements, shapes).lazy.map { Element(node: $0, shape: $1) }
      self = .list(common, each: common.isMixed ? Array(each) : [])
    case _: self = ExactJSON.Tag(of: node).map { .type($0) } ?? .plain
    }
  }

  /// The shape of what stands at a path, or of what stands there in the other elements of a list,
  /// as far as a new content can take types from it; near-linear in what that is, and in the number
  /// of elements of the lists on the way.
  package init(of path: JSONPointer, in document: Document, for new: DocumentNode) {
    if let node = document.node(at: path) {
      self = Shape(of: node)
    } else if case .map(let entries) = new, Self.entryCount(of: new) <= 64 {
      // Of a map only the keys of the new one are looked at, unless they are many.
      var shapes: [[UInt8]: Shape] = [:]
      for entry in entries {
        shapes[Array(entry.key.utf8)] = Shape(
          of: path.appending(entry.key), in: document, for: entry.node)
      }
      self = .map(shapes)
    } else {
      let others = document.nodes(along: path) ?? []
      self = others.reduce(into: .unknown) { $0.join(Shape(of: $1)) }
    }
  }

  /// How many entries a map has, with those of maps in it.
  private static func entryCount(of node: DocumentNode) -> Int {
    guard case .map(let entries) = node else { return 0 }
    return entries.reduce(entries.count) { $0 + entryCount(of: $1.node) }
  }

  /// Keeps the types that another content has, too; of two maps also those of keys that only one
  /// has; near-linear in the size of the other one.
  private mutating func join(_ other: Shape) {
    switch (self, other) {
    case (.unknown, _): self = other
    case (_, .unknown): return
    case (.map(var shapes), .map(let others)):
      self = .unknown
      for (key, shape) in others { shapes[key, default: .unknown].join(shape) }
      self = .map(shapes)
    case (.set(var members), .set(let others)):
      self = .unknown
      members.merge(others) { first, _ in first }
      self = .set(members)
    case (.list(var common, let each), .list(let other, let others)):
      common.join(other)
      self = .list(common, each: each == others ? each : [])
    case (.plain, _), (.mixed, _), (.type, _), (.set, _), (.map, _), (.list, _):
      if self != other { self = .mixed }
    }
  }

  /// Whether several types stand in one place of it.
  private var isMixed: Bool {
    switch self {
    case .mixed: true
    case .map(let shapes): shapes.values.contains { $0.isMixed }
    case .list(let common, each: _): common.isMixed
    case .unknown, .plain, .type, .set: false
    }
  }
}

extension DocumentNode {
  /// The content with the types of a shape where JSON alone could not tell them.
  ///
  /// `matching` says by which keys elements of lists are told apart. Near-linear in the size of the
  /// content and of the shape, times the depth of lists in lists.
  package func adapted(
    to shape: Shape, _ matching: ContentMatching = .exact
  ) -> DocumentNode {
    adapted(to: [shape], matching)
  }

  /// The content with the types of the first shape that knows its place.
  private func adapted(to shapes: [Shape], _ matching: ContentMatching) -> DocumentNode {
    switch (shapes.first { $0 != .unknown }, self) {
    case (.type(.double), .value(.integer(let number))):
      return Double(exactly: number).map { .value(.double($0)) } ?? self
    case (.type(let type), .value(.integer(let count))):
      return type.node(for: .integer(count)) ?? self
    case (.type(let type), .value(.string(let text))): return type.node(for: .string(text)) ?? self
    case (.set, .list(let elements)):
      var members: Set<Value> = []
      for element in elements {
        guard case .value(let value) = element else { return self }
        let form = value.json.bytes()
        let known = shapes.lazy.compactMap { shape -> Value? in
          if case .set(let members) = shape { members[form] } else { nil }
        }
        members.insert(known.first ?? value)
      }
      return .set(members: members)
    case (.map, .map(let entries)):
      return .map(
        entries.map { entry in
          let key = Array(entry.key.utf8)
          let known = shapes.compactMap { shape -> Shape? in
            if case .map(let shapes) = shape { shapes[key] } else { nil }
          }
          return .init(key: entry.key, node: entry.node.adapted(to: known, matching))
        })
    case (.list(_, let each), .list(let elements)):
      let common = shapes.compactMap { shape -> Shape? in
        if case .list(let common, each: _) = shape { common } else { nil }
      }
      let old = Self.replaced(each.map(\.node), by: elements, matching)
      return .list(
        zip(elements, old).map { element, old in
          element.adapted(to: (old.map { [each[$0].shape] } ?? []) + common, matching)
        })
    case (nil, _), (.unknown, _), (.plain, _), (.mixed, _), (.type, _), (.set, _), (.map, _),
      (.list, _):
      return self
    }
  }

  /// For each element of a list that was read as plain JSON the one whose place it takes: the one
  /// that it is, or the one with its index in a list of that length; `nil` for a new one.
  private static func replaced(
    _ old: [DocumentNode], by new: [DocumentNode], _ matching: ContentMatching
  ) -> [Int?] {
    if old.isEmpty { return [Int?](repeating: nil, count: new.count) }
    let found = matching.partners(
      from: old.map { $0.asInJSON(\.readPlainly) }, to: new.map { $0.asInJSON(\.readPlainly) })
    if old.count != new.count { return found }
    let taken = Set(found.compactMap(\.self))
    return found.enumerated().map { index, partner in
      partner ?? (taken.contains(index) ? nil : index)
    }
  }
}

extension Value {
  /// The value as plain JSON is read by itself, and a whole number as an integer.
  fileprivate var readPlainly: Value {
    switch json.plain {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case _: self
    }
  }
}
