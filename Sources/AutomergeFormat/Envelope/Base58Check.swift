internal import PeernoteDigest

/// Base58Check as MeetingNotes writes identifiers: the bytes and four of their double SHA-256, in
/// the alphabet of Bitcoin, without a version byte.
package enum Base58Check {
  private static let alphabet = Array(
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
  /// More characters than any identifier has.
  private static let longest = 64

  /// The text for some bytes.
  package static func encoded(_ bytes: [UInt8]) -> String {
    var number = bytes + checksum(bytes)
    let zeros = number.prefix { $0 == 0 }.count
    var digits: [UInt8] = []
    while number.contains(where: { $0 != 0 }) {
      var remainder = 0
      for place in number.indices {
        remainder = remainder << 8 | Int(number[place])
        number[place] = UInt8(remainder / 58)
        remainder %= 58
      }
      digits.append(alphabet[remainder])
    }
    digits += Array(repeating: alphabet[0], count: zeros)
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// The bytes that a text stands for; `nil` if it is none, or the checksum is wrong.
  package static func decoded(_ text: String) -> [UInt8]? {
    guard text.utf8.count <= longest else { return nil }
    var number: [UInt8] = []
    for character in text.utf8 {
      guard var carry = alphabet.firstIndex(of: character) else { return nil }
      for place in number.indices.reversed() {
        carry += 58 * Int(number[place])
        number[place] = UInt8(carry & 0xFF)
        carry >>= 8
      }
      if carry > 0 { number.insert(UInt8(carry), at: 0) }
    }
    let zeros = text.utf8.prefix { $0 == alphabet[0] }.count
    number = Array(repeating: 0, count: zeros) + number
    guard number.count >= 4 else { return nil }
    let bytes = Array(number.dropLast(4))
    return checksum(bytes).elementsEqual(number.suffix(4)) ? bytes : nil
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(Array(SHA256.hash(bytes))).prefix(4))
  }
}
