public import PeernoteEngine

extension Editor {
  /// Makes a text read as another one, by the smallest sensible edits; see `TextDifference`.
  ///
  /// Near-linear in the length of both.
  ///
  /// - Throws: ``EditError`` if there is no text.
  public mutating func replaceText(at path: JSONPointer, with text: String) throws(EditError) {
    let container = try container(at: path, .text)
    guard case .text(let wanted) = try marked(.text(text), at: path, .exact) else {
      return
    }
    try replaceText(of: container, with: wanted, at: path)
  }

  /// Content that comes back, with what was redacted since left out; throws if it may hold text
  /// that was redacted.
  mutating func marked(
    _ wanted: DocumentNode, at path: JSONPointer, _ matching: ContentMatching
  ) throws(EditError) -> DocumentNode {
    guard let redactionMarker, let present = node(at: path) else { return wanted }
    // A reading that was shown then may be another one without what was redacted.
    func count(_ text: TextBuffer) -> Int {
      text.string.unicodeScalars.count { $0 == redactionMarker }
    }
    for container in passages.keys
    where count(editor.texts[container]) > count(shownText(of: container)) {
      throw .redacted(path, line: 1)
    }
    var stretches = RedactedStretches(marker: redactionMarker, matching: matching)
    let result = stretches.marked(wanted, as: present, at: path)
    if let doubt = stretches.doubt { throw .redacted(doubt.path, line: doubt.line) }
    leftRedacted += stretches.gaps
    return result
  }

  mutating func replaceText(
    of container: ContainerIndex, with text: String, at path: JSONPointer
  ) throws(EditError) {
    try Self.performing(path, settle(container, as: TextBuffer(text)))
  }

  /// Makes what a text shows another text, and ordinary text of its passages there.
  ///
  /// O(n d) for d differences. Throws if a limit is passed.
  mutating func settle(
    _ container: ContainerIndex, as text: TextBuffer, besides others: Set<Int> = []
  ) throws(HistoryError) {
    let difference = TextDifference(from: shownText(of: container).utf8, to: text.utf8)
    try editShown(container, difference.edits, settling: others)
  }
}
