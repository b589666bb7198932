package import Peernote
import PeernoteJSON

/// Tells whether contents meet a condition, in a bounded number of steps.
///
/// A path with `*` on either side of a comparison makes as many of these as there are pairs, which
/// are more than anybody can wait for in a document made for it.
package struct ConditionCheck {
  /// It takes more steps than the limit.
  package struct TooManySteps: Error {}

  /// The most steps that a check takes for a document, a few seconds' worth.
  package static let stepLimit = 1 << 26

  /// How many more steps the check may take.
  private var stepsLeft: Int

  /// A check that has not begun.
  ///
  /// - Parameter stepLimit: how many steps it may take: comparisons, more for long values.
  package init(stepLimit: Int = stepLimit) {
    stepsLeft = stepLimit
  }

  /// Whether a content meets a condition.
  ///
  /// - Throws: ``TooManySteps`` if telling takes more than are left.
  package mutating func holds(
    _ condition: Condition, for content: Node
  ) throws(TooManySteps) -> Bool {
    switch condition {
    case .exists(let pattern):
      return !pattern.values(in: content).isEmpty
    case .comparison(let left, let comparison, let right):
      return try holds(
        comparison, left.values(in: content), right.values(in: content))
    case .not(let condition):
      return try !holds(condition, for: content)
    case .and(let left, let right):
      guard try holds(left, for: content) else { return false }
      return try holds(right, for: content)
    case .or(let left, let right):
      if try holds(left, for: content) { return true }
      return try holds(right, for: content)
    }
  }

  /// Whether a comparison holds for some of the values on its left and some on its right.
  private mutating func holds(
    _ comparison: Condition.Comparison, _ left: [JSON], _ right: [JSON]
  ) throws(TooManySteps) -> Bool {
    let right = right.map(ComparedValue.init)
    for value in left {
      let value = ComparedValue(value)
      for other in right {
        stepsLeft -= comparison.steps(value, other)
        guard stepsLeft >= 0 else { throw TooManySteps() }
        if comparison.holds(value, other) { return true }
      }
    }
    return false
  }
}

/// A value with what comparing it asks for.
private struct ComparedValue {
  let json: JSON
  /// The same for equal values of one type.
  let identity: [UInt8]
  /// The point in time that a string names.
  let time: Timestamp?
  /// How many steps it takes to look at all of it.
  let size: Int

  init(_ json: JSON) {
    self.json = json
    identity = json.identity
    time = if case .string(let text) = json { Timestamp(iso8601: text) } else { nil }
    size = json.size
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
        if case .set(let members) = node { return members.map { .value($0) } }
        return node.children.map(\.node)
      }
    }
    return nodes
  }
}

extension Condition.Comparison {
  /// Whether two values compare so: numbers by value, times by time, other strings by their
  /// scalars; values of different types are only ever unequal.
  fileprivate func holds(_ left: ComparedValue, _ right: ComparedValue) -> Bool {
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

extension Condition.Comparison {
  /// How many steps a comparison counts for; two numbers take one.
  fileprivate func steps(_ left: ComparedValue, _ right: ComparedValue) -> Int {
    guard self == .contains else { return min(left.size, right.size) }
    return if case .string = left.json { 32 + left.size } else { 8 * left.size }
  }
}

extension ComparedValue {
  fileprivate func isEqual(to other: ComparedValue) -> Bool {
    identity == other.identity || order(against: other) == .equal
  }

  fileprivate func order(against other: ComparedValue) -> JSON.Order? {
    guard case .string(let left) = json, case .string(let right) = other.json else {
      return json.compared(with: other.json)
    }
    if let first = time, let second = other.time {
      return first < second ? .less : second < first ? .greater : .equal
    }
    if left.utf8.elementsEqual(right.utf8) { return .equal }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
  }

  /// Whether an array has an element, an object a name, a string a part.
  fileprivate func holds(_ other: ComparedValue) -> Bool {
    switch (json, other.json) {
    case (.array(let elements), _): elements.contains { ComparedValue($0).isEqual(to: other) }
    case (.object, .string(let name)): json[name] != nil
    case (.string(let text), .string(let part)):
      part.isEmpty || Array(text.utf8).contains(Array(part.utf8))
    case (.null, _), (.bool, _), (.integer, _), (.double, _), (.string, _), (.object, _): false
    }
  }
}

extension JSON {
  /// How many steps it takes to look at all of a value.
  fileprivate var size: Int {
    switch self {
    case .null, .bool, .integer, .double: 1
    case .string(let text): 1 + text.utf8.count / 32
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let members):
      members.reduce(1) { $0 + 1 + $1.name.utf8.count / 32 + $1.value.size }
    }
  }
}
