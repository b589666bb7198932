import ArgumentParser
import Peernote
import PeernoteJSON

struct Resolve: OptionsCommand, OneFileCommand {
  static let configuration = CommandConfiguration(
    abstract: "Resolve conflicts, by a new change.",
    usage: """
      pnmerge resolve [<options>] <file> <path> --take <side>
      pnmerge resolve [<options>] <file> <path> --value <value>
      pnmerge resolve [<options>] <file> --all --take <side> | -i
      """,
    discussion: """
      Example:
        pnmerge resolve notes.peernote /title --take 5f0c
      """)
  static let changesHistory = true

  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @Argument(help: .of("path", "Where: a JSON Pointer."), transform: PathArgument.parse)
  var path: JSONPointer?

  @Option(help: .of("side", "The ID of a change, kept, mine, theirs or both."))
  var take: String?

  @Option(parsing: .unconditional, help: .of("value", "Set this value."))
  var value: TextArgument?

  @Option(
    help: .of("line[:column]", "Only the passage on this line."),
    transform: LineArgument.init(parsing:))
  var line: LineArgument?

  @Flag(help: "Take a side of all conflicts.")
  var all = false

  @Flag(name: [.short, .long], help: "Ask about each place at the terminal.")
  var interactive = false

  @OptionGroup(visibility: .hidden) var input: ValueArguments
  @Flag(help: ArgumentHelp("With --interactive, ask in whole words.", visibility: .hidden))
  var plain = false

  @OptionGroup(visibility: .hidden) var identity: ElementIdentity
  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  var mistakes: Mistakes {
    let hasValue = value != nil || input.valueFile != nil
    let isOfPlace = path != nil || hasValue || line != nil
    let isOne = !interactive && !all
    return [
      "--plain goes with --interactive": plain && !interactive,
      "--interactive takes the file only": interactive && (isOfPlace || take != nil || all),
      "--interactive needs a file": interactive && file.isStandardStream,
      "--all goes with --take, and without a path": all && (isOfPlace || take == nil),
      "--take and a value exclude each other": isOne && take != nil && hasValue,
      "give a path, and --take or --value; or --interactive":
        isOne && (path == nil || (take != nil) == hasValue),
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, schema: schema, invocation)
    if interactive { return try ask(change) }
    let node =
      take == nil
      ? Result { try input.prepared(value, JSONReading(plain: false), into: file, invocation) }
      : nil
    var answers = Review.Answers()
    // What a passage that was given reads with its sentence.
    var sentence: String?
    // What is at the path and has no such side.
    var leftCount = 0
    let isDone: Bool? = try change { document in
      var review = try review(of: document, change)
      if all, review.places.isEmpty { return nil }
      let named = all ? review.open : try places(in: review)
      var count = 1
      if let take {
        count = review.takeAll(named: take, at: named)
        if count == 0 { throw noSide(of: named.map { review.places[$0] }) }
      } else {
        let place = review.places[named[0]]
        let choice = try written(at: named, in: review) { try node?.get()(document, $0) }
        review.choose(choice, at: named[0])
        if place.scalars != nil { sentence = place.sentence(choice.content) }
      }
      if !all {
        leftCount = named.count { review.isOpen($0) }
        let answers = review.answers(of: 0)
        if answers.chosen.count < count {
          let chosen = named.filter { review.chosen[$0] != nil }.map { review.places[$0] }
          throw Failure(
            .usage, file: file,
            "resolve first the conflicts inside: " + enumerated(answers.open(besides: chosen)))
        }
      }
      let session = try invocation.session(options.authorship, for: file)
      let message = options.authorship.message?.text
      let result = try review.settled(0, by: session, message: message)
      answers = result.answers
      guard let settled = result.document else { return nil }
      document = settled
      return true
    }
    if all {
      try answers.report(of: file, invocation)
      return answers.open.isEmpty ? .done : .different
    }
    var name = path?.visible ?? ""
    if let sentence { name += "; it reads \(DocumentNode.text(sentence).preview)" }
    if leftCount > 0 { name += "; \(counted(leftCount, "conflict")) left there" }
    try change.report(isDone != nil, "resolved", "resolve", name)
    try invocation.console.report(answers.dropped)
    return .done
  }

  /// Asks about all that is undecided.
  private func ask(_ change: FileChange) throws -> ExitStatus {
    try ReviewDialog.checkTerminal(
      change.invocation.host, or: "without one: --take or --value, with a path")
    var run = try FileChange.review(
      [(change, change.invocation.readDocument(file))],
      identityKeys: identity.matching.identityKeys)
    // What is answered changes the run.
    let end = try run.ask(isPlain: plain)
    return try run.finish(end, options.authorship)
  }

