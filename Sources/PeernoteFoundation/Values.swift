public import Foundation
public import Peernote

/// Dates are timestamps, to the millisecond.
extension Date: ValueRepresentable {
  /// The time; `nil` if it is none, or more than 290 million years off.
  public var documentValue: Value? {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    // What a date makes of the last timestamps.
    if milliseconds == 0x1p63 { return .timestamp(Timestamp(milliseconds: .max)) }
    return Int64(exactly: milliseconds).map { .timestamp(Timestamp(milliseconds: $0)) }
  }

  /// The date that a timestamp tells.
  public init?(documentValue: Value) {
    guard case .timestamp(let time) = documentValue else { return nil }
    self.init(time)
  }

  /// The date of a timestamp.
  public init(_ time: Timestamp) {
    self.init(timeIntervalSince1970: Double(time.milliseconds) / 1000)
  }
}

/// UUIDs are UUIDs.
extension UUID: ValueRepresentable {
  /// The identifier.
  public var documentValue: Value? { .uuid(UniqueID(self)) }

  /// The identifier that a value holds.
  public init?(documentValue: Value) {
    guard case .uuid(let id) = documentValue else { return nil }
    self.init(id)
  }

  /// The identifier with the same bytes.
  public init(_ id: UniqueID) {
    let bytes = id.bytes
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}

extension UniqueID {
  /// The identifier with the same bytes.
  public init(_ id: UUID) {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = id.uuid
    self.init(bytes: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
  }
}

/// Decimal numbers are strings, as in `12.5`: two people who change one have two values, not a number
/// made of both.
extension Decimal: ValueRepresentable {
  /// The most characters of a number: a sign, a point, 38 digits and 128 zeros.
  private static let longest = 168

  /// The number in digits; `nil` if it is none.
  public var documentValue: Value? {
    isNaN ? nil : .string(NSDecimalNumber(decimal: self).description(withLocale: nil))
  }

  /// The number that a string of digits, an integer or a double holds, to the last digit.
  public init?(documentValue: Value) {
    switch documentValue {
    case .string(let text):
      // Foundation reads what a text begins with, rounds, and stops the program at large exponents.
      guard text.utf8.count <= Self.longest, text.utf8.allSatisfy("-.0123456789".utf8.contains)
      else { return nil }
      let digits = text.contains(".") ? text.replacing(/\.?0+$/, with: "") : text
      guard let number = Decimal(string: text, locale: nil), number.documentValue == .string(digits)
      else { return nil }
      self = number
    case .integer(let number): self.init(number)
    case .double(let double):
      guard double == 0 || (1e-100...1e120).contains(double.magnitude),
        let number = Decimal(string: "\(double)", locale: nil), Double("\(number)") == double
      else { return nil }
      self = number
    case .null, .bool, .bytes, .timestamp, .uuid: return nil
    }
  }
}

/// URLs are strings.
extension URL: ValueRepresentable {
  /// The whole URL.
  public var documentValue: Value? { .string(absoluteString) }

  /// The URL that a string holds.
  public init?(documentValue: Value) {
    guard case .string(let text) = documentValue else { return nil }
    self.init(string: text)
  }
}

/// Data are bytes.
extension Data: ValueRepresentable {
  /// The bytes.
  public var documentValue: Value? { .bytes(Array(self)) }

  /// The bytes that a value holds.
  public init?(documentValue: Value) {
    guard case .bytes(let bytes) = documentValue else { return nil }
    self.init(bytes)
  }
}
