import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge find`: finds documents, or parts of them, that meet a condition.
struct Find: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find text in documents, or documents that meet a condition.",
    discussion: """
      Without --where the first argument is a text, which is looked for in texts and strings, \
      ignoring case; each line that has it is printed with its place. A directory stands for all \
      .peernote files in it, and tracked plain files; without a file the current directory is \
      searched.

      With --where all arguments are files. A condition compares the values at paths: /runtime <= 100 and not /rating. A path alone asks \
      whether there is a value; * in a path matches any name or index; contains looks for an \
      element, a member or a part of a text. With --tag, --priority or --since only notes that fit \
      are searched. The status is 1 if nothing was found.

      Example:
        pnmerge find 'train ticket' ~/notes
        pnmerge find --tag travel --since 2026-11-01 ticket ~/notes
        pnmerge find films.peernote --each /films --where '/runtime <= 100'
        pnmerge find ~/notes --where '/tags contains "work" and /priority = "high"'
      """)

  @Argument(
    help: ArgumentHelp(
      "The text, without --where; then documents and directories; - is standard input.",
      valueName: "text-or-file"))
  var arguments: [FileNames]

  @Option(
    name: .customLong("where"), help: ArgumentHelp("The condition.", valueName: "condition"))
  var condition: TextArgument?

  @Option(
    help: ArgumentHelp(
      "Check each element of the list, or value of the map, at this path.", valueName: "path"),
    transform: PathArgument.parse)
  var each: PathArgument?

  @OptionGroup var filter: NoteFilter

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if arguments.isEmpty { throw ValidationError("Give a text, or --where and a file.") }
    if each != nil, condition == nil { throw ValidationError("--each needs --where.") }
  }

  /// What is found, and where.
  private struct Match {
    var file: FileName
    var path: JSONPointer
    /// The line of the text, from 1.
    var line: Int?
    /// The title of what meets the condition, or the line that has the text.
    var words: String?
    /// Only where it is printed.
    var value: JSON?
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    var files = arguments.flatMap(\.names)
    let search: (FileName) throws -> [Match]
    if let condition {
      let condition = try Self.condition(condition.text)
      search = { try matches(in: $0, condition, invocation) }
    } else {
      let text = String(decoding: files.removeFirst().bytes, as: UTF8.self)
      guard let needle = TextSearch(text) else { throw Failure(.usage, "the text is empty") }
      if files.isEmpty { files = [FileName(".")] }
      search = { try matches(in: $0, needle, invocation) }
    }
    try invocation.checkStandardInput(files)
    var found: [Match] = []
    let searched =
      filter.isGiven
      ? try notes(in: files, invocation)
      : try invocation.documentFiles(
        in: files, mayBeEmpty: true, with: condition == nil ? .files : .none)
    let status = try invocation.forEachFile(searched) { file in
      found += try search(file)
      return .done
    }
    try report(found, invocation)
    return max(status, found.isEmpty ? .different : .done)
  }

  /// The files of the notes that are not left out; with a condition only documents, unless they are
  /// named.
  private func notes(in files: [FileName], _ invocation: Invocation) throws -> FoundFiles {
    var result = FoundFiles()
    for file in files {
      if file.isStandardStream {
        throw Failure(.usage, "--tag, --priority and --since take files, not standard input")
      }
      do {
        let listed = try invocation.notes(in: file)
        result.failures += listed.faults
        result.files += filter.notes(of: listed.notes, invocation.host).map(\.file).filter {
          condition == nil || $0 == file || $0.lastComponent.bytes.hasDocumentExtension
        }
      } catch let failure as Failure where failure.status != .interrupted {
        result.failures.append(failure)
      }
    }
    return result
  }

  private static func condition(_ text: String) throws -> Condition {
    do {
      return try ConditionReader.condition(in: text)
    } catch {
      throw Failure(.usage, "--where: \(error)")
    }
  }

  private func report(_ matches: [Match], _ invocation: Invocation) throws {
    if json {
      try invocation.console.printResult([
        "schema": 1,
        "matches": .array(
          matches.map {
            var members = [
              JSON.Member(name: "file", value: .string($0.file.visible)),
              JSON.Member(name: "path", value: .string($0.path.description)),
            ]
            if let line = $0.line {
              members.append(JSON.Member(name: "line", value: .count(line)))
            }
            members.append(JSON.Member(name: "value", value: $0.value ?? .null))
            return .object(members)
          }),
      ])
      return
    }
    for match in matches {
      var line = match.file.inputName
      if condition == nil {
        if !Self.ofNote.contains(match.path) { line += ":" + match.path.visible }
        if let number = match.line { line += ":\(number)" }
        line += ": " + (match.words ?? "")
      } else {
        if each != nil { line += ":" + match.path.visible }
        if let title = match.words { line += "  " + title }
      }
      try invocation.console.printResult(line)
    }
  }

  /// Where the title and the text of a note stand.
  private static let ofNote = [JSONPointer(["title"]), JSONPointer(["body"])]

  private func matches(
    in file: FileName, _ needle: TextSearch, _ invocation: Invocation
  ) throws(Failure) -> [Match] {
    let root: Node
    if !file.lastComponent.bytes.hasDocumentExtension, try invocation.isTracked(file) {
      root = .map([Node.MapEntry(key: "body", node: .text(try invocation.readText(file)))])
    } else {
      root = try invocation.readContent(file).root
    }
    return needle.lines(in: root).map { found in
      Match(
        file: file, path: found.path, line: found.line, words: found.text,
        value: json ? .string(found.text) : nil)
    }
  }

  private func matches(
    in file: FileName, _ condition: Condition, _ invocation: Invocation
  ) throws(Failure) -> [Match] {
    let root = try invocation.readContent(file).root
    var check = ConditionCheck()
    do throws(ConditionCheck.TooManySteps) {
      return try matches(in: file, root, condition, &check)
    } catch {
      throw Failure(
        .unreadable, file: file, "the condition takes more than \(ConditionCheck.stepLimit) steps")
    }
  }

  private func matches(
    in file: FileName, _ root: Node, _ condition: Condition, _ check: inout ConditionCheck
  ) throws(ConditionCheck.TooManySteps) -> [Match] {
    guard let each else {
      return try check.holds(condition, for: root)
        ? [match(root, file, JSONPointer())] : []
    }
    var matches: [Match] = []
    for part in root[each.path]?.children ?? [] where try check.holds(condition, for: part.node) {
      matches.append(match(part.node, file, each.path.appending(part.token)))
    }
    return matches
  }

  private func match(_ node: Node, _ file: FileName, _ path: JSONPointer) -> Match {
    Match(file: file, path: path, words: node.title, value: json ? node.json : nil)
  }
}
