/// The values that `git install` sets.
struct GitSettings {
  /// The program as a word for a shell.
  let program: [UInt8]
  /// Whether the driver leaves contested merges to a person.
  var isStrict = false

  /// The name of the driver in attributes and configuration.
  static let name = "peernote"

  /// The form of ``TextConversion``'s texts; another one makes git forget those that it keeps.
  private static let textVersion = 1

  /// What the text begins with where the program is not found.
  static let textWithoutProgram = "(peernote; pnmerge not available)"

  /// Where git keeps the texts.
  static let textCacheReference = FileName("refs/notes/textconv/\(name)")

  enum Key {
    static let driver = "merge.peernote.driver"
    static let driverName = "merge.peernote.name"
    static let textconv = "diff.peernote.textconv"
    static let textCache = "diff.peernote.cachetextconv"
    static let toolCommand = "mergetool.peernote.cmd"
    static let toolTrust = "mergetool.peernote.trustexitcode"

    /// All, each with that of the command that gives it its meaning.
    static let all = [
      (driverName, driver), (driver, driver), (textconv, textconv), (textCache, textconv),
      (toolCommand, toolCommand), (toolTrust, toolCommand),
    ]
  }

  /// Each key with its value.
  var values: [(key: String, value: [UInt8])] {
    // git replaces what follows a percent sign in the driver's command.
    let escaped = program.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
    let operands = GitPlumbing.driver.operands.joined(separator: " ")
    return [
      (Key.driverName, Array("Peernote documents".utf8)),
      // Without quotation marks: git quotes the path itself, and a second pair would undo it.
      (
        Key.driver, escaped + Array(" git driver \(isStrict ? "--strict " : "")-- \(operands)".utf8)
      ),
      // git keeps the texts as long as this command stays the same, so it says which form they
      // have. Without the program the text has to differ where the documents do.
      (
        Key.textconv,
        Array(": text \(Self.textVersion); f() { ".utf8) + program
          + Array(
            (" git textconv -- \"$1\" 2>/dev/null || "
              + "{ echo \"\(Self.textWithoutProgram)\"; cksum < \"$1\"; }; }; f").utf8)
      ),
      (Key.textCache, Array("true".utf8)),
      (
        Key.toolCommand,
        program + Array(" git mergetool -- \"$BASE\" \"$LOCAL\" \"$REMOTE\" \"$MERGED\"".utf8)
      ),
      (Key.toolTrust, Array("true".utf8)),
    ]
  }

  /// Whether the driver that git runs leaves contested merges to a person.
  static func areStrict(_ configuration: GitConfiguration) -> Bool {
    configuration[Key.driver]?.text.contains(" git driver --strict ") ?? false
  }

  /// Whether a value was set by some version of `git install`, and so may be replaced or removed.
  static func isOurs(_ key: String, _ value: [UInt8]) -> Bool {
    let text = String(decoding: value, as: UTF8.self)
    switch key {
    case Key.driver: return text.contains(" git driver ")
    case Key.textconv: return text.contains(" git textconv ")
    case Key.toolCommand: return text.contains(" git mergetool ")
    default: return true
    }
  }
}
