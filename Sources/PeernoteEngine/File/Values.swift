package import PeernoteCBOR

extension CBORWriter {
  /// Writes a register's value in full.
  package mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .integer(let number): integer(number)
    case .double(let number): double(number)
    case .string(let string): text(string)
    case .bytes(let content): bytes(content)
    case .timestamp(let time): timestamp(time)
    case .uuid(let identifier): uuid(identifier)
    }
  }

  /// Writes what an operation writes: a value, or a new container as an empty one.
  mutating func content(_ content: Content) {
    switch content {
    case .value(let value):
      self.value(value)
    case .container(.map):
      mapHeader(0)
    case .container(.list):
      arrayHeader(0)
    case .container(.text):
      tag(Format.textTag)
      text("")
    case .container(.set):
      tag(Format.setTag)
      arrayHeader(0)
    case .container(.counter):
      tag(Format.counterTag)
      unsigned(0)
    }
  }

  /// Writes a content of a table.
  mutating func content(_ number: ContentIndex, of table: ContentTable) {
    encoded(table.encoded.bytes.span.extracting(table.place(of: number)))
  }

  mutating func uuid(_ identifier: UniqueID) {
    tag(Format.uuidTag)
    bytes(identifier.high.bigEndianBytes + identifier.low.bigEndianBytes)
  }

  private mutating func timestamp(_ time: Timestamp) {
    let (seconds, milliseconds) = time.milliseconds.flooredQuotient(by: 1000)
    tag(Format.timeTag)
    mapHeader(milliseconds == 0 ? 1 : 2)
    unsigned(1)
    integer(seconds)
    if milliseconds != 0 {
      integer(-3)
      integer(milliseconds)
    }
  }
}

// MARK: Reading

extension CBORReader {
  /// Reads what an operation writes: a value, or the marker of a new container.
  mutating func readContent() throws(CBORError) -> Content {
    let start = offset
    return try content(try nextItem(), at: start)
  }

  /// What an operation writes that begins with an item that has been read.
  private mutating func content(_ item: CBORItem, at start: Int) throws(CBORError) -> Content {
    switch item {
    case .map(count: 0):
      return .container(.map)
    case .array(count: 0):
      return .container(.list)
    case .tag(Format.textTag):
      guard case .text(let range) = try nextItem(), range.isEmpty else { break }
      return .container(.text)
    case .tag(Format.setTag):
      guard case .array(count: 0) = try nextItem() else { break }
      return .container(.set)
    case .tag(Format.counterTag):
      guard case .unsigned(0) = try nextItem() else { break }
      return .container(.counter)
    case .unsigned, .negative, .bytes, .text, .array, .map, .tag, .bool, .null, .double:
      return .value(try value(item, at: start))
    }
    throw CBORError("a new container is not empty", at: start)
  }

  /// Reads what an operation writes into a table, and gives the kind of the new container, if it is
  /// one; of strings nothing else is made.
  mutating func readContent(into table: inout ContentTable) throws(CBORError) -> ContainerKind? {
    let start = offset
    let item = try nextItem()
    var content: Content?
    switch item {
    case .text(let range): try checkText(range)
    case .bytes: break
    case _: content = try self.content(item, at: start)
    }
    // Strings weigh what they take.
    let weight = content?.weight ?? offset - start
    table.append(encoded: bytes.span.extracting(start..<offset), weight: weight)
    if case .container(let kind)? = content { return kind }
    return nil
  }

  /// Reads a register's value.
  mutating func readValue() throws(CBORError) -> Value {
    let start = offset
    return try value(try nextItem(), at: start)
  }

  /// The value that begins with an item that has been read.
  mutating func value(_ item: CBORItem, at start: Int) throws(CBORError) -> Value {
    switch item {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .double(let number): return .double(number)
    case .unsigned(let number):
      if let number = Int64(exactly: number) { return .integer(number) }
    case .negative(let argument):
      if let argument = Int64(exactly: argument) { return .integer(-1 - argument) }
    case .text(let range):
      return .string(try string(range))
    case .bytes(let range):
      return .bytes(Array(bytes[range]))
    case .tag(Format.uuidTag):
      if case .bytes(let range) = try nextItem(), range.count == 16 {
        return .uuid(UniqueID(bytes: bytes[range]))
      }
      throw CBORError("a UUID is not 16 bytes long", at: start)
    case .tag(Format.timeTag):
      return .timestamp(try timestamp(at: start))
    case .array, .map, .tag:
      throw CBORError("an item of a type that is no value", at: start)
    }
    throw CBORError("an integer of more than 64 bits", at: start)
  }

  private mutating func timestamp(at start: Int) throws(CBORError) -> Timestamp {
    let fault = CBORError("a time is not written as it should be", at: start)
    guard case .map(let count) = try nextItem(), count == 1 || count == 2,
      case .unsigned(1) = try nextItem(), case .integer(let seconds) = try readValue()
    else { throw fault }
    var milliseconds: Int64 = 0
    if count == 2 {
      guard case .integer(-3) = try readValue(), case .integer(let rest) = try readValue(),
        (1...999).contains(rest)
      else { throw fault }
      milliseconds = rest
    }
    // Rounded towards zero, so that nothing overflows on the way to the earliest time there is.
    let roundsUp = seconds < 0 && milliseconds > 0
    let (product, overflow) = (roundsUp ? seconds + 1 : seconds)
      .multipliedReportingOverflow(by: 1000)
    let (sum, overflow2) = product.addingReportingOverflow(
      roundsUp ? milliseconds - 1000 : milliseconds)
    guard !overflow, !overflow2 else { throw fault }
    return Timestamp(milliseconds: sum)
  }
}

extension ContentTable {
  /// Whether a content is a byte string so long that it stands in the view by reference only; O(1).
  func isReferenced(_ number: ContentIndex) -> Bool {
    let place = place(of: number)
    guard place.count > Format.referencedByteCount else { return false }
    var reader = CBORReader(encoded.bytes, range: place)
    guard case .bytes(let range)? = try? reader.nextItem() else { return false }
    return range.count >= Format.referencedByteCount
  }
}
