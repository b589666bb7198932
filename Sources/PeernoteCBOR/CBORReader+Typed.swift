// Reading an item of which the caller knows what it must be.

extension CBORReader {
  /// Tells the kind of the next item without going on behind it.
  package func peekKind() throws(CBORError) -> CBORKind { try itemAndEnd().item.kind }

  /// Reads an unsigned integer of at most `limit`.
  package mutating func readUnsigned(limit: UInt64 = .max) throws(CBORError) -> UInt64 {
    let (item, end) = try itemAndEnd()
    guard case .unsigned(let number) = item else { throw unexpected(item, .unsigned) }
    guard number <= limit else { throw error(.numberBeyondLimit(number, limit: limit)) }
    offset = end
    return number
  }

  /// Reads an unsigned or negative integer of 64 bits with sign.
  package mutating func readInteger() throws(CBORError) -> Int64 {
    let (item, end) = try itemAndEnd()
    let magnitude: UInt64
    let isNegative: Bool
    switch item {
    case .unsigned(let number): (magnitude, isNegative) = (number, false)
    case .negative(let number): (magnitude, isNegative) = (number, true)
    case .bytes, .text, .array, .map, .tag, .bool, .null, .double:
      throw unexpected(item, .unsigned)
    }
    guard let number = Int64(exactly: magnitude) else { throw error(.integerTooLarge) }
    offset = end
    return isNegative ? -1 - number : number
  }

  /// Reads a byte string, of exactly `count` bytes if that is given, and returns where its content
  /// stands.
  package mutating func readBytes(count: Int? = nil) throws(CBORError) -> Range<Int> {
    let (item, end) = try itemAndEnd()
    guard case .bytes(let range) = item else { throw unexpected(item, .bytes) }
    try check(range.count, of: .bytes, is: count)
    offset = end
    return range
  }

  /// Reads a text, checks that it is UTF-8, and returns where its content stands.
  ///
  /// Takes time linear in the text's length.
  package mutating func readText() throws(CBORError) -> Range<Int> {
    let (range, end) = try textAndEnd()
    try checkText(range)
    offset = end
    return range
  }

  /// Reads a text as a string; takes time and memory linear in its length.
  package mutating func readString() throws(CBORError) -> String {
    let (range, end) = try textAndEnd()
    let string = try withText(range) { text in String(copying: copy text) }
    offset = end
    return string
  }

  /// Reads the head of an array, of exactly as many elements as `expected` if that is given, and
  /// returns the count of the elements that follow.
  @discardableResult
  package mutating func readArrayHeader(count expected: Int? = nil) throws(CBORError) -> Int {
    let (item, end) = try itemAndEnd()
    guard case .array(let count) = item else { throw unexpected(item, .array) }
    try check(count, of: .array, is: expected)
    offset = end
    return count
  }

  /// Reads the head of a map and returns the count of the pairs that follow.
  package mutating func readMapHeader() throws(CBORError) -> Int {
    let (item, end) = try itemAndEnd()
    guard case .map(let count) = item else { throw unexpected(item, .map) }
    offset = end
    return count
  }

  /// Reads a tag, which must have the given number; the item that it applies to follows.
  package mutating func readTag(_ expected: UInt64) throws(CBORError) {
    let (item, end) = try itemAndEnd()
    guard case .tag(let number) = item else { throw unexpected(item, .tag) }
    guard number == expected else {
      throw error(.unexpectedTag(expected: expected, found: number))
    }
    offset = end
  }

  package mutating func readBool() throws(CBORError) -> Bool {
    let (item, end) = try itemAndEnd()
    guard case .bool(let value) = item else { throw unexpected(item, .bool) }
    offset = end
    return value
  }

  package mutating func readNull() throws(CBORError) {
    let (item, end) = try itemAndEnd()
    guard case .null = item else { throw unexpected(item, .null) }
    offset = end
  }

  package mutating func readDouble() throws(CBORError) -> Double {
    let (item, end) = try itemAndEnd()
    guard case .double(let value) = item else { throw unexpected(item, .double) }
    offset = end
    return value
  }

  private func textAndEnd() throws(CBORError) -> (range: Range<Int>, end: Int) {
    let (item, end) = try itemAndEnd()
    guard case .text(let range) = item else { throw unexpected(item, .text) }
    return (range, end)
  }

  private func unexpected(_ item: CBORItem, _ expected: CBORKind) -> CBORError {
    error(.unexpectedKind(expected: expected, found: item.kind))
  }

  private func check(
    _ count: Int, of kind: CBORKind, is expected: Int?
  ) throws(CBORError) {
    if let expected, count != expected {
      throw error(.unexpectedCount(kind: kind, expected: expected, found: count))
    }
  }
}