  /// All that is undecided in a document, and whose each side is, if anything tells.
  private func review(of document: Document, _ change: FileChange) throws -> Review {
    var reviewed = ReviewedDocument(file, ours: document, merged: document)
    reviewed.identityKeys = identity.keys(in: document)
    reviewed.isForced = options.force
    if document.conflicts(identityKeys: reviewed.identityKeys).isEmpty {
      return Review(of: [reviewed], [])
    }
    let owners = SideOwners(file: file, id: document.id, invocation: change.invocation)
    let isNeeded = take == "mine" || take == "theirs"
    reviewed.mine = try isNeeded ? owners.beforeMerge() : try? owners.beforeMerge()
    if isNeeded, let hint = owners.hint { try change.invocation.console.report(hint) }
    return try file.parsing(Review(of: [reviewed], isWhole: false))
  }

  /// What was given for the only conflict at the path, and on the line that was named.
  private func written(
    at named: [Int], in review: Review, _ content: (JSONPointer) throws -> DocumentNode?
  ) throws -> Review.Choice {
    let place = review.places[named[0]]
    let isText = place.scalars != nil
    if named.count > 1 {
      let elements = named.compactMap { review.places[$0].conflict?.elements.first?.visible }
      throw Failure(
        .usage, file: file,
        "there are several conflicts at \(place.path.visible); name one by "
          + (isText ? "--line" : enumerated(elements, "or")))
    }
    // What a passage is to read needs to be no JSON.
    let words = isText && input.type == .json ? value.map { self.words(of: $0) } : nil
    var node = try words ?? content(place.path) ?? .value(.null)
    if isText {
      node = place.withoutSentence(node)
      node = place.conflict?.endingLines(node) ?? node
    }
    guard let choice = review.edited(node, at: named[0]) else {
      throw Failure(.usage, file: file, "a passage of text can only be a string")
    }
    return choice
  }

  /// What a passage is to read: a string of JSON, or the words as they are.
  private func words(of value: TextArgument) -> DocumentNode {
    if case .string(let text)? = try? ValueType.json(in: value.text) { return .text(text) }
    return .text(value.text)
  }

  /// What is undecided at the path, and on the line that was named; throws if that is nothing.
  private func places(in review: Review) throws(Failure) -> [Int] {
    guard let path else { return [] }
    let conflicts = review.places.compactMap(\.conflict)
    let places = ConflictPlaces(of: conflicts, in: review.documents[0].merged)
    let named = conflicts.indices.filter { index in
      let conflict = conflicts[index]
      if let line { return conflict.path == path && line.isPlace(of: conflict, places) }
      return conflict.path == path
        || [conflict.place, places.place(of: conflict)].contains(path.visible)
    }
    let found =
      named.isEmpty && line == nil
      ? conflicts.indices.filter { conflicts[$0].elements.contains(path) } : named
    if !found.isEmpty { return found }
    let others = conflicts.map(places.place)
    throw Failure(
      .usage, file: file,
      "there is no conflict at \(path.visible + (line.map { ":\($0.text)" } ?? ""))"
        + (others.isEmpty ? " or anywhere else" : "; there is one at \(enumerated(others))"))
  }

  /// The most sides that one line names.
  private static let namedSides = 10

  /// Says what `--take` can be at some places, since it is nothing of that.
  private func noSide(of places: [Review.Place]) -> Failure {
    let take = take ?? ""
    let words = ["kept", "mine", "theirs", "both"]
    let possible = words.filter { word in places.contains { $0.choices(named: word).count == 1 } }
    var seen: Set<String> = []
    let sides = places.flatMap(\.choices).filter {
      !$0.authors.isEmpty && seen.insert($0.key).inserted
    }
    let named = sides.prefix(Self.namedSides).map { side in
      "\(side.key) (\(authorName(side.authors[0])), \(side.content?.preview ?? "deleted"))"
    }
    let rest = sides.count - named.count
    let end = rest > 0 ? ["and \(rest) more, which 'conflicts' lists"] : []
    let count =
      places.contains { $0.choices(named: take).count > 1 } ? "several sides are" : "no side is"
    let spot = all ? "" : " at \(places[0].path.visible)"
    // A word may fit none of what is there; a name that fits none is mistyped.
    let isWord = all && words.contains(take)
    return Failure(
      isWord ? .different : .usage, file: file,
      "\(count) called \(quoted(take))\(spot); --take can be "
        + (possible + named + end).joined(separator: ", "))
  }
}

extension Review.Answers {
  /// Where something else is open at some places, or inside of what is there.
  fileprivate func open(besides places: [Review.Place]) -> [String] {
    open.filter { conflict in
      places.contains { place in
        let paths = [place.path] + (place.conflict?.elements ?? [])
        return conflict != place.conflict && paths.contains { conflict.path.isInside($0) }
      }
    }.map(\.path.visible)
  }
}
