/// The name of an operation: a counter, and the actor who counted.
///
/// Ordered by counter and then by the actors' bytes, which is what decides between concurrent
/// operations. Actors are numbered in the order of their bytes.
package struct OperationID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The counter in the upper half, the actor's number in the lower one.
  let packed: UInt64

  init(counter: UInt32, actor: UInt32) { packed = UInt64(counter) << 32 | UInt64(actor) }
  init(packed: UInt64) { self.packed = packed }

  /// No operation: the root map as an object, the beginning of a list as an element.
  package static let none = OperationID(packed: 0)

  package var counter: UInt32 { UInt32(packed >> 32) }
  /// The actor's number in the history.
  package var actor: UInt32 { UInt32(truncatingIfNeeded: packed) }
  /// The actor's number before the counter, which sorts by actor first.
  var byActor: UInt64 { packed << 32 | packed >> 32 }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
}

/// One operation: what it does, and to what, without its name, since a change's operations are
/// numbered one after the other.
package struct Operation: Sendable, BitwiseCopyable {
  /// What an operation does.
  package enum Action: UInt8, Sendable, BitwiseCopyable {
    case makeMap = 0
    case set = 1
    case makeList = 2
    case delete = 3
    case makeText = 4
    case increment = 5
    case makeTable = 6
    case mark = 7

    /// Whether it makes an object.
    var makesObject: Bool {
      switch self {
      case .makeMap, .makeList, .makeText, .makeTable: true
      case .set, .delete, .increment, .mark: false
      }
    }

    /// Whether what it writes can be seen.
    var writes: Bool { makesObject || self == .set }
  }

  /// The object that is changed.
  package var object: OperationID
  /// In a list or text the element that is changed, or behind which something is inserted.
  package var element: OperationID
  /// In a map the key's number in the history; else -1.
  package var key: Int32
  /// The number of the mark's name in the history; -1 for none.
  package var markName: Int32 = -1
  /// Where the value begins among the history's bytes, and how many it has.
  var valueStart: Int32 = 0
  var valueSize: Int32 = 0
  /// Where the operations that this one replaces begin among the history's references.
  var referenceStart: Int32 = 0
  var referenceCount: Int32 = 0
  package var action: Action
  /// The value's type.
  package var valueType: UInt8 = 0
  /// Whether it inserts a new element.
  package var isInsertion: Bool
  /// Of a mark: whether it reaches over what is inserted at its end.
  package var expands: Bool
}

/// What an operation writes: a value that is replaced whole, or a new object without anything in it.
package enum AutomergeValue: Sendable {
  case object(AutomergeState.ObjectKind)
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

  /// Reads the value of a type that fills a range of bytes, which have to be exactly that.
  init(_ type: UInt8, _ reader: ByteReader, _ range: Range<Int>) throws(AutomergeError) {
    var value = ByteReader(reader.bytes, range, place: reader.place)
    switch type {
    case 0: self = .null
    case 1, 2: self = .bool(type == 2)
    case 3: self = .unsigned(try value.unsigned())
    case 4: self = .integer(try value.signed())
    case 5:
      let bytes = value.bytes[try value.range(8)]
      self = .double(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case Self.stringType:
      try value.checkText(try value.range(range.count))
      self = .string(String(decoding: value.bytes[range], as: UTF8.self))
    case 7: self = .bytes(Array(value.bytes[try value.range(range.count)]))
    case Self.counterType: self = .counter(try value.signed())
    case 9: self = .timestamp(try value.signed())
    default: self = .unknown(type: type, Array(value.bytes[try value.range(range.count)]))
    }
    guard value.isAtEnd else { throw value.error("a value with bytes left over") }
  }

  /// The type's code and the value's bytes.
  var encoded: (type: UInt8, bytes: [UInt8]) {
    func signed(_ value: Int64) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(signed: value)
      return bytes
    }
    switch self {
    case .object, .null: return (0, [])
    case .bool(let value): return (value ? 2 : 1, [])
    case .unsigned(let value):
      var bytes: [UInt8] = []
      bytes.append(unsigned: value)
      return (3, bytes)
    case .integer(let value): return (4, signed(value))
    case .double(let bits): return (5, (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
    case .string(let value): return (Self.stringType, Array(value.utf8))
    case .bytes(let value): return (7, value)
    case .counter(let value): return (Self.counterType, signed(value))
    case .timestamp(let value): return (9, signed(value))
    case .unknown(let type, let value): return (type, value)
    }
  }
}
