import Peernote

/// Tells of passages of a document's texts the line around.
///
/// Fast for places in the order of the content: a text is looked at once for all its passages.
struct PassageReader {
  private let document: Document
  /// The text that was looked at last.
  private var path: JSONPointer?
  private var text = ""
  /// A place in it, in scalars and as an index.
  private var place: (scalar: Int, index: String.Index)

  /// The most characters that are shown on either side of a passage.
  private static let contextCharacters = 40

  /// Reads the texts of a document.
  init(of document: Document) {
    self.document = document
    place = (0, text.startIndex)
  }

  /// The lines that a passage stands on, cut, with the passage in brackets; `nil` if it is whole
  /// lines, or no passage.
  mutating func context(of conflict: Conflict) -> String? {
    guard let range = conflict.scalars, open(conflict.path) else { return nil }
    if range.lowerBound < place.scalar { place = (0, text.startIndex) }
    let scalars = text.unicodeScalars
    guard
      let start = scalars.index(
        place.index, offsetBy: range.lowerBound - place.scalar, limitedBy: scalars.endIndex),
      let end = scalars.index(start, offsetBy: range.count, limitedBy: scalars.endIndex)
    else { return nil }
    place = (range.lowerBound, start)
    let lineFeed = UInt8(ascii: "\n")
    let lineStart = text.utf8[..<start].lastIndex(of: lineFeed).map { text.utf8.index(after: $0) }
    let before = text[(lineStart ?? text.startIndex)..<start]
    let passage = text[start..<end]
    let after =
      passage.utf8.last == lineFeed
      ? "" : text[end..<(text.utf8[end...].firstIndex(of: lineFeed) ?? text.endIndex)]
    if before.isEmpty, after.isEmpty { return nil }
    let limit = Self.contextCharacters
    let head = before.count > limit ? "…" + String(before.suffix(limit)) : String(before)
    let tail = after.count > limit ? String(after.prefix(limit)) + "…" : String(after)
    return "\(head)[\(cutLine(String(passage)))]\(tail)"
  }

  /// Looks at the text at a path.
  ///
  /// - Returns: whether there is one.
  private mutating func open(_ path: JSONPointer) -> Bool {
    if path == self.path { return true }
    guard case .text(let text) = document.node(at: path) else { return false }
    (self.path, self.text, place) = (path, text, (0, text.startIndex))
    return true
  }
}
