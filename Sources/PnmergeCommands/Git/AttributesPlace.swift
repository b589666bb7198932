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
