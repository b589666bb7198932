import ArgumentParser
import Peernote

struct Insert: OptionsCommand {
  static let configuration = CommandConfiguration(
    abstract: "Insert into a list, or add to a set.",
    usage: "pnmerge insert [<options>] <file> <path> [<value>]",
    discussion: """
      Example:
        pnmerge insert notes.peernote /agenda/- '{"title": "Venue"}'
        pnmerge insert notes.peernote /tags/- --string work
      """)

  @OptionGroup var place: PlaceArguments

  @Argument(help: ArgumentHelp("JSON; a word that is none is a string.", valueName: "value"))
  var value: TextArgument?

  @OptionGroup var input: ValueArguments
  @OptionGroup var reading: JSONReading
  @OptionGroup var base: BaseOption
  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    try invocation.checkStandardInput([place.file] + [input.valueFile].compactMap(\.self))
    let node = try input.prepared(value, reading, into: place.file, invocation)
    let path = place.path
    let done: EditOutcome<Bool> = try change(at: base) { document in
      let parent = document.kind(at: path.parent)
      let isSet = parent == .set
      guard !isSet || path.tokens.last == "-" else {
        throw Failure(
          .usage, file: place.file,
          "\(path.parent.visible) is a set, which has no order; give \(path.parent)/-")
      }
      if parent == .map { throw refusal(toInsertAt: path, of: document) }
      // What goes in takes its types from the elements that are there, wherever it goes in.
      let new = try node(document, path.parent.appending("-"))
      try checkIsNew(new, in: document, path.parent)
      let changed = try change.edit(&document) { editor in
        guard isSet else { return try editor.insert(node: new, at: path) }
        guard case .value(let value) = new else {
          throw Failure(
            .usage, file: place.file, "a set holds values only, no texts, lists or maps")
        }
        try editor.add(value, toSetAt: path.parent)
      }
      return changed ? true : nil
    }
    try change.report(
      done.report.map { _ in "inserted at \(path.visible)" }, "would insert at \(path.visible)")
    try change.report(done.conflicts)
    return .done
  }

  /// Refuses an element whose identity another one of the list has: both would stand for one.
  private func checkIsNew(
    _ new: DocumentNode, in document: Document, _ list: JSONPointer
  ) throws(Failure) {
    let keys = ["id"] + document.identityKeys
    guard let key = keys.first(where: { new[$0] != nil }), let id = new[key], case .value = id,
      case .list(let elements)? = document.node(at: list),
      let index = elements.firstIndex(where: { $0[key] == id })
    else { return }
    let place = list.appending(String(index))
    throw Failure(
      .usage, file: self.place.file,
      "\(place.visible) has the same \(key); to change it: pnmerge set \(shellQuoted(self.place.file)) "
        + "\(shellQuoted(place.description)) VALUE; nothing was written")
  }

  /// Where to insert instead: a map has names, and one of them may be meant whose list or set is there.
  private func refusal(toInsertAt path: JSONPointer, of document: Document) -> Failure {
    let name = shellQuoted(place.file)
    let words =
      switch document.node(at: path) {
      case .list?:
        "\(path.visible) is a list; to add to its end: pnmerge insert \(name) "
          + shellQuoted(path.appending("-").description) + " VALUE"
      case .set?:
        "\(path.visible) is a set; to add a member: pnmerge insert \(name) "
          + shellQuoted(path.appending("-").description) + " VALUE"
      case _ where path.tokens.isEmpty:
        "'insert' adds to lists and sets; give the path of one, such as /items/-"
      case .some:
        "'insert' adds to lists and sets, and \(path.visible) is in a map; to replace it: pnmerge set "
          + "\(name) \(shellQuoted(path.description)) VALUE"
      case nil:
        "\(path.parent.visible) is a map, where 'set' adds a name: pnmerge set \(name) "
          + shellQuoted(path.description) + " VALUE"
      }
    return Failure(.usage, file: place.file, "\(words); nothing was written")
  }
}
