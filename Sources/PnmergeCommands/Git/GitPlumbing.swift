import AutomergeFormat
import Peernote
import PeernoteJSON

/// The commands that git runs by itself.
///
/// git starts a process for each file that both sides changed, and two for each change that it
/// shows, so these are recognised before the argument parser is built, which takes longer than the
/// work (see pnmerge(1), "git driver"). Their arguments come from git and are names, never options.
enum GitPlumbing: String, CaseIterable {
  case driver
  case textconv
  case mergetool

  /// Runs the command that the arguments name; `nil` if they are for the parser.
  static func run(_ arguments: [[UInt8]], _ invocation: Invocation) -> ExitStatus? {
    guard arguments.count > 1, arguments[0].elementsEqual("git".utf8),
      let command = allCases.first(where: { arguments[1].elementsEqual($0.rawValue.utf8) }),
      !arguments.dropFirst(2).prefix(1).contains(where: asksForHelp)
    else { return nil }
    var rest = arguments.dropFirst(2)
    let isStrict =
      command == .driver && rest.first.map { $0.elementsEqual("--strict".utf8) } ?? false
    if isStrict { rest = rest.dropFirst() }
    let isMarked = rest.first.map { $0.elementsEqual("--".utf8) } ?? false
    return command.run(
      rest.dropFirst(isMarked ? 1 : 0).map { FileName(bytes: $0) }, isStrict: isStrict, invocation)
  }

  private static func asksForHelp(_ argument: [UInt8]) -> Bool {
    ["-h", "--help", "--version"].contains { argument.elementsEqual($0.utf8) }
  }

  /// Runs the command with its operands; a strict driver leaves contested merges to a person.
  private func run(
    _ files: [FileName], isStrict: Bool, _ invocation: Invocation
  ) -> ExitStatus {
    guard [operands.count, earlierCount].contains(files.count) else {
      let sentence =
        "git \(rawValue) takes \(operands.joined(separator: " ")); "
        + "'pnmerge git status' checks what is set up"
      try? invocation.console.printError("pnmerge: \(sentence)")
      guard self == .textconv else { return .different }
      // A failure would end the log that git shows.
      try? invocation.console.printResult("(\(sentence))")
      return .done
    }
    switch self {
    case .driver:
      return MergeDriver(
        ancestor: files[0], current: files[1], incoming: files[2],
        markerSize: Int(files[3].visible) ?? 0, path: files[4], labels: Array(files[5...]),
        isStrict: isStrict)(
          invocation)
    case .textconv:
      return TextConversion(file: files[0])(invocation)
    case .mergetool:
      return MergeTool(
        ancestor: files[0], current: files[1], incoming: files[2], merged: files[3])(invocation)
    }
  }

  /// What git puts after `--`.
  var operands: [String] {
    switch self {
    case .driver: ["%O", "%A", "%B", "%L", "%P", "%S", "%X", "%Y"]
    case .textconv: ["FILE"]
    case .mergetool: ["BASE", "LOCAL", "REMOTE", "MERGED"]
    }
  }

  /// How many of these earlier versions of `git install` had git put in.
  private var earlierCount: Int { self == .driver ? 5 : operands.count }
}

/// `pnmerge git mergetool`: what `git mergetool --tool=peernote` runs for a file in conflict.
struct MergeTool {
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The file to replace.
  var merged: FileName

