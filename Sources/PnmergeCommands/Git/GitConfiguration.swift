import PeernoteJSON

/// What git's configuration says, from all files that apply.
struct GitConfiguration {
  /// Where a value is set.
  enum Scope: String {
    case local
    case global

    /// What tells git to write there.
    fileprivate var option: FileName { FileName("--\(rawValue)") }
  }

  /// A value that is set somewhere.
  struct Entry {
    /// `local`, `global`, `system`, `worktree` or `command`.
    var scope: String
    /// Section and name in lower case, what is between them as it is written.
    var key: String
    var value: [UInt8]

    /// The value for people.
    var text: String { visibleText(of: value) }
  }

  /// All values; where one key has several, the last one counts.
  private(set) var entries: [Entry] = []

  init(_ repository: GitRepository) throws(Failure) {
    let pieces = try repository.configuration().splitAtNUL
    for index in stride(from: 0, to: pieces.count - 1, by: 2) {
      let line = pieces[index + 1]
      let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
      // A key without a value means true.
      let value = end < line.endIndex ? Array(line[(end + 1)...]) : Array("true".utf8)
      entries.append(
        Entry(
          scope: String(decoding: pieces[index], as: UTF8.self),
          key: String(decoding: line[..<end], as: UTF8.self), value: value))
    }
  }

  /// The value that counts.
  subscript(key: String) -> Entry? { entries.last { $0.key == key } }

  /// The value that is set in one scope.
  subscript(key: String, scope: Scope) -> Entry? {
    entries.last { $0.key == key && $0.scope == scope.rawValue }
  }
}

extension GitRepository {
  /// Sets a value.
  func set(_ key: String, _ value: [UInt8], in scope: GitConfiguration.Scope) throws(Failure) {
    _ = try output(["config", scope.option, FileName(key), FileName(bytes: value)])
  }

  /// Removes a value that is set.
  func unset(_ key: String, in scope: GitConfiguration.Scope) throws(Failure) {
    _ = try output(["config", scope.option, "--unset-all", FileName(key)])
  }

  /// Whether git keeps texts of documents.
  var keepsTexts: Bool {
    get throws(Failure) {
      try name("rev-parse", "--verify", "--quiet", GitSettings.textCacheReference) != nil
    }
  }

  /// Whether git keeps texts that it made without finding the program.
  var keepsTextsWithoutProgram: Bool {
    get throws(Failure) {
      guard try keepsTexts else { return false }
      let text = FileName(GitSettings.textWithoutProgram)
      let command: [FileName] = ["grep", "--quiet", "--fixed-strings", "-e", text]
      return try run(command + [GitSettings.textCacheReference]).status == 0
    }
  }
}

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

    /// Each with that of the command that gives it its meaning, which stands before what belongs to
    /// it.
    static let commands: KeyValuePairs = [
      driver: driver, driverName: driver, textconv: textconv, textCache: textconv,
      toolCommand: toolCommand, toolTrust: toolCommand,
    ]
  }

  /// Each key with its value, in the order of ``Key/commands``.
  var values: [(key: String, value: [UInt8])] {
    // git replaces what follows a percent sign in the driver's command.
    let escaped = program.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
    let operands = GitPlumbing.driver.operands.joined(separator: " ")
    return [
      // Without quotation marks: git quotes the path itself, and a second pair would undo it.
      (
        Key.driver, escaped + Array(" git driver \(isStrict ? "--strict " : "")-- \(operands)".utf8)
      ),
      (Key.driverName, Array("Peernote documents".utf8)),
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

  /// The words by which the commands that some version of `git install` set are known.
  fileprivate static let calls = [
    Key.driver: " git driver ", Key.textconv: " git textconv ",
    Key.toolCommand: " git mergetool ",
  ]
}

extension GitConfiguration {
  /// The key of the list of those keys that had the values of `git install` before it was run.
  static let recordOfOthers = "pnmerge.kept"

  /// Whether what a key of `git install` has in one scope is from some version of it, and so may be
  /// replaced or removed.
  ///
  /// That is a command that calls this program, and what belongs to one, unless it was there before.
  /// Earlier versions kept no record of that.
  func isOurs(_ key: String, _ scope: Scope) -> Bool {
    guard let command = GitSettings.Key.commands.first(where: { $0.key == key })?.value,
      let call = GitSettings.calls[command], let entry = self[command, scope],
      entry.value.range(of: call) != nil
    else { return false }
    let others = self[Self.recordOfOthers, scope]?.text.split(separator: " ") ?? []
    return !others.contains { $0 == key }
  }
}
