import Peernote

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
