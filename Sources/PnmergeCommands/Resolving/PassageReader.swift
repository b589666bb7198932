import Peernote

/// Tells of places of a merged document what stood there before, and of passages the line around.
///
/// Fast for places in the order of the content: a text is looked at once for all its passages.
struct PassageReader {
  private let document: Document
  /// The document as it was when the copies parted.
  private let parting: Document?
  /// What tells elements of lists apart.
  private let identityKeys: [String]
  /// The text that was looked at last.
  private var path: JSONPointer?
  private var text = ""
  private var earlier: EarlierPassage?
  /// A place in it, in scalars and as an index.
  private var place: (scalar: Int, index: String.Index)

  /// The most characters that are shown on either side of a passage.
  private static let contextCharacters = 40

  /// Reads a merged document, and what it was when the copies parted.
  init(
    of document: Document, since parting: Document? = nil,
    identityKeys: [String] = ContentMatching.exact.identityKeys
  ) {
    (self.document, self.parting, self.identityKeys) = (document, parting, identityKeys)
    place = (0, text.startIndex)
  }

  /// What stood at the place of a conflict when the copies parted; of elements inserted on several
  /// sides that is unknown, and of one in several lists it is what the element was then.
  mutating func before(_ conflict: Conflict) -> EarlierContent {
    if conflict.kind == .movedApart {
      let nodes = conflict.elements.compactMap { earlierNode(at: $0) }
      let node = nodes.first ?? earlierElement(like: conflict.kept.node)
      return node.map { .known($0) } ?? .unknown
    }
    if conflict.kind.isOfSeveralElements { return .unknown }
    guard let scalars = conflict.scalars else { return .known(earlierNode(at: conflict.path)) }
    guard parting != nil, open(conflict.path) else { return .known(nil) }
    return .known(earlier.map { .text($0.text(of: scalars)) })
  }

  /// What stood at a place when the copies parted; `nil` if nothing did.
  private func earlierNode(at path: JSONPointer) -> Node? {
    guard let parting else { return nil }
    return document.steps(to: path).flatMap { parting.node(at: $0) }
  }

  /// The element that had the identity of one when the copies parted; `nil` if none had.
  private func earlierElement(like node: Node?) -> Node? {
    node.flatMap { parting?.root.element(identifiedAs: $0, identityKeys: identityKeys) }
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
    earlier = nil
    if let steps = document.steps(to: path), case .text(let then) = parting?.node(at: steps) {
      earlier = EarlierPassage(of: text, in: then)
    }
    return true
  }
}
