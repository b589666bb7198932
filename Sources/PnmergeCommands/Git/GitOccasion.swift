/// What git calls the versions of a file that it wants merged: `%S`, `%X` and `%Y`, which git knows
/// from version 2.44 on.
struct MergeLabels {
  var ancestor: String
  var current: String
  var incoming: String

  /// The labels; `nil` if git left the placeholders as they are, since it does not know them.
  init?(ancestor: FileName, current: FileName, incoming: FileName) {
    guard ancestor != FileName("%S") else { return nil }
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

  /// Whether a commit is picked, a stash applied, or edits are taken along to another branch.
  var areOfPick: Bool {
    ancestor.hasPrefix("parent of ")
      || [ancestor, current, incoming] == ["Stash base", "Updated upstream", "Stashed changes"]
      || [ancestor, current, incoming] == ["old branch", "new branch", "local"]
  }
}

/// On what occasion git asks for the merge of one file, as far as that can be known for certain.
///
/// It matters only where the current version lacks changes that the ancestor and the incoming
/// version have. In a merge of branches the current branch took them back; where a commit is
/// picked, a stash applied or the branch switched (`switch -m`) the current branch may never have
/// had them, though `HEAD` may: while branches are switched it still names the old one, in
/// `merge-tree` any branch at all.
struct GitOccasion {
  let repository: GitRepository
  /// What the current branch had under the file's name.
  let history: BranchHistory
  /// The file's name from the top of the work tree.
  var path: FileName
  /// The names of the versions' objects; `nil` for an ancestor that is not there.
  var ancestor: String?
  var current: String
  var incoming: String
  /// Whether branches are known to be merged, or two ancestors of those that somebody merges.
  var isMerge = false
  /// What git calls the versions, if it says so.
  var labels: MergeLabels?
  /// Whether this is a git that has no labels, and not only a configuration that does not ask for
  /// them.
  var hasNoLabels = false
  /// Whether git has left the file in conflict, so that the files are there that say of what.
  var hasStopped = false

  /// Whether changes are certainly picked, by any of the commands that do so.
  ///
  /// Runs git a few times.
  func isPick() throws(Failure) -> Bool {
    if try isMergeOfBranches() { return false }
    if let labels { return labels.areOfPick }
    // Of an older git only merges of branches, which say so, change the index in another way.
    if hasNoLabels { return true }
    for commit in ["CHERRY_PICK_HEAD", "REBASE_HEAD"] {
      if try repository.commit(commit, holds: incoming, at: path) { return true }
    }
    return try isNoMerge()
  }

  /// Whether one commit is certainly picked or reverted, or a stash applied.
  ///
  /// Runs git a few times.
  func isOneCommit() throws(Failure) -> Bool {
    if try isMergeOfBranches() { return false }
    if let labels { return labels.areOfOneCommit || labels.areOfPick }
    if hasNoLabels { return true }
    return try isNoMerge()
  }

  /// Whether git has left a conflict of something that is certainly no merge: `stash pop`,
  /// `switch -m`, `apply -3`, and picks and reverts that it stopped in.
  private func isNoMerge() throws(Failure) -> Bool {
    guard hasStopped else { return false }
    return try !repository.isSquashing
  }

  /// Whether changes are certainly picked, and not by a rebase.
  ///
  /// Runs git a few times.
  func isPickByHand() throws(Failure) -> Bool {
    guard try isPick() else { return false }
    return try !repository.isRebasing
  }

  /// Whether the current branch certainly took back what its version lacks of the ancestor's.
  ///
  /// Runs git a few times.
  func currentBranchTookBack() throws(Failure) -> Bool {
    if try isMergeOfBranches() { return true }
    guard let ancestor, try history.holds(current, at: path) else { return false }
    return try history.had(ancestor, at: path)
  }

  /// Whether this is certainly a merge of branches.
  private func isMergeOfBranches() throws(Failure) -> Bool {
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

extension ThreeWayMerge.Occasion {
  /// What can be known by asking git.
  init(_ occasion: @escaping () throws(Failure) -> GitOccasion) {
    self.init { () throws(Failure) in
      try occasion().isPick()
    } currentBranchTookBack: { () throws(Failure) in
      try occasion().currentBranchTookBack()
    } isOneCommit: { () throws(Failure) in
      try occasion().isOneCommit()
    } isPickByHand: { () throws(Failure) in
      try occasion().isPickByHand()
    }
  }
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
    let result = try run(["rev-parse", "--verify", "--quiet"].map { FileName($0) } + [name])
    if result.status == 0 {
      return String(decoding: result.output.dropLast(), as: UTF8.self) == object
    }
    return try objects(of: commit).values.contains(Array(object.utf8))
  }

  /// The name that a file's content has as an object.
  func object(_ file: FileName) throws(Failure) -> String {
    let command = ["hash-object", "--no-filters", "--"].map { FileName($0) }
    return String(decoding: try output(command + [file]).dropLast(), as: UTF8.self)
  }
}
