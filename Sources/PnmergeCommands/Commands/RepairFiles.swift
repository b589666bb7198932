import ArgumentParser
import Peernote

struct RepairFiles: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Save what damaged copies of a document hold.",
    takes: "--output <file> <copy> ...", as: "repair",
    """
    Merges all copies that are sound, or can be mended, and adds what can be read of the others. \
    Lists what is lost, and what is not proven. The copies stay as they are.

    Example:
      pnmerge repair broken.peernote /media/usb/old.peernote -o saved.peernote
    """)

  @Argument(help: .of("file", "The copies; - is standard input."))
  var files: [FileName]

  @Option(name: [.short, .long], help: .of("file", "Write here; - is standard output."))
  var output: FileName

  @Flag(help: "Start a new document from the content of a copy.")
  var content = false

  @Flag(help: "Leave out what no checksum proves.")
  var proven = false

  @Flag(help: "Drop what other programs added to the file.")
  var withoutSections = false

  @OptionGroup var options: WriteOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var authorship: Authorship

  var mistakes: Mistakes {
    [
      "--content takes one copy": content && files.count > 1,
      "--content and --proven exclude each other": content && proven,
      "--content and --without-sections exclude each other": content && withoutSections,
      "--content and --json exclude each other": content && json,
      "--author and --message belong to --content": !content && authorship.isGiven,
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(files)
    if output.isStandardStream { invocation.console.reportStream = .error }
    let partial = try files.enumerated().map { index, file in
      let copy = files.count > 1 ? "copy \(index + 1) of \(files.count): " : ""
      invocation.console.progress("reading \(copy)\(file.inputName)")
      return try read(file, invocation)
    }
    let contents = partial.map(\.bytes)
    if zip(contents, files).contains(where: { AutomergeCopy.isMeant(by: $0, $1) }) {
      guard !content, !proven, !withoutSections, !json else {
        throw Failure(
          .usage, "--content, --proven, --without-sections and --json are for peernote documents")
      }
      return try AutomergeRepair(files: files, output: output)(contents, invocation)
    }
    if content {
      try report(partial, invocation)
      guard let root = Document.readableContent(bytes: contents[0]) else {
        throw files[0].failure(
          .damaged, "nothing of its content can be read; nothing was written")
      }
      let start = DocumentStart(file: output, sources: files, authorship: authorship)
      try start(invocation, with: root)
      return .different
    }
    for (file, bytes) in zip(files, contents) where DocumentHeads.isOfNewerFormat(bytes) {
      throw Failure(
        .newerFormat, file: file,
        "was made by a newer program, and need not be damaged: install a newer pnmerge; nothing was "
          + "written")
    }
    invocation.console.progress("looking for what can be saved")
    let repair = Document.repair(
      copies: withoutSections ? contents.map(Document.withoutExcessSections) : contents,
      provenOnly: proven)
    if var document = repair.document {
      if withoutSections { document.removeOptionalSections() }
      try DocumentFile(output, from: files, invocation).create(document)
    }
    if json {
      try invocation.console.report(repair.json(self, unreadable: partial.map(\.unreadable)))
    } else {
      try report(partial, invocation)
      try report(repair, invocation)
      try reportOthers(repair, contents, invocation)
    }
    if let contradiction = repair.contradictions.first { throw failure(contradiction, repair) }
    guard repair.document != nil else {
      for (file, bytes) in zip(files, contents)
      where !json && !bytes.isEmpty && bytes.beginsLikeText {
        try invocation.console.report("\(file.inputName): \(importHint(for: file))")
      }
      throw repair.copies.contains { $0.told.kind == .otherDocument }
        ? Failure(
          .notSameDocument,
          "the copies are of different documents, and none has the most; nothing was written")
        : Failure(
          .damaged,
          "nothing \(proven ? "is proven by a checksum" : "could be saved"); nothing was written")
    }
    let isOfNoUse = repair.copies.contains { $0.told.kind == .unusable }
    return repair.isComplete && !isOfNoUse ? .done : .different
  }

  /// Why nothing is saved of copies that contradict each other.
  private func failure(_ contradiction: Repair.Contradiction, _ repair: Repair) -> Failure {
    func name(_ copy: Int) -> String { files[repair.copies[copy].file].inputName }
    let others = contradiction.others.map(name)
    let status: ExitStatus =
      if case .forked = contradiction.reason { .forkedHistory } else { .damaged }
    return Failure(
      status, file: files[repair.copies[contradiction.copy].file],
      "contradicts \(others.isEmpty ? "the others together" : enumerated(others)): "
        + "\(contradiction.reason); look at each ('pnmerge cat'), and repair without the wrong one; "
        + "nothing was written")
  }

  /// Reads a copy, as far as its device gives it.
  private func read(
    _ file: FileName, _ invocation: Invocation
  ) throws(Failure) -> PartialContents {
    if file.isStandardStream { return PartialContents(bytes: try invocation.readBytes(file)) }
    do throws(HostError) {
      return PartialContents(
        bytes: try invocation.host.read(file, limit: Invocation.inputLimit).bytes)
    } catch {
      guard error.kind == .inputOutput else { throw error.whileReading(file) }
      return try file.reading(invocation.host.readAround(file))
    }
  }

  // MARK: Saying

  /// How many changes are listed unless more are asked for.
  private static let listLimit = 20

  /// Says what the devices did not give, even if quiet.
  private func report(_ contents: [PartialContents], _ invocation: Invocation) throws {
    for (file, contents) in zip(files, contents) {
      for hole in contents.unreadable {
        try invocation.console.printError(
          "\(file.inputName): bytes \(hole.lowerBound) to \(hole.upperBound - 1) cannot be read; "
            + "the device fails")
      }
    }
  }

  /// Says what was saved, and what is lost, which is said even if quiet.
  private func report(_ repair: Repair, _ invocation: Invocation) throws {
    let console = invocation.console
    var lines: [String] = []
    func list(_ changes: some Collection<String>, as title: String) {
      if changes.isEmpty { return }
      let shown = changes.prefix(console.isVerbose ? changes.count : Self.listLimit)
      lines += [counted(changes.count, "change") + title] + shown.map { "  \($0)" }
      if changes.count > shown.count {
        lines.append("  and \(changes.count - shown.count) more; -v lists all")
      }
    }
    for copy in repair.copies {
      let place = copy.bytes.lowerBound == 0 ? "" : ", from byte \(copy.bytes.lowerBound)"
      let name = files[copy.file].inputName + place
      lines += copy.lines(verbose: console.isVerbose).map { "\(name): \($0)" }
    }
    if let document = repair.document {
      let verb = dryRun ? "would save" : "saved"
      lines.append(
        "\(output.outputName): \(verb) \(counted(document.changeCount, "change"))"
          + (repair.isComplete ? ", all proven by checksums" : ""))
    }
    if let line = repair.uncheckedLine { lines.append(line) }
    list(
      repair.unproven.lazy.map { change in
        let agree = change.witnesses > 1 ? "; \(change.witnesses) copies agree" : ""
        return "not proven: "
          + describe(change.summary.id, change.summary.author, change.summary.time, invocation)
          + agree
      }, as: " of these no checksum proves: letters and numbers may be wrong there")
    list(
      repair.lost.lazy.map { change in
        "lost: \(describe(change.id, change.author, change.time, invocation)): "
          + change.reason.clause
      }, as: " could not be saved")
    if repair.lostDeletedScalars > 0 {
      lines.append(
        "lost \(counted(repair.lostDeletedScalars, "character")) of text that was deleted before; "
          + "it counts as redacted, in whatever this is merged with, too")
    }
    if repair.copies.contains(where: { $0.unredactedScalars > 0 }), !output.isStandardStream {
      lines.append("to take out all deleted text: pnmerge redact \(shellQuoted(output))")
    }
    for line in lines {
      if repair.isComplete {
        try console.report(line)
      } else if output.isStandardStream {
        try console.printError(line)
      } else {
        try console.printResult(line)
      }
    }
  }

  /// Says how to save more of the content than of the history.
  private func reportOthers(
    _ repair: Repair, _ contents: [[UInt8]], _ invocation: Invocation
  ) throws {
    guard !repair.isComplete else { return }
    let hasMore = repair.copies.first { copy in
      [.salvaged, .unusable].contains(copy.told.kind) && !copy.isAccountedFor
        && copy.bytes.lowerBound == 0
        && Document.readableContent(bytes: contents[copy.file]) != nil
    }
    guard let hasMore, !repair.lost.isEmpty || repair.document == nil else { return }
    let file = files[hasMore.file]
    let argument = file.isStandardStream ? "-" : shellQuoted(file)
    try invocation.console.report(
      "to start a new document from what \(file.inputName) shows: "
        + "pnmerge repair --content \(argument) -o FILE")
  }

  private func describe(
    _ id: ChangeID, _ author: String?, _ time: Timestamp?, _ invocation: Invocation
  ) -> String {
    id.description + (author.map { " by \(authorName($0))" } ?? "")
      + (time.map { ", \(invocation.localText($0))" } ?? "")
  }
}
