internal import PeernoteDigest

/// The SHA-256 that names a change.
package struct ChangeHash: Hashable, Comparable, Sendable {
  /// How many bytes it has.
  package static let size = 32

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Takes 32 bytes for a hash.
  package init(_ bytes: some Sequence<UInt8>) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for byte in bytes {
      words.0 = words.0 << 8 | words.1 >> 56
      words.1 = words.1 << 8 | words.2 >> 56
      words.2 = words.2 << 8 | words.3 >> 56
      words.3 = words.3 << 8 | UInt64(byte)
    }
    self.words = words
  }

  /// Hashes the chunk that a body would stand in: type, length and body.
  init(ofChunk type: UInt8, body: ArraySlice<UInt8>) {
    var head = [type]
    head.append(unsigned: UInt64(body.count))
    var hash = SHA256()
    hash.update(head)
    hash.update(body)
    self.init(hash.finalize())
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(Self.size)
    append(to: &result)
    return result
  }

  func append(to bytes: inout [UInt8]) {
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.words == right.words
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.words < right.words
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
  }
}

extension ChangeHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  package var description: String { hexadecimal(bytes) }

  /// The first twelve digits, for people.
  package var shortText: String { String(description.prefix(12)) }
}

/// Bytes as hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
  return String(decoding: result, as: UTF8.self)
}
