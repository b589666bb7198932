/// A piece of a file: a whole document, or one change.
package struct Chunk: Sendable {
  /// What it holds.
  package enum Kind: UInt8, Sendable {
    case document = 0
    case change = 1
    case compressedChange = 2
  }

  package let kind: Kind
  /// Where it begins in the file.
  package let offset: Int
  /// Where its body stands.
  let body: Range<Int>
  /// The first bytes of the hash over kind, length and body.
  let checksum: ArraySlice<UInt8>

  /// What every chunk begins with.
  package static let magic: [UInt8] = [0x85, 0x6F, 0x4A, 0x83]

  /// Finds the chunks that stand one after the other in a range.
  package static func chunks(
    in bytes: [UInt8], _ range: Range<Int>
  ) throws(AutomergeError) -> [Chunk] {
    var reader = ByteReader(bytes, range)
    var result: [Chunk] = []
    while !reader.isAtEnd { result.append(try Chunk(&reader)) }
    return result
  }

  private init(_ reader: inout ByteReader) throws(AutomergeError) {
    offset = reader.offset
    guard reader.remaining >= 4, reader.bytes[offset..<offset + 4].elementsEqual(Self.magic) else {
      throw reader.error("no Automerge chunk begins here")
    }
    reader.offset += 4
    checksum = reader.bytes[try reader.range(4)]
    let place = reader.offset
    let type = try reader.byte()
    guard let kind = Kind(rawValue: type) else {
      throw AutomergeError(.newerFormat, at: place, "a chunk of the unknown type \(type)")
    }
    self.kind = kind
    body = try reader.lengthAndRange()
  }

  /// How many bytes it has with its head.
  package var size: Int { body.upperBound - offset }

  /// The body as it is in the file.
  package func body(in source: AutomergeHistory.Source) -> [UInt8] { Array(source.bytes[body]) }

  /// Throws unless the checksum is that of a hash.
  func check(_ hash: ChangeHash) throws(AutomergeError) {
    guard hash.bytes.starts(with: checksum) else {
      throw AutomergeError(at: offset + 4, "the checksum does not fit")
    }
  }

  /// A chunk's bytes: the head in front of a body, of which the hash may be known.
  package static func encoded(_ kind: Kind, body: [UInt8], hash: ChangeHash? = nil) -> [UInt8] {
    let hash = hash ?? ChangeHash(ofChunk: kind.rawValue, body: body[...])
    var result = magic
    result += hash.bytes.prefix(4)
    result.append(kind.rawValue)
    result.append(counted: body)
    return result
  }
}
