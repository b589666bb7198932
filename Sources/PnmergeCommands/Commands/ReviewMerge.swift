import ArgumentParser
import JSONSchema
import Peernote

struct ReviewMerge: OptionsCommand, HistoryCommand, FilesCommand {
  static let configuration = configured(
    "Look at a merge, make its decisions, and write it.", takes: "<file> ...", as: "review",
    """
    Lists what a merge brings, asks about each contested place, and writes the result. With one \
    file it is about what is open in it; with folders about their notes.

    Example:
      pnmerge review notes.peernote /media/usb/notes.peernote
      pnmerge review --html page.html notes.peernote usb.peernote
    """)

  @Argument(help: .of("file", "The file to merge into and copies, or folders."))
  var files: [FileName]

  @OptionGroup var options: WriteOptions

  @Option(
    help: .of("agent", "Leave out the changes of this agent; repeatable."),
    transform: parseAgent)
  var without: [AgentID] = []

  @Flag(help: "Ask in whole words, for screen readers.")
  var plain = false

  @Option(help: .of("file", "Write the review as a page, and nothing else."))
  var html: FileName?

  @Option(help: .of("decisions", "Decide as the page did; repeatable."))
  var apply: [FileName] = []

  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy

  var mistakes: Mistakes {
    [
      "a review needs files": files.contains(where: \.isStandardStream),
      "--html excludes --apply and --plain": html != nil && (!apply.isEmpty || plain),
      "--apply and --plain exclude each other": !apply.isEmpty && plain,
      "--without is for the merge of several copies": files.count == 1 && !without.isEmpty,
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(apply)
    if html == nil, apply.isEmpty {
      try ReviewDialog.checkTerminal(
        invocation.host,
        or: files.count == 1
          ? "to see what is open: pnmerge conflicts \(shellQuoted(files[0]))"
          : "to see what a merge would do: pnmerge merge -n "
            + files.map(shellQuoted).joined(separator: " "))
    }
    let areFolders = files.contains(where: invocation.isDirectory)
    if areFolders { try invocation.checkAreDirectories(files) }
    guard var run = try review(areFolders: areFolders, invocation) else {
      try invocation.console.report("no note has conflicts")
      return try html == nil ? mergeRest(areFolders, invocation) : .done
    }
    if let html {
      let name = files[0].lastComponent.visible
      try ReviewPage(
        review: run.review,
        title: files.count > 1 ? "Merge into \(name)" : "What is open in \(name)",
        apply: applying + files.map(shellQuoted), invocation: invocation
      ).made().write(to: html, invocation)
      return .done
    }
    var end = ExitStatus.done
    if apply.isEmpty {
      end = try run.ask(isPlain: plain, isAlways: true)
    } else {
      try run.apply(apply)
    }
    let status = try run.finish(end, authorship)
    if end != .done { return status }
    if areFolders, files.count > 1 { return max(status, try mergeRest(areFolders, invocation)) }
    if !dryRun, let plain = run.review.documents.lazy.compactMap(\.file.plainFile).first {
      try invocation.console.report(
        "\(plain.visible): follows with the next 'tidy', 'sync' or 'watch'")
    }
    return status
  }

  /// The command that applies the decisions of a page, without the files.
  private var applying: [String] {
    ["pnmerge", "review", "--apply", "decisions.json"]
      + (schema.file.map { ["--schema", shellQuoted($0)] } ?? [])
      + schema.references.flatMap { ["--schema-ref", shellQuoted($0)] }
      + without.flatMap { ["--without", $0.description] }
  }

  /// The review of what is named; `nil` if nothing is to be reviewed in folders.
  private func review(areFolders: Bool, _ invocation: Invocation) throws -> ReviewRun? {
    let schema = try schema.schema(invocation)
    if files.count == 1 {
      var options = ChangeOptions()
      (options.dryRun, options.backups) = (dryRun, backups)
      (options.authorship, options.verbosity, options.force) = (authorship, verbosity, false)
      var changes: [(change: FileChange, document: Document)] = []
      for file in areFolders
        ? try invocation.documentFiles(in: files, with: .histories).files : files
      {
        let document = try invocation.readDocument(file)
        if areFolders, document.conflicts.isEmpty { continue }
        changes.append((FileChange(file, options, schema: self.schema, invocation), document))
      }
      return changes.isEmpty
        ? nil : try FileChange.review(changes, identityKeys: ContentMatching.exact.identityKeys)
    }
    let merges = (areFolders ? try pairs(invocation) : [(files[0], Array(files.dropFirst()))]).map {
      var merge = CopyMerge(base: $0.0, copies: $0.1, backups: backups)
      merge.leftOut = Set(without)
      merge.schema = schema
      return merge
    }
    return merges.isEmpty
      ? nil : try CopyMerge.review(merges, onPage: html != nil || !apply.isEmpty, invocation)
  }

  /// The notes that the first folder and others have, and that differ.
  private func pairs(_ invocation: Invocation) throws -> [(FileName, [FileName])] {
    let folders = try OpenFolder.opening(files, invocation)
    if let fault = folders.flatMap(\.faults).first { throw fault }
    var copies: [FileName: [FileName]] = [:]
    for folder in folders.dropFirst() {
      for pair in FolderPairs(folders[0], folder).pairs where !pair.isSame && pair.saved == nil {
        copies[pair.files.0, default: []].append(pair.files.1)
      }
    }
    return copies.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
      .map { ($0.key, $0.value) }
  }

  /// Brings in what else the other folders have.
  private func mergeRest(_ areFolders: Bool, _ invocation: Invocation) throws -> ExitStatus {
    guard areFolders, files.count > 1 else { return .done }
    var sync = try FolderSync(intoFirstOf: files, backups, invocation)
    return try sync.run(json: false, tellsIdle: false).status
  }
}
