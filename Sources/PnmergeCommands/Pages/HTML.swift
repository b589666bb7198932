import Peernote
import PeernoteJSON

/// A piece of a page in HTML, in which everything from outside is escaped.
///
/// Written as a string: what stands in the literal is markup, what is interpolated is text, which is
/// shown as it is and can be no markup, in elements and in attributes in double quotes. Characters
/// that would act on what is around them are shown by their numbers, as the terminal shows them.
struct HTML: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  typealias StringInterpolation = HTML

  /// In UTF-8.
  private(set) var bytes: [UInt8] = []

  init() {}

  init(stringLiteral markup: String) { bytes = Array(markup.utf8) }

  init(stringInterpolation: HTML) { self = stringInterpolation }

  init(literalCapacity: Int, interpolationCount: Int) {
    bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
  }

  var size: Int { bytes.count }

  static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }

  static func + (left: HTML, right: HTML) -> HTML {
    var both = left
    both += right
    return both
  }

  mutating func appendLiteral(_ markup: String) { bytes += markup.utf8 }

  /// Adds text, escaped.
  mutating func appendInterpolation(_ text: String) {
    for byte in visibleText(text, keeping: ["\n", "\t"]).utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
  }

  mutating func appendInterpolation(_ number: Int) { bytes += "\(number)".utf8 }

  mutating func appendInterpolation(_ piece: HTML) { bytes += piece.bytes }
}

extension HTML {
  /// The most bytes of what is the same that a page of texts takes.
  private static let sameLimit = 3_000_000

  /// A text as it reads now, with what it does not read any more, and unchanged lines folded: near-linear.
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
    let end = lines.starts.count - 1
    for part in shown + [(end..<end, HTML())] {
      // Unchanged lines: a few as they are, more of them folded.
      let same = line..<max(line, part.lines.lowerBound)
      let scalars = lines.scalars(ofLines: same)
      let isShown = html.size + size < sameLimit
      let text: HTML =
        isShown ? "<div class=\"text t\" dir=\"auto\">\(lines.text(scalars))</div>\n" : HTML()
      if !scalars.isEmpty {
        html +=
          same.count < 4 && isShown
          ? text : folded(counted(same.count, "line") + " as before", text, isOpen: isOpen)
      }
      html += part.html
      line = max(line, part.lines.upperBound)
    }
    return html
  }

  /// Something that is shown when it is asked for.
  static func folded(_ title: String, _ content: HTML, isOpen: Bool = false) -> HTML {
    content.size == 0
      ? "<p class=\"dim\">\(title)</p>\n"
      : "<details\(isOpen ? " open" : "")><summary>\(title)</summary>\n\(content)</details>\n"
  }
}
