import PeernoteJSON

/// The magnitude of a number as it is written in decimal, so that 0.3 is three times 0.1.
struct Decimal {
  /// The digits, without the zeros at the end; up to 19.
  private(set) var digits: UInt64
  /// The power of ten that they are multiplied by.
  private(set) var exponent: Int

  /// The shortest decimal that leads to a value; `nil` if that is no number.
  init?(_ value: JSON) {
    switch value {
    case .integer(let number): (digits, exponent) = (number.magnitude, 0)
    case .double(let number) where number.isFinite:
      // Such as 1.25e-07.
      let parts = number.magnitude.description.split(separator: "e")
      let mantissa = parts[0].split(separator: ".")
      digits = UInt64(mantissa.joined()) ?? 0
      exponent = parts.dropFirst().first.flatMap { Int($0) } ?? 0
      exponent -= mantissa.dropFirst().first?.count ?? 0
    case .null, .bool, .double, .string, .array, .object: return nil
    }
    if digits == 0 { exponent = 0 }
    while digits > 0, digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
  }

  /// Whether this is a whole multiple of another number, which is not zero: O(difference of the
  /// exponents).
  func isMultiple(of unit: Decimal) -> Bool {
    guard digits > 0 else { return true }
    // The last digit of the number stands after that of all multiples.
    guard exponent >= unit.exponent else { return false }
    var rest = UInt128(digits % unit.digits)
    for _ in 0..<(exponent - unit.exponent) where rest > 0 {
      rest = rest * 10 % UInt128(unit.digits)
    }
    return rest == 0
  }
}
