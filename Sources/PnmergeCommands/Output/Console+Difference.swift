import Peernote

extension Console {
  /// Prints a difference in the unified format, in colours where there are any.
  ///
  /// Rows before the first `@@` are headers.
  func writeDifference(_ text: Substring) throws {
    var isHeader = true
    // By bytes: to a string, CR LF is one character and no line feed.
    for row in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      if row.starts(with: "@@".utf8) { isHeader = false }
      let style: Style? =
        switch row.first {
        case _ where isHeader: .bold
        case UInt8(ascii: "@"): .cyan
        case UInt8(ascii: "-"): .red
        case UInt8(ascii: "+"): .green
        default: nil
        }
      try writeText(String(Substring(row)), style, end: "\n")
    }
  }
}
