/// Reads CBOR as other programs write it, with any width of numbers, and indefinite lengths: what an
/// envelope needs.
extension ByteReader {
  /// The first byte and the argument of an item.
  struct Head {
    /// 0 to 7: unsigned, negative, bytes, text, array, map, tag, simple.
    let major: UInt8
    /// `nil` for an indefinite length, or the byte that ends one.
    let argument: UInt64?
    let offset: Int
  }

  /// The most arrays, maps and tags that may be open at once.
  private static let depthLimit = 64

  mutating func itemHead() throws(AutomergeError) -> Head {
    let start = offset
    let first = try byte()
    var argument: UInt64? = UInt64(first & 0x1F)
    switch first & 0x1F {
    case 0..<24: break
    case 24...27:
      var number: UInt64 = 0
      for _ in 0..<(1 << Int(first & 3)) { number = number << 8 | UInt64(try byte()) }
      argument = number
    case 31 where first >> 5 >= 2 && first >> 5 != 6: argument = nil
    default: throw error("a byte that no CBOR item begins with", at: start)
    }
    return Head(major: first >> 5, argument: argument, offset: start)
  }

  /// Reads the head of a map; `nil` if the count of pairs is not told.
  mutating func mapCount() throws(AutomergeError) -> UInt64? {
    let head = try itemHead()
    guard head.major == 5 else { throw error("not a map", at: head.offset) }
    return head.argument
  }

  /// Whether another part follows, of which `left` are left if their count was told; if not, the
  /// byte that ends an indefinite length is read.
  mutating func hasNext(_ left: inout UInt64?) throws(AutomergeError) -> Bool {
    guard let count = left else {
      guard offset < end, bytes[offset] == 0xFF else { return true }
      offset += 1
      return false
    }
    if count == 0 { return false }
    left = count - 1
    return true
  }

  /// Reads a byte string or a text, perhaps in pieces: its content, and where it stands if it is in one.
  mutating func string(
    major: UInt8, _ what: String
  ) throws(AutomergeError) -> (content: [UInt8], range: Range<Int>?) {
    let head = try itemHead()
    guard head.major == major else { throw error("\(what) is missing", at: head.offset) }
    if let length = head.argument {
      let range = try payload(length, head)
      return (Array(bytes[range]), range)
    }
    var content: [UInt8] = []
    var left: UInt64?
    while try hasNext(&left) {
      let piece = try itemHead()
      guard piece.major == major, let length = piece.argument else {
        throw error("a piece of another kind than the string", at: piece.offset)
      }
      content += bytes[try payload(length, piece)]
    }
    return (content, nil)
  }

  private mutating func payload(_ length: UInt64, _ head: Head) throws(AutomergeError) -> Range<Int>
  {
    guard length <= UInt64(remaining) else {
      throw error("a length of \(length) bytes where \(remaining) are left", at: head.offset)
    }
    return try range(Int(length))
  }

  mutating func string(_ what: String) throws(AutomergeError) -> String {
    let start = offset
    let content = try string(major: 3, what).content
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("a text that is not UTF-8", at: start)
    }
    return text
  }

  /// Skips an item with all that is in it, and says where it stands.
  @discardableResult
  mutating func skipItem(depth: Int = 0) throws(AutomergeError) -> Range<Int> {
    guard depth < Self.depthLimit else {
      throw AutomergeError(.limit, at: offset, "nested deeper than \(Self.depthLimit) levels")
    }
    let head = try itemHead()
    switch head.major {
    case 0, 1: break
    case 2...5:
      var left = head.argument
      if let count = left {
        guard head.major > 3 else { return head.offset..<(try payload(count, head).upperBound) }
        guard count <= UInt64(remaining) else {
          throw error("\(count) items where \(remaining) bytes are left", at: head.offset)
        }
      }
      while try hasNext(&left) {
        for _ in 0..<(head.major == 5 ? 2 : 1) { try skipItem(depth: depth + 1) }
      }
    case 6: try skipItem(depth: depth + 1)
    default:
      guard head.argument != nil else {
        throw error("an end where nothing was open", at: head.offset)
      }
    }
    return head.offset..<offset
  }
}
