import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge find`: finds documents, or parts of them, that meet a condition.
struct Find: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find documents, or elements of their lists, that meet a condition.",
    discussion: """
      A condition compares the values at paths: /runtime <= 100 and not /rating. A path alone asks \
      whether there is a value; * in a path matches any name or index; contains looks for an \
      element, a member or a part of a text. In a directory all .peernote files are searched. The \
      status is 1 if nothing was found.

      Example:
        pnmerge find films.peernote --each /films --where '/runtime <= 100'
        pnmerge find ~/notes --where '/tags contains "work" and /priority = "high"'
      """)

  @Argument(
    help: ArgumentHelp("Documents and directories; - is standard input.", valueName: "file"))
  var fileArguments: [FileNames]
  var files: [FileName] { fileArguments.flatMap(\.names) }

  @Option(
    name: .customLong("where"), help: ArgumentHelp("The condition.", valueName: "condition"))
  var text: TextArgument

  @Option(
    help: ArgumentHelp(
      "Check each element of the list, or value of the map, at this path.", valueName: "path"),
    transform: PathArgument.parse)
  var each: PathArgument?

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.isEmpty { throw ValidationError("Give a file or a directory.") }
  }

  /// Something that meets the condition, and what is said of it.
  private struct Match {
    var file: FileName
    var path: JSONPointer
    var title: String?
    /// Only where it is printed.
    var value: JSON?
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    try invocation.checkStandardInput(files)
    let condition: Condition
    do {
      condition = try ConditionReader.condition(in: text.text)
    } catch {
      throw Failure(.usage, "--where: \(error)")
    }
    var matches: [Match] = []
    var status = ExitStatus.done
    let documents = try files.flatMap { try self.documents(in: $0, invocation) }
    for (index, file) in documents.enumerated() {
      invocation.console.progress("looking at \(index + 1) of \(documents.count): \(file.visible)")
      do {
        matches += try self.matches(in: file, condition, invocation)
      } catch {
        guard documents.count > 1, error.status != .interrupted else { throw error }
        // One damaged document hides none of the others.
        try invocation.console.printError(error.line)
        status = max(status, error.status)
      }
    }
    try report(matches, invocation)
    return max(status, matches.isEmpty ? .different : .done)
  }

  private func report(_ matches: [Match], _ invocation: Invocation) throws {
    if json {
      try invocation.console.printResult([
        "schema": 1,
        "matches": .array(
          matches.map {
            [
              "file": .string($0.file.visible), "path": .string($0.path.description),
              "value": $0.value ?? .null,
            ]
          }),
      ])
      return
    }
    for match in matches {
      var line = match.file.inputName
      if each != nil { line += ":" + match.path.visible }
      if let title = match.title { line += "  " + title }
      try invocation.console.printResult(line)
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
    let parts: [(token: String, node: Node)] =
      switch root[each.path] {
      case .list(let elements): elements.enumerated().map { (String($0.offset), $0.element) }
      case .map(let entries): entries.map { ($0.key, $0.node) }
      case .value, .text, .set, .counter, nil: []
      }
    var matches: [Match] = []
    for part in parts where try check.holds(condition, for: part.node) {
      matches.append(match(part.node, file, each.path.appending(part.token)))
    }
    return matches
  }

  private func match(_ node: Node, _ file: FileName, _ path: JSONPointer) -> Match {
    Match(file: file, path: path, title: node.title, value: json ? node.json : nil)
  }

  /// The documents that an argument stands for, those of a directory in the order of their names.
  private func documents(
    in file: FileName, _ invocation: Invocation
  ) throws(Failure) -> [FileName] {
    guard !file.isStandardStream else { return [file] }
    let entries: [(name: FileName, kind: FileIdentity.Kind)]
    do throws(HostError) {
      guard let found = try self.entries(of: file, invocation.host) else { return [file] }
      entries = found
    } catch {
      throw error.whileReading(file)
    }
    var result: [FileName] = []
    for (name, kind) in entries {
      let entry = file.appending(name)
      switch kind {
      case .directory: result += try documents(in: entry, invocation)
      case .regular:
        let isHidden = name.bytes.first == UInt8(ascii: ".")
        if !isHidden, name.bytes.suffix(9).elementsEqual(".peernote".utf8) { result.append(entry) }
      // Links are not followed, so that nothing is looked at for ever.
      case .symbolicLink, .other: break
      }
    }
    return result
  }

  /// What a directory holds, in the order of the names; `nil` if it is none.
  private func entries(
    of directory: FileName, _ host: any Host
  ) throws(HostError) -> [(name: FileName, kind: FileIdentity.Kind)]? {
    guard try host.identity(of: directory, followingLinks: true)?.kind == .directory else {
      return nil
    }
    var result: [(name: FileName, kind: FileIdentity.Kind)] = []
    for name in try host.entries(of: directory).sorted() {
      let identity = try host.identity(of: directory.appending(name), followingLinks: false)
      if let identity { result.append((name, identity.kind)) }
    }
    return result
  }
}
