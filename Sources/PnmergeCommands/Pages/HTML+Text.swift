import Peernote

extension HTML {
  /// The most bytes of what is the same that a page of texts takes.
  private static let sameLimit = 3_000_000

  /// A text as it reads now, with what it does not read any more, and unchanged lines folded.
  ///
  /// Near-linear.
  static func folded(
    from old: String, to new: String, below size: Int = 0, isOpen: Bool = false
  ) -> HTML {
    let changes = ChangedLines.find(from: old, to: new).map { change -> (Range<Int>, HTML) in
      let words = WordDifference(from: change.old, to: change.new)
      return (
        change.newLines,
        "<div class=\"change\"><div class=\"text\" dir=\"auto\">\(words.html)</div></div>\n"
      )
    }
    return text(TextLines(new), changes, below: size, isOpen: isOpen)
  }

  /// A text of which some lines, ascending, are shown otherwise, and the rest folded.
  static func text(
    _ lines: TextLines, _ shown: [(lines: Range<Int>, html: HTML)] = [], below size: Int = 0,
    isOpen: Bool = false
  ) -> HTML {
    var html = HTML()
    var line = 0
    /// Unchanged lines: a few as they are, more of them folded.
    func same(upTo end: Int) {
      let range = line..<max(line, end)
      let scalars = lines.scalars(ofLines: range)
      if scalars.isEmpty { return }
      let isShown = html.size + size < sameLimit
      let text: HTML =
        isShown ? "<div class=\"text t\" dir=\"auto\">\(lines.text(scalars))</div>\n" : HTML()
      html +=
        range.count < 4 && isShown
        ? text : folded(counted(range.count, "line") + " as before", text, isOpen: isOpen)
    }
    for part in shown {
      same(upTo: part.lines.lowerBound)
      html += part.html
      line = max(line, part.lines.upperBound)
    }
    same(upTo: lines.starts.count - 1)
    return html
  }

  /// Something that is shown when it is asked for.
  static func folded(_ title: String, _ content: HTML, isOpen: Bool = false) -> HTML {
    content.size == 0
      ? "<p class=\"dim\">\(title)</p>\n"
      : "<details\(isOpen ? " open" : "")><summary>\(title)</summary>\n\(content)</details>\n"
  }
}
