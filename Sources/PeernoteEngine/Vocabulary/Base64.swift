/// Bytes as text in base 64 (RFC 4648, section 4).
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text for `bytes`, padded; O(bytes).
  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * place)) & 63]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that a text stands for, without spaces and line ends; `nil` if other characters,
  /// wrong padding or bits that stand for nothing occur; O(bytes of the text).
  package static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var digitCount = 0
    var paddingCount = 0
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "="): paddingCount += 1
      default:
        guard paddingCount == 0, let digit = digits.firstIndex(of: character) else { return nil }
        bits = bits << 6 | UInt32(digit)
        digitCount += 1
        guard digitCount % 4 == 0 else { continue }
        bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
        bits = 0
      }
    }
    switch (digitCount % 4, paddingCount) {
    case (0, 0): return bytes
    case (2, 2) where bits & 0xF == 0: return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case (3, 1) where bits & 0x3 == 0:
      return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    default: return nil
    }
  }
}
