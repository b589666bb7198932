/// The attributes of one file that matter to documents.
struct GitAttributes {
  fileprivate var values: [String: String] = [:]

  static let names: [FileName] = ["merge", "diff", "text", "filter"]

  private subscript(name: String) -> String { values[name] ?? "unspecified" }

  /// What is wrong about them.
  func troubles(
    _ configuration: GitConfiguration
  ) -> [(state: GitCheckup.State, sentence: String)] {
    var troubles: [(GitCheckup.State, String)] = []
    let merge = self["merge"]
    let isDefault =
      merge == "unspecified" && configuration["merge.default"]?.text == GitSettings.name
    if merge != GitSettings.name, !isDefault {
      switch merge {
      case "unspecified", "unset":
        troubles.append(
          (.missing, "no attribute merge=peernote, so that the driver is not used"))
      case "set", "union":
        troubles.append((.danger, "the attribute merge=\(merge) merges documents by lines"))
      default:
        troubles.append((.danger, "the attribute merge=\(merge) names another driver"))
      }
    }
    switch self["text"] {
    case "unset": break
    case "set":
      troubles.append(
        (.danger, "the attribute text lets git convert line ends, which damages documents"))
    default:
      let converts = configuration["core.autocrlf"].map { $0.text != "false" } ?? false
      troubles.append(
        (
          converts ? .danger : .missing,
          "no attribute -text, so that only a zero byte keeps git from converting line ends"
        ))
    }
    if self["diff"] != GitSettings.name {
      troubles.append((.missing, "no attribute diff=peernote, so that no text is shown"))
    }
    if self["filter"] == "lfs" {
      troubles.append(
        (.danger, "Git LFS stores the document, so the driver cannot merge it"))
    }
    return troubles
  }
}

extension GitRepository {
  /// The attributes of files, by their names from the top of the work tree if there is one.
  func attributes(
    of files: [FileName], top: FileName?
  ) throws(Failure) -> [(file: FileName, attributes: GitAttributes)] {
    var found: [(file: FileName, attributes: GitAttributes)] = []
    for batch in Self.batches(of: files) {
      let pieces = try output(
        ["check-attr", "-z"] + GitAttributes.names + ["--"] + batch, in: top
      ).splitAtNUL
      for index in stride(from: 0, to: pieces.count - 2, by: 3) {
        let file = FileName(bytes: pieces[index])
        if found.last?.file != file { found.append((file, GitAttributes())) }
        let name = String(decoding: pieces[index + 1], as: UTF8.self)
        found[found.count - 1].attributes.values[name] =
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
  static func line(_ pattern: String) -> String {
    "\(pattern) -text merge=\(GitSettings.name) diff=\(GitSettings.name)"
  }

  /// The patterns that a file has no line for.
  static func missing(in bytes: [UInt8]) -> [String] {
    let lines = bytes.split(separator: lineFeed)
    return patterns.filter { pattern in !lines.contains { says($0, line(pattern)) } }
  }

  /// The file with a line for each of some patterns.
  ///
  /// Where the last line has no end, ours gets none either.
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

  /// Whether a line says all that another one says.
  private static func says(_ text: ArraySlice<UInt8>, _ other: String) -> Bool {
    let blanks: [UInt8] = Array(" \t\r".utf8)
    let words = text.split { blanks.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    let wanted = other.split(separator: " ").map { String($0) }
    return words.first == wanted.first && Set(wanted).isSubset(of: words)
  }
}

/// What `git install` did to a file of attributes, as the configuration keeps it: `created` or
/// `added`, and the patterns whose lines are ours.
///
/// Without patterns, as earlier versions wrote it, it is the line for `*.peernote`.
struct AttributesRecord {
  var isCreated: Bool
  var patterns: [String]

  init(isCreated: Bool) {
    self.isCreated = isCreated
    patterns = []
  }

  init(_ text: String) {
    let words = text.split(separator: " ").map { String($0) }
    isCreated = words.first == "created"
    patterns = words.count > 1 ? Array(words.dropFirst()) : ["*.peernote"]
  }

  var text: String { ([isCreated ? "created" : "added"] + patterns).joined(separator: " ") }
}

/// A file of attributes that `git install` may write to.
enum AttributesPlace: CaseIterable {
  /// `.gitattributes` at the top of the work tree, which is committed and reaches all clones.
  case workTree
  /// `info/attributes` in the repository's own directory, for this clone alone.
  case repository
  /// The user's file for all repositories.
  case user

  /// The value in the configuration that says that `git install` added the line, or created the
  /// file for it; so `git uninstall` knows whether the line is its to remove.
  var record: String {
    switch self {
    case .workTree: "pnmerge.worktreeattributes"
    case .repository: "pnmerge.infoattributes"
    case .user: "pnmerge.userattributes"
    }
  }

  /// Where ``record`` and the driver that goes with the attributes are set.
  var scope: GitConfiguration.Scope {
    switch self {
    case .workTree, .repository: .local
    case .user: .global
    }
  }

  /// The file; `nil` if there is none, as without a work tree.
  func file(_ repository: GitRepository) throws(Failure) -> FileName? {
    switch self {
    case .workTree: try repository.top?.appending(".gitattributes")
    case .repository: try repository.path("info/attributes")
    case .user: try repository.userAttributes
    }
  }
}

extension GitRepository {
  /// The user's file of attributes, as git finds it.
  fileprivate var userAttributes: FileName? {
    get throws(Failure) {
      let result = try run(["config", "--type=path", "--get", "core.attributesFile"])
      if result.status == 0, result.output.count > 1 {
        return FileName(bytes: result.output.dropLast())
      }
      if let directory = host.environment("XDG_CONFIG_HOME"), !directory.isEmpty {
        return FileName(bytes: directory).appending("git/attributes")
      }
      return host.homeDirectory?.appending(".config/git/attributes")
    }
  }
}
