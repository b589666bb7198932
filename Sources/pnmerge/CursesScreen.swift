import PnmergeCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal, by way of ncurses.
@safe final class CursesScreen: Screen {
  private let curses: Curses
  private let window: Curses.Object
  private var isOpen = true

  /// Takes the terminal; `nil` if it cannot be drawn on, or the library is missing.
  ///
  /// It draws where errors go, as results may go elsewhere.
  init?() {
    Self.chooseCharacters()
    guard let curses = Curses(), let output = unsafe fdopen(dup(STDERR_FILENO), "w"),
      let input = unsafe fdopen(dup(STDIN_FILENO), "r"),
      unsafe curses.newterm(nil, output, input) != nil
    else { return nil }
    let window = unsafe curses.newwin(0, 0, 0, 0)
    guard unsafe window != nil else {
      _ = curses.endwin()
      return nil
    }
    self.curses = curses
    unsafe self.window = window
    // Ctrl-C and Ctrl-Z are keys, so that nothing that was decided is lost.
    _ = curses.raw()
    _ = curses.noecho()
    unsafe _ = curses.takesKeypad(window, true)
    _ = curses.setCursor(0)
    _ = curses.setEscapeDelay(50)
    if curses.startColor() == 0 {
      _ = curses.useDefaultColors()
      for (number, style) in Self.colors.enumerated() {
        _ = curses.initPair(Int16(number + 1), style.color, -1)
      }
    }
  }

  /// Has characters beyond ASCII written as UTF-8.
  private static func chooseCharacters() {
    unsafe setlocale(LC_CTYPE, "")
    if unsafe String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
      unsafe setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  private static let colors: [(style: Style, color: Int16)] = [
    (.red, 1), (.green, 2), (.yellow, 3), (.cyan, 6),
  ]

  // MARK: Showing

  var size: ScreenSize {
    unsafe ScreenSize(rows: Int(curses.rows(window)), columns: Int(curses.columns(window)))
  }

  func columns(of character: Character) -> Int {
    // What combines with a character takes none; a flag or a family is as wide as its first part.
    let widths = character.unicodeScalars.map { Int(curses.width(Int32($0.value))) }
    return max(widths.max() ?? 1, 0)
  }

  func show(_ rows: [ScreenRow]) {
    unsafe _ = curses.erase(window)
    for (number, row) in rows.enumerated() {
      unsafe _ = curses.move(window, Int32(number), 0)
      for piece in row.pieces {
        unsafe _ = curses.setAttributes(window, Self.attributes(of: piece))
        unsafe _ = piece.text.withCString { unsafe curses.add(window, $0, -1) }
      }
    }
    unsafe _ = curses.setAttributes(window, 0)
    unsafe _ = curses.refresh(window)
  }

  private static func attributes(of piece: ScreenRow.Piece) -> Int32 {
    var attributes = piece.isReversed ? Curses.Number.reverse : 0
    switch piece.style {
    case .bold: attributes |= Curses.Number.bold
    case .red, .green, .yellow, .cyan:
      let number = colors.firstIndex { $0.style == piece.style } ?? 0
      // Those who see no colours see the weight.
      attributes |= Curses.Number.pair(Int32(number + 1)) | Curses.Number.bold
    case nil: break
    }
    return attributes
  }

  // MARK: Keys

  func readKey() -> ScreenKey {
    while true {
      var code: UInt32 = 0
      errno = 0
      let kind = unsafe curses.get(window, &code)
      if kind == Curses.Number.error {
        if errno == EINTR { continue }
        return .closed
      }
      if kind == Curses.Number.keyCode {
        if let key = Self.keys[code] { return key }
        continue
      }
      switch code {
      case 3: return .interrupt
      case 10, 13: return .enter
      case 8, 127: return .backspace
      case 26: stop()
      case 27: return .escape
      default:
        guard code >= 32, let scalar = Unicode.Scalar(code) else { continue }
        return .character(Character(scalar))
      }
    }
  }

  /// What the library's codes of keys stand for.
  private static let keys: [UInt32: ScreenKey] = [
    0o402: .down, 0o403: .up, 0o404: .left, 0o405: .right, 0o406: .home, 0o407: .backspace,
    0o522: .pageDown, 0o523: .pageUp, 0o527: .enter, 0o550: .end, 0o632: .resized,
  ]

  /// Stops the program, with those it runs among, until the shell has it go on.
  private func stop() {
    leave { _ = kill(0, SIGTSTP) }
  }

  func leave(_ body: () -> Void) {
    _ = curses.endwin()
    body()
    unsafe _ = curses.clearsFirst(window, true)
    unsafe _ = curses.refresh(window)
  }

  func close() {
    if isOpen { _ = curses.endwin() }
    isOpen = false
  }
}

extension SystemHost {
  func openScreen() -> (any Screen)? {
    guard isTerminal(.input), isTerminal(.error),
      let name = environment("TERM"), !name.isEmpty, name != Array("dumb".utf8)
    else { return nil }
    return CursesScreen()
  }
}
