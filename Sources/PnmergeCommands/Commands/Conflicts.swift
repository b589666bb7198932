import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge conflicts`: lists what is undecided.
struct Conflicts: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "List the conflicts that nobody has resolved yet.",
    discussion: """
      Each value that was not kept stays in the document until someone resolves the conflict: by \
      'resolve', by setting it, or by removing it. The name before each value is for \
      'resolve --take'. Passages of text that an interactive merge on this machine left for later \
      are listed, too. The status is 1 if anything is listed.

      Example:
        pnmerge conflicts notes.peernote
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var identity: ElementIdentity
  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let bytes = try invocation.readDocumentBytes(file)
    let foreign = try AutomergeDocument(bytes, from: file)
    let conflicts =
      try foreign?.conflicts
      ?? OpenConflicts(
        in: invocation.parseDocument(bytes, from: file), from: file,
        identityKeys: identity.matching.identityKeys, invocation
      ).conflicts
    let console = invocation.console
    if json {
      try console.printResult(
        JSONReport([("schema", .json(1)), ("conflicts", .list(conflicts, \.json))]))
    } else if conflicts.isEmpty {
      try console.report("\(file.inputName): no conflicts")
    } else {
      for conflict in conflicts {
        try console.printResult(StyledLine(conflict.place, .bold))
        if conflict.kind == .overlap {
          try console.printResult("  \(conflict.sentence(invocation))")
          continue
        }
        for (index, side) in conflict.sides.enumerated() {
          let name = side.change.description
          let kept = index == 0 && conflict.kind != .sameIdentity ? "kept  " : "      "
          let place = side.path.map { "\($0.visible)  " } ?? ""
          let what = place + (side.node == nil ? "deleted" : side.preview)
          try console.printResult(
            "  \(name, .yellow)  \(kept)\(what) (\(side.signature(invocation)))")
        }
      }
      if foreign != nil {
        try console.report("to settle one: set the place again in the app")
      } else if !file.isStandardStream, !console.isQuiet {
        try advise(conflicts, console)
      }
    }
    return conflicts.isEmpty ? .done : .different
  }

  private func advise(_ conflicts: [Conflict], _ console: Console) throws {
    let resolve = "pnmerge resolve \(shellQuoted(file))"
    if conflicts.contains(where: { $0.kind != .overlap }) {
      try console.report("to resolve one: \(resolve) PATH --take NAME, or --value JSON")
    }
    if conflicts.contains(where: { $0.takingBoth(identityKeys: []) != nil }) {
      try console.report("to unite what both sides made: \(resolve) PATH --take both")
    }
    if conflicts.contains(where: { $0.kind == .overlap }) {
      try console.report("to go on with the passages: \(resolve) --interactive")
    }
  }
}
