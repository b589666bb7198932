internal import CPeernoteCBOR

/// Reads CBOR items one after the other from a range of an array of bytes.
///
/// The profile is RFC 8949's core deterministic encoding (section 4.2.1) without simple values
/// other than false, true and null: each value has exactly one encoding that is accepted. Refused
/// are indefinite lengths, arguments and floating-point numbers that are not in their shortest
/// form, every NaN but f97e00, and lengths and counts that what is left cannot hold. What a single
/// item cannot show is left to others: `MapKeyOrder` checks the order of a map's keys, `readText()`
/// looks for UTF-8, and `skipItem(depthLimit:)` limits nesting.
///
/// Offsets are absolute in the array, so that an error names the place in the file. A method that
/// throws leaves the reader where it was. Every method takes constant time and allocates nothing,
/// but for `skipItem(depthLimit:)` and those that look at a text.
package struct CBORReader: Sendable {
  /// The array read from; strings are ranges of it.
  package let bytes: [UInt8]
  /// Where the next item begins, as an absolute offset.
  package internal(set) var offset: Int
  /// Where the bytes to be read end, as an absolute offset.
  package let end: Int

  /// Reads from the whole of `bytes`.
  package init(_ bytes: [UInt8]) {
    self.init(bytes, range: bytes.indices)
  }

  /// Reads from `range` of `bytes`, which must lie inside.
  package init(_ bytes: [UInt8], range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= bytes.count,
      "a reader's range lies inside its bytes")
    self.bytes = bytes
    self.offset = range.lowerBound
    self.end = range.upperBound
  }

  /// Whether all bytes are read.
  package var isAtEnd: Bool { offset == end }

  /// How many bytes are left.
  package var remaining: Int { end - offset }

  /// Reads the next item; of a container or tag only its head.
  package mutating func nextItem() throws(CBORError) -> CBORItem {
    let item: CBORItem
    (item, offset) = try itemAndEnd()
    return item
  }

  /// Goes on behind items whose bytes are known; `count` is not greater than ``remaining``.
  package mutating func pass(_ count: Int) {
    precondition(count >= 0 && count <= remaining, "a reader stays inside its range")
    offset += count
  }

  /// The size of the next item in bytes if it is a certain text, which the caller knows to be
  /// UTF-8; 0 if it is another item, or none; O(bytes); faster than reading the item and comparing
  /// what it holds.
  package func size(ofText text: Span<UInt8>) -> Int {
    unsafe text.withUnsafeBufferPointer { text in
      unsafe size(.text, UInt64(text.count), text.baseAddress)
    }
  }

  /// The size of the next item in bytes if it is a certain unsigned integer, a tag, or the head of
  /// an array or a map; 0 if it is another item, or none, or if an item of another kind is asked
  /// for; O(1); faster than reading the item.
  package func size(of item: CBORItem) -> Int {
    switch item {
    case .unsigned(let number): unsafe size(.unsigned, number, nil)
    case .array(let count): unsafe size(.array, UInt64(count), nil)
    case .map(let count): unsafe size(.map, UInt64(count), nil)
    case .tag(let number): unsafe size(.tag, number, nil)
    case .negative, .bytes, .text, .bool, .null, .double: 0
    }
  }

  private func size(
    _ kind: pn_cbor_kind, _ argument: UInt64, _ payload: UnsafePointer<UInt8>?
  ) -> Int {
    unsafe bytes.span.extracting(offset..<end).withUnsafeBufferPointer { left in
      unsafe pn_cbor_match(left.baseAddress, left.count, kind, argument, payload)
    }
  }

  /// Throws unless all bytes are read.
  package func finish() throws(CBORError) {
    guard isAtEnd else { throw error("\(counted(remaining, "byte")) after the last item") }
  }

  /// Makes an error of what stands at `offset`.
  private func error(_ reason: String) -> CBORError { CBORError(reason, at: offset) }

  /// A number of things, at first as a number, then as a noun.
  private func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Makes an error of an item at `offset` that says it is longer than what is left: a string, which
  /// counts bytes, or a container.
  @inline(never)
  private func beyondEnd(
    _ what: String, _ count: UInt64, _ noun: String, _ left: Int
  ) -> CBORError {
    let words = left == 0 ? "none is" : left == 1 ? "1 is" : "\(left) are"
    return CBORError(
      "\(what) of \(counted(count, noun)) where \(words) left", at: offset,
      left: noun == "byte" ? left : nil)
  }

  /// Decodes and checks the item at `offset`, and says where what follows it begins.
  func itemAndEnd() throws(CBORError) -> (item: CBORItem, end: Int) {
    let head = unsafe bytes.span.extracting(offset..<end).withUnsafeBufferPointer { left in
      unsafe pn_cbor_read(left.baseAddress, left.count)
    }
    let headSize = Int(head.head_size)
    let headEnd = offset + headSize
    let left = end - headEnd

    switch head.kind {
    case .unsigned:
      try checkWidth(head)
      return (.unsigned(head.argument), headEnd)
    case .negative:
      try checkWidth(head)
      return (.negative(head.argument), headEnd)
    case .bytes:
      try checkWidth(head)
      let payload = headEnd..<headEnd + Int(head.argument)
      return (.bytes(payload), payload.upperBound)
    case .text:
      try checkWidth(head)
      let payload = headEnd..<headEnd + Int(head.argument)
      return (.text(payload), payload.upperBound)
    case .array:
      try checkWidth(head)
      guard head.argument <= left else {
        throw beyondEnd("an array", head.argument, "element", left)
      }
      return (.array(count: Int(head.argument)), headEnd)
    case .map:
      try checkWidth(head)
      guard head.argument <= left / 2 else {
        throw beyondEnd("a map", head.argument, "pair", left)
      }
      return (.map(count: Int(head.argument)), headEnd)
    case .tag:
      try checkWidth(head)
      return (.tag(head.argument), headEnd)
    case .bool:
      return (.bool(head.argument != 0), headEnd)
    case .null:
      return (.null, headEnd)
    case .double:
      try checkForm(of: head.number, size: headSize)
      return (.double(head.number), headEnd)
    case .missing:
      throw error("ends where an item should stand")
    case .cut_head:
      throw error("ends in the middle of an item")
    case .cut_payload:
      throw beyondEnd("a length", head.argument, "byte", left)
    case .indefinite:
      throw error("an item of indefinite length")
    case .simple:
      // "undefined" is one.
      throw error("a simple value other than false, true and null")
    case .reserved:
      throw error("a byte that no item begins with")
    }
  }

  @inline(__always)
  private func checkWidth(_ head: pn_cbor_item) throws(CBORError) {
    let shortest =
      switch head.argument {
      case 0..<24: 1
      case 24...0xff: 2
      case 0x100...0xffff: 3
      case 0x1_0000...0xffff_ffff: 5
      default: 9
      }
    guard head.head_size == shortest else {
      throw error("a number that is not in its shortest form")
    }
  }

  private func checkForm(of number: Double, size: Int) throws(CBORError) {
    guard !number.isNaN else {
      let canonical = ShortestFloat.canonicalNaN
      guard
        size == 3, bytes[offset + 1] == canonical >> 8, bytes[offset + 2] == canonical & 0xff
      else { throw error("a NaN that is not in its only form") }
      return
    }
    guard ShortestFloat(number).size == size else {
      throw error("a floating-point number that is not in its shortest form")
    }
  }
}

