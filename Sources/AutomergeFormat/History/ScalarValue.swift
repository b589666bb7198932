/// A value that is replaced whole.
package enum ScalarValue: Sendable {
  case null
  case bool(Bool)
  /// An unsigned integer.
  case unsigned(UInt64)
  /// A signed integer.
  case integer(Int64)
  /// A floating-point number, by its bits.
  case double(UInt64)
  case string(String)
  case bytes([UInt8])
  /// What a counter starts with.
  case counter(Int64)
  /// Milliseconds since 1970.
  case timestamp(Int64)
  /// A value of a type that this version does not know.
  case unknown(type: UInt8, [UInt8])

  // Type codes.
  static let stringType: UInt8 = 6
  static let counterType: UInt8 = 8

  /// The value of a type in its bytes, which ``check(_:_:_:)`` has passed.
  init(_ type: UInt8, _ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(Array(bytes), 0..<bytes.count)
    switch type {
    case 0: self = .null
    case 1: self = .bool(false)
    case 2: self = .bool(true)
    case 3: self = .unsigned((try? reader.unsigned()) ?? 0)
    case 4: self = .integer((try? reader.signed()) ?? 0)
    case 5: self = .double(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case Self.stringType: self = .string(String(decoding: bytes, as: UTF8.self))
    case 7: self = .bytes(Array(bytes))
    case Self.counterType: self = .counter((try? reader.signed()) ?? 0)
    case 9: self = .timestamp((try? reader.signed()) ?? 0)
    default: self = .unknown(type: type, Array(bytes))
    }
  }

  /// Throws unless the bytes are exactly a value of the type.
  static func check(
    _ type: UInt8, _ reader: ByteReader, _ range: Range<Int>
  ) throws(AutomergeError) {
    var value = ByteReader(reader.bytes, range, place: reader.place)
    switch type {
    case 0, 1, 2: break
    case 3: _ = try value.unsigned()
    case 4, 8, 9: _ = try value.signed()
    case 5: _ = try value.range(8)
    case stringType:
      try value.checkText(range)
      return
    default: return
    }
    guard value.isAtEnd else { throw value.error("a value with bytes left over") }
  }

  /// The type's code and the value's bytes.
  var encoded: (type: UInt8, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    switch self {
    case .null: return (0, [])
    case .bool(let value): return (value ? 2 : 1, [])
    case .unsigned(let value):
      bytes.append(unsigned: value)
      return (3, bytes)
    case .integer(let value):
      bytes.append(signed: value)
      return (4, bytes)
    case .double(let bits):
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
      }
      return (5, bytes)
    case .string(let value): return (Self.stringType, Array(value.utf8))
    case .bytes(let value): return (7, value)
    case .counter(let value):
      bytes.append(signed: value)
      return (Self.counterType, bytes)
    case .timestamp(let value):
      bytes.append(signed: value)
      return (9, bytes)
    case .unknown(let type, let value): return (type, value)
    }
  }
}
