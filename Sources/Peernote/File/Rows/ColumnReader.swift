/// Reads the variable-length integers of one column of the log.
struct ColumnReader {
  private var reader: VarintReader

  init(_ bytes: [UInt8], range: Range<Int>) {
    reader = VarintReader(bytes, range: range)
  }

  /// The offset in the file of the next byte.
  var offset: Int { reader.offset }
  var isAtEnd: Bool { reader.isAtEnd }

  /// Passes over bytes that are known.
  mutating func skip(_ count: Int) {
    reader.skip(count)
  }

  /// Reads the edits of a text as long as the rows hold nothing else and are as they should be.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - end: one past the last event of the chain.
  ///   - firstOperation: the first operation of the chain.
  ///   - log: what they are appended to.
  ///   - cursor: the place of the agent's last edit.
  mutating func readTextEdits(
    of container: Int32, until end: LocalVersion, _ firstOperation: Int, _ log: inout Log,
    _ cursor: inout Int32
  ) {
    var place = offset
    log.appendTextEdits(
      reader.bytes.span.extracting(..<(offset + reader.remaining)), at: &place, of: container,
      until: end, firstOperation: firstOperation, cursor: &cursor)
    reader.skip(place - offset)
  }

  /// Reads the edits of a text in whole chains, as long as they hold nothing else and are as they
  /// should be.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - first: the first chain.
  ///   - log: what they are appended to.
  ///   - cursors: the place of each agent's last edit.
  ///   - body: called for each chain that was read, with its index and where its rows begin.
  /// - Returns: the index of the first chain that was not read.
  mutating func readTextEdits(
    of container: Int32, chainsFrom first: Int, _ log: inout Log, _ cursors: inout [Int32],
    _ body: (_ chain: Int, _ offset: Int) -> Void
  ) -> Int {
    var place = offset
    let next = log.appendTextEdits(
      reader.bytes.span.extracting(..<(offset + reader.remaining)), at: &place, of: container,
      chainsFrom: first, cursors: &cursors, body)
    reader.skip(place - offset)
    return next
  }

  /// Reads an unsigned integer (LEB128, shortest form, at most 64 bits).
  mutating func readVarint() throws(FormatError) -> UInt64 {
    do throws(VarintReader.Fault) {
      return try reader.read()
    } catch {
      throw FormatError(error)
    }
  }

  /// Reads an unsigned integer that is at most `limit`; a negative limit allows none.
  mutating func readVarint(
    limit: Int, _ reason: @autoclosure () -> String
  ) throws(FormatError) -> Int {
    do throws(VarintReader.Fault) {
      return try reader.read(limit: limit, reason())
    } catch {
      throw FormatError(error)
    }
  }

  /// Reads a signed integer in zigzag form.
  mutating func readSigned() throws(FormatError) -> Int64 {
    let value = try readVarint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// Writes the variable-length integers of one column of the log.
struct ColumnWriter {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Appends an unsigned integer.
  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends an unsigned integer.
  @inline(__always)
  mutating func varint(_ value: Int32) { varint(UInt64(value)) }

  /// Appends a signed integer in zigzag form.
  @inline(__always)
  mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }
}
