/// Reads CBOR as other programs write it: with any width of numbers, and indefinite lengths.
///
/// Only what an envelope needs: heads, strings, and skipping what is not known.
struct LenientCBOR {
  private(set) var reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes, bytes.indices) }

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

  var offset: Int { reader.offset }
  var bytes: [UInt8] { reader.bytes }

  mutating func head() throws(AutomergeError) -> Head {
    let start = reader.offset
    let first = try reader.byte()
    let major = first >> 5
    switch first & 0x1F {
    case 0..<24:
      return Head(major: major, argument: UInt64(first & 0x1F), offset: start)
    case 24...27:
      var argument: UInt64 = 0
      for _ in 0..<(1 << Int(first & 3)) { argument = argument << 8 | UInt64(try reader.byte()) }
      return Head(major: major, argument: argument, offset: start)
    case 31 where major >= 2 && major != 6:
      return Head(major: major, argument: nil, offset: start)
    default:
      throw reader.error("a byte that no CBOR item begins with", at: start)
    }
  }

  /// Whether the byte that ends an indefinite length comes next; if so, it is read.
  mutating func readBreak() throws(AutomergeError) -> Bool {
    guard reader.offset < reader.end, bytes[reader.offset] == 0xFF else { return false }
    _ = try reader.byte()
    return true
  }

  /// Reads the head of a map; `nil` if the count of pairs is not told.
  mutating func mapCount() throws(AutomergeError) -> UInt64? {
    let head = try head()
    guard head.major == 5 else { throw reader.error("not a map", at: head.offset) }
    return head.argument
  }

  /// Whether another part follows, of which `left` are left if their count was told.
  mutating func hasNext(_ left: inout UInt64?) throws(AutomergeError) -> Bool {
    guard let count = left else { return !(try readBreak()) }
    if count == 0 { return false }
    left = count - 1
    return true
  }

  /// Reads a byte string or a text, perhaps in pieces.
  ///
  /// - Returns: its content, and where it stands if it is in one piece.
  mutating func string(
    major: UInt8, _ what: String
  ) throws(AutomergeError) -> (content: [UInt8], range: Range<Int>?) {
    let head = try head()
    guard head.major == major else { throw reader.error("\(what) is missing", at: head.offset) }
    if let length = head.argument {
      let range = try payload(length, head)
      return (Array(bytes[range]), range)
    }
    var content: [UInt8] = []
    while !(try readBreak()) {
      let piece = try self.head()
      guard piece.major == major, let length = piece.argument else {
        throw reader.error("a piece of another kind than the string", at: piece.offset)
      }
      content += bytes[try payload(length, piece)]
    }
    return (content, nil)
  }

  private mutating func payload(_ length: UInt64, _ head: Head) throws(AutomergeError) -> Range<Int>
  {
    guard length <= UInt64(reader.remaining) else {
      throw reader.error(
        "a length of \(length) bytes where \(reader.remaining) are left", at: head.offset)
    }
    return try reader.range(Int(length))
  }

  mutating func text(_ what: String) throws(AutomergeError) -> String {
    let start = reader.offset
    let content = try string(major: 3, what).content
    guard let text = String(validating: content, as: UTF8.self) else {
      throw reader.error("a text that is not UTF-8", at: start)
    }
    return text
  }

  /// Skips an item with all that is in it, and says where it stands.
  mutating func skip() throws(AutomergeError) -> Range<Int> {
    let start = reader.offset
    try skip(depth: 0)
    return start..<reader.offset
  }

  private mutating func skip(depth: Int) throws(AutomergeError) {
    guard depth < Self.depthLimit else {
      throw AutomergeError(
        .limit, at: reader.offset, "nested deeper than \(Self.depthLimit) levels")
    }
    let head = try head()
    switch head.major {
    case 0, 1: break
    case 2...5:
      var left = head.argument
      if let count = left {
        if head.major < 4 {
          _ = try payload(count, head)
          return
        }
        guard count <= UInt64(reader.remaining) else {
          throw reader.error(
            "\(count) items where \(reader.remaining) bytes are left", at: head.offset)
        }
      }
      let width = head.major == 5 ? 2 : 1
      while try hasNext(&left) { for _ in 0..<width { try skip(depth: depth + 1) } }
    case 6: try skip(depth: depth + 1)
    default:
      guard head.argument != nil else {
        throw reader.error("an end where nothing was open", at: head.offset)
      }
    }
  }

  func finish() throws(AutomergeError) {
    guard reader.isAtEnd else {
      throw reader.error("\(reader.remaining) bytes behind the end of the envelope")
    }
  }

  func error(_ reason: String, at offset: Int) -> AutomergeError {
    reader.error(reason, at: offset)
  }
}
