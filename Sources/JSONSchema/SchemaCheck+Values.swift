import PeernoteJSON

extension SchemaCheck {
  /// Checks the type of a value.
  mutating func checkType(_ value: JSON, _ types: [SchemaType], wholeDoubles: Bool) {
    if types.contains(where: { $0.holds(value, wholeDoubles: wholeDoubles) }) { return }
    add(
      "must be of type \(types.map(\.rawValue).joined(separator: " or "))"
        + ", not \(value.shortText)")
  }

  /// Checks the bound of a number.
  mutating func checkBound(_ value: JSON, _ bound: Rule.Bound, _ limit: JSON) {
    guard let order = value.compared(with: limit) else { return }
    switch bound {
    case .minimum where order == .less: add("must be at least \(limit.shortText)")
    case .maximum where order == .greater: add("must be at most \(limit.shortText)")
    case .exclusiveMinimum where order != .greater: add("must be more than \(limit.shortText)")
    case .exclusiveMaximum where order != .less: add("must be less than \(limit.shortText)")
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum: break
    }
  }

  /// How many parts of a kind a value has; `nil` if it is of another type.
  mutating func count(_ countable: Rule.Countable, in value: JSON) -> Int? {
    switch (countable, value) {
    case (.members, .object(let members)): return members.count
    case (.elements, .array(let elements)): return elements.count
    case (.characters, .string(let text)):
      spend(text.utf8.count)
      return text.unicodeScalars.count
    case (.members, _), (.elements, _), (.characters, _): return nil
    }
  }

  /// Whether a text matches one of the regular expressions.
  mutating func matches(_ text: String, _ pattern: Int) -> Bool {
    stepsLeft >= 0 && program.patterns[pattern].matches(text, steps: &stepsLeft)
  }
}
