#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of the system's ncurses library for wide characters that a screen needs.
///
/// The library is loaded when a screen is opened, so that no other command pays for it; where it is
/// missing there is no screen. Names and types are those of curses(3).
@safe struct Curses {
  /// A window or a screen of the library.
  typealias Object = OpaquePointer?
  typealias Plain = @convention(c) () -> Int32
  typealias OfNumber = @convention(c) (Int32) -> Int32
  typealias OfWindow = @convention(c) (Object) -> Int32
  typealias OfWindowAndFlag = @convention(c) (Object, Bool) -> Int32
  typealias OfWindowAndNumber = @convention(c) (Object, Int32) -> Int32

  let newterm:
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<FILE>?, UnsafeMutablePointer<FILE>?
    ) -> Object
  let newwin: @convention(c) (Int32, Int32, Int32, Int32) -> Object
  let initPair: @convention(c) (Int16, Int16, Int16) -> Int32
  let move: @convention(c) (Object, Int32, Int32) -> Int32
  let add: @convention(c) (Object, UnsafePointer<CChar>?, Int32) -> Int32
  let get: @convention(c) (Object, UnsafeMutablePointer<UInt32>?) -> Int32
  let endwin, raw, noecho, startColor, useDefaultColors: Plain
  let setCursor, setEscapeDelay: OfNumber
  /// How many columns a scalar takes; a function of the C library.
  let width: OfNumber
  let rows, columns, erase, refresh: OfWindow
  let takesKeypad, clearsFirst: OfWindowAndFlag
  let setAttributes: OfWindowAndNumber

  /// Where the library is looked for.
  private static let names = ["libncursesw.so.6", "libncursesw.so", "/usr/lib/libncurses.dylib"]

  /// Loads the library; `nil` if it is not there, or lacks something.
  init?() {
    let library = unsafe Self.names.lazy.compactMap { unsafe dlopen($0, RTLD_NOW) }.first
    guard let library = unsafe library else { return nil }
    func function<Function>(_ name: String) -> Function? {
      guard let symbol = unsafe dlsym(library, name) else { return nil }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
    guard
      let newterm = unsafe function("newterm")
        as (
          @convention(c) (
            UnsafePointer<CChar>?, UnsafeMutablePointer<FILE>?, UnsafeMutablePointer<FILE>?
          ) -> Object
        )?,
      let newwin = unsafe function("newwin")
        as (@convention(c) (Int32, Int32, Int32, Int32) -> Object)?,
      let initPair = function("init_pair") as (@convention(c) (Int16, Int16, Int16) -> Int32)?,
      let move = unsafe function("wmove") as (@convention(c) (Object, Int32, Int32) -> Int32)?,
      let add = unsafe function("waddnstr")
        as (@convention(c) (Object, UnsafePointer<CChar>?, Int32) -> Int32)?,
      let get = unsafe function("wget_wch")
        as (@convention(c) (Object, UnsafeMutablePointer<UInt32>?) -> Int32)?,
      let endwin = function("endwin") as Plain?, let raw = function("raw") as Plain?,
      let noecho = function("noecho") as Plain?,
      let startColor = function("start_color") as Plain?,
      let useDefaultColors = function("use_default_colors") as Plain?,
      let setCursor = function("curs_set") as OfNumber?,
      let setEscapeDelay = function("set_escdelay") as OfNumber?,
      let width = function("wcwidth") as OfNumber?,
      let rows = unsafe function("getmaxy") as OfWindow?,
      let columns = unsafe function("getmaxx") as OfWindow?,
      let erase = unsafe function("werase") as OfWindow?,
      let refresh = unsafe function("wrefresh") as OfWindow?,
      let takesKeypad = unsafe function("keypad") as OfWindowAndFlag?,
      let clearsFirst = unsafe function("clearok") as OfWindowAndFlag?,
      let setAttributes = unsafe function("wattrset") as OfWindowAndNumber?
    else { return nil }
    unsafe self.newterm = newterm
    unsafe self.newwin = newwin
    self.initPair = initPair
    unsafe self.move = move
    unsafe self.add = add
    unsafe self.get = get
    (self.endwin, self.raw, self.noecho) = (endwin, raw, noecho)
    (self.startColor, self.useDefaultColors) = (startColor, useDefaultColors)
    (self.setCursor, self.setEscapeDelay, self.width) = (setCursor, setEscapeDelay, width)
    unsafe (self.rows, self.columns, self.erase, self.refresh) = (rows, columns, erase, refresh)
    unsafe (self.takesKeypad, self.clearsFirst) = (takesKeypad, clearsFirst)
    unsafe self.setAttributes = setAttributes
  }
}

extension Curses {
  /// Numbers of the library's binary interface.
  enum Number {
    static let keyCode: Int32 = 0o400
    static let error: Int32 = -1
    static let bold: Int32 = 1 << 21
    static let reverse: Int32 = 1 << 18

    /// A pair of colours as an attribute.
    static func pair(_ number: Int32) -> Int32 { number << 8 }
  }
}
