/// A word to paste into a shell.
func shellQuoted(_ word: String) -> String { shellQuoted(FileName(word)) }

/// A file name to paste into a shell, as people are shown it.
func shellQuoted(_ file: FileName) -> String {
  // So that no program takes it for an option.
  let prefix = file.bytes.first == UInt8(ascii: "-") ? "./" : ""
  let word = FileName(prefix + file.visible).shellWord
  return String(decoding: word, as: UTF8.self)
}

extension FileName {
  private static let plainBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+:,./@%".utf8)

  /// Whether a byte stands for itself outside of quotation marks in sh(1) and its kin, at the
  /// beginning of a word, too.
  static func standsForItself(_ byte: UInt8) -> Bool { plainBytes.contains(byte) || byte >= 0x80 }

  /// A name for a shell: plain, or between quotation marks.
  var shellWord: [UInt8] {
    if !bytes.isEmpty, bytes.allSatisfy(Self.standsForItself) { return bytes }
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }
}
