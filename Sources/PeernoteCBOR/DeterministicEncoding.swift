/// The shortest of CBOR's three floating-point forms that preserves a value (RFC 8949, section
/// 4.2.1 and the first rule of 4.2.2).
///
/// Half precision is computed here from the bits: libcbor's encoder rounds subnormal halves
/// before version 0.10, and `Float16` does not exist on every platform.
enum ShortestFloat {
  /// The bits of an IEEE 754 binary16 number.
  case half(UInt16)
  case single(Float)
  case double(Double)

  /// The one NaN that the profile knows.
  static let canonicalNaN: UInt16 = 0x7e00

  /// Chooses the form of `value`; every NaN becomes the canonical one.
  init(_ value: Double) {
    if let bits = Self.halfBits(value) {
      self = .half(bits)
      return
    }
    let single = Float(value)
    self = Double(single) == value ? .single(single) : .double(value)
  }

  /// The size of the item in bytes.
  var size: Int {
    switch self {
    case .half: 3
    case .single: 5
    case .double: 9
    }
  }

  /// Returns the half-precision number equal to `value`, or nil if there is none.
  private static func halfBits(_ value: Double) -> UInt16? {
    if value.isNaN { return canonicalNaN }
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    if value.isInfinite { return sign | 0x7c00 }
    // Below 2^-14 halves are subnormal or zero: multiples of 2^-24, which their bits count.
    if value.magnitude < 0x1p-14 {
      return UInt16(exactly: value.magnitude * 0x1p24).map { sign | $0 }
    }
    // A double has 52 bits of significand below its leading one, a half 10.
    let significand = value.significandBitPattern
    guard value.exponent <= 15, significand.trailingZeroBitCount >= 42 else { return nil }
    return sign | UInt16(value.exponent + 15) << 10 | UInt16(significand >> 42)
  }
}

/// Checks that the keys of one map are unique and sorted as core deterministic encoding asks:
/// bytewise by their encodings (RFC 8949, section 4.2.1).
package struct MapKeyOrder: Sendable {
  private var previous: Range<Int>?

  package init() {}

  /// Takes the place of the next key's whole encoding in `bytes`, and throws if the key does not
  /// sort after the one before it; O(length of their common prefix).
  package mutating func follow(_ key: Range<Int>, in bytes: [UInt8]) throws(CBORError) {
    if let previous, !bytes[previous].lexicographicallyPrecedes(bytes[key]) {
      let isSame = bytes[previous] == bytes[key]
      let fault = isSame ? "that stands there twice" : "that is out of order"
      throw CBORError("a map's key \(fault)", at: key.lowerBound)
    }
    previous = key
  }

  /// Whether `left` stands before `right` among the texts that are keys of one map: the shorter one
  /// in UTF-8, since its length comes first, or of one length the one whose bytes sort first.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (leftBytes, rightBytes) = (left.utf8, right.utf8)
    guard leftBytes.count == rightBytes.count else { return leftBytes.count < rightBytes.count }
    return leftBytes.lexicographicallyPrecedes(rightBytes)
  }
}
