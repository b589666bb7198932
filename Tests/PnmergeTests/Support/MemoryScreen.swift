import PnmergeCommands

/// A screen that remembers what it was shown, and gets its keys from a list.
final class MemoryScreen: Screen {
  var size: ScreenSize
  /// What is typed, in order; then the terminal is gone.
  var keys: [ScreenKey]
  /// All that was shown, oldest first.
  private(set) var shown: [[ScreenRow]] = []
  private(set) var isOpen = true
  /// How often the terminal was given back for a while.
  private(set) var leaveCount = 0

  init(rows: Int, columns: Int, _ keys: [ScreenKey] = []) {
    size = ScreenSize(rows: rows, columns: columns)
    self.keys = keys
  }

  /// What is typed, as text: a character a key, `\n` for the enter key, `\u{3}` for Ctrl-C.
  convenience init(rows: Int = 24, columns: Int = 80, typing text: String) {
    self.init(
      rows: rows, columns: columns,
      text.map { character in
        switch character {
        case "\n": .enter
        case "\u{3}": .interrupt
        case "\u{1B}": .escape
        default: .character(character)
        }
      })
  }

  /// East Asian characters take two columns, what combines none.
  func columns(of character: Character) -> Int { Self.columns(of: character) }

  static func columns(of character: Character) -> Int {
    character.unicodeScalars.map { scalar in
      if scalar.properties.generalCategory == .nonspacingMark { return 0 }
      return (0x1100...0xFFDC).contains(scalar.value) && scalar.properties.isIdeographic ? 2 : 1
    }.max() ?? 1
  }

  func show(_ rows: [ScreenRow]) { shown.append(rows) }
  func readKey() -> ScreenKey { keys.isEmpty ? .closed : keys.removeFirst() }
  func leave(_ body: () -> Void) {
    leaveCount += 1
    body()
  }
  func close() { isOpen = false }

  /// What stood on the screen at a time, as text.
  func text(_ index: Int) -> String { shown[index].map(\.text).joined(separator: "\n") }
  /// All that was ever shown.
  var allText: String { shown.indices.map(text).joined(separator: "\n") }
}
