import Peernote

/// What Git LFS stores in a file's place: a few lines that name the content by its hash.
///
/// Merge drivers see this text and not the content, since filters run before and after them. Its
/// form is that of the Git LFS specification, version 1: lines of a key, a space and a value,
/// `version` first, at most 1024 bytes.
struct LFSPointer {
  /// The hash that names the content, as in `sha256:4d7a…`.
  let oid: String
  /// The content's size in bytes.
  let size: Int

  private static let firstLines = [
    "version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/",
  ]
  private static let sizeLimit = 1024

  /// Recognises a pointer; `nil` if the bytes are something else.
  init?(_ bytes: [UInt8]) {
    guard bytes.count < Self.sizeLimit,
      Self.firstLines.contains(where: { bytes.starts(with: $0.utf8) }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var values: [Substring: Substring] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    guard let oid = values["oid"], let size = values["size"].flatMap({ Int($0) }) else {
      return nil
    }
    self.oid = String(oid)
    self.size = size
  }
}

/// Files whose line feeds git turned into carriage returns and line feeds on their way through the
/// work tree, because an attribute declared them to be text.
enum ConvertedLineEnds {
  /// The document as it was before; `nil` unless the checksum proves that it was just that.
  ///
  /// The other direction cannot be undone: it does not tell which pairs were there.
  ///
  /// O(n log n).
  static func restored(_ bytes: [UInt8]) -> Document? {
    guard let original = original(of: bytes) else { return nil }
    return try? Document(bytes: original)
  }

  /// Whether ``restored(_:)`` would find a document.
  static func isConverted(_ bytes: [UInt8]) -> Bool {
    original(of: bytes).map { (try? DocumentHeads(bytes: $0)) != nil } ?? false
  }

  /// The bytes with each pair made a line feed; `nil` if some line feed stands alone.
  private static func original(of bytes: [UInt8]) -> [UInt8]? {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == lineFeed {
        guard result.last == carriageReturn else { return nil }
        result.removeLast()
      }
      result.append(byte)
    }
    return result.count < bytes.count ? result : nil
  }
}
