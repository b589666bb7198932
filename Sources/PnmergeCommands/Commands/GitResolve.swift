import ArgumentParser
import Peernote

/// `pnmerge git resolve`: merges what git left in conflict.
struct GitResolve: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Merge documents that git left in conflict.",
    discussion: """
      For merges that stopped in a clone without the driver, or with it switched off. Merges the \
      two versions of each document in conflict, writes the result and adds it; commit or continue \
      as git says. Documents are told by their content, so they may have any name. The status is 1 \
      if some stay in conflict.

      Example:
        git merge theirs || pnmerge git resolve && git commit --no-edit
      """)

  @Argument(
    help: ArgumentHelp("The files; without any, all that are in conflict.", valueName: "file"))
  var files: [FileName] = []

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let repository = GitRepository(host: invocation.host)
    try repository.requireRepository()
    guard let top = try repository.top else {
      throw Failure(.unreadable, "there is no work tree here")
    }
    let isMerging = try repository.isMergingBranches
    let unmerged = try repository.unmergedFiles(files)
    var status = ExitStatus.done
    var count = 0
    for file in unmerged {
      do {
        let merge = ThreeWayMerge { () throws(Failure) in
          guard !isMerging, let ancestor = file.ancestor else { return true }
          let path = top.appending(file.path)
          return try repository.currentBranchHad(FileName(ancestor), at: path)
        }
        guard let outcome = try resolve(file, merge, repository, top, invocation) else { continue }
        count += 1
        let verb = dryRun ? "would merge" : "merged"
        let sentence = outcome.sentence.map { $0.dropFirst("merged".count) } ?? ""
        try invocation.console.report("\(file.path.visible): \(verb)\(sentence)")
      } catch let failure as Failure {
        status = .different
        try invocation.console.note(
          "pnmerge: \(file.path.visible): \(failure.message); it stays in conflict")
      }
    }
    if count == 0, status == .done { try invocation.console.report("no document is in conflict") }
    return status
  }

  /// Merges one file; `nil` if it is no document.
  private func resolve(
    _ file: UnmergedFile, _ merge: ThreeWayMerge, _ repository: GitRepository, _ top: FileName,
    _ invocation: Invocation
  ) throws -> ThreeWayMerge.Outcome? {
    let isNamedSo = file.path.bytes.suffix(".peernote".utf8.count).elementsEqual(".peernote".utf8)
    guard let current = file.current, let incoming = file.incoming else {
      guard isNamedSo else { return nil }
      throw Failure(
        .different,
        "deleted in the \(file.current == nil ? "current" : "incoming") version and changed in the "
          + "other; 'git add' keeps it, 'git rm' deletes it")
    }
    let versions = (current: try repository.blob(current), incoming: try repository.blob(incoming))
    let isDocument = [versions.current, versions.incoming].contains { DocumentHeads.isDocument($0) }
    guard isNamedSo || isDocument else { return nil }
    let ancestor = try file.ancestor.map { name throws(Failure) in try repository.blob(name) } ?? []
    let outcome = try merge(
      ancestor: ancestor, current: versions.current, incoming: versions.incoming)
    let target = top.appending(file.path)
    let written = try Replacement(of: target, expecting: .any, host: invocation.host)(
      dryRun: dryRun,
      compute: { contents in
        var outcome = outcome
        try outcome.merge(
          edited: contents?.bytes, besides: [versions.current, versions.incoming, ancestor])
        return .init(bytes: try outcome.verifiedBytes(target), report: outcome)
      })
    if !dryRun { try repository.add(file.path, top: top) }
    return written.report
  }
}
