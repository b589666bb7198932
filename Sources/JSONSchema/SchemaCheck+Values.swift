import PeernoteJSON

extension SchemaCheck {
  /// Checks the type of a value; whether `1.0` is an integer.
  mutating func checkType(_ value: JSON, _ types: [SchemaType], wholeDoubles: Bool) {
    let isWhole = if case .integer = value.plain { true } else { false }
    let value = isWhole && !wholeDoubles ? value : value.plain
    if types.contains(where: { $0.holds(value, wholeDoubles: wholeDoubles) }) { return }
    add(
      "must be of type \(types.map(\.rawValue).joined(separator: " or "))"
        + ", not \(value.shortText)")
  }

  /// How many parts of a kind a value has; `nil` if it is of another type.
  mutating func count(_ countable: Countable, in value: JSON) -> Int? {
    switch (countable, value.plain) {
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
