import PeernoteJSON

/// `pnmerge git driver`: merges two versions of a file for git.
///
/// git reads the result from the file that held the current version, and from the status 0 or 1
/// whether it is clean (gitattributes(5), "Defining a custom merge driver"). So the result is
/// written last and in one step, once it was read back; whatever fails, the current version stays
/// there and the status is 1. Standard output belongs to git.
struct MergeDriver {
  /// The files that hold the versions, `%O`, `%A` and `%B`.
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The length of conflict markers, `%L`, which tells how deep inside a merge of ancestors we are.
  var markerSize: Int
  /// Where the file stands in the repository, `%P`.
  var path: FileName
  /// What git calls the versions, `%S`, `%X` and `%Y`, or these placeholders if it does not know
  /// them; none if git was set up not to tell.
  var labels: [FileName]
  /// Whether what is contested is left to a person: git then says that the file is in conflict.
  var isStrict = false

  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do throws(Failure) {
      if invocation.host.environment("PNMERGE") == Array("0".utf8) {
        throw Failure(.different, "not merged, since PNMERGE is 0; the current version stays")
      }
      let merge = try merge(invocation.host)
      let isLeft = !isInner && (merge.isLeft || isStrict && merge.isContested)
      if !isInner, let sentence = merge.sentence {
        let advice = "; \(merge.advice), or 'git mergetool --tool=peernote'"
        say(isLeft ? sentence + advice : sentence, invocation)
      }
      return isLeft ? .different : .done
    } catch {
      say(error.message, invocation)
      return .different
    }
  }

  private func say(_ sentence: String, _ invocation: Invocation) {
    try? invocation.console.printError("pnmerge: \(path.visible): \(sentence)")
  }

  private func merge(_ host: any Host) throws(Failure) -> GitMerge {
    let old = try read(current, host)
    let versions = GitVersions(
      ancestor: try read(ancestor, host).bytes, current: old.bytes,
      incoming: try read(incoming, host).bytes)
    let merge = try GitMerge(
      versions, path: path,
      isMerge: { () throws(Failure) in try mergesBranches(GitRepository(host: host)) })
    let bytes = try merge.verifiedBytes(path)
    if bytes != old.bytes { try write(bytes, over: old, host) }
    return merge
  }

  /// Whether this is a merge of ancestors, whose markers are longer than the usual seven, unless they
  /// always are here.
  fileprivate var isInner: Bool { markerSize > 7 }

  private func read(_ file: FileName, _ host: any Host) throws(Failure) -> FileContents {
    do throws(HostError) {
      return try host.read(file, limit: Invocation.inputLimit)
    } catch {
      throw Failure(.different, "cannot read \(file.visible): \(error.explanation)")
    }
  }

  /// Puts the result in the current version's place, from where git reads it right away, so that it
  /// need not reach the disk.
  private func write(
    _ bytes: [UInt8], over old: FileContents, _ host: any Host
  ) throws(Failure) {
    host.holdSignals()
    defer { host.releaseSignals() }
    do throws(FileError) {
      let temporary = try TemporaryFile(beside: current, for: current, files: host)
      try temporary.replace(current, with: bytes, like: old.identity)
    } catch {
      throw Failure(error)
    }
  }
}

// MARK: The occasion

extension MergeDriver {
  /// Whether branches are certainly merged, or ancestors of those that somebody merges.
  ///
  /// Where not the union of two versions is wanted, the history of both belongs in the result then,
  /// and else, as where a commit is picked or reverted, that of the current one. Runs git a few times.
  private func mergesBranches(_ repository: GitRepository) throws(Failure) -> Bool {
    if isInner, try !repository.hasMarkerSize(path) { return true }
    let names = labels.map(\.visible)
    if names.dropFirst() == ["Temporary merge branch 1", "Temporary merge branch 2"] {
      return true
    }
    // `merge-tree` and `log --remerge-diff` do not touch the index, and neither does `replay`, which
    // picks. Outside of a repository nothing tells.
    let isLocked = try repository.isIndexLocked
    if !names.isEmpty, !isLocked {
      return !names.contains { $0.hasPrefix("parent of ") }
    }
    // What `git merge` says of the branches that it merges, by the names of their commits. Hooks
    // inherit it, and so do the commands in them.
    let variable = "GITHEAD_"
    let branches = repository.host.environmentNames(beginningWith: variable)
      .map { String($0.dropFirst(variable.count)) }
    let object = try repository.object(incoming)
    for commit in branches + ["MERGE_HEAD"] {
      if try repository.commit(commit, holds: object, at: path) { return true }
    }
    return false
  }
}

extension GitRepository {
  /// The name that a file's content has as an object.
  fileprivate func object(_ file: FileName) throws(Failure) -> String {
    let name = try output(["hash-object", "--no-filters", "--", file]).dropLast()
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether git is about to change the index of the work tree.
  fileprivate var isIndexLocked: Bool {
    get throws(Failure) {
      let lock = FileName(bytes: try path("index").bytes + Array(".lock".utf8))
      return (try? host.identity(of: lock, followingLinks: false)) != nil
    }
  }

  /// Whether an attribute says how long a file's conflict markers are.
  fileprivate func hasMarkerSize(_ path: FileName) throws(Failure) -> Bool {
    let pieces = try output(["check-attr", "-z", "conflict-marker-size", "--", path]).splitAtNUL
    return pieces.count > 2 && !pieces[2].elementsEqual("unspecified".utf8)
  }

  /// Whether a commit has an object under a name, or under another if a branch renamed the file.
  fileprivate func commit(
    _ commit: String, holds object: String, at path: FileName
  ) throws(Failure) -> Bool {
    let name = FileName(bytes: Array("\(commit):".utf8) + path.bytes)
    let result = try run(["rev-parse", "--verify", "--quiet", name])
    if result.status == 0 {
      return String(decoding: result.output.dropLast(), as: UTF8.self) == object
    }
    let tree = try run(["ls-tree", "-r", "-z", "--full-tree", FileName(commit)])
    // "100644 blob <object>"
    return tree.status == 0 && tree.output.listedFiles.contains { $0.words[2] == object }
  }
}
