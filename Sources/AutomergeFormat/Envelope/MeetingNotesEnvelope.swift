internal import PeernoteCBOR
internal import PeernoteDigest

/// A file that holds an Automerge document: chunks as they are, or in the envelope of MeetingNotes.
package struct AutomergeFile: Sendable {
  /// The envelope; `nil` around bare chunks.
  package let envelope: MeetingNotesEnvelope?
  /// The chunks.
  package let source: AutomergeHistory.Source

  /// Whether bytes begin as such a file does, damaged or not.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Chunk.magic) || MeetingNotesEnvelope.begins(bytes)
  }

  /// Takes bytes for a file; its chunks are not looked at.
  package init(_ bytes: [UInt8]) throws(AutomergeError) {
    if bytes.starts(with: Chunk.magic) {
      envelope = nil
      source = AutomergeHistory.Source(bytes, bytes.indices)
    } else {
      let envelope = try MeetingNotesEnvelope(bytes)
      self.envelope = envelope
      source = envelope.data
    }
  }
}

/// What MeetingNotes puts around an Automerge document: a CBOR map with the document's identifier.
///
/// The app has written four forms: version 1 with the identifier as a UUID (tag 37), 2 as text in
/// Base58Check, 3 with the text in a map of its own, 4 with the bytes beside the text.
package struct MeetingNotesEnvelope: Sendable {
  /// The form, from 1 to 4.
  package var version: Int
  /// The sixteen bytes of the document's UUID.
  package var id: [UInt8]
  /// The chunks, and where they stand in the bytes that they are part of.
  package var data: AutomergeHistory.Source
  /// Keys that this version does not know with their values, as they are encoded.
  package var others: [Entry]

  /// A key and its value, both encoded.
  package struct Entry: Hashable, Sendable {
    var key: [UInt8]
    var value: [UInt8]
  }

  private static let uuidTag: UInt64 = 37
  private static let uuidSize = 16

  /// Whether bytes begin as an envelope does, damaged or not.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first >> 5 == 5 else { return false }
    let start = bytes.prefix(firstSize)
    return [[0x62] + Array("id".utf8), [0x64] + Array("data".utf8)].contains { key in
      start.indices.contains { start[$0...].starts(with: key) }
    }
  }

  /// How many bytes of a file ``begins(_:)`` looks at.
  package static let firstSize = 96

  /// Reads an envelope; its chunks are not looked at.
  package init(_ bytes: [UInt8]) throws(AutomergeError) {
    var reader = ByteReader(bytes, bytes.indices)
    var id: (bytes: [UInt8], version: Int)?
    var data: AutomergeHistory.Source?
    var others: [Entry] = []
    var left = try reader.mapCount()
    while try reader.hasNext(&left) {
      let keyStart = reader.offset
      let keyRange = try reader.skipItem()
      var keyReader = ByteReader(bytes, keyRange)
      switch try? keyReader.string("") as String {
      case "id":
        guard id == nil else { throw reader.error("a second identifier", at: keyStart) }
        id = try Self.readID(&reader)
      case "data":
        guard data == nil else { throw reader.error("a second document", at: keyStart) }
        let (content, range) = try reader.string(major: 2, "a byte string with the document")
        data =
          range.map { AutomergeHistory.Source(bytes, $0) }
          ?? AutomergeHistory.Source(content, content.indices)
      default:
        let value = try reader.skipItem()
        others.append(Entry(key: Array(bytes[keyRange]), value: Array(bytes[value])))
      }
    }
    guard reader.isAtEnd else {
      throw reader.error("\(reader.remaining) bytes behind the end of the envelope")
    }
    guard let id else { throw AutomergeError(at: 0, "an envelope without the key \"id\"") }
    guard let data else { throw AutomergeError(at: 0, "an envelope without the key \"data\"") }
    (self.id, version) = id
    self.data = data
    self.others = others
  }

  /// Makes the envelope of version 4 around chunks.
  package init(id: [UInt8], chunks: [UInt8], others: [Entry] = []) {
    version = 4
    self.id = id
    data = AutomergeHistory.Source(chunks, chunks.indices)
    self.others = others
  }

  private static func readID(
    _ reader: inout ByteReader
  ) throws(AutomergeError) -> (bytes: [UInt8], version: Int) {
    let start = reader.offset
    var ahead = reader
    let head = try ahead.itemHead()
    switch head.major {
    case 6:
      guard head.argument == uuidTag else {
        throw reader.error("an identifier with another tag than 37", at: start)
      }
      reader = ahead
      let bytes = try reader.string(major: 2, "a UUID").content
      try check(bytes, reader, start)
      return (bytes, 1)
    case 3: return (try readText(&reader), 2)
    case 5: return try readMap(&reader)
    default: throw reader.error("an identifier of no known form", at: start)
    }
  }

  private static func readMap(
    _ reader: inout ByteReader
  ) throws(AutomergeError) -> (bytes: [UInt8], version: Int) {
    let start = reader.offset
    var text: [UInt8]?
    var bytes: [UInt8]?
    var left = try reader.mapCount()
    while try reader.hasNext(&left) {
      switch try reader.string("a key") as String {
      case "id": text = try readText(&reader)
      case "data":
        let place = reader.offset
        let content = try reader.string(major: 2, "the bytes of the identifier").content
        try check(content, reader, place)
        bytes = content
      default: try reader.skipItem()
      }
    }
    guard let text else { throw reader.error("an identifier without its text", at: start) }
    guard let bytes else { return (text, 3) }
    guard text == bytes else {
      throw reader.error(
        "the text and the bytes of the identifier name different documents", at: start)
    }
    return (bytes, 4)
  }

  private static func readText(_ reader: inout ByteReader) throws(AutomergeError) -> [UInt8] {
    let start = reader.offset
    let text = try reader.string("an identifier") as String
    guard let bytes = Base58Check.decoded(text) else {
      throw reader.error(
        "an identifier that is not Base58Check, or has a wrong checksum", at: start)
    }
    try check(bytes, reader, start)
    return bytes
  }

  private static func check(
    _ bytes: [UInt8], _ reader: ByteReader, _ start: Int
  ) throws(AutomergeError) {
    guard bytes.count == uuidSize else {
      throw reader.error("an identifier of \(bytes.count) bytes instead of 16", at: start)
    }
  }

  /// The file: the form that the app writes today.
  package func bytes() -> [UInt8] {
    var writer = CBORWriter()
    writer.mapHeader(2 + others.count)
    writer.text("id")
    writer.mapHeader(2)
    writer.text("id")
    writer.text(Base58Check.encoded(id))
    writer.text("data")
    writer.bytes(id)
    writer.text("data")
    writer.bytes(data.bytes.span.extracting(data.range))
    for entry in others {
      writer.encoded(entry.key.span)
      writer.encoded(entry.value.span)
    }
    return writer.bytes
  }

  /// The unknown keys of several envelopes; of two values for one key the greater in bytes.
  package static func union(_ envelopes: [MeetingNotesEnvelope]) -> [Entry] {
    var values: [[UInt8]: [UInt8]] = [:]
    for entry in envelopes.lazy.flatMap(\.others) {
      if let value = values[entry.key], !value.lexicographicallyPrecedes(entry.value) { continue }
      values[entry.key] = entry.value
    }
    return values.map { Entry(key: $0.key, value: $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}

/// Base58Check as MeetingNotes writes identifiers: the bytes and four of their double SHA-256, in
/// the alphabet of Bitcoin, without a version byte.
package enum Base58Check {
  private static let alphabet = Array(
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
  /// More characters than any identifier has.
  private static let longest = 64

  /// The text for some bytes.
  package static func encoded(_ bytes: [UInt8]) -> String {
    let digits = converted(bytes + checksum(bytes), from: 256, to: 58)
    return String(decoding: digits.map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// The bytes that a text stands for; `nil` if it is none, or the checksum is wrong.
  package static func decoded(_ text: String) -> [UInt8]? {
    guard text.utf8.count <= longest else { return nil }
    let digits = text.utf8.compactMap { alphabet.firstIndex(of: $0).map { UInt8($0) } }
    let number = converted(digits, from: 58, to: 256)
    guard digits.count == text.utf8.count, number.count >= 4 else { return nil }
    let bytes = Array(number.dropLast(4))
    return checksum(bytes).elementsEqual(number.suffix(4)) ? bytes : nil
  }

  /// The digits of a number in another base, the first one first, behind as many zeros as before.
  private static func converted(_ digits: [UInt8], from base: Int, to other: Int) -> [UInt8] {
    var result: [UInt8] = []
    for digit in digits {
      var carry = Int(digit)
      for place in result.indices {
        carry += base * Int(result[place])
        result[place] = UInt8(carry % other)
        carry /= other
      }
      while carry > 0 {
        result.append(UInt8(carry % other))
        carry /= other
      }
    }
    return digits.prefix { $0 == 0 } + result.reversed()
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(Array(SHA256.hash(bytes))).prefix(4))
  }
}
