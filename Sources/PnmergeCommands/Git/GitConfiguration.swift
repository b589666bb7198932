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
