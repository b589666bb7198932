/// A file that git left in conflict, with its versions in the index.
struct UnmergedFile {
  /// A version that one side has of the file.
  struct Version {
    /// The name of the object with its content.
    var object: String
    var kind: Kind
  }

  /// What git keeps under a name.
  enum Kind {
    case file
    case symbolicLink
    case submodule

    init(mode: String) {
      switch mode {
      case "120000": self = .symbolicLink
      case "160000": self = .submodule
      default: self = .file
      }
    }
  }

  /// The name from the top of the work tree.
  var path: FileName
  /// The ancestor, the current and the incoming version; `nil` where that side has no such file.
  var ancestor: Version?
  var current: Version?
  var incoming: Version?

  /// The names of the objects that are files' contents, each once.
  var objects: [String] {
    Array(
      Set([ancestor, current, incoming].compactMap { $0?.kind == .file ? $0?.object : nil })
    ).sorted()
  }
}

/// What is said of a tracked plain file that git left in conflict, or its history.
enum TrackedConflict {
  static let file = "git has left it in conflict; settle it, then 'git add' or 'git rm' it"
  static let history =
    "git has left its history in conflict, and a commit would lose one side; "
    + "'pnmerge git resolve' merges it"
}

extension GitRepository {
  /// The files in conflict, or those of them that some patterns match.
  ///
  /// Patterns are those of git, from the working directory.
  func unmergedFiles(_ patterns: [FileName]) throws(Failure) -> [UnmergedFile] {
    let options: [FileName] = ["ls-files", "--unmerged", "-z", "--full-name", "--"]
    // Without a pattern only what is below the working directory would be listed.
    let places = patterns.isEmpty ? [":/"] : patterns
    var files: [UnmergedFile] = []
    for (words, path) in try output(options + places).listedFiles {
      // "100644 <object> <stage>"
      let version = UnmergedFile.Version(
        object: words[1], kind: UnmergedFile.Kind(mode: words[0]))
      if files.last?.path != path { files.append(UnmergedFile(path: path)) }
      switch words[2] {
      case "1": files[files.count - 1].ancestor = version
      case "2": files[files.count - 1].current = version
      default: files[files.count - 1].incoming = version
      }
    }
    return files
  }
}
