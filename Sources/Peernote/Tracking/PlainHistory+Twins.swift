extension PlainHistory {
  /// Takes lines out that came in more than once and were typed once, of which the file shows one;
  /// see `PlainTwins`.
  ///
  /// The file shows the same before and after. The change that does so follows from the changes that
  /// are there. Nothing is done if the history has one head.
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
  /// The document with lines that came in twice counted once; `nil` if there are none, or if that
  /// would hide anything.
  ///
  /// - Throws: ``DocumentError`` or ``EditError`` if the history takes more than the limits.
  fileprivate func countingTwinsOnce() throws -> Document? {
    guard heads.count > 1, let time = changes.map(\.time).max() else { return nil }
    let twins = try PlainTwins(of: self)
    if twins.isEmpty { return nil }
    let contested = passages(ofTextAt: PlainHistory.path).filter { !$0.others.isEmpty }
    let surplus = twins.hidden(in: SeenHistory(of: self).changes(of: heads))
      .filter { !$0.isOnOtherLine }.map(\.scalars)
      .filter { line in
        !line.isEmpty
          && !contested.contains {
            $0.raw.lowerBound <= line.upperBound && line.lowerBound <= $0.raw.upperBound
          }
      }
    if surplus.isEmpty { return nil }
    var result = self
    try result.record(time: time, message: PlainTwins.message) { (editor) throws(EditError) in
      let text = try editor.container(at: PlainHistory.path, .text)
      try Editor.performing(PlainHistory.path) { () throws(HistoryError) in
        try editor.editRaw { (editor) throws(HistoryError) in
          var start = Int.max
          for line in surplus.reversed() where line.lowerBound < start {
            // Two lines of one change may share a line feed.
            try editor.deleteText(line.lowerBound..<min(line.upperBound, start), from: text)
            start = line.lowerBound
          }
        }
      }
    }
    return result.shownLines.isSuperset(of: shownLines) ? result : nil
  }

  private func passages(ofTextAt path: JSONPointer) -> [TextPassage] {
    text(at: path).flatMap { file.passages[$0] } ?? []
  }

  /// The lines of a tracked file that say anything, those of all readings included.
  private var shownLines: Set<Substring> {
    let readings = conflicts.flatMap(\.others).map { side in
      if case .text(let text)? = side.node { text } else { "" }
    }
    return Set(([bodyText] + readings).flatMap { $0.split(separator: "\n") })
      .filter { PlainTwins.saysAnything($0.unicodeScalars) }
  }
}
