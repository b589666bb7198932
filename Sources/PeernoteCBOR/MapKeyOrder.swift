/// Checks that the keys of one map are unique and sorted as core deterministic encoding asks:
/// bytewise by their encodings (RFC 8949, section 4.2.1).
///
/// ```swift
/// var order = MapKeyOrder()
/// for _ in 0..<(try reader.readMapHeader()) {
///   let start = reader.offset
///   let key = try reader.readUnsigned()
///   try order.follow(start..<reader.offset, in: reader.bytes)
///   …
/// }
/// ```
package struct MapKeyOrder: Sendable {
  private var previous: Range<Int>?

  package init() {}

  /// Takes the place of the next key's whole encoding in `bytes`.
  ///
  /// Throws if the key does not sort after the one before it. Takes time linear in the length of
  /// the two keys' common prefix.
  package mutating func follow(_ key: Range<Int>, in bytes: [UInt8]) throws(CBORError) {
    if let previous, !bytes[previous].lexicographicallyPrecedes(bytes[key]) {
      let isSame = bytes[previous] == bytes[key]
      throw CBORError(offset: key.lowerBound, reason: isSame ? .duplicateKey : .unsortedKey)
    }
    previous = key
  }

  /// Tells whether `left` stands before `right` among the texts that are keys of one map.
  ///
  /// An encoded text begins with its length, so the shorter one stands first; of texts of one
  /// length in UTF-8 bytes, the one whose bytes sort first.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (leftBytes, rightBytes) = (left.utf8, right.utf8)
    guard leftBytes.count == rightBytes.count else { return leftBytes.count < rightBytes.count }
    return leftBytes.lexicographicallyPrecedes(rightBytes)
  }
}
