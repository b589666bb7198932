import PeernoteCBOR

/// The numbers that the format fixes and the limits that a reader keeps; see peernote(5).
package enum Format {
  /// The version that is written, and the newest that is read.
  package static let version = 1
  /// The tag of self-described CBOR (RFC 8949, section 3.4.6).
  static let selfDescribed: UInt64 = 55799
  /// The protocol tag (RFC 9277): "pnot".
  static let protocolTag: UInt64 = 0x706E_6F74
  /// The tag of a delta: "pnod".
  static let deltaTag: UInt64 = 0x706E_6F64
  /// The version of deltas that is written, and the newest that is read.
  static let deltaVersion = 1
  /// How many bytes of its SHA-256 end a delta.
  static let deltaCheckSize = 8
  /// The eight bytes that every document begins with.
  package static let magic: [UInt8] = [0xD9, 0xD9, 0xF7, 0xDA, 0x70, 0x6E, 0x6F, 0x74]
  static let uuidTag: UInt64 = 37
  /// Extended time (RFC 9581).
  static let timeTag: UInt64 = 1001
  /// A mathematical finite set.
  static let setTag: UInt64 = 258
  static let textTag: UInt64 = 61556
  static let counterTag: UInt64 = 61539
  static let byteReferenceTag: UInt64 = 61538
  /// Byte strings from this length on stand in the view by reference only.
  static let referencedByteCount = 256
  /// Sections below this number are required: a reader that does not know one refuses the file.
  static let firstOptionalSection: UInt64 = 128
  /// The depth at which skipping an unknown section gives up.
  static let unknownSectionDepth = 64
}

extension [UInt8] {
  /// Where the bytes that every document begins with stand next.
  package func firstDocument(from start: Int) -> Int? {
    let magic = Format.magic
    var offset = start
    while let next = self[Swift.min(offset, count)...].firstIndex(of: magic[0]) {
      if self[next...].starts(with: magic) { return next }
      offset = next + 1
    }
    return nil
  }
}

/// A file as people read CBOR (RFC 8949, section 8): an item a line where items are long; bytes
/// that are no CBOR are shown up to the fault, which a comment names.
package func diagnosticNotation(of bytes: [UInt8]) -> String {
  CBORDiagnostic.describe(bytes)
}
