import ArgumentParser
import Peernote

struct Untrack: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Stop keeping the history of plain files.", takes: "<file> ...",
    """
    The files stay; their histories go to .peernote/trash. Do so in every folder that holds the \
    file: from one that still has the history, 'sync' brings it back.

    Example:
      pnmerge untrack ~/notes/trip.md
    """)

  @Argument(help: .of("file", "Files and directories."))
  var files: [FileName]

  @OptionGroup var options: WriteOptions

  var mistakes: Mistakes { plainFileMistakes }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    var found = FoundFiles()
    for file in files {
      guard invocation.isDirectory(file) else {
        found.files.append(file)
        continue
      }
      let listing = try FolderListing(of: file, host: invocation.host)
      found.failures += listing.failures + listing.linkFailures(in: file)
      found.files += listing.histories.keys.sorted().compactMap(\.trackedFile)
        .map { file.shownFile($0) }
    }
    let verb = options.dryRun ? "would be untracked" : "untracked"
    let (status, _) = try invocation.forEachFile(found) { file in
      try untrack(file, invocation)
      if found.files.count == 1 || invocation.console.isVerbose {
        try invocation.console.report("\(file.visible): \(verb)")
      }
    }
    if found.files.count != 1 {
      try invocation.console.report("\(counted(found.files.count, "file")) \(verb)")
    }
    return status
  }

  private func untrack(_ file: FileName, _ invocation: Invocation) throws {
    let host = invocation.host
    let history = file.history
    let trash = history.directory.appending(FileName(bytes: FolderListing.trashName))
    let plain = (try? host.resolved(file.directory))?.appending(file.lastComponent)
    _ = try invocation.isTracked(file)
    try invocation.checkIsNoLink(trash)
    do throws(HostError) {
      guard try host.identity(of: history, followingLinks: false) != nil else {
        // Of one whose history is gone there may be what this machine has kept.
        guard let plain, PlainFileStates(host).state(of: plain) != nil else {
          throw HostError(.notFound, "is not tracked")
        }
        return PlainFileStates(host).forget(plain)
      }
      try host.makeDirectories(trash, arePrivate: false)
      let name = RelativePath(bytes: history.lastComponent.bytes)
      func isFree(_ path: RelativePath) -> Bool {
        (try? host.identity(of: trash.appending(path), followingLinks: false)) == nil
      }
      let target = isFree(name) ? name : NumberedName.first(name, isFree: isFree)
      try host.rename(history, to: trash.appending(target), replacing: false)
      try? host.synchronizeDirectory(history.directory)
      if let plain { PlainFileStates(host).forget(plain) }
    } catch {
      if error.kind == .notFound {
        let isThere = (try? host.identity(of: file, followingLinks: true)) != nil
        throw Failure(isThere ? .usage : .unreadable, file: file, "is not tracked")
      }
      throw error.whileCreating(trash)
    }
  }
}
