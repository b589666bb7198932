import Peernote

/// Tells whose the sides of a conflict are: mine is what a file held before it was last merged on
/// this machine, which is kept for `undo`, or by git, which has it in the index or in a commit.
struct SideOwners {
  let file: FileName
  /// The document's identity.
  let id: UniqueID
  let invocation: Invocation

  /// The file as it was before it was last merged on this machine; throws if no merge of it is
  /// known.
  func beforeMerge() throws(Failure) -> Document {
    let target = try invocation.host.target(of: file)
    if let current = byGit(target, [":2"]) { return current }
    let backups = try Backups(of: id, host: invocation.host)
    let entry = try backups.entries().first { $0.file == target && $0.action == .merge }
    if let entry {
      let kept = backups.file(of: entry)
      return try invocation.parseDocument(invocation.readBytes(kept), from: kept)
    }
    let commits = (try? earlierCommits(in: target.directory)) ?? []
    if let old = byGit(target, ["HEAD"] + commits) { return old }
    throw Failure(
      .usage, file: file,
      "nothing on this machine tells which side was yours; name a change as 'conflicts' does")
  }

  /// Whose the sides are where that is easily mistaken; `nil` elsewhere.
  var hint: String? {
    guard let target = try? invocation.host.target(of: file), byGit(target, [":2"]) != nil else {
      return nil
    }
    return try? repository.sidesOfRebase
  }

  private var repository: GitRepository { GitRepository(host: invocation.host) }

  /// The first of some versions of a file that git has and that is another one than the file's.
  ///
  /// The current version of a conflict tells what it was before git merged it. Later the last commit
  /// does, or the last one that was checked out here with another version; of the steps of a rebase
  /// none counts, since what it starts from is what others did.
  private func byGit(_ target: FileName, _ versions: [String]) -> Document? {
    guard let heads = try? DocumentHeads(bytes: invocation.readBytes(target)).heads else {
      return nil
    }
    for version in versions {
      let name = FileName(bytes: Array("\(version):./".utf8) + target.lastComponent.bytes)
      let blob = try? repository.run(["cat-file", "blob", name], in: target.directory)
      guard let blob, blob.status == 0, let old = try? Document(bytes: blob.output), old.id == id,
        old.heads != heads
      else { continue }
      return old
    }
    return nil
  }

  /// How many of the commits that were checked out last are looked at.
  private static let recentCommits = 50

  /// The commits that were checked out here before, the last one first.
  private func earlierCommits(in directory: FileName) throws(Failure) -> [String] {
    let count = FileName("\(Self.recentCommits)")
    let log = try repository.run(
      ["log", "--walk-reflogs", "-n", count, "--format=%H %gs", "HEAD", "--"], in: directory)
    guard log.status == 0 else { return [] }
    return String(decoding: log.output, as: UTF8.self).split(separator: "\n").dropFirst()
      .compactMap { line in
        let words = line.split(separator: " ", maxSplits: 1)
        let isStep = words.count > 1 && words[1].split(separator: ":")[0].contains("rebase")
        return isStep ? nil : String(words[0])
      }
  }
}
