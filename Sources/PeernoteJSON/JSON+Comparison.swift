extension JSON {
  /// What an object has under a name; `nil` for another name or if this is no object.
  ///
  /// - Complexity: O(members).
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The value as JSON has it: whole doubles are integers, and what is not finite is a string.
  package var plain: JSON {
    guard case .double(let value) = self else { return self }
    if let whole = Int64(exactly: value) { return .integer(whole) }
    if value.isFinite { return self }
    return .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  /// Whether this is a number, in plain form.
  package var isNumber: Bool {
    switch self {
    case .integer, .double: true
    case .null, .bool, .string, .array, .object: false
    }
  }

  /// Whether this is a number below zero.
  package var isNegative: Bool {
    switch self {
    case .integer(let value): value < 0
    case .double(let value): value < 0
    case .null, .bool, .string, .array, .object: false
    }
  }

  /// The value in a form that equal values share: numbers of one value are the same, members are
  /// in order.
  private var canonical: JSON {
    switch self {
    case .null, .bool, .integer, .string: return self
    case .double: return plain
    case .array(let elements): return .array(elements.map(\.canonical))
    case .object(let members):
      return .object(
        members.map { Member(name: $0.name, value: $0.value.canonical) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
  }

  /// What tells the value from all that are not equal to it (JSON Schema, core, section 4.2.2).
  package var identity: [UInt8] { canonical.bytes() }

  package enum Order {
    case less, equal, greater
  }

  /// How two numbers compare, exactly; `nil` if one is no number.
  package func compared(with other: JSON) -> Order? {
    switch (plain, other.plain) {
    case (.integer(let left), .integer(let right)):
      return left < right ? .less : left > right ? .greater : .equal
    // A double in plain form has a fraction, and then rounding an integer does not move it past the
    // double; or it is beyond all integers.
    case (.integer(let left), .double(let right)):
      return right >= 0x1p63 || Double(left) < right ? .less : .greater
    case (.double(let left), .integer(let right)): return left < Double(right) ? .less : .greater
    case (.double(let left), .double(let right)):
      return left < right ? .less : left > right ? .greater : .equal
    case (_, _): return nil
    }
  }
}
