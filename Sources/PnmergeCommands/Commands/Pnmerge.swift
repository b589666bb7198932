import ArgumentParser
import PeernoteJSON

/// The program's root command.
struct Pnmerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pnmerge",
    abstract: "Bring copies of Peernote documents back together.",
    usage: """
      pnmerge <command> [<options>] ...
      pnmerge <into> <from>
      """,
    discussion: """
      A .peernote file holds a note and every edit ever made to it, so that copies which drifted \
      apart can be merged without losing an edit. The short form merges <from> into <into>.

      Example:
        pnmerge new notes.peernote --title "Weekly"
        pnmerge merge notes.peernote /media/usb/notes.peernote
      """,
    version: "pnmerge 1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Document",
        subcommands: [
          New.self, Edit.self, Cat.self, SetValue.self, Insert.self, Remove.self,
          Move.self, Increment.self, Find.self, Export.self, Import.self,
          Integrate.self, Redact.self,
        ]),
      CommandGroup(
        name: "Merging",
        subcommands: [
          Merge.self, ReviewMerge.self, Adopt.self, Status.self, Diff.self, Conflicts.self,
          Resolve.self, Undo.self,
        ]),
      CommandGroup(
        name: "Folders",
        subcommands: [
          List.self, Sync.self, Tidy.self, Watch.self, Delete.self, Track.self, Untrack.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          Log.self, Blame.self, Restore.self,
        ]),
      CommandGroup(name: "Git", subcommands: [Git.self]),
      CommandGroup(
        name: "Checking",
        subcommands: [
          Validate.self, Inspect.self, RepairFiles.self,
        ]),
    ],
    helpNames: [.short, .long])
}

/// Runs the program with the arguments that follow its name, and returns its exit status.
package func runPnmerge(arguments: [[UInt8]], host: any Host) -> ExitStatus {
  let invocation = Invocation(host: host)
  var status = ExitStatus.done
  do {
    if let plumbing = GitPlumbing.run(arguments, invocation) {
      try invocation.console.flush()
      return plumbing
    }
    let texts = ArgumentText.withEmptyValues(arguments.map(ArgumentText.string))
    status = try run(completed(texts, invocation), invocation)
    try invocation.console.flush()
  } catch let failure as Failure {
    status = failure.status
    let changed = status == .ioError ? invocation.console.changedFiles.map(\.visible) : []
    let words = changed.isEmpty ? "" : "; \(enumerated(changed)) was changed"
    try? invocation.console.printError(failure.line + words)
  } catch {
    status = .ioError
    try? invocation.console.printError("pnmerge: \(error)")
  }
  return status
}

private func run(_ arguments: [String], _ invocation: Invocation) throws -> ExitStatus {
  do {
    var arguments = arguments
    let type = Pnmerge.configuration.subcommands.first { $0.name == arguments.first }
    if type is any FilesCommand.Type {
      arguments = arguments.prefix(1) + ArgumentText.joiningNames(Array(arguments.dropFirst()))
    }
    var command = try alone(type, arguments) ?? Pnmerge.parseAsRoot(arguments)
    if var many = command as? any FilesCommand {
      many.files = many.files.flatMap(\.parted)
      command = many
    }
    if let command = command as? any HostedCommand {
      if let mistake = command.mistakes.first(where: \.value) {
        throw Failure(.usage, usageText(mistake.key, arguments))
      }
      invocation.configure(command.verbosity)
      let invocation = invocation.onTrial(if: command.dryRun)
      return try (command as? any HistoryCommand)?.runOnHistories(invocation)
        ?? command.run(invocation)
    }
    try command.run()
    return .done
  } catch let failure as Failure {
    throw failure
  } catch {
    guard Pnmerge.exitCode(for: error).isSuccess else {
      throw Failure(.usage, usageText(Pnmerge.message(for: error), arguments))
    }
    let text = completedHelp(Pnmerge.fullMessage(for: error))
    try invocation.console.writeText(
      completedScript(text, commands: Pnmerge.shownNames), end: "\n")
    return .done
  }
}

/// Parses the arguments of a subcommand without looking at the others: building the parser's tree of
/// all takes longer than an ordinary merge.
///
/// `nil` if it can't be run as it stands; the whole parser then knows what to say.
private func alone(
  _ type: (any ParsableCommand.Type)?, _ arguments: [String]
) -> (any HostedCommand)? {
  guard let type, type.configuration.subcommands.isEmpty else { return nil }
  return try? type.parseAsRoot(Array(arguments.dropFirst())) as? any HostedCommand
}

/// The parser's message on one line, with a hint where to look.
private func usageText(_ message: String, _ arguments: [String]) -> String {
  if let first = arguments.first, message.hasPrefix("Unknown option '\(first)"),
    let command = arguments.first(where: commandNames.contains)
  {
    let option = visibleText(of: ArgumentText.bytes(for: first))
    return "no option '\(option)' stands before a command; those of a command stand behind it: "
      + "pnmerge \(command) \(option)"
  }
  if let (option, successor) = successors.first(where: {
    message.hasPrefix("Unknown option '\($0.key)'")
  }) {
    return "there is no option \(option) here any more; instead: \(successor)"
  }
  var command = arguments.first.map { commandNames.contains($0) ? " \($0)" : "" } ?? ""
  if command == " git", arguments.count > 1, Git.shownNames.contains(arguments[1]) {
    command += " \(arguments[1])"
  }
  return UsageText.line(message, hint: "'pnmerge\(command) --help'")
}

