import Peernote

/// Bringing back what was deleted.
extension Track {
  /// The history of a file that was deleted, in the trash of one of the directories above it; `nil`
  /// if there is none, or the file that is there is another one.
  func buried(
    _ file: FileName, _ contents: PlainContents?, _ invocation: Invocation
  ) throws -> FileName? {
    guard files.contains(file), let directory = try? invocation.host.resolved(file.directory)
    else { return nil }
    var path = RelativePath(bytes: file.lastComponent.bytes)
    var root = directory
    let trash = RelativePath(bytes: FolderListing.hiddenName).appending(FolderListing.trashName)
    while true {
      let buriedPath = trash.appending(path.history.bytes)
      let buried = root.appending(buriedPath)
      if !invocation.isBehindLink(buriedPath, below: root),
        let history = try? invocation.readDocument(buried),
        history.deletion?.isCurrent ?? false, let kept = PlainHistory(document: history)
      {
        return contents.map { $0.share(of: kept) != nil } ?? true ? buried : nil
      }
      if root == root.directory { return nil }
      path = RelativePath(bytes: root.lastComponent.bytes).appending(path.bytes)
      root = root.directory
    }
  }

  /// Takes the mark off that a file is deleted, and puts its history where it belongs.
  func bringBack(
    _ file: FileName, from buried: FileName, isThere: Bool, _ invocation: Invocation
  ) throws -> Outcome {
    let host = invocation.host
    var kept = try PlainHistory(invocation.readDocument(buried), from: buried)
    let session = try invocation.session(for: file)
    do throws(EditError) {
      try kept.withdrawDeletion(by: session)
    } catch {
      throw Failure(.damaged, file: buried, "\(error); nothing was written")
    }
    let history = file.history
    try makeHistoryDirectory(history, host)
    try DocumentFile(history, invocation).create(kept.document, from: [buried])
    try? host.remove(buried)
    // What is there is taken in by the next 'tidy'.
    return isThere ? .written : try writeAgain(file, from: history, invocation)
  }
}

extension Invocation {
  /// Whether a file, or a directory on the way to it, is a symbolic link.
  fileprivate func isBehindLink(_ path: RelativePath, below root: FileName) -> Bool {
    var next: RelativePath? = path
    while let path = next {
      let entry = try? host.identity(of: root.appending(path), followingLinks: false)
      if entry?.kind == .symbolicLink { return true }
      next = path.directory
    }
    return false
  }
}
