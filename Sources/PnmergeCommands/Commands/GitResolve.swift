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

  @Argument(
    help: ArgumentHelp("The files; without any, all that are in conflict.", valueName: "file"))
  var files: [FileName] = []

  @OptionGroup var options: WriteOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let repository = GitRepository(host: invocation.host)
    try repository.requireRepository()
    guard let top = try repository.top else {
      throw Failure(.unreadable, "there is no work tree here")
    }
    let unmerged = try repository.unmergedFiles(files)
    if unmerged.isEmpty { try requireExistence(invocation.host) }
    let isMergingBranches = try repository.isMergingBranches
    var unmergeable = Unmergeable(repository, top: top)
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
        let merged = try merge(
          file, contents, in: repository, top, isMergingBranches: isMergingBranches, &unmergeable)
        guard let outcome = merged else {
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

  /// Merges one file into the work tree, whose versions hold `contents` by the names of their objects;
  /// `nil` if it is no document.
  private func merge(
    _ file: UnmergedFile, _ contents: [String: [UInt8]], in repository: GitRepository,
    _ top: FileName, isMergingBranches: Bool, _ unmergeable: inout Unmergeable
  ) throws -> GitMerge? {
    let (ancestor, current, incoming) = (
      file.ancestor.flatMap { contents[$0.object] } ?? [],
      file.current.flatMap { contents[$0.object] } ?? [],
      file.incoming.flatMap { contents[$0.object] } ?? []
    )
    let isNamedSo =
      file.path.bytes.suffix(".peernote".utf8.count).elementsEqual(".peernote".utf8)
      || AutomergeCopy.hasName(file.path)
    guard isNamedSo || [current, incoming].contains(where: GitMerge.isDocument) else { return nil }
    if let reason = try unmergeable.reason(file, contents) { throw Failure(.different, reason) }
    let occasion = GitOccasion(
      repository: repository, path: file.path, incoming: file.incoming?.object ?? "",
      isMerge: isMergingBranches)
    let merge = try GitMerge(
      ancestor: ancestor, current: current, incoming: incoming, path: file.path,
      isMerge: occasion.isMergeOfBranches)
    let target = top.appending(file.path)
    return try Replacement(of: target, expecting: .any, host: repository.host)(
      dryRun: dryRun,
      compute: { contents in
        var merge = merge
        try merge.merge(edited: contents?.bytes, besides: [current, incoming, ancestor])
        return .init(bytes: try merge.verifiedBytes(target), report: merge)
      }
    ).report
  }
}