  /// Merges; the status is 0 or 1.
  ///
  /// At a terminal it is asked what is to be decided, before anything is written.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do {
      let versions = GitVersions(
        ancestor: try ancestorBytes(invocation), current: try invocation.readBytes(current),
        incoming: try invocation.readBytes(incoming))
      var result = try GitMerge(
        versions, path: merged,
        isMerge: { () throws(Failure) in
          try GitRepository(host: invocation.host).isMergingBranches
        })
      let edited = try? invocation.host.read(merged, limit: Invocation.inputLimit).bytes
      try result.merge(edited: edited, besides: versions)
      var end = ExitStatus.done
      if case .peernote(var outcome, isHistory: false) = result,
        ReviewDialog.isPossible(invocation.host)
      {
        end = try ask(about: &outcome, versions.current, versions.incoming, invocation)
        result = .peernote(outcome, isHistory: false)
      }
      if end != .done {
        try invocation.console.report("\(merged.visible): nothing was written")
        return .different
      }
      let outcome = try Replacement(of: merged, expecting: .any, invocation)(
        compute: { contents in
          var outcome = result
          // What was written meanwhile.
          if contents?.bytes != edited {
            try outcome.merge(edited: contents?.bytes, besides: versions)
          }
          return .init(try outcome.verifiedBytes(merged), report: outcome)
        }
      ).report
      try invocation.console.report("\(merged.visible): \(outcome.sentence ?? "merged")")
      return .done
    } catch var failure as Failure {
      failure.file = failure.file ?? merged
      try? invocation.console.printError(failure.line)
    } catch {
      try? invocation.console.printError("pnmerge: \(error)")
    }
    return .different
  }

  /// Asks about what the merge decides and what was open before, if there is anything; it is settled
  /// in the outcome.
  private func ask(
    about outcome: inout ThreeWayMerge, _ current: [UInt8], _ incoming: [UInt8],
    _ invocation: Invocation
  ) throws -> ExitStatus {
    let ours = try invocation.parseDocument(current, from: self.current)
    let theirs = try invocation.parseDocument(incoming, from: self.incoming, beside: ours)
    let reviewed = try ReviewedDocument(
      merged, ours: ours, with: [theirs], merged: outcome.document)
    if let hint = try GitRepository(host: invocation.host).sidesOfRebase {
      try invocation.console.report(hint)
    }
    var run = ReviewRun(
      review: try Review(of: [reviewed], checkedBy: nil), schema: nil, isDryRun: false,
      invocation: invocation
    ) { _, _, _ in }
    let end = try run.ask(isPlain: false)
    guard end == .done else { return end }
    let session = try invocation.session(for: merged)
    let (settled, answers) = try run.review.settled(0, by: session)
    if let settled { outcome.document = settled }
    outcome.conflicts = answers.open
    try invocation.console.report(answers.dropped)
    return end
  }

  /// Empty if both sides added the file.
  private func ancestorBytes(_ invocation: Invocation) throws(Failure) -> [UInt8] {
    do throws(HostError) {
      return try invocation.host.read(ancestor, limit: Invocation.inputLimit).bytes
    } catch {
      if error.kind == .notFound { return [] }
      throw error.whileReading(ancestor)
    }
  }
}

/// `pnmerge git textconv`: a document as the text that git compares, lists and searches.
///
/// Stable: equal content gives equal text, on any machine and at any time. A command that fails
/// would end a whole `git log -p`, so whatever the file holds becomes a line of text.
struct TextConversion {
  var file: FileName

  /// Prints the text.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    // Whoever closed the pipe has seen enough.
    try? invocation.console.write(text(invocation.host).utf8)
    return .done
  }

  private func text(_ host: any Host) -> String {
    do throws(HostError) {
      return Self.text(of: try host.read(file, limit: Invocation.inputLimit).bytes)
    } catch {
      return "(unreadable: \(error.explanation))\n"
    }
  }

  /// The text for a file's bytes.
  static func text(of bytes: [UInt8]) -> String {
    if AutomergeFile.begins(bytes) { return foreignText(of: bytes) }
    do {
      // git may show it at a terminal as it is, and nothing reads it back.
      let text = PlainText.readableForm(of: try DocumentReader(bytes: bytes).root)
      return visibleText(text, keeping: ["\n", "\t"])
    } catch {
      if let pointer = LFSPointer(bytes) {
        return "(in Git LFS: \(visibleText(pointer.oid)), \(counted(pointer.size, "byte")))\n"
      }
      let state =
        switch error.kind {
        case .damaged, .limit, .noSuchVersion: "damaged peernote"
        case .newerFormat: "peernote of a newer format"
        }
      return "(\(state), \(counted(bytes.count, "byte")): \(visibleText(error.description)))\n"
    }
  }

  /// The text for an Automerge document.
  private static func foreignText(of bytes: [UInt8]) -> String {
    do throws(Failure) {
      guard let document = try AutomergeDocument(bytes, from: FileName("-")) else { return "" }
      let text = PlainText.readableForm(of: document.state.root)
      return visibleText(text, keeping: ["\n", "\t"])
    } catch {
      return "(damaged Automerge document, \(counted(bytes.count, "byte")): "
        + "\(visibleText(error.message)))\n"
    }
  }
}
