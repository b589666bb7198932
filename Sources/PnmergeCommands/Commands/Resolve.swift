import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge resolve`: settles what merges decided.
struct Resolve: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Resolve conflicts, by a new change.",
    usage: """
      pnmerge resolve [<options>] <file> <path> --take <side>
      pnmerge resolve [<options>] <file> <path> --value <value>
      pnmerge resolve [<options>] <file> --all --take <side> | -i | --apply <d>
      """,
    discussion: """
      Example:
        pnmerge resolve notes.peernote /title --take 5f0c
      """)

  @Argument(
    help: ArgumentHelp("The document; - is standard input and output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("Where: a JSON Pointer.", valueName: "path"),
    transform: PathArgument.parse)
  var path: PathArgument?

  @Option(
    help: ArgumentHelp("The ID of a change, kept, mine, theirs or both.", valueName: "side"))
  var take: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Set this value.", valueName: "value"))
  var value: TextArgument?

  @Option(
    help: ArgumentHelp("Only the passage on this line.", valueName: "line[:column]"),
    transform: LineArgument.init(parsing:))
  var line: LineArgument?

  @Flag(help: "Take a side of all conflicts.")
  var all = false

  @Flag(name: [.short, .long], help: "Ask about each place at the terminal.")
  var interactive = false

  @Option(
    help: ArgumentHelp("Decide as the page of the merge did; repeatable.", valueName: "decisions"))
  var apply: [FileName] = []

  @OptionGroup(visibility: .hidden) var input: ValueArguments
  @Flag(help: ArgumentHelp("With --interactive, ask in whole words.", visibility: .hidden))
  var plain = false

  @OptionGroup(visibility: .hidden) var identity: ElementIdentity
  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  func validate() throws {
    let hasValue = value != nil || input.valueFile != nil
    if plain, !interactive { throw ValidationError("--plain goes with --interactive.") }
    if interactive || !apply.isEmpty {
      if path != nil || take != nil || hasValue || line != nil || all
        || (interactive && !apply.isEmpty)
      {
        throw ValidationError("--interactive and --apply take the file only.")
      }
      if file.isStandardStream {
        throw ValidationError("--interactive and --apply need a file.")
      }
    } else if all {
      if path != nil || take == nil || hasValue || line != nil {
        throw ValidationError("--all goes with --take, and without a path.")
      }
    } else if take != nil, hasValue {
      throw ValidationError("--take and a value exclude each other.")
    } else if path == nil || (take != nil) == hasValue {
      throw ValidationError("Give a path, and --take or --value; or --interactive or --apply.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, schema: schema, invocation)
    if !apply.isEmpty { return try decide(as: apply, change) }
    if all, let take { return try takeAll(take, change) }
    guard let path else { return try ask(change) }
    let node =
      take == nil
      ? try input.prepared(value, JSONReading(plain: false), into: file, invocation) : nil
    var dropped: [DroppedValue] = []
    let done: Bool? = try change { document in
      let keys = identity.matching.identityKeys
      let open = document.conflicts(identityKeys: keys)
      let conflicts = try conflicts(at: path.path, of: open, in: document)
      let conflict = conflicts.first { $0.hasSide(namedBy: take) } ?? conflicts[0]
      let owners = SideOwners(of: file, document.id, change.invocation)
      var resolutions: [Resolution] = []
      if conflict.scalars != nil {
        resolutions = try readings(
          conflicts.filter { $0.scalars != nil }, try node?(document, path.path), owners)
      } else if take == "both" {
        guard let united = conflict.resolution(taking: .all, identityKeys: keys) else {
          throw Failure(
            .usage, file: file,
            "what competes at \(conflict.path.visible) excludes each other, so both cannot be kept; take one, "
              + "or set a value")
        }
        resolutions = [united]
      } else if let take {
        let side = try side(take, of: conflict, owners)
        let earlier = try earlierContent(of: conflict, in: document)
        let taken = conflict.resolution(taking: .side(side), since: earlier, identityKeys: keys)
        resolutions = [taken].compactMap(\.self)
      } else {
        let content = try node?(document, conflict.path) ?? .value(.null)
        resolutions = [conflict.resolution(taking: .content(content))].compactMap(\.self)
      }
      dropped = resolutions.flatMap(\.dropped)
      try check(resolutions.first, document)
      let changed = try change.edit(&document, isResolution: true) { editor in
        try editor.settle(resolutions, identityKeys: keys)
      }
      return changed ? true : nil
    }
    try change.report(
      done.map { _ in "resolved \(path.path.visible)" }, "would resolve \(path.path.visible)")
    try invocation.console.report(dropped)
    return .done
  }

  /// What is undecided at a path, and on the line that was named.
  ///
  /// - Throws: ``Failure`` if that is nothing.
  private func conflicts(
    at path: JSONPointer, of open: [Conflict], in document: Document
  ) throws(Failure) -> [Conflict] {
    let places = ConflictPlaces(of: open, in: document)
    let found = open.filter { conflict in
      if let line {
        return conflict.path == path && line.isPlace(of: conflict, places)
      }
      return conflict.path == path || conflict.elements.contains(path)
        || [conflict.place, places.place(of: conflict)].contains(path.visible)
    }
    if !found.isEmpty { return found }
    let others = open.map(places.place)
    throw Failure(
      .usage, file: file,
      "there is no conflict at \(path.visible + (line.map { ":\($0.text)" } ?? ""))"
        + (others.isEmpty ? " or anywhere else" : "; there is one at \(enumerated(others))"))
  }

  /// What an element that stands in several lists was before that; `nil` for all else.
  private func earlierContent(
    of conflict: Conflict, in document: Document
  ) throws(Failure) -> Node? {
    guard conflict.kind == .movedApart else { return nil }
    do throws(DocumentError) {
      let keys = identity.matching.identityKeys
      return try document.earlierContent(of: [conflict], identityKeys: keys)[0].node
    } catch {
      throw error.failure(in: file)
    }
  }

  /// What passages of a text are to read.
  private func readings(
    _ conflicts: [Conflict], _ node: Node?, _ owners: SideOwners
  ) throws(Failure) -> [Resolution] {
    guard let take else {
      guard conflicts.count == 1 else {
        throw Failure(
          .usage, file: file,
          "several passages are contested at \(conflicts[0].path.visible); name one by --line")
      }
      let reading = node.map(conflicts[0].endingLines)
      guard let resolution = reading.flatMap({ conflicts[0].resolution(taking: .content($0)) })
      else {
        throw Failure(.usage, file: file, "a passage of text can only be a string")
      }
      return [resolution]
    }
    if take == "both" {
      return conflicts.compactMap { $0.resolution(taking: .all) }
    }
    // All that have the reading take it; the first one tells what is wrong if none has.
    let isWord = ["kept", "mine", "theirs"].contains(take)
    let having = conflicts.filter { conflict in
      isWord
        || conflict.sides.contains { $0.change.description.hasPrefix(take.lowercased()) }
    }
    let taken = having.isEmpty ? [conflicts[0]] : having
    var result: [Resolution] = []
    for conflict in taken {
      let side = try side(take, of: conflict, owners)
      if let resolution = conflict.resolution(taking: .side(side)) { result.append(resolution) }
    }
    return result
  }

  /// The side that `--take` names.
  private func side(
    _ name: String, of conflict: Conflict, _ owners: SideOwners
  ) throws(Failure) -> Conflict.Side {
    if name == "kept" { return conflict.kept }
    if name == "mine" || name == "theirs" {
      let found = try owners.sides(of: conflict, areMine: name == "mine")
      if found.count == 1 { return found[0] }
      throw Failure(
        .usage, file: file,
        "\(found.isEmpty ? "no" : "more than one") value at \(conflict.path.visible) is "
          + "\(name == "mine" ? "yours" : "theirs"); " + choices(conflict, owners))
    }
    let found = conflict.writtenSides.filter { $0.change.description.hasPrefix(name.lowercased()) }
    guard let side = found.first, !name.isEmpty else {
      throw Failure(
        .usage, file: file,
        "no value at \(conflict.path.visible) is by change \(quoted(name)); "
          + choices(conflict, owners))
    }
    guard found.count == 1 else {
      throw Failure(
        .usage, file: file,
        "more than one value at \(conflict.path.visible) is by \(quoted(name)); "
          + choices(conflict, owners) + "; --value sets any of them")
    }
    return side
  }

  /// The most values that one line names.
  static let namedSides = 10

  /// What `--take` can name.
  private func choices(_ conflict: Conflict, _ owners: SideOwners) -> String {
    let words = ["mine", "theirs"].filter { word in
      (try? owners.sides(of: conflict, areMine: word == "mine"))?.count == 1
    }
    let sides = conflict.writtenSides.prefix(Self.namedSides).map { side in
      "\(side.change) (\(side.node == nil ? "deleted" : side.preview))"
    }
    let others = conflict.writtenSides.count - sides.count
    let end = others > 0 ? ["and \(others) more, which 'conflicts' lists"] : []
    let named = (["kept"] + words).joined(separator: ", ")
    return "--take can be \(named), or " + (sides + end).joined(separator: ", ")
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
      "resolve first the conflicts inside: \(enumerated(inside.map(\.visible)))")
  }
}

extension Conflict {
  /// Whether the name of a change, or its beginning, is that of one side.
  fileprivate func hasSide(namedBy name: String?) -> Bool {
    guard let name, !name.isEmpty else { return false }
    return writtenSides.contains { $0.change.description.hasPrefix(name.lowercased()) }
  }
}
