import ArgumentParser
import Peernote

struct GitResolve: OptionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Merge documents that git left in conflict.",
    discussion: """
      For merges that stopped in a clone without the driver, or with it switched off. Merges the \
      two versions of each document in conflict, writes the result and adds it; commit or continue \
      as git says. Documents are known by their content, so they may have any name. The status is 1 \
      if some stay in conflict.

      Example:
        git merge theirs || { pnmerge git resolve && git commit --no-edit; }
      """)

  @Argument(help: .of("file", "The files; without any, all that are in conflict."))
  var files: [FileName] = []

  @OptionGroup var options: WriteOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let repository = GitRepository(host: invocation.host)
    try repository.requireRepository()
    guard let top = try repository.top else {
      throw Failure(.unreadable, "there is no work tree here")
    }
    let unmerged = try repository.unmergedFiles(files)
    try requireFiles(repository)
    var conflictMerge = try ConflictMerge(repository, top: top)
    let isStrict = try !unmerged.isEmpty && GitConfiguration(repository).isStrict
    var status = ExitStatus.done
    var count = 0
    var written: [FileName] = []
    // Also what was written before something else fails.
    defer { if !written.isEmpty { try? repository.add(written, top: top) } }
    var index = 0
    try repository.readVersions(of: unmerged) { file, versions in
      index += 1
      invocation.console.progress(
        "merging \(index) of \(unmerged.count): \(file.path.visible)")
      do {
        guard let merge = try conflictMerge(file, versions) else {
          if try repository.tracks(file.path.history, top: top) {
            status = .different
            try invocation.console.printError(
              "pnmerge: \(file.path.visible): \(UnmergedFile.plainFileWords)")
          }
          return
        }
        let outcome = try write(merge, of: versions, to: top.appending(file.path), invocation)
        count += 1
        let isLeft = outcome.isLeft || isStrict && outcome.isContested
        if isLeft { status = .different }
        if !dryRun, !isLeft { written.append(file.path) }
        let verb = dryRun ? "would merge" : "merged"
        let sentence = outcome.sentence.map { $0.dropFirst("merged".count) } ?? ""
        let rest = isLeft ? "; \(outcome.advice)" : ""
        try invocation.console.report("\(file.path.visible): \(verb)\(sentence)\(rest)")
      } catch let failure as Failure {
        status = .different
        try invocation.console.printError(
          "pnmerge: \(file.path.visible): \(failure.message); it stays in conflict")
      }
    }
    try repository.add(written, top: top)
    written = []
    if count == 0, status == .done {
      let what = files.isEmpty ? "no document is" : "none of these is a document that is"
      try invocation.console.report("\(what) in conflict")
    }
    return status
  }

  /// Refuses names that nothing has: no file, and none in conflict that the work tree lacks or that
  /// the name as a pattern matches.
  private func requireFiles(_ repository: GitRepository) throws {
    for file in files
    where try file.reading(repository.host.identity(of: file, followingLinks: false)) == nil {
      guard try !repository.unmergedFiles([file]).isEmpty else {
        throw HostError.notFound.whileReading(file)
      }
    }
  }

  /// Puts the merge of a file's versions into the work tree, with what somebody wrote there.
  private func write(
    _ merge: GitMerge, of versions: GitVersions, to target: FileName, _ invocation: Invocation
  ) throws -> GitMerge {
    try Replacement(of: target, expecting: .any, host: invocation.host)(
      compute: { contents in
        var merge = merge
        try merge.merge(edited: contents?.bytes, besides: versions)
        return .init(try merge.verifiedBytes(target), report: merge)
      }
    ).report
  }
}
