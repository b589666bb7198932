/// What git calls the versions of a file that it wants merged: `%S`, `%X` and `%Y`, which git knows
/// from version 2.44 on.
struct MergeLabels {
  var ancestor: String
  var current: String
  var incoming: String

  /// The labels; `nil` if git left the placeholders as they are, since it does not know them.
  init?(ancestor: FileName, current: FileName, incoming: FileName) {
    guard ancestor != "%S" else { return nil }
    self.ancestor = ancestor.visible
    self.current = current.visible
    self.incoming = incoming.visible
  }

  /// Whether the versions are ancestors that git merges first since two branches have several.
  var areOfAncestors: Bool {
    current == "Temporary merge branch 1" && incoming == "Temporary merge branch 2"
  }

  /// Whether the ancestor is called as where branches are merged: by the abbreviated name of a
  /// commit alone, or by what git says where there are several or none.
  var haveBranchesAncestor: Bool {
    ["merged common ancestors", "empty tree"].contains(ancestor)
      || ancestor.utf8.count >= 4
        && ancestor.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// Whether a commit is picked or reverted.
  var areOfOneCommit: Bool {
    [ancestor, incoming].contains { $0.hasPrefix("parent of ") }
  }
}

/// On what occasion git asks for the merge of one file, as far as that can be known for certain.
///
/// It matters only where not the union of two versions is wanted: where branches are merged the
/// history of both belongs in the result, and where a commit is picked or reverted that of the
/// current one.
struct GitOccasion {
  let repository: GitRepository
  /// The file's name from the top of the work tree.
  var path: FileName
  /// The name of the incoming version's object.
  var incoming: String
  /// Whether branches are known to be merged, or two ancestors of those that somebody merges.
  var isMerge = false
  /// What git calls the versions, if it says so.
  var labels: MergeLabels?
  /// Whether this is a git that has no labels, and not only a configuration that does not ask for
  /// them.
  var hasNoLabels = false

  /// Whether this is certainly a merge of branches.
  ///
  /// Runs git a few times.
  func isMergeOfBranches() throws(Failure) -> Bool {
    if isMerge || labels?.areOfAncestors ?? false { return true }
    if let labels {
      // `merge-tree` and `log --remerge-diff` do not touch the index, and neither does `replay`,
      // which picks. The labels of `switch -m` are those of a merge but for the current one.
      if try !repository.isIndexLocked { return !labels.areOfOneCommit }
      if labels.haveBranchesAncestor, labels.current == "HEAD" { return true }
    } else {
      // A git that can `replay` has labels.
      if hasNoLabels, try !repository.isIndexLocked { return true }
      // Hooks inherit what a merge says of itself, and so do the commands in them.
      for name in repository.host.environmentNames(beginningWith: Self.variable) {
        let commit = String(name.dropFirst(Self.variable.utf8.count))
        if try repository.commit(commit, holds: incoming, at: path) { return true }
      }
    }
    guard try repository.isMergingBranches else { return false }
    return try repository.commit("MERGE_HEAD", holds: incoming, at: path)
  }

  /// What `git merge` says of the branches that it merges, by the names of their commits.
  private static let variable = "GITHEAD_"
}

extension GitRepository {
  /// Whether git is about to change the index of the work tree.
  fileprivate var isIndexLocked: Bool {
    get throws(Failure) {
      let lock = FileName(bytes: try path("index").bytes + Array(".lock".utf8))
      return (try? host.identity(of: lock, followingLinks: false)) != nil
    }
  }

  /// Whether a commit has an object under a name, or under another if a branch renamed the file.
  fileprivate func commit(_ commit: String, holds object: String, at path: FileName) throws(Failure)
    -> Bool
  {
    let name = FileName(bytes: Array("\(commit):".utf8) + path.bytes)
    let result = try run(["rev-parse", "--verify", "--quiet", name])
    if result.status == 0 {
      return String(decoding: result.output.dropLast(), as: UTF8.self) == object
    }
    let tree = try run(["ls-tree", "-r", "-z", "--full-tree", FileName(commit)])
    // "100644 blob <object>"
    return tree.status == 0 && tree.output.listedFiles.contains { $0.words[2] == object }
  }

  /// The name that a file's content has as an object.
  func object(_ file: FileName) throws(Failure) -> String {
    let name = try output(["hash-object", "--no-filters", "--", file]).dropLast()
    return String(decoding: name, as: UTF8.self)
  }
}
