import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge resolve`: settles what merges decided.
struct Resolve: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Settle what merges decided, by a new change.",
    usage: """
      pnmerge resolve [<options>] <file> <path> --take <change>
      pnmerge resolve [<options>] <file> <path> --value <value>
      pnmerge resolve [<options>] <file> --interactive
      """,
    discussion: """
      Takes one of the values that 'conflicts' lists, by the name of its change or the beginning \
      of it; 'kept' stands for the one that is there now. Or sets another value. With \
      --interactive it asks about each place at the terminal, also about passages of text that an \
      interactive merge on this machine left for later.

      Example:
        pnmerge resolve notes.peernote /title --take 5f0c
        pnmerge resolve notes.peernote /title --value '"Budget 2027"'
      """)

  @Argument(
    help: ArgumentHelp(
      "The document; - reads standard input and writes standard output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("Where: a JSON Pointer.", valueName: "path"),
    transform: PathArgument.parse)
  var path: PathArgument?

  @Option(help: ArgumentHelp("Take the value that this change wrote.", valueName: "change"))
  var take: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Set this value: JSON, or of the type given.", valueName: "value"))
  var value: TextArgument?

  @Flag(name: [.short, .long], help: "Ask about each place at the terminal.")
  var interactive = false

  @OptionGroup var input: ValueArguments
  @OptionGroup var options: ChangeOptions

  func validate() throws {
    let hasValue = value != nil || input.valueFile != nil
    if interactive {
      if path != nil || take != nil || hasValue {
        throw ValidationError("--interactive takes the file only.")
      }
      if file.isStandardStream { throw ValidationError("--interactive needs a file.") }
    } else if path == nil || (take != nil) == hasValue {
      throw ValidationError("Give a path, and --take or --value.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation)
    guard let path else { return try ask(change) }
    let node = take == nil ? try input.prepared(value, invocation) : nil
    let done: Bool? = try change { document in
      let conflict = document.conflicts.first { $0.path == path.path }
      guard let conflict else {
        throw Failure(.usage, file: file, "nothing is undecided at \(path.path.visible)")
      }
      let resolution: Resolution?
      if let take {
        resolution = conflict.taking(try side(take, of: conflict))
        try check(resolution, document)
      } else {
        let content = try node?(document, path.path) ?? .value(.null)
        resolution = Resolution(path: path.path, outcome: .content(content))
      }
      let changed = try change.edit(&document) { editor in
        try editor.settle([resolution].compactMap(\.self))
      }
      return changed ? true : nil
    }
    try change.say(
      done.map { _ in "settled \(path.path.visible)" }, "would settle \(path.path.visible)")
    return .done
  }

  /// The side that `--take` names.
  private func side(_ name: String, of conflict: Conflict) throws(Failure) -> Conflict.Side {
    if name == "kept" { return conflict.kept }
    let found = conflict.sides.filter { $0.change.description.hasPrefix(name.lowercased()) }
    guard let side = found.first, !name.isEmpty else {
      throw Failure(
        .usage, file: file, "no value at \(conflict.path.visible) is by change \(quoted(name))")
    }
    guard found.count == 1 else {
      throw Failure(
        .usage, file: file, "more than one value at \(conflict.path.visible) is by \(quoted(name))")
    }
    return side
  }

  /// Refuses to keep a container in which something else is undecided, as that would be settled
  /// without a word.
  private func check(_ resolution: Resolution?, _ document: Document) throws(Failure) {
    guard let resolution, case .staying = resolution.outcome else { return }
    let inside = document.conflicts.map(\.path)
      .filter { $0 != resolution.path && $0.isInside(resolution.path) }
    if inside.isEmpty { return }
    throw Failure(
      .usage, file: file,
      "settle first what is undecided inside: \(enumerated(inside.map(\.visible)))")
  }

  private func ask(_ change: FileChange) throws -> ExitStatus {
    let invocation = change.invocation
    let questions = Questions(file: file, invocation: invocation)
    try questions.checkTerminal()
    var ours = try invocation.readDocument(file)
    let undecided = try Undecided(in: ours, from: file, invocation)
    let conflicts = undecided.conflicts
    let answers = try questions(conflicts, in: ours)
    let isSettled = try change.edit(&ours) { editor in try editor.settle(answers.resolutions) }
    if isSettled {
      _ = try change { document -> Bool? in
        do throws(MergeError) {
          _ = try document.merge(ours)
        } catch {
          throw error.failure(file, document, comparedWith: file, ours)
        }
        return true
      }
    }
    if !options.dryRun { try undecided.keep(answers.open, of: ours.id, invocation) }
    let verb = options.dryRun ? "would settle" : "settled"
    let open = answers.open.isEmpty ? "" : "; \(answers.open.count) left undecided"
    try invocation.console.report(
      conflicts.isEmpty
        ? "\(file.inputName): nothing is undecided"
        : "\(file.inputName): \(verb) \(answers.settledCount) of \(conflicts.count)\(open)")
    return answers.open.isEmpty ? .done : .different
  }
}
