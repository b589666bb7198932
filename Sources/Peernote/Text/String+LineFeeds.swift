extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
  /// The text parted at its line feeds, also at those after a carriage return: with that they are a
  /// character of their own, at which `split(separator: "\n")` does not part.
  ///
  /// O(text).
  package func splitAtLineFeeds(omittingEmptySubsequences omitsEmpty: Bool = true) -> [Substring] {
    utf8.split(separator: 0x0A, omittingEmptySubsequences: omitsEmpty).map { Substring($0) }
  }

  /// A line without the carriage return before its line feed.
  package var withoutCarriageReturn: String {
    guard unicodeScalars.last == "\r" else { return String(self) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.dropLast())
    return String(scalars)
  }
}
