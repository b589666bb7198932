package import PeernoteJSON

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
