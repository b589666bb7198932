import Peernote

extension GitRepository {
  /// The attributes of files that matter to documents, by the files' names from the top of the work
  /// tree if there is one.
  func attributes(
    of files: [FileName], top: FileName?
  ) throws(Failure) -> [(file: FileName, attributes: [String: String])] {
    var found: [(file: FileName, attributes: [String: String])] = []
    for batch in Self.batches(of: files) {
      let pieces = try output(
        ["check-attr", "-z", "merge", "diff", "text", "filter", "--"] + batch, in: top
      ).splitAtNUL
      for index in stride(from: 0, to: pieces.count - 2, by: 3) {
        let file = FileName(bytes: pieces[index])
        if found.last?.file != file { found.append((file, [:])) }
        let name = String(decoding: pieces[index + 1], as: UTF8.self)
        found[found.count - 1].attributes[name] =
          String(decoding: pieces[index + 2], as: UTF8.self)
      }
    }
    return found
  }
}

/// The lines in a file of attributes that hand documents to the driver (gitattributes(5)).
///
/// The functions give what the file is to hold, and leave everything else in it as it is, so that
/// to add lines and remove them gives the same bytes again.
enum AttributesFile {
  /// The names of documents, as git matches them: of ours, and of other programs'.
  static let patterns = (["peernote"] + AutomergeCopy.endings).map { "*.\($0)" }

  private static let lineFeed = UInt8(ascii: "\n")

  /// The line for a pattern: no conversion of line ends, our merge driver, our text for
  /// comparisons.
  private static func line(_ pattern: String) -> String {
    "\(pattern) -text merge=\(GitSetting.name) diff=\(GitSetting.name)"
  }

  /// The patterns for which no line says all that ours would.
  static func missing(in bytes: [UInt8]) -> [String] {
    let lines = bytes.split(separator: lineFeed).map { line in
      line.split { " \t\r".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    return patterns.filter { pattern in
      let wanted = line(pattern).split(separator: " ").map { String($0) }
      return !lines.contains { $0.first == pattern && Set(wanted).isSubset(of: $0) }
    }
  }

  /// The file with a line for each of some patterns, the last one without an end if the file's has none.
  static func adding(_ patterns: [String], to bytes: [UInt8]) -> [UInt8] {
    let lines = patterns.map(line).joined(separator: "\n").utf8
    let isEnded = bytes.last ?? lineFeed == lineFeed
    return bytes + (isEnded ? lines + [lineFeed] : [lineFeed] + lines)
  }

  /// The file without the lines for some patterns; `nil` if it has none of them.
  static func removing(_ patterns: [String], from bytes: [UInt8]) -> [UInt8]? {
    var lines = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
    let count = lines.count
    for pattern in patterns {
      if let index = lines.lastIndex(where: { $0.elementsEqual(line(pattern).utf8) }) {
        lines.remove(at: index)
      }
    }
    return lines.count == count ? nil : Array(lines.joined(separator: [lineFeed]))
  }
}

/// A file of attributes that `git install` may write to.
///
/// The value of that key in the configuration is `created` or `added`, and the patterns whose lines
/// are ours; so `git uninstall` knows what is its to remove.
enum AttributesPlace: String {
  /// `.gitattributes` at the top of the work tree, which is committed and reaches all clones.
  case workTree = "pnmerge.worktreeattributes"
  /// `info/attributes` in the repository's own directory, for this clone alone.
  case repository = "pnmerge.infoattributes"
  /// The user's file for all repositories.
  case user = "pnmerge.userattributes"

  /// The file, as git finds it; `nil` if there is none, as without a work tree.
  func file(_ repository: GitRepository) throws(Failure) -> FileName? {
    switch self {
    case .workTree: return try repository.top?.appending(".gitattributes")
    case .repository: return try repository.path("info/attributes")
    case .user:
      if let file = try repository.name("config", "--type=path", "--get", "core.attributesFile") {
        return file
      }
      if let directory = repository.host.environment("XDG_CONFIG_HOME"), !directory.isEmpty {
        return FileName(bytes: directory).appending("git/attributes")
      }
      return repository.host.homeDirectory?.appending(".config/git/attributes")
    }
  }
}