// Reading an item of which the caller knows what it must be.

extension CBORReader {
  /// Tells the kind of the next item without going on behind it.
  package func peekKind() throws(CBORError) -> CBORKind { try itemAndEnd().item.kind }

  /// Reads an unsigned integer of at most `limit`.
  package mutating func readUnsigned(limit: UInt64 = .max) throws(CBORError) -> UInt64 {
    let (item, end) = try itemAndEnd()
    guard case .unsigned(let number) = item else { throw unexpected(item, .unsigned) }
    guard number <= limit else {
      throw error("the number \(number) where at most \(limit) is allowed")
    }
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
    guard let number = Int64(exactly: magnitude) else {
      throw error("an integer of more than 64 bits")
    }
    offset = end
    return isNegative ? -1 - number : number
  }

  /// Reads a byte string, of `count` bytes if that is given, and returns where its content stands.
  package mutating func readBytes(count: Int? = nil) throws(CBORError) -> Range<Int> {
    let (item, end) = try itemAndEnd()
    guard case .bytes(let range) = item else { throw unexpected(item, .bytes) }
    try check(range.count, "byte", of: .bytes, is: count)
    offset = end
    return range
  }

  /// Reads a text, checks that it is UTF-8, and returns where its content stands; O(length).
  package mutating func readText() throws(CBORError) -> Range<Int> {
    let (range, end) = try textAndEnd()
    try checkText(range)
    offset = end
    return range
  }

  /// Reads a text as a string; takes time and memory linear in its length.
  package mutating func readString() throws(CBORError) -> String {
    let (range, end) = try textAndEnd()
    let string = try string(range)
    offset = end
    return string
  }

