import Peernote

/// Two readings of a text in one: what both have, and the words that only either has.
struct WordDifference {
  /// Whose words they are.
  enum Kind {
    case same
    case deleted
    case inserted
  }

  /// The words in order.
  private(set) var pieces: [(kind: Kind, text: String)] = []

  /// Compares two readings; without the earlier one nothing is marked.
  ///
  /// Near-linear.
  init(from old: String?, to new: String) {
    let old = old ?? new
    let scalars = old.unicodeScalars
    var start = scalars.startIndex
    var position = 0
    for splice in TextDifference(from: old, to: new).splices {
      let from = scalars.index(start, offsetBy: splice.position - position)
      add(.same, String(old[start..<from]))
      start = scalars.index(from, offsetBy: splice.deleted)
      position = splice.position + splice.deleted
      add(.deleted, String(old[from..<start]))
      add(.inserted, splice.inserted)
    }
    add(.same, String(old[start...]))
  }

  private mutating func add(_ kind: Kind, _ text: String) {
    if !text.isEmpty { pieces.append((kind, text)) }
  }

  /// The lines for a terminal: words in colours, or between signs where there are none.
  func lines(hasColor: Bool) -> [StyledLine] {
    var lines: [[StyledLine.Piece]] = [[]]
    for piece in pieces {
      let (start, end, style): (String, String, Style?) =
        switch piece.kind {
        case .same: ("", "", nil)
        case .deleted: hasColor ? ("", "", .deleted) : ("[-", "-]", nil)
        case .inserted: hasColor ? ("", "", .inserted) : ("{+", "+}", nil)
        }
      let parts = piece.text.splitAtLineFeeds(omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        if number > 0 { lines.append([]) }
        if part.isEmpty { continue }
        lines[lines.count - 1].append(.init(text: start + part + end, style: style))
      }
    }
    if lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { StyledLine($0) }
  }

  /// The words for a page.
  var html: HTML {
    var html = HTML()
    for piece in pieces {
      switch piece.kind {
      case .same: html += "\(piece.text)"
      case .deleted: html += "<del>\(piece.text)</del>"
      case .inserted: html += "<ins>\(piece.text)</ins>"
      }
    }
    return html
  }
}