/// The names of the commands for documents: all but `git`, whose commands have two words.
package var documentCommandNames: [String] { Pnmerge.shownNames.filter { $0 != "git" } }

/// The names that a first argument can have.
private let commandNames = Pnmerge.shownNames + ["help"]

extension ParsableCommand {
  /// The names of the subcommands that the help lists.
  fileprivate static var shownNames: [String] {
    configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name }
  }

  /// What it is called, as the parser does: by its type if nothing else is said.
  fileprivate static var name: String { configuration.commandName ?? "\(self)".lowercased() }
}

/// Puts `merge` in front of the short form `pnmerge INTO FROM`, and common options that stand
/// before the command behind it.
private func completed(
  _ arguments: [String], _ invocation: Invocation
) throws(Failure) -> [String] {
  let options = arguments.prefix(commonOptionCount(arguments))
  let arguments = Array(arguments.dropFirst(options.count))
  guard let first = arguments.first else {
    throw Failure(.usage, "no command given; see 'pnmerge --help'")
  }
  let others = Array(arguments.dropFirst())
  if first.hasPrefix("-"), first != "-" { return options + arguments }
  guard commandNames.contains(first) else {
    let file = FileName(bytes: ArgumentText.bytes(for: first))
    // Of a file that is not there, and another argument, `merge` knows what to say.
    let isNamed =
      first.contains { $0 == "." || $0 == "/" }
      && others.contains { !$0.hasPrefix("-") || $0 == "-" }
    guard isNamed || file.isStandardStream || invocation.kind(of: file) != nil else {
      throw Failure(
        .usage, "'\(file.visible)' is neither a command nor a file; \(commandHint(for: first))")
    }
    return ["merge"] + options + arguments
  }
  try checkBundles(arguments)
  switch (first, others.first) {
  case ("set", _), ("insert", _): return [first] + options + others.map(ArgumentText.withoutSign)
  case ("git", nil): throw Failure(.usage, "no command given; \(gitCommandList)")
  case ("git", let second?) where !second.hasPrefix("-"):
    try checkGitCommand(second)
    return [first, second] + options + others.dropFirst()
  case ("help", let topic?):
    if !topic.hasPrefix("-"), !commandNames.contains(topic) {
      let name = visibleText(of: ArgumentText.bytes(for: topic))
      throw Failure(.usage, "'\(name)' is not a command; \(commandHint(for: topic))")
    }
    if topic == "git", others.count > 1 { try checkGitCommand(others[1]) }
  case _: break
  }
  return [first] + options + others
}

/// What is used now in place of commands and options that were there before.
private let successors = [
  "get": "pnmerge cat FILE PATH", "anonymize": "peernote-bench anonymize",
  "--where": "pnmerge export FILE | jq", "--each": "pnmerge export FILE | jq",
  "--schema": "pnmerge validate --schema SCHEMA FILE",
  "--backup-beside": "cp FILE FILE.bak, before it", "--exact": "--type string, or JSON with $types",
  "--html": "pnmerge review --html NEW.html FILE COPY", "--apply": "pnmerge review --apply",
  "--hooks": "pnmerge validate, in a hook of your own",
  "git hook": "pnmerge git install, which takes the hook away",
  "--two-way": "diff, with two outputs of pnmerge export",
  "--graph": "pnmerge inspect --changes, which lists parents",
  "--operations": "Tests/Tools/read_peernote.py in the source",
]

/// What to do instead of an unknown command: its successor, or the nearest three.
private func commandHint(for word: String) -> String {
  if let successor = successors[word] { return "instead: \(successor)" }
  let names = NearestName.nearest(3, to: word, in: commandNames).map { "'\($0)'" }
  return "did you mean \(enumerated(names, "or"))? see 'pnmerge --help'"
}

/// Refuses short options in one word where one of them is `-h`: that would print the help instead of
/// doing the rest.
private func checkBundles(_ arguments: [String]) throws(Failure) {
  for argument in arguments.dropFirst().prefix(while: { $0 != "--" })
  where argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.utf8.count > 2
    && argument.contains("h") && !argument.contains("=")
  {
    let name = visibleText(of: ArgumentText.bytes(for: argument))
    throw Failure(
      .usage,
      "'\(name)' is no option: -h goes alone, and a name that begins with - goes after --, as in "
        + "'pnmerge \(arguments[0]) -- \(name)'")
  }
}

/// Refuses a second word after `git` that is no command.
private func checkGitCommand(_ word: String) throws(Failure) {
  if word == "help" || Git.configuration.subcommands.contains(where: { $0.name == word }) { return }
  let name = visibleText(of: ArgumentText.bytes(for: word))
  let hint = successors["git " + word].map { "instead: \($0)" } ?? gitCommandList
  throw Failure(.usage, "'git \(name)' is not a command; \(hint)")
}

/// All commands for git.
private var gitCommandList: String {
  "the commands are \(enumerated(Git.shownNames.map { "git " + $0 }))"
}

/// How many arguments at the beginning are options that belong to every command.
private func commonOptionCount(_ arguments: [String]) -> Int {
  var count = 0
  while count < arguments.count {
    switch arguments[count] {
    case "-q", "--quiet", "-v", "--verbose": count += 1
    case "--color" where count + 1 < arguments.count: count += 2
    case let argument where argument.hasPrefix("--color="): count += 1
    default: return count
    }
  }
  return count
}
