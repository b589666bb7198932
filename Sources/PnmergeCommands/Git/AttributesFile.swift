/// The lines in a file of attributes that hand documents to the driver (gitattributes(5)).
///
/// The functions give what the file is to hold, and leave everything else in it as it is, so that
/// to add lines and remove them gives the same bytes again.
enum AttributesFile {
  /// The names of documents, as git matches them: of ours, and of other programs'.
  static let patterns = (["peernote"] + AutomergeCopy.endings).map { "*.\($0)" }

  private static let lineFeed = UInt8(ascii: "\n")

  /// The line for a pattern: no conversion of line ends, our merge driver, our text for
  /// comparisons.
  static func line(_ pattern: String) -> String {
    "\(pattern) -text merge=\(GitSettings.name) diff=\(GitSettings.name)"
  }

  /// The patterns that a file has no line for.
  static func missing(in bytes: [UInt8]) -> [String] {
    let lines = bytes.split(separator: lineFeed)
    return patterns.filter { pattern in !lines.contains { says($0, line(pattern)) } }
  }

  /// The file with a line for each of some patterns.
  ///
  /// Where the last line has no end, ours gets none either.
  static func adding(_ patterns: [String], to bytes: [UInt8]) -> [UInt8] {
    let lines = patterns.map(line).joined(separator: "\n").utf8
    let isEnded = bytes.last ?? lineFeed == lineFeed
    return bytes + (isEnded ? lines + [lineFeed] : [lineFeed] + lines)
  }

  /// The file without the lines for some patterns; `nil` if it has none of them.
  static func removing(_ patterns: [String], from bytes: [UInt8]) -> [UInt8]? {
    var lines = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
    let count = lines.count
    for pattern in patterns {
      if let index = lines.lastIndex(where: { $0.elementsEqual(line(pattern).utf8) }) {
        lines.remove(at: index)
      }
    }
    return lines.count == count ? nil : Array(lines.joined(separator: [lineFeed]))
  }

  /// Whether a line says all that another one says.
  private static func says(_ text: ArraySlice<UInt8>, _ other: String) -> Bool {
    let blanks: [UInt8] = Array(" \t\r".utf8)
    let words = text.split { blanks.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    let wanted = other.split(separator: " ").map { String($0) }
    return words.first == wanted.first && Set(wanted).isSubset(of: words)
  }
}

/// What `git install` did to a file of attributes, as the configuration keeps it: `created` or
/// `added`, and the patterns whose lines are ours.
///
/// Without patterns, as earlier versions wrote it, it is the line for `*.peernote`.
struct AttributesRecord {
  var isCreated: Bool
  var patterns: [String]

  init(isCreated: Bool) {
    self.isCreated = isCreated
    patterns = []
  }

  init(_ text: String) {
    let words = text.split(separator: " ").map { String($0) }
    isCreated = words.first == "created"
    patterns = words.count > 1 ? Array(words.dropFirst()) : ["*.peernote"]
  }

  var text: String { ([isCreated ? "created" : "added"] + patterns).joined(separator: " ") }
}
