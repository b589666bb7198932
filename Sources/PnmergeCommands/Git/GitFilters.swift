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

  /// Recognises a pointer; `nil` if the bytes are something else.
  init?(_ bytes: [UInt8]) {
    let beginnings = [
      "version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/",
    ]
    guard bytes.count < 1024, let text = String(validating: bytes, as: UTF8.self),
      beginnings.contains(where: text.hasPrefix)
    else { return nil }
    func value(_ key: String) -> Substring? {
      text.split(whereSeparator: \.isNewline).last { $0.hasPrefix(key + " ") }?
        .dropFirst(key.count + 1)
    }
    guard let oid = value("oid"), let size = value("size").flatMap({ Int($0) }) else { return nil }
    (self.oid, self.size) = (String(oid), size)
  }
}

extension Document {
  /// The document before git turned its line feeds into carriage returns and line feeds, because an
  /// attribute declared the file to be text; `nil` unless the checksum proves that it was just that.
  ///
  /// The other direction cannot be undone: it does not tell which pairs were there. O(n log n).
  init?(withConvertedLineEnds bytes: [UInt8]) {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var original: [UInt8] = []
    original.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == lineFeed {
        guard original.last == carriageReturn else { return nil }
        original.removeLast()
      }
      original.append(byte)
    }
    guard original.count < bytes.count, let document = try? Document(bytes: original) else {
      return nil
    }
    self = document
  }
}
