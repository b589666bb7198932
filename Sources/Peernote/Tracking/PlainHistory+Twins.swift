extension PlainHistory {
  /// Takes lines out that came in more than once and were typed once, of which the file shows one;
  /// see `PlainTwins`.
  ///
  /// The file shows the same before and after, but for lines of which several machines took out each
  /// another one, so that none was shown any more: they are brought back. The changes that do so
  /// follow from those that are there. Nothing is done if the history has one head.
  ///
  /// - Returns: whether there were any.
  /// - Throws: ``DocumentError`` or ``EditError`` if the history takes more than the limits.
  @discardableResult
  public mutating func countTwinsOnce() throws -> Bool {
    guard document.heads.count > 1 else { return false }
    var twins = try PlainTwins(of: document)
    let counted = try document.countingOnce(twins)
    if let counted {
      try add(counted)
      twins = try PlainTwins(of: document)
    }
    let whole = try document.bringingBack(twins)
    if let whole { try add(whole) }
    return counted != nil || whole != nil
  }
}

extension Document {
  /// The document with lines that came in twice counted once; `nil` if there are none, or if that
  /// would hide anything.
  fileprivate func countingOnce(_ twins: PlainTwins) throws -> Document? {
    let contested = passages(ofTextAt: PlainHistory.path).filter { !$0.others.isEmpty }
    let surplus = twins.hidden(in: SeenHistory(of: self).changes(of: heads))
      .filter { !$0.isOnOtherLine }.map(\.scalars)
      .filter { line in
        !line.isEmpty
          && !contested.contains {
            $0.raw.lowerBound <= line.upperBound && line.lowerBound <= $0.raw.upperBound
          }
      }
    let result = try recordingCount { (editor, text) throws(HistoryError) in
      try editor.editRaw { (editor) throws(HistoryError) in
        var start = Int.max
        for line in surplus.reversed() where line.lowerBound < start {
          // Two lines of one change may share a line feed.
          try editor.deleteText(line.lowerBound..<min(line.upperBound, start), from: text)
          start = line.lowerBound
        }
      }
    }
    return result.flatMap { $0.shownLines.isSuperset(of: shownLines) ? $0 : nil }
  }

  /// The document with lines of which no twin is shown any more, as each was taken out by some
  /// change that knew of another one; `nil` if there are none.
  fileprivate func bringingBack(_ twins: PlainTwins) throws -> Document? {
    let shown = shownLines
    let lost = twins.counted(in: SeenHistory(of: self).changes(of: heads))
      .filter { !shown.contains(Substring($0.text)) }
    return try recordingCount { (editor, text) throws(HistoryError) in
      try editor.insert(lost, into: text)
    }
  }

  /// The document after a change that counts lines once; `nil` if it would change nothing.
  private func recordingCount(
    _ edit: (inout Editor, ContainerIndex) throws(HistoryError) -> Void
  ) throws -> Document? {
    guard let time = changes.map(\.time).max() else { return nil }
    var result = self
    try result.record(time: time, message: PlainTwins.message) { (editor) throws(EditError) in
      let text = try editor.container(at: PlainHistory.path, .text)
      try Editor.performing(PlainHistory.path) { () throws(HistoryError) in
        try edit(&editor, text)
      }
    }
    return result.heads == heads ? nil : result
  }

  private func passages(ofTextAt path: JSONPointer) -> [TextPassage] {
    text(at: path).flatMap { file.passages[$0] } ?? []
  }

  /// The lines of a tracked file that say anything, those of all readings included.
  private var shownLines: Set<Substring> {
    let readings = conflicts.flatMap(\.others).map { side in
      if case .text(let text)? = side.node { text } else { "" }
    }
    return Set(([bodyText] + readings).flatMap { $0.splitAtLineFeeds() })
      .filter { $0.unicodeScalars.sayAnything }
  }
}

extension Editor {
  /// Inserts lines into the text that is shown, each where one begins from its place on and nothing
  /// is contested, or else before that place.
  fileprivate mutating func insert(
    _ lines: [PlainTwins.Counted], into container: ContainerIndex
  ) throws(HistoryError) {
    let known = passages[container] ?? []
    let map = PassageMap(known)
    let contested = zip(known, map.shownRanges).filter { !$0.0.others.isEmpty }.map(\.1)
    let scalars = Array(shownText(of: container).string.unicodeScalars)
    func isFree(_ place: Int) -> Bool {
      (place == 0 || scalars[place - 1] == "\n")
        && !contested.contains { $0.lowerBound <= place && place <= $0.upperBound }
    }
    var inserted: [Int: String] = [:]
    for line in lines {
      let place = map.shown(ofRaw: line.place)
      let start =
        (place...scalars.count).first(where: isFree) ?? (0..<place).last(where: isFree)
      guard let start else { continue }
      inserted[start, default: ""] += line.text + "\n"
    }
    try editShown(
      container,
      inserted.sorted { $0.key < $1.key }.map {
        ShownEdit(deleted: $0.key..<$0.key, inserted: TextBuffer($0.value))
      })
  }
}
