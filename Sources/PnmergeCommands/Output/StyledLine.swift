/// A line for people: pieces of text, some of which have a style.
///
/// ``Console`` escapes each piece when it shows the line, so that no piece can act on a terminal or
/// take on a style of its own, wherever its text is from. Written as a string in which an
/// interpolation may have a style: `"\(path, .bold)  \(sentence)"`.
package struct StyledLine: ExpressibleByStringInterpolation {
  /// A part of the line.
  struct Piece {
    var text: String
    /// How it is shown; `nil` for plain text.
    var style: Style?
  }

  /// The line from left to right.
  private(set) var pieces: [Piece]

  /// A line of pieces.
  init(_ pieces: [Piece]) {
    self.pieces = pieces
  }

  /// A line in one style.
  package init(_ text: String, _ style: Style? = nil) {
    pieces = [Piece(text: text, style: style)]
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
  }

  /// Collects the pieces of a line.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ text: String) {
      pieces.append(Piece(text: text, style: nil))
    }

    package mutating func appendInterpolation(_ text: String, _ style: Style? = nil) {
      pieces.append(Piece(text: text, style: style))
    }
  }
}
