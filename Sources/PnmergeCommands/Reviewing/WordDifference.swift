import Peernote

/// Two readings of a text in one: what both have, and the words that only either has.
struct WordDifference {
  /// The words in order; those that only either has are deleted or inserted in style.
  private var pieces: [StyledLine.Piece] = []

  /// Compares two readings, near-linear; without the earlier one nothing is marked.
  init(from old: String?, to new: String) {
    let text = TextBuffer(old ?? new)
    var place = TextPlace()
    for edit in TextDifference(from: text.utf8, to: Array(new.utf8)).edits {
      let start = text.place(ofScalar: edit.deleted.lowerBound, from: place)
      add(text.string(from: place, to: start))
      place = text.place(ofScalar: edit.deleted.upperBound, from: start)
      add(text.string(from: start, to: place), .deleted)
      add(edit.inserted.string, .inserted)
    }
    add(text.string(from: place, to: text.end))
  }

  private mutating func add(_ text: String, _ style: Style? = nil) {
    if !text.isEmpty { pieces.append(.init(text: text, style: style)) }
  }

  /// The lines for a terminal: words in colours, or between signs where there are none.
  func lines(hasColor: Bool) -> [StyledLine] {
    var lines: [[StyledLine.Piece]] = [[]]
    for piece in pieces {
      let (start, end) =
        switch piece.style {
        case .deleted where !hasColor: ("[-", "-]")
        case .inserted where !hasColor: ("{+", "+}")
        default: ("", "")
        }
      let parts = piece.text.splitAtLineFeeds(omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        if number > 0 { lines.append([]) }
        if part.isEmpty { continue }
        lines[lines.count - 1].append(
          .init(text: start + part + end, style: hasColor ? piece.style : nil))
      }
    }
    if lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { StyledLine($0) }
  }

  var html: HTML {
    var html = HTML()
    for piece in pieces {
      switch piece.style {
      case .deleted: html += "<del>\(piece.text)</del>"
      case .inserted: html += "<ins>\(piece.text)</ins>"
      default: html += "\(piece.text)"
      }
    }
    return html
  }
}
