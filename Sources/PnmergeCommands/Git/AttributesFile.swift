/// The line in a file of attributes that hands documents to the driver (gitattributes(5)).
///
/// The functions give what the file is to hold, and leave everything else in it as it is, so that
/// to add the line and remove it gives the same bytes again.
enum AttributesFile {
  /// No conversion of line ends, our merge driver, our text for comparisons.
  static let line = "*.peernote -text merge=peernote diff=peernote"

  private static let lineFeed = UInt8(ascii: "\n")

  /// The file with the line; `nil` if it has it already.
  ///
  /// Where the last line has no end, ours gets none either.
  static func adding(to bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.split(separator: lineFeed).contains(where: isOurs) else { return nil }
    let isEnded = bytes.last ?? lineFeed == lineFeed
    return bytes + (isEnded ? line.utf8 + [lineFeed] : [lineFeed] + line.utf8)
  }

  /// The file without the line; `nil` if it does not have it.
  static func removing(from bytes: [UInt8]) -> [UInt8]? {
    var lines = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
    guard let index = lines.lastIndex(where: { $0.elementsEqual(line.utf8) }) else { return nil }
    lines.remove(at: index)
    return Array(lines.joined(separator: [lineFeed]))
  }

  /// Whether a line says all that ours says.
  private static func isOurs(_ text: ArraySlice<UInt8>) -> Bool {
    let blanks: [UInt8] = Array(" \t\r".utf8)
    let words = text.split { blanks.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    let wanted = line.split(separator: " ").map { String($0) }
    return words.first == wanted.first && Set(wanted).isSubset(of: words)
  }
}
