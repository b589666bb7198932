import PeernoteJSON

/// What git's configuration says, from all files that apply.
struct GitConfiguration {
  /// Where `git install` sets values.
  enum Scope: String {
    case local
    case global

    /// What tells git to write there.
    var option: FileName { FileName("--\(rawValue)") }
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
  private var entries: [Entry] = []

  init(_ repository: GitRepository) throws(Failure) {
    let result = try repository.run(["config", "--null", "--show-scope", "--list"])
    if result.status != 0 { throw repository.refusal(["config", "--get", "pnmerge.none"]) }
    let pieces = result.output.splitAtNUL
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

  subscript(setting: GitSetting) -> Entry? { self[setting.rawValue] }

  /// Whether the driver that git runs leaves contested merges to a person.
  var isStrict: Bool { self[.driver]?.text.contains(" git driver --strict ") ?? false }

  /// The key of the list of those settings that had the values of `git install` before it was run.
  static let recordOfOthers = "pnmerge.kept"

  /// Whether what a setting has in one scope is from some version of `git install`, and so may be
  /// replaced or removed.
  ///
  /// That is a command that calls this program, and what belongs to one, unless it was there before.
  /// Earlier versions kept no record of that.
  func isOurs(_ setting: GitSetting, _ scope: Scope) -> Bool {
    let (command, call) = setting.command
    guard let entry = self[command.rawValue, scope], entry.value.range(of: call) != nil else {
      return false
    }
    let others = self[Self.recordOfOthers, scope]?.text.split(separator: " ") ?? []
    return !others.contains { $0 == setting.rawValue }
  }
}

/// What `git install` sets, by its key: what gives others their meaning stands before them.
enum GitSetting: String, CaseIterable {
  case driver = "merge.peernote.driver"
  case driverName = "merge.peernote.name"
  case textconv = "diff.peernote.textconv"
  case textCache = "diff.peernote.cachetextconv"
  case toolCommand = "mergetool.peernote.cmd"
  case toolTrust = "mergetool.peernote.trustexitcode"

  /// The name of the driver in attributes and configuration.
  static let name = "peernote"

  /// The setting that gives it its meaning, and how that calls this program in all versions.
  var command: (setting: GitSetting, call: String) {
    switch self {
    case .driver, .driverName: (.driver, " git driver ")
    case .textconv, .textCache: (.textconv, " git textconv ")
    case .toolCommand, .toolTrust: (.toolCommand, " git mergetool ")
    }
  }

  /// The value, given the program as a word for a shell.
  func value(_ program: [UInt8], isStrict: Bool) -> [UInt8] {
    switch self {
    case .driver:
      // git replaces what follows a percent sign. Without quotation marks: git quotes the path
      // itself, and a second pair would undo it.
      let operands = GitPlumbing.driver.operands.joined(separator: " ")
      return program.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
        + Array(" git driver \(isStrict ? "--strict " : "")-- \(operands)".utf8)
    case .driverName: return Array("Peernote documents".utf8)
    case .textconv:
      // git keeps the texts as long as this command stays the same, so it says which form they have:
      // a number for each form of the texts. Without the program the text has to
      // differ where the documents do.
      let rest =
        " git textconv -- \"$1\" 2>/dev/null || "
        + "{ echo \"\(Self.textWithoutProgram)\"; cksum < \"$1\"; }; }; f"
      return Array(": text 1; f() { ".utf8) + program + Array(rest.utf8)
    case .textCache, .toolTrust: return Array("true".utf8)
    case .toolCommand:
      return program + Array(" git mergetool -- \"$BASE\" \"$LOCAL\" \"$REMOTE\" \"$MERGED\"".utf8)
    }
  }

  /// What the text begins with where the program is not found.
  fileprivate static let textWithoutProgram = "(peernote; pnmerge not available)"

  /// Where git keeps the texts.
  static let textCacheReference = FileName("refs/notes/textconv/\(name)")
}

extension GitRepository {
  /// Whether git keeps texts of documents, or only such that it made without finding the program.
  func keepsTexts(withoutProgram: Bool) throws(Failure) -> Bool {
    let place = GitSetting.textCacheReference
    guard try name("rev-parse", "--verify", "--quiet", place) != nil else { return false }
    if !withoutProgram { return true }
    let text = FileName(GitSetting.textWithoutProgram)
    return try run(["grep", "--quiet", "--fixed-strings", "-e", text, place]).status == 0
  }
}
