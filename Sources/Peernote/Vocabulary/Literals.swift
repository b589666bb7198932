extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Text.
  public init(stringLiteral text: String) { self = .string(text) }

  /// An integer.
  public init(integerLiteral number: Int64) { self = .integer(number) }

  /// A double.
  public init(floatLiteral number: Double) { self = .double(number) }

  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONPointer: ExpressibleByArrayLiteral {
  /// The path made of these keys and indices; the root if there are none.
  public init(arrayLiteral tokens: String...) { self.init(tokens) }
}
