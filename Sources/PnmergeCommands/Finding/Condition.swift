package import Peernote

/// A condition on a content, such as `/runtime <= 100 and not /rating`; pnmerge(1), "CONDITIONS".
package indirect enum Condition: Hashable, Sendable {
  /// Something stands at a path.
  case exists(PathPattern)
  /// Two values compare so; of a path with `*` some value does.
  case comparison(Operand, Comparison, Operand)
  case not(Condition)
  case and(Condition, Condition)
  case or(Condition, Condition)

  package enum Comparison: String, Hashable, Sendable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="
    case contains
  }

  package enum Operand: Hashable, Sendable {
    case path(PathPattern)
    case value(JSON)
  }

  /// A path in which `*` stands for any name or index.
  package struct PathPattern: Hashable, Sendable {
    /// `nil` stands for any.
    package var tokens: [String?]
  }
}

// MARK: - Evaluating

extension Condition {
  /// Whether a content meets the condition.
  package func holds(for content: Node) -> Bool {
    switch self {
    case .exists(let pattern): !pattern.values(in: content).isEmpty
    case .comparison(let left, let comparison, let right):
      left.values(in: content).contains { first in
        right.values(in: content).contains { comparison.holds(first, $0) }
      }
    case .not(let condition): !condition.holds(for: content)
    case .and(let left, let right): left.holds(for: content) && right.holds(for: content)
    case .or(let left, let right): left.holds(for: content) || right.holds(for: content)
    }
  }
}

extension Condition.Operand {
  fileprivate func values(in content: Node) -> [JSON] {
    switch self {
    case .path(let pattern): pattern.values(in: content).map(\.json)
    case .value(let value): [value]
    }
  }
}

extension Condition.PathPattern {
  /// What stands at the paths that the pattern stands for.
  fileprivate func values(in content: Node) -> [Node] {
    var nodes = [content]
    for token in tokens {
      nodes = nodes.flatMap { node -> [Node] in
        if let token { return node[JSONPointer([token])].map { [$0] } ?? [] }
        switch node {
        case .map(let entries): return entries.map(\.node)
        case .list(let elements): return elements
        case .set(let members): return members.map { .value($0) }
        case .value, .text, .counter: return []
        }
      }
    }
    return nodes
  }
}

extension Condition.Comparison {
  /// Whether two values compare so: numbers by value, times by time, other strings by their
  /// scalars; values of different types are only ever unequal.
  fileprivate func holds(_ left: JSON, _ right: JSON) -> Bool {
    switch self {
    case .equal: left.isEqual(to: right)
    case .unequal: !left.isEqual(to: right)
    case .less: left.order(against: right) == .less
    case .more: left.order(against: right) == .greater
    case .atMost: [.less, .equal].contains(left.order(against: right))
    case .atLeast: [.greater, .equal].contains(left.order(against: right))
    case .contains: left.holds(right)
    }
  }
}

extension JSON {
  fileprivate func isEqual(to other: JSON) -> Bool {
    identity == other.identity || order(against: other) == .equal
  }

  fileprivate func order(against other: JSON) -> Order? {
    guard case .string(let left) = self, case .string(let right) = other else {
      return compared(with: other)
    }
    if let first = Timestamp(iso8601: left), let second = Timestamp(iso8601: right) {
      return first < second ? .less : second < first ? .greater : .equal
    }
    if left.utf8.elementsEqual(right.utf8) { return .equal }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
  }

  /// Whether an array has an element, an object a name, a string a part.
  fileprivate func holds(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.array(let elements), _): elements.contains { $0.isEqual(to: other) }
    case (.object, .string(let name)): self[name] != nil
    case (.string(let text), .string(let part)):
      part.isEmpty || Array(text.utf8).contains(Array(part.utf8))
    case (.null, _), (.bool, _), (.integer, _), (.double, _), (.string, _), (.object, _): false
    }
  }
}
