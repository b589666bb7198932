import PeernoteJSON

/// The kinds of containers that a document is built of.
public enum ContainerKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  /// Registers and containers by text key.
  case map
  /// Elements with an identity, in an order that people set.
  case list
  /// Unicode scalars in an order that people set.
  case text
  /// Distinct values; adding wins over removing.
  case set
  /// A 64-bit integer that concurrent increments add up in, wrapping around on overflow.
  case counter
}

/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since the epoch; negative before it.
  public let milliseconds: Int64

  /// The point in time this many milliseconds after the epoch.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The time under which a save is recorded: two seconds are one on some file systems; within 36
  /// million years around the epoch, so that times can be compared.
  package var ofSave: Timestamp {
    let near = min(max(milliseconds, -1 << 60), 1 << 60)
    return Timestamp(milliseconds: near - near.flooredQuotient(by: 2000).remainder)
  }
}

/// A universally unique identifier (RFC 9562): sixteen bytes in network order.
public struct UniqueID: Hashable, Comparable, Sendable {
  /// Bytes 0 to 7, big-endian.
  package let high: UInt64
  /// Bytes 8 to 15, big-endian.
  package let low: UInt64

  /// The identifier with these two halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A random identifier (version 4) from 128 random bits.
  package init(randomBits high: UInt64, _ low: UInt64) {
    self.high = high & ~0xF000 | 0x4000
    self.low = low & ~(0b11 << 62) | (0b10 << 62)
  }

  /// Orders by the sixteen bytes.
  public static func < (left: UniqueID, right: UniqueID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension UniqueID: CustomStringConvertible, LosslessStringConvertible {
  /// The usual form, as in `6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55`.
  public var description: String {
    var digits = Substring(hexadecimal(bytes))
    var groups: [Substring] = []
    for length in [8, 4, 4, 4, 12] {
      groups.append(digits.prefix(length))
      digits = digits.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }

  /// Reads the usual form, in upper or lower case; `nil` for anything else.
  public init?(_ description: String) {
    let groups = description.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined()
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

/// What a register holds: a value that is replaced whole.
///
/// Equality and hashing are those of the stored bits: strings compare by their scalars (not by
/// canonical equivalence), and doubles by their bit pattern (so `nan == nan` and `0.0 != -0.0`).
public enum Value: Sendable {
  /// The JSON null.
  case null
  /// A truth value.
  case bool(Bool)
  /// A 64-bit signed integer.
  case integer(Int64)
  /// An IEEE 754 double; every NaN is the one quiet NaN.
  case double(Double)
  /// Unicode text that is replaced whole.
  case string(String)
  /// Raw bytes.
  case bytes([UInt8])
  /// A point in time.
  case timestamp(Timestamp)
  /// A universally unique identifier.
  case uuid(UniqueID)
}

extension Value: Hashable {
  /// Whether two values have the same type and the same bits.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left.canonicalBits == right.canonicalBits
    case (.string(let left), .string(let right)): ExactString(left) == ExactString(right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.null, _), (.bool, _), (.integer, _), (.double, _), (.string, _), (.bytes, _),
      (.timestamp, _), (.uuid, _):
      false
    }
  }

  /// Feeds the type and the bits to the hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.canonicalBits)
    case .string(let value): hasher.combine(ExactString(value))
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    }
  }
}

/// A string as a dictionary key that is equal to another only if their bytes are; `String` compares
/// by canonical equivalence, which would take two different keys for one.
package struct ExactString: Hashable, Sendable {
  /// The string.
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: ExactString, right: ExactString) -> Bool {
    var (left, right) = (left.string, right.string)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        unsafe left.count == right.count && left.elementsEqual(right)
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Double {
  /// The bit pattern, with every NaN as the one quiet NaN.
  var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

/// What one write puts under a key or into a list element: a value, or a new, empty container.
package enum Content: Hashable, Sendable {
  /// A register's value.
  case value(Value)
  /// A new, empty container, named by the event that writes it.
  case container(ContainerKind)
}

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
