/// Why the bytes at a place are not what a reader may accept there.
package struct CBORError: Error, Hashable, Sendable {
  /// The place, as an absolute byte offset into the array that was read: the first byte of the item
  /// at fault, but for `notUTF8` the first that does not belong to a well-formed sequence.
  package var offset: Int
  /// The rule that was broken.
  package var reason: Reason

  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// An error of what the items stand for.
  package init(_ meaning: String, at offset: Int) {
    self.init(offset: offset, reason: .other(meaning))
  }

  /// The rules of the profile, and the expectations of `CBORReader`'s typed methods.
  package enum Reason: Hashable, Sendable {
    /// A string declares more bytes than are left after its head.
    case lengthBeyondEnd(length: UInt64, left: Int)
    /// An array or map declares more items than there are bytes left after its head.
    case countBeyondEnd(kind: CBORKind, count: UInt64, left: Int)
    /// Arrays, maps and tags nested deeper than the caller allows.
    case tooDeep(limit: Int)

    case unexpectedKind(expected: CBORKind, found: CBORKind)
    case unexpectedTag(expected: UInt64, found: UInt64)
    /// A string, array or map of another size than the caller asked for.
    case unexpectedCount(kind: CBORKind, expected: Int, found: Int)
    case numberBeyondLimit(UInt64, limit: UInt64)
    /// More bytes after the last item.
    case trailingBytes(count: Int)
    /// Any other rule, or one for what the items stand for; a clause for people says what is wrong.
    case other(String)
  }
}

extension CBORError.Reason {
  package static let missingItem = other("ends where an item should stand")
  /// The bytes end within an item's head.
  package static let cutItem = other("ends in the middle of an item")
  package static let indefiniteLength = other("an item of indefinite length")
  /// "undefined" is one.
  package static let simpleValue = other("a simple value other than false, true and null")
  package static let reservedByte = other("a byte that no item begins with")
  /// An integer, length, count or tag number that a shorter head could hold.
  package static let longArgument = other("a number that is not in its shortest form")
  package static let longDouble = other(
    "a floating-point number that is not in its shortest form")
  /// A NaN other than f97e00.
  package static let strangeNaN = other("a NaN that is not in its only form")
  package static let notUTF8 = other("a text that is not UTF-8")
  package static let duplicateKey = other("a map's key that stands there twice")
  /// A map's key that sorts before the one in front of it.
  package static let unsortedKey = other("a map's key that is out of order")
  /// An integer outside of -2^63 ..< 2^63.
  package static let integerTooLarge = other("an integer of more than 64 bits")
}

extension CBORError: CustomStringConvertible {
  package var description: String { "byte \(offset): \(reason)" }
}

extension CBORError.Reason: CustomStringConvertible {
  /// A clause for people, to stand after the name of a file and a place.
  package var description: String {
    switch self {
    case .lengthBeyondEnd(let length, let left):
      "a length of \(Self.bytes(length)) where \(Self.areLeft(left))"
    case .countBeyondEnd(let kind, let count, let left):
      "\(kind.rawValue) of \(count) \(kind.unit(count)) where \(Self.areLeft(left))"
    case .tooDeep(let limit):
      "nested deeper than \(limit) levels"
    case .unexpectedKind(let expected, let found):
      "\(found.rawValue) where \(expected.rawValue) should stand"
    case .unexpectedTag(let expected, let found):
      "tag \(found) where tag \(expected) should stand"
    case .unexpectedCount(let kind, let expected, let found):
      "\(kind.rawValue) of \(found) \(kind.unit(UInt64(found))) where \(expected) should stand"
    case .numberBeyondLimit(let number, let limit):
      "the number \(number) where at most \(limit) is allowed"
    case .trailingBytes(let count):
      "\(Self.bytes(UInt64(count))) after the last item"
    case .other(let reason):
      reason
    }
  }

  private static func bytes(_ count: UInt64) -> String {
    count == 1 ? "1 byte" : "\(count) bytes"
  }

  private static func areLeft(_ count: Int) -> String {
    switch count {
    case 0: "none is left"
    case 1: "1 is left"
    default: "\(count) are left"
    }
  }
}

extension CBORKind {
  /// What the length or count of such an item counts.
  fileprivate func unit(_ count: UInt64) -> String {
    switch self {
    case .array: count == 1 ? "element" : "elements"
    case .map: count == 1 ? "pair" : "pairs"
    case .unsigned, .negative, .bytes, .text, .tag, .bool, .null, .double:
      count == 1 ? "byte" : "bytes"
    }
  }
}
