import PeernoteDigest
import PeernoteCBOR

/// The outermost layer of a file: identity, sections and checksum.
package struct Envelope: Sendable {
  /// A section that this version doesn't know and carries along.
  package struct UnknownSection: Hashable, Sendable {
    package var number: UInt64
    package var content: [UInt8]

    package init(number: UInt64, content: [UInt8]) {
      self.number = number
      self.content = content
    }
  }

  enum SectionNumber {
    static let heads: UInt64 = 1
    static let view: UInt64 = 2
    static let log: UInt64 = 3
    static let passages: UInt64 = 4
  }

  package let bytes: [UInt8]
  package let id: UniqueID
  /// Where the content of each known section stands.
  package private(set) var heads = 0..<0
  package private(set) var view = 0..<0
  package private(set) var log = 0..<0
  /// Empty if the file has no passages.
  package private(set) var passages = 0..<0
  package private(set) var unknownSections: [UnknownSection] = []
  /// Where the content of each of these stands.
  package private(set) var unknownPlaces: [Range<Int>] = []
  package private(set) var checksum = 0..<0

  /// Reads the envelope and checks the checksum; throws the first fault with its place; O(n).
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(DocumentError) {
    var fault: DocumentError?
    try self.init(bytes, limits: limits, checksumFault: &fault)
    if let fault { throw fault }
  }

  /// Reads the envelope, whatever its checksum is, and sets `checksumFault` if that is wrong.
  init(
    _ bytes: [UInt8], limits: Limits, checksumFault: inout DocumentError?
  ) throws(DocumentError) {
    self.bytes = bytes
    guard bytes.count <= limits.fileSize else {
      throw DocumentError(
        "the file is longer than the limit of \(limits.fileSize) bytes", kind: .limit,
        in: .envelope, at: 0)
    }
    guard bytes.starts(with: Format.magic) else {
      throw DocumentError(Self.whyNotADocument(bytes), in: .envelope, at: 0)
    }
    var reader = CBORReader(bytes, range: Format.magic.count..<bytes.count)
    id = try Self.readIdentity(&reader)
    // All but the checksum's item, if it is a sound file.
    let content = bytes.dropLast(Self.checksumSize)
    let (sections, digest) = inParallel(if: bytes.count >= Self.largeFile) {
      () -> Result<DocumentError?, DocumentError> in
      do throws(DocumentError) {
        return .success(try readSections(&reader))
      } catch {
        return .failure(error)
      }
    } _: {
      Self.digest(of: content)
    }
    let needsNewer = try sections.get()
    if unknownSections.size > limits.optionalSections {
      throw DocumentError(
        "the optional sections take \(unknownSections.size) bytes, more than the limit of "
          + "\(limits.optionalSections)",
        kind: .limit, in: .envelope, at: unknownPlaces[0].lowerBound)
    }
    let start = reader.offset
    try reading(.checksum) {
      _ = try reader.readBytes(count: SHA256.byteCount)
      try reader.finish()
    }
    checksum = start..<reader.offset
    if !digest.elementsEqual(bytes[start + 2..<checksum.upperBound]) {
      checksumFault = DocumentError(
        "the checksum does not match: the file was changed or damaged", in: .checksum, at: start)
    }
    // A damaged number would look like that of an unknown section.
    if let needsNewer { throw checksumFault ?? needsNewer }
    guard !heads.isEmpty, !view.isEmpty, !log.isEmpty else {
      throw DocumentError(
        "the heads, the view or the log is missing", in: .envelope, at: Format.magic.count)
    }
  }

  static let checksumSize = 2 + SHA256.byteCount
  /// The bytes of a file that takes milliseconds to read through.
  private static let largeFile = 1 << 22

  private static func whyNotADocument(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "the file is empty" }
    if Format.magic.starts(with: bytes) { return "the file ends in the middle of the envelope" }
    return "not a peernote document (it does not begin with d9 d9 f7 da 70 6e 6f 74)"
  }

  private static func readIdentity(_ reader: inout CBORReader) throws(DocumentError) -> UniqueID {
    try reading(.envelope) {
      let start = reader.offset
      let count = try reader.readArrayHeader()
      _ = try reader.readUnsigned(limit: 0)
      let versionOffset = reader.offset
      let version = try reader.readUnsigned()
      guard version <= UInt64(Format.version) else {
        throw DocumentError(
          "format version \(version), while this program reads up to \(Format.version)",
          kind: .newerFormat, in: .envelope, at: versionOffset)
      }
      guard version >= 1 else {
        throw DocumentError("format version 0", in: .envelope, at: versionOffset)
      }
      guard count == 5 else {
        throw DocumentError("an envelope of \(count) parts instead of 5", in: .envelope, at: start)
      }
      try reader.readTag(Format.uuidTag)
      let range = try reader.readBytes(count: 16)
      return UniqueID(bytes: reader.bytes[range])
    }
  }

  /// Reads the sections; an unknown one that may not be ignored is returned as an error, so that
  /// the rest is read.
  private mutating func readSections(
    _ reader: inout CBORReader
  ) throws(DocumentError) -> DocumentError? {
    try reading(.envelope) {
      var needsNewer: DocumentError?
      let count = try reader.readMapHeader()
      var previous: UInt64 = 0
      for _ in 0..<count {
        let keyOffset = reader.offset
        let number = try reader.readUnsigned()
        guard number > previous else {
          throw DocumentError("sections out of order", in: .envelope, at: keyOffset)
        }
        previous = number
        let content = try reader.skipItem(depthLimit: Self.depthLimit(of: number))
        switch number {
        case SectionNumber.heads: heads = content
        case SectionNumber.view: view = content
        case SectionNumber.log: log = content
        case SectionNumber.passages: passages = content
        case Format.firstOptionalSection...:
          unknownSections.append(
            UnknownSection(number: number, content: Array(bytes[content])))
          unknownPlaces.append(content)
        default:
          needsNewer =
            needsNewer
            ?? DocumentError(
              "it has section \(number), which this program does not know and may not ignore",
              kind: .newerFormat, in: .envelope, at: keyOffset)
        }
      }
      return needsNewer
    }
  }

  /// How many arrays, maps and tags a section may hold inside each other: in the view the pair, a
  /// level for each container, one more for a set, an array in a tag, and two for a time that is
  /// its member.
  static func depthLimit(of section: UInt64) -> Int {
    section == SectionNumber.view
      ? 1 + Objects.depthLimit + 1 + 2 : Format.unknownSectionDepth
  }

  /// The greatest depth of any section, the map of sections included.
  static let greatestDepth = depthLimit(of: SectionNumber.view) + 1

  /// Ends a file with the checksum over all that is there.
  package static func sealed(_ bytes: consuming [UInt8]) -> [UInt8] {
    let digest = digest(of: bytes[...])
    var writer = CBORWriter(appendingTo: bytes)
    writer.bytes(digest)
    return writer.bytes
  }

  /// Where the content stands that ``sealed(_:)`` ended; `nil` if the checksum is wrong; O(n).
  package static func unsealed(_ bytes: [UInt8]) -> Range<Int>? {
    let end = bytes.count - checksumSize
    guard end > 0, isChecksum(at: end, in: bytes),
      digest(of: bytes[..<end]).elementsEqual(bytes[(end + 2)...])
    else { return nil }
    return 0..<end
  }

  /// Whether an item that may be a checksum stands somewhere: a byte string of 32 bytes.
  static func isChecksum(at start: Int, in bytes: [UInt8]) -> Bool {
    start + checksumSize <= bytes.count && bytes[start...].starts(with: [0x58, 0x20])
  }

  package static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] { SHA256.hash(bytes) }

  /// The heads that the file names, ascending.
  package func readHeads() throws(DocumentError) -> [ChangeID] {
    try Self.readHeads(bytes, heads)
  }

  /// The heads that stand at a place of a file, ascending.
  static func readHeads(_ bytes: [UInt8], _ heads: Range<Int>) throws(DocumentError) -> [ChangeID] {
    var reader = CBORReader(bytes, range: heads)
    return try reading(.heads) {
      var result: [ChangeID] = []
      for _ in 0..<(try reader.readArrayHeader()) {
        let start = reader.offset
        let head = try reader.readChange()
        guard head.sequence >= 1, result.last.map({ $0 < head }) ?? true else {
          throw DocumentError("heads out of order", in: .heads, at: start)
        }
        result.append(head)
      }
      return result
    }
  }
}

extension [Envelope.UnknownSection] {
  /// How many bytes the contents take together.
  package var size: Int { reduce(0) { $0 + $1.content.count } }
}
