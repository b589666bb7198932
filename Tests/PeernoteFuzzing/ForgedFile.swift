import PeernoteDigest
import Peernote
import PeernoteCBOR

/// The parts of a file, to be changed one by one and put together with the right checksum.
package struct ForgedFile: Sendable {
  package var version: UInt64 = 1
  package var id: [UInt8]
  /// The sections by number; the log is put together from its columns.
  package var heads: [UInt8]
  package var view: CBORTree
  package var log: Log
  /// Further sections, written after the known ones.
  package var sections: [(number: UInt64, content: [UInt8])] = []

  /// The columns of a log.
  package struct Log: Sendable {
    package var agents: [UInt8] = []
    package var authors: [String] = []
    package var messages: [String] = []
    package var keys: [String] = []
    package var chains: [UInt8] = []
    package var counts: [UInt8] = []
    package var metadata: [UInt8] = []
    package var values: [UInt8] = []
    package var operations: [UInt8] = []
    package var redactions: [UInt8] = []
    package var deleted: [UInt8] = []

    /// The columns of bytes.
    package static let columns: [any (WritableKeyPath<Log, [UInt8]> & Sendable)] = [
      \.agents, \.chains, \.counts, \.metadata, \.values, \.operations, \.redactions, \.deleted,
    ]
    /// The tables of names.
    package static let tables: [any (WritableKeyPath<Log, [String]> & Sendable)] = [
      \.authors, \.messages, \.keys,
    ]
  }

  /// A file without content.
  package init(id: [UInt8]) {
    self.id = id
    heads = []
    view = .null
    log = Log()
  }

  /// Takes a sound file apart.
  package init(_ bytes: [UInt8]) throws {
    var reader = CBORReader(bytes)
    for _ in 0..<2 { _ = try reader.nextItem() }
    try reader.readArrayHeader(count: 5)
    for _ in 0..<2 { _ = try reader.readUnsigned() }
    try reader.readTag(37)
    id = Array(bytes[try reader.readBytes()])
    heads = []
    view = .null
    log = Log()
    for _ in 0..<(try reader.readMapHeader()) {
      let number = try reader.readUnsigned()
      let content = Array(bytes[try reader.skipItem(depthLimit: 70)])
      switch number {
      case 1: heads = content
      case 2: view = try CBORTree(content)
      case 3: log = try Self.log(content)
      default: sections.append((number, content))
      }
    }
  }

  private static func log(_ bytes: [UInt8]) throws -> Log {
    var reader = CBORReader(bytes)
    var log = Log()
    try reader.readArrayHeader(count: 11)
    log.agents = Array(bytes[try reader.readBytes()])
    for table in Log.tables {
      for _ in 0..<(try reader.readArrayHeader()) {
        log[keyPath: table].append(try reader.readString())
      }
    }
    for column in Log.columns.dropFirst().dropLast() {
      log[keyPath: column] = Array(bytes[try reader.readBytes()])
    }
    log.deleted = Array(bytes[try reader.readText()])
    return log
  }

  /// The heads as the file has them.
  package mutating func setHeads(_ names: [(agent: UInt64, sequence: UInt64)]) {
    var writer = CBORWriter()
    writer.arrayHeader(names.count)
    for name in names {
      writer.arrayHeader(2)
      writer.bytes(bigEndian(name.agent))
      writer.unsigned(name.sequence)
    }
    heads = writer.bytes
  }

  /// The file, with the right checksum.
  package var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.tag(55799)
    writer.tag(0x706E_6F74)
    writer.arrayHeader(5)
    writer.unsigned(0)
    writer.unsigned(version)
    writer.tag(37)
    writer.bytes(id)
    writer.mapHeader(3 + sections.count)
    writer.unsigned(1)
    writer.encoded(heads.span)
    writer.unsigned(2)
    let content = view.encoded
    writer.encoded(content.span)
    writer.unsigned(3)
    writer.arrayHeader(11)
    writer.bytes(log.agents)
    for table in Log.tables {
      writer.arrayHeader(log[keyPath: table].count)
      for name in log[keyPath: table] { writer.text(name) }
    }
    for column in Log.columns.dropFirst().dropLast() { writer.bytes(log[keyPath: column]) }
    writer.text(utf8: log.deleted.span)
    for section in sections {
      writer.unsigned(section.number)
      writer.encoded(section.content.span)
    }
    return sealed(writer.bytes)
  }
}

/// The bytes with their checksum after them.
package func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var hash = SHA256()
  hash.update(bytes)
  return bytes + [0x58, 0x20] + hash.finalize()
}

/// A file whose checksum is made right again.
package func resealed(_ file: [UInt8]) -> [UInt8] {
  sealed(Array(file.dropLast(34)))
}

/// The eight bytes of a number, the most significant first.
package func bigEndian(_ number: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
}

/// A column of unsigned integers (LEB128).
package func column(_ numbers: UInt64...) -> [UInt8] { column(numbers) }

/// A column of unsigned integers (LEB128).
package func column(_ numbers: [UInt64]) -> [UInt8] {
  var bytes: [UInt8] = []
  for number in numbers {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
  return bytes
}

/// The integers of a column, as far as they can be read.
package func numbers(in column: [UInt8]) -> [UInt64] {
  var numbers: [UInt64] = []
  var number: UInt64 = 0
  var shift: UInt64 = 0
  for byte in column {
    if shift < 64 { number |= UInt64(byte & 0x7F) << shift }
    shift += 7
    if byte < 0x80 {
      numbers.append(number)
      (number, shift) = (0, 0)
    }
  }
  return numbers
}

/// A signed integer as columns have it.
package func zigzag(_ number: Int64) -> UInt64 {
  UInt64(bitPattern: (number << 1) ^ (number >> 63))
}

/// The rows of an operations column.
package enum Row {
  package static func insert(_ length: UInt64) -> UInt64 { (length - 1) << 3 }
  package static func forward(_ length: UInt64) -> UInt64 { (length - 1) << 3 | 1 }
  package static func backward(_ length: UInt64) -> UInt64 { (length - 1) << 3 | 2 }
  /// Added to a text row that a jump follows.
  package static let jumps: UInt64 = 4
  package static let target: UInt64 = 3
  package static let put: UInt64 = 1 << 2 | 3
  package static let remove: UInt64 = 2 << 2 | 3
  package static let insertElements: UInt64 = 3 << 2 | 3
  package static let putElement: UInt64 = 4 << 2 | 3
  package static let moveElement: UInt64 = 5 << 2 | 3
  package static let removeElement: UInt64 = 6 << 2 | 3
  package static let add: UInt64 = 7 << 2 | 3
  package static let discard: UInt64 = 8 << 2 | 3
  package static let increment: UInt64 = 9 << 2 | 3
}
