import ArgumentParser
import Peernote
import PeernoteJSON

struct SetValue: OptionsCommand {
  static let configuration = configured(
    "Set the value at a path.", takes: "<file> <path> [<value>]", as: "set",
    """
    Example:
      pnmerge set notes.peernote /agenda/0/title Budget
      pnmerge set notes.peernote /body --text --value-file body.txt
    """)

  @OptionGroup var place: PlaceArguments

  @Argument(help: .of("value", "JSON; a word that is none is a string."))
  var value: TextArgument?

  @OptionGroup var input: ValueArguments
  @OptionGroup var reading: JSONReading
  @OptionGroup var base: BaseOption
  @OptionGroup(visibility: .hidden) var identity: ElementIdentity
  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(
      place.file, options, schema: schema, identityKeys: identity.keys, invocation)
    let node = try input.prepared(
      value, reading, into: place.file, invocation, matching: identity.matching)
    let path = place.path
    let done = try change(at: base, path: path) { document in
      let old = document.node(at: path)
      let new = try node(document, path)
      let isList = document.kind(at: path.parent) == .list
      try checkPlace(path, in: document, for: new, isNew: old == nil)
      if isList, path.tokens.last == "-" {
        try change.checkIsNew(
          new, in: document.node(at: path.parent), at: path.parent, document.identityKeys)
      }
      let conflicts = document.conflicts
      let isOpen = conflicts.contains { $0.path == path && $0.kind != .passage }
      return try change.edit(&document, contested: conflicts) { editor in
        if isList, path.tokens.last == "-" {
          try editor.insert(node: new, at: path)
        } else if old == nil || isOpen {
          try editor.put(node: new, at: path)
        } else {
          try editor.replaceContent(at: path, with: new, matching: identity.matching)
        }
      }
    }
    try change.report(done != nil, "set", "set", (done ?? path).visible)
    return .done
  }

  /// Refuses places that only 'insert' adds to, or where nothing can be set.
  private func checkPlace(
    _ path: JSONPointer, in document: Document, for new: DocumentNode, isNew: Bool
  ) throws(Failure) {
    if path.tokens.isEmpty {
      if case .map = new { return }
      throw place.file.refusal(
        "the whole document is a map; give an object, or the path of what to set")
    }
    let parent = path.parent
    let insertion = place.file.advice("insert", at: parent.appending("-"))
    switch document.kind(at: parent) {
    case .set:
      throw place.file.refusal(
        "\(parent.visible) is a set, which 'insert' adds members to: \(insertion)")
    case .list where isNew && path.tokens.last != "-":
      guard case .list(let elements) = document.node(at: parent) else { return }
      let token = path.tokens.last ?? ""
      let count = counted(elements.count, "element")
      let fault =
        token.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? "" : ", and \(quoted(token)) is no number of one"
      throw place.file.refusal(
        "\(parent.visible) has \(count)\(fault); 'insert' adds elements: \(insertion)")
    case nil:
      if let reason = document.root.absence(of: parent) {
        throw place.file.refusal(
          "there is nothing at \(parent.visible): \(reason)\(creation(of: path, in: document))")
      }
    case _: return
    }
  }

  /// How the maps are made that are missing on the way to a path; nothing if that cannot be told.
  private func creation(of path: JSONPointer, in document: Document) -> String {
    let tokens = path.tokens
    let count = tokens.indices.first { document.node(at: JSONPointer(Array(tokens[...$0]))) == nil }
    guard let count, document.kind(at: JSONPointer(Array(tokens[..<count]))) == .map else {
      return ""
    }
    let inner = tokens[(count + 1)...]
    if inner.contains(where: { $0 == "-" || Int($0) != nil }) { return "" }
    let object = inner.reversed().reduce("VALUE") { value, name in
      "{\(String(decoding: JSON.string(name).bytes(), as: UTF8.self)):\(value)}"
    }
    let start = JSONPointer(Array(tokens[...count]))
    return "; to make it: \(place.file.advice("set", at: start, value: object))"
  }
}

struct Insert: OptionsCommand {
  static let configuration = configured(
    "Insert into a list, or add to a set.", takes: "<file> <path> [<value>]",
    """
    Example:
      pnmerge insert notes.peernote /agenda/- '{"title": "Venue"}'
      pnmerge insert notes.peernote /tags/- --string work
    """)

  @OptionGroup var place: PlaceArguments

  @Argument(help: .of("value", "JSON; a word that is none is a string."))
  var value: TextArgument?

