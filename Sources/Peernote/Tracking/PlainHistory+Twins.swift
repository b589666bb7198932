extension PlainHistory {
  /// Makes lines count once that came in twice; see `PlainTwins`.
  ///
  /// The change that does so follows from the changes that are there. One walk over the history if
  /// it has several heads.
  ///
  /// - Returns: whether there were any.
  /// - Throws: ``DocumentError`` or ``EditError`` if the history takes more than the limits.
  @discardableResult
  public mutating func countTwinsOnce() throws -> Bool {
    guard let counted = try document.countingTwinsOnce() else { return false }
    try add(counted)
    return true
  }
}

extension Document {
  /// What the changes say that count lines once.
  private static let twinMessage = "counts lines once that came in more than once"

  /// The document with lines that came in twice counted once; `nil` if there are none, or if that
  /// would hide anything.
  ///
  /// - Throws: ``DocumentError`` or ``EditError`` if the history takes more than the limits.
  fileprivate func countingTwinsOnce() throws -> Document? {
    let surplus = try PlainTwins(of: self).surplus
    guard !surplus.isEmpty, let time = changes.map(\.time).max() else { return nil }
    var result = self
    try result.record(time: time, message: Self.twinMessage) { (editor) throws(EditError) in
      let text = try editor.container(at: PlainHistory.path, .text)
      try Editor.performing(PlainHistory.path) { () throws(HistoryError) in
        try editor.editRaw { (editor) throws(HistoryError) in
          for range in surplus.reversed() { try editor.deleteText(range, from: text) }
        }
      }
    }
    return result.shownLines.isSuperset(of: shownLines) ? result : nil
  }

  /// The lines of a tracked file that say anything, those of all readings included.
  private var shownLines: Set<Substring> {
    let readings = conflicts.flatMap(\.others).map { side in
      if case .text(let text)? = side.node { text } else { "" }
    }
    return Set(([bodyText] + readings).flatMap(\.saidLines))
  }
}

extension String {
  /// The lines with a letter or digit.
  fileprivate var saidLines: [Substring] {
    split(separator: "\n").filter { PlainTwins.saysAnything($0.unicodeScalars) }
  }
}
