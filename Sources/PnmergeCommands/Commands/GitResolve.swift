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
      as git says. Documents are known by their content, so they may have any name. The status is 1 \
      if some stay in conflict.

      Example:
        git merge theirs || { pnmerge git resolve && git commit --no-edit; }
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
    let unmerged = try repository.unmergedFiles(files)
    if unmerged.isEmpty { try requireExistence(invocation.host) }
    var merge = ConflictMerge(
      isDryRun: dryRun, top: top, isMergingBranches: try repository.isMergingBranches,
      repository: repository,
      unmergeable: Unmergeable(repository, top: top))
    let isStrict =
      unmerged.isEmpty ? false : GitSettings.areStrict(try GitConfiguration(repository))
    var status = ExitStatus.done
    var count = 0
    var written: [FileName] = []
    // Also what was written before something else fails.
    defer { if !written.isEmpty { try? repository.add(written, top: top) } }
    var index = 0
    try repository.readVersions(of: unmerged) { file, contents in
      index += 1
      invocation.console.progress(
        "merging \(index) of \(unmerged.count): \(file.path.visible)")
      do {
        guard let outcome = try merge(file, contents) else {
          if try repository.tracks(file.path.history, top: top) {
            status = .different
            try invocation.console.printError(
              "pnmerge: \(file.path.visible): \(TrackedConflict.file)")
          }
          return
        }
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

  /// Refuses names without a file, of which none is in conflict either.
  private func requireExistence(_ host: any Host) throws {
    for file in files {
      guard try file.reading(host.identity(of: file, followingLinks: false)) != nil else {
        throw HostError(.notFound, "no such file or directory").whileReading(file)
      }
    }
  }
}

/// Merges the versions of files in conflict into the work tree.
private struct ConflictMerge {
  let isDryRun: Bool
  let top: FileName
  let isMergingBranches: Bool
  let repository: GitRepository
  /// Tells what cannot be merged.
  var unmergeable: Unmergeable

  /// Merges one file, whose versions hold `contents` by the names of their objects; `nil` if it is
  /// no document.
  mutating func callAsFunction(
    _ file: UnmergedFile, _ contents: [String: [UInt8]]
  ) throws -> GitMerge? {
    func bytes(_ version: UnmergedFile.Version?) -> [UInt8] {
      version.flatMap { contents[$0.object] } ?? []
    }
    let sides = [file.current, file.incoming]
    let isNamedSo =
      file.path.bytes.suffix(".peernote".utf8.count).elementsEqual(".peernote".utf8)
      || AutomergeCopy.hasName(file.path)
    guard isNamedSo || sides.contains(where: { GitMerge.isDocument(bytes($0)) }) else {
      return nil
    }
    if let reason = try unmergeable.reason(file, contents) { throw Failure(.different, reason) }
    let versions = (
      ancestor: bytes(file.ancestor), current: bytes(file.current), incoming: bytes(file.incoming)
    )
    let outcome = try GitMerge(
      ancestor: versions.ancestor, current: versions.current, incoming: versions.incoming,
      path: file.path,
      isMerge: { [self] () throws(Failure) in try occasion(of: file).isMergeOfBranches() })
    let target = top.appending(file.path)
    return try Replacement(of: target, expecting: .any, host: repository.host)(
      dryRun: isDryRun,
      compute: { contents in
        var outcome = outcome
        try outcome.merge(
          edited: contents?.bytes,
          besides: [versions.current, versions.incoming, versions.ancestor]
        )
        return .init(bytes: try outcome.verifiedBytes(target), report: outcome)
      }
    ).report
  }

  private func occasion(of file: UnmergedFile) -> GitOccasion {
    GitOccasion(
      repository: repository, path: file.path, incoming: file.incoming?.object ?? "",
      isMerge: isMergingBranches)
  }
}
