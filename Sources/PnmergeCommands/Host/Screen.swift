/// A terminal as a grid of characters, which one program fills as a whole.
///
/// `pnmerge` brings the real one, tests one that remembers what it was shown.
package protocol Screen: AnyObject {
  /// How many rows and columns there are now.
  var size: ScreenSize { get }

  /// How many columns a character takes: none, one or two.
  func columns(of character: Character) -> Int

  /// Shows these rows, and nothing below them.
  ///
  /// No row is wider than the screen.
  func show(_ rows: [ScreenRow])

  /// Waits for a key.
  func readKey() -> ScreenKey

  /// Gives the terminal back while something else uses it.
  func leave(_ body: () -> Void)

  /// Gives the terminal back for good.
  func close()
}

/// How large a screen is.
package struct ScreenSize: Hashable, Sendable {
  package var rows: Int
  package var columns: Int

  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}

/// What was typed, or happened, at a screen.
package enum ScreenKey: Hashable, Sendable {
  /// A character.
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// The screen has another size.
  case resized
  /// Ctrl-C.
  case interrupt
  /// There is no terminal any more.
  case closed
}

/// A row of a screen: pieces of text, each in one style.
package struct ScreenRow: Hashable, Sendable {
  /// A part of a row.
  package struct Piece: Hashable, Sendable {
    package var text: String
    /// How it is shown; `nil` for plain text.
    package var style: Style?
    /// Whether foreground and background change places.
    package var isReversed = false
  }

  /// The row from left to right.
  package var pieces: [Piece]

  /// A row of pieces that are safe to show.
  init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// What the row says, without styles.
  package var text: String { pieces.map(\.text).joined() }
}