  @OptionGroup var input: ValueArguments
  @OptionGroup var reading: JSONReading
  @OptionGroup var base: BaseOption
  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    let node = try input.prepared(value, reading, into: place.file, invocation)
    let path = place.path
    let done: Void? = try change(at: base) { document in
      let parent = document.kind(at: path.parent)
      let isSet = parent == .set
      guard !isSet || path.tokens.last == "-" else {
        throw place.file.failure(
          .usage, "\(path.parent.visible) is a set, which has no order; give \(path.parent)/-")
      }
      if parent == .map { throw refusal(toInsertAt: path, of: document) }
      // What goes in takes its types from the elements that are there, wherever it goes in.
      let new = try node(document, path.parent.appending("-"))
      try change.checkIsNew(
        new, in: document.node(at: path.parent), at: path.parent, document.identityKeys)
      return try change.edit(&document) { editor in
        guard isSet else { return try editor.insert(node: new, at: path) }
        guard case .value(let value) = new else {
          throw place.file.failure(.usage, "a set holds values only, no texts, lists or maps")
        }
        try editor.add(value, toSetAt: path.parent)
      }
    }
    try change.report(done != nil, "inserted at", "insert at", path.visible)
    return .done
  }

  /// Where to insert instead: a map has names, and one of them may be meant whose list or set is there.
  private func refusal(toInsertAt path: JSONPointer, of document: Document) -> Failure {
    let insertion = place.file.advice("insert", at: path.appending("-"))
    let setting = place.file.advice("set", at: path)
    let words =
      switch document.node(at: path) {
      case .list?: "\(path.visible) is a list; to add to its end: \(insertion)"
      case .set?: "\(path.visible) is a set; to add a member: \(insertion)"
      case _ where path.tokens.isEmpty:
        "'insert' adds to lists and sets; give the path of one, such as /items/-"
      case .some:
        "'insert' adds to lists and sets, and \(path.visible) is in a map; to replace it: \(setting)"
      case nil: "\(path.parent.visible) is a map, where 'set' adds a name: \(setting)"
      }
    return place.file.refusal(words)
  }
}

struct Remove: OptionsCommand {
  static let configuration = configured(
    "Remove the value at a path, or a member of a set.", takes: "<file> <path>",
    """
    If somebody else changes something inside meanwhile, the value stays, and the merge reports \
    it.

    Example:
      pnmerge remove notes.peernote /agenda/0
      pnmerge remove notes.peernote /tags --member work
    """)

  @OptionGroup var place: PlaceArguments

  @Option(parsing: .unconditional, help: .of("value", "Remove this member of the set at the path."))
  var member: TextArgument?

  @Option(name: .customLong("type"), help: .of("type", "The type of the member."))
  var type: ValueType?

  @OptionGroup var options: ChangeOptions

  var mistakes: Mistakes { ["--type belongs to --member": type != nil && member == nil] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    let path = place.path
    let member = try member.map { (member) throws(Failure) -> Value in
      guard case .value(let value) = try (type ?? .string).content(of: member.text) else {
        throw Failure(.usage, "a set holds values only, no texts, lists or maps")
      }
      return value
    }
    let done: Void? = try change { document in
      try change.edit(&document) { editor in
        guard let member else { return try editor.remove(at: path) }
        try editor.discard(member, fromSetAt: path)
      }
    }
    let what = member == nil ? path.visible : "a member of \(path.visible)"
    try change.report(done != nil, "removed", "remove", what)
    return .done
  }
}

struct Move: OptionsCommand {
  static let configuration = configured(
    "Move an element of a list, or any value.", takes: "<file> <from> <to>",
    """
    The second path is the place that it has afterwards; - as the last part is the end of a \
    list. In one list an element keeps its identity: if two people move and change it, it ends \
    in one place with all changes.

    Example:
      pnmerge move notes.peernote /agenda/3 /agenda/0
    """)

  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @Argument(help: .of("from", "What: a JSON Pointer."), transform: PathArgument.parse)
  var source: JSONPointer

  @Argument(help: .of("to", "Where to: a JSON Pointer."), transform: PathArgument.parse)
  var target: JSONPointer

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation)
    let done: Void? = try change { document in
      guard let node = document.node(at: source) else {
        throw file.refusal(EditError.noSuchPlace(source).explanation(in: document.root))
      }
      guard source == target || !target.isInside(source) else {
        throw Failure(.usage, file: file, "\(source.visible) cannot be moved into itself")
      }
      let (parent, keys) = (document.node(at: source.parent), document.identityKeys)
      if source != target, document.node(at: target) != nil,
        case .map = document.node(at: target.parent)
      {
        throw file.refusal(
          "there is something at \(target.visible) already, which would be replaced; to do without "
            + "it: pnmerge remove \(shellQuoted(file)) \(shellQuoted(target.description))")
      }
      return try change.edit(&document) { editor in
        if source == target { return }
        if case .list = parent, source.parent == target.parent {
          try editor.move(from: source, to: target)
        } else {
          try editor.remove(at: source)
          let list = editor.node(at: target.parent)
          if case .list = list {
            try change.checkIsNew(node, in: list, at: target.parent, keys)
            try editor.insert(node: node, at: target)
          } else {
            try editor.put(node: node, at: target)
          }
        }
      }
    }
    try change.report(done != nil, "moved", "move", "\(source.visible) to \(target.visible)")
    return .done
  }
}

struct Increment: OptionsCommand {
  static let configuration = configured(
    "Add to a counter.", takes: "<file> <path>",
    """
    What several people add adds up. A counter is made with 'set --type counter'.

    Example:
      pnmerge increment notes.peernote /visits
      pnmerge increment notes.peernote /stock --by -3
    """)

  @OptionGroup var place: PlaceArguments

  @Option(
    parsing: .unconditional,
    help: .of("number", "How much; may be negative."),
    transform: { try parseInteger($0) })
  var by: Int64 = 1

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    let path = place.path
    let value: Int64? = try change { document in
      if by == 0 { return nil }
      if let node = document.node(at: path) {
        guard case .counter = node else {
          throw place.file.refusal(
            "\(path.visible) is \(node.noun), not a counter; 'set --type counter' makes one")
        }
      }
      try change.edit(&document) { editor in try editor.increment(by: by, at: path) }
      guard case .counter(let value) = document.node(at: path) else { return nil }
      return value
    }
    let verb = options.dryRun ? "would be" : "is"
    try change.report(value.map { "\(path.visible) \(verb) \($0)" })
    return .done
  }
}
