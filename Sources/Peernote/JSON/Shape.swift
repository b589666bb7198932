import PeernoteJSON

/// The types in a content, which JSON without marks takes over where it stands in its place.
///
/// So a document can be printed as plain JSON, changed by any program and read again: a string
/// where a text stands changes the text, an integer where a counter stands counts. What is new in
/// a list has the types that all elements have in common; if they have none, what an element in
/// that place has, unless the list has one that looks the same.
package indirect enum Shape: Hashable {
  /// An element of a list: how it looks as JSON, and its shape.
  package struct Element: Hashable {
    /// As JSON.
    package var form: [UInt8]
    package var shape: Shape
  }

  /// Nothing is known.
  case unknown
  /// What JSON can tell by itself, or several types.
  case open
  /// Any other type that plain JSON does not tell.
  case type(ExactJSON.Tag)
  /// A set, and its members by their plain form.
  case set([[UInt8]: Value])
  case map([[UInt8]: Shape])
  /// What the elements have in common, and each of them if that is nothing.
  case list(Shape, each: [Element])

  /// The shape of a content.
  ///
  /// Near-linear in its size, times the depth of lists in lists.
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
      let each = zip(elements, shapes).lazy.map { Element(form: $0.json.bytes(), shape: $1) }
      self = .list(common, each: common == .open ? Array(each) : [])
    case _: self = ExactJSON.Tag(of: node).map { .type($0) } ?? .open
    }
  }

  /// The shape of what stands at a path, or of what stands there in the other elements of a list, as
  /// far as a new content can take types from it.
  ///
  /// Near-linear in what that is, and in the number of elements of the lists on the way.
  package init(of path: JSONPointer, in document: Document, for new: DocumentNode) {
    if let node = document.node(at: path) {
      self.init(of: node)
      return
    }
    self.init(along: path, in: document, for: new)
  }

  /// Of a map only the keys of the new one are looked at, unless they are many.
  private init(along path: JSONPointer, in document: Document, for new: DocumentNode) {
    if case .map(let entries) = new, Self.entryCount(of: new) <= 64 {
      var shapes: [[UInt8]: Shape] = [:]
      for entry in entries {
        shapes[Array(entry.key.utf8)] = Shape(
          along: path.appending(entry.key), in: document, for: entry.node)
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

  /// Keeps the types that another content has, too; of two maps also those of keys that only one has.
  ///
  /// Near-linear in the size of the other one.
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
    case (.open, _), (.type, _), (.set, _), (.map, _), (.list, _):
      if self != other { self = .open }
    }
  }
}

extension DocumentNode {
  /// The content with the types of a shape where JSON alone could not tell them.
  ///
  /// Near-linear in the size of the content and of the shape.
  package func adapted(to shape: Shape) -> DocumentNode {
    switch (shape, self) {
    case (.type(.double), .value(.integer(let number))):
      return Double(exactly: number).map { .value(.double($0)) } ?? self
    case (.type(let type), .value(.integer(let count))):
      return type.node(for: .integer(count)) ?? self
    case (.type(let type), .value(.string(let text))): return type.node(for: .string(text)) ?? self
    case (.set(let known), .list(let elements)):
      var members: Set<Value> = []
      for element in elements {
        guard case .value(let value) = element else { return self }
        members.insert(known[value.json.bytes()] ?? value)
      }
      return .set(members: members)
    case (.map(let shapes), .map(let entries)):
      return .map(
        entries.map {
          .init(key: $0.key, node: $0.node.adapted(to: shapes[Array($0.key.utf8)] ?? .open))
        })
    case (.list(.open, let each), .list(let elements)):
      let known = Dictionary(each.map { ($0.form, $0.shape) }) { first, _ in first }
      return .list(
        elements.enumerated().map { index, element in
          let form = element.json.bytes()
          let present = index < each.count ? each[index] : nil
          let same = present?.form == form ? present?.shape : known[form]
          let there = each.count == elements.count ? present?.shape : nil
          return element.adapted(to: same ?? there ?? .open)
        })
    case (.list(let common, each: _), .list(let elements)):
      return .list(elements.map { $0.adapted(to: common) })
    case (.unknown, _), (.open, _), (.type, _), (.set, _), (.map, _), (.list, _): return self
    }
  }
}
