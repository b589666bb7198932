import Peernote

/// Lines of a content, with what differs from an earlier one in a style of its own.
struct ChangedWords {
  /// The most lines that are shown of one content.
  private static let limit = 2000

  /// The lines of a content.
  ///
  /// - Parameters:
  ///   - node: the content; `nil` for nothing.
  ///   - before: what it is compared with; `nil` to mark nothing.
  ///   - style: the style of what differs.
  /// - Returns: a row for each line.
  static func rows(
    of node: Node?, comparedWith before: Node?, _ style: Style = .green
  ) -> [ScreenRow] {
    guard let node else { return [ScreenRow("(nothing)", .yellow)] }
    let text = node.readableText
    if text.isEmpty { return [ScreenRow("(nothing)", .yellow)] }
    guard let before else { return rows(text, changed: []) }
    var changed: [Range<Int>] = []
    var shift = 0
    let splices = TextDifference(
      from: Array(before.readableText.utf8), to: Array(text.utf8)
    ).splices
    for splice in splices {
      let count = splice.inserted.unicodeScalars.count
      let start = splice.position + shift
      if count > 0 { changed.append(start..<start + count) }
      shift += count - splice.deleted
    }
    return rows(text, changed: changed, style)
  }

  private static func rows(
    _ text: String, changed: [Range<Int>], _ style: Style = .green
  ) -> [ScreenRow] {
    var rows: [ScreenRow] = []
    var pieces: [ScreenRow.Piece] = []
    var piece = String.UnicodeScalarView()
    var isChanged = false
    var ranges = changed[...]
    func add() {
      if piece.isEmpty { return }
      pieces.append(
        .init(text: safeForScreen(String(piece)), style: isChanged ? style : nil))
      piece = String.UnicodeScalarView()
    }
    for (index, scalar) in text.unicodeScalars.enumerated() {
      while let first = ranges.first, first.upperBound <= index { ranges.removeFirst() }
      let isNow = ranges.first?.contains(index) ?? false
      if isNow != isChanged { add() }
      isChanged = isNow
      if scalar == "\n" {
        add()
        rows.append(ScreenRow(pieces: pieces))
        pieces = []
        if rows.count == limit { return rows + [ScreenRow("(more lines)", .yellow)] }
      } else {
        piece.append(scalar)
      }
    }
    add()
    if !pieces.isEmpty || rows.isEmpty { rows.append(ScreenRow(pieces: pieces)) }
    return rows
  }
}