  /// Reads the head of an array, of exactly as many elements as `expected` if that is given, and
  /// returns the count of the elements that follow.
  @discardableResult
  package mutating func readArrayHeader(count expected: Int? = nil) throws(CBORError) -> Int {
    let (item, end) = try itemAndEnd()
    guard case .array(let count) = item else { throw unexpected(item, .array) }
    try check(count, "element", of: .array, is: expected)
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
      throw error("tag \(number) where tag \(expected) should stand")
    }
    offset = end
  }

  package mutating func readBool() throws(CBORError) -> Bool {
    let (item, end) = try itemAndEnd()
    guard case .bool(let value) = item else { throw unexpected(item, .bool) }
    offset = end
    return value
  }

  /// Goes on behind a null; false if another item stands next, which is not read.
  package mutating func skipNull() throws(CBORError) -> Bool {
    let (item, end) = try itemAndEnd()
    if item == .null { offset = end }
    return item == .null
  }

  private func textAndEnd() throws(CBORError) -> (range: Range<Int>, end: Int) {
    let (item, end) = try itemAndEnd()
    guard case .text(let range) = item else { throw unexpected(item, .text) }
    return (range, end)
  }

  private func unexpected(_ item: CBORItem, _ expected: CBORKind) -> CBORError {
    error("\(item.kind.rawValue) where \(expected.rawValue) should stand")
  }

  private func check(
    _ count: Int, _ noun: String, of kind: CBORKind, is expected: Int?
  ) throws(CBORError) {
    if let expected, count != expected {
      throw error("\(kind.rawValue) of \(counted(count, noun)) where \(expected) should stand")
    }
  }
}

extension CBORReader {
  /// Checks that `range`, which must lie inside the bytes, is UTF-8; takes linear time.
  package func checkText(_ range: Range<Int>) throws(CBORError) {
    try withText(range) { _ in }
  }

  /// The text at `range`, which must lie inside the bytes, if it is UTF-8; takes linear time.
  package func string(_ range: Range<Int>) throws(CBORError) -> String {
    try withText(range) { text in String(copying: copy text) }
  }

  /// Calls `body` with the text at `range`, which is not copied, if it is UTF-8.
  private func withText<Result>(
    _ range: Range<Int>, _ body: (borrowing UTF8Span) -> Result
  ) throws(CBORError) -> Result {
    let text: UTF8Span
    do {
      text = try UTF8Span(validating: bytes.span.extracting(range))
    } catch {
      let place = range.lowerBound + error.byteOffsets.lowerBound
      throw CBORError("a text that is not UTF-8", at: place)
    }
    return body(text)
  }
}

extension CBORReader {
  /// Skips the next item with all that is inside it, and returns where it stands.
  ///
  /// Everything skipped is held to the profile, but for the order of maps' keys and for UTF-8 in
  /// texts. At most `depthLimit` arrays, maps and tags may be open at once. Takes time linear in
  /// the number of items, and memory for at most `depthLimit` integers.
  package mutating func skipItem(depthLimit: Int) throws(CBORError) -> Range<Int> {
    var ahead = self
    var left = 1  // items still to come in the innermost container that is open
    var outer: [Int] = []  // the same for those around it, the outermost first
    var depth = 0

    while true {
      while left == 0 {
        guard let next = outer.popLast() else {
          let start = offset
          offset = ahead.offset
          return start..<offset
        }
        left = next
        depth -= 1
      }

      left -= ahead.passShortItems(most: left)
      if left == 0 { continue }
      let (item, end) = try ahead.itemAndEnd()
      left -= 1
      let inside: Int
      switch item {
      case .array(let count): inside = count
      case .map(let count): inside = 2 * count
      case .tag: inside = 1
      case .unsigned, .negative, .bytes, .text, .bool, .null, .double:
        ahead.offset = end
        continue
      }
      guard depth < depthLimit else { throw ahead.error("nested deeper than \(depthLimit) levels") }
      ahead.offset = end
      depth += 1
      // The outermost level has nothing left: not storing it spares flat items the allocation.
      if depth > 1 { outer.append(left) }
      left = inside
    }
  }

  /// Goes over items that hold no others and whose head is a single byte, up to any other item, and
  /// returns how many they were.
  private mutating func passShortItems(most: Int) -> Int {
    var size = 0
    let count = unsafe bytes.span.extracting(offset..<end).withUnsafeBufferPointer { left in
      unsafe pn_cbor_pass_short(left.baseAddress, left.count, most, &size)
    }
    offset += size
    return count
  }
}
