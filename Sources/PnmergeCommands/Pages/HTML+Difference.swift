import Peernote

extension HTML {
  /// A text, with what it has that an earlier one had not as an insertion.
  ///
  /// Near-linear.
  static func marked(_ text: String, since earlier: String) -> HTML {
    differing(from: earlier, to: text, showsDeleted: false)
  }

  /// Two readings of a passage in one, with what was deleted and what was inserted.
  ///
  /// Near-linear.
  static func difference(from old: String, to new: String) -> HTML {
    differing(from: old, to: new, showsDeleted: true)
  }

  private static func differing(
    from old: String, to new: String, showsDeleted: Bool
  ) -> HTML {
    var html = HTML()
    let scalars = old.unicodeScalars
    var start = scalars.startIndex
    var position = 0
    for splice in TextDifference(from: old, to: new).splices {
      let from = scalars.index(start, offsetBy: splice.position - position)
      html.add(String(old[start..<from]))
      start = scalars.index(from, offsetBy: splice.deleted)
      position = splice.position + splice.deleted
      let deleted = String(old[from..<start])
      let deletion: HTML = deleted.isEmpty || !showsDeleted ? HTML() : "<del>\(deleted)</del>"
      let insertion: HTML = splice.inserted.isEmpty ? HTML() : "<ins>\(splice.inserted)</ins>"
      html += splice.insertsBeforeDeleted ? insertion : deletion
      html += splice.insertsBeforeDeleted ? deletion : insertion
    }
    html.add(String(old[start...]))
    return html
  }

  /// A text that may be long, cut, and how much is missing.
  static func cut(_ text: String, to limit: Int) -> (text: String, note: HTML) {
    guard text.utf8.count > limit else { return (text, HTML()) }
    // Of a long row of combining marks no character ends in time.
    let start = String(text.unicodeScalars.prefix(limit))
    let rest = text.unicodeScalars.count - start.unicodeScalars.count
    if rest == 0 { return (text, HTML()) }
    return (start, "<p class=\"dim\">and \(counted(rest, "more character"))</p>")
  }
}
