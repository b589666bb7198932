extension JSON {
  enum Order {
    case less, equal, greater
  }

  /// How two numbers compare, integers exactly; `nil` if one is no number.
  func compared(with other: JSON) -> Order? {
    if case .integer(let left) = plainNumber, case .integer(let right) = other.plainNumber {
      return left < right ? .less : left > right ? .greater : .equal
    }
    guard let left = number, let right = other.number else { return nil }
    return left < right ? .less : left > right ? .greater : left == right ? .equal : nil
  }
}
