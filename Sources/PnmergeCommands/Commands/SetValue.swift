import ArgumentParser
import Peernote
import PeernoteJSON

struct SetValue: OptionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the value at a path.",
    usage: "pnmerge set [<options>] <file> <path> [<value>]",
    discussion: """
      Example:
        pnmerge set notes.peernote /agenda/0/title Budget
        pnmerge set notes.peernote /body --text --value-file body.txt
      """)

  @OptionGroup var place: PlaceArguments

  @Argument(help: ArgumentHelp("JSON; a word that is none is a string.", valueName: "value"))
  var value: TextArgument?

  @OptionGroup var input: ValueArguments
  @OptionGroup var reading: JSONReading
  @OptionGroup var base: BaseOption
  @OptionGroup(visibility: .hidden) var identity: ElementIdentity
  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    var change = FileChange(place.file, options, schema: schema, invocation)
    change.identityKeys = identity.keys.map(\.text)
    try invocation.checkStandardInput([place.file] + [input.valueFile].compactMap(\.self))
    let node = try input.prepared(value, reading, into: place.file, invocation)
    let path = place.path
    let done = try change(at: base, path: path) { document in
      let old = document.node(at: path)
      let new = try node(document, path)
      let isList = document.kind(at: path.parent) == .list
      try checkPlace(path, in: document, for: new, isNew: old == nil)
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
    let words = "set \((done.report ?? path).visible)"
    try change.report(done.report.map { _ in words }, "would \(words)")
    try change.report(done.conflicts)
    return .done
  }

  /// Refuses places that only 'insert' adds to, or where nothing can be set.
  private func checkPlace(
    _ path: JSONPointer, in document: Document, for new: DocumentNode, isNew: Bool
  ) throws(Failure) {
    if path.tokens.isEmpty {
      if case .map = new { return }
      throw refusal("the whole document is a map; give an object, or the path of what to set")
    }
    let parent = path.parent
    let insertion =
      "pnmerge insert \(shellQuoted(place.file)) \(shellQuoted("\(parent)/-")) VALUE"
    switch document.kind(at: parent) {
    case .set:
      throw refusal("\(parent.visible) is a set, which 'insert' adds members to: \(insertion)")
    case .list where isNew && path.tokens.last != "-":
      guard case .list(let elements) = document.node(at: parent) else { return }
      let token = path.tokens.last ?? ""
      let count = counted(elements.count, "element")
      let fault =
        token.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? "" : ", and \(quoted(token)) is no number of one"
      throw refusal("\(parent.visible) has \(count)\(fault); 'insert' adds elements: \(insertion)")
    case nil:
      if let reason = document.root.absence(of: parent) {
        throw refusal(
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
    let json = inner.map { String(decoding: JSON.string($0).bytes(), as: UTF8.self) }
    let object =
      json.map { "{\($0):" }.joined() + "VALUE" + String(repeating: "}", count: json.count)
    return "; to make it: pnmerge set \(shellQuoted(place.file)) "
      + "\(shellQuoted(JSONPointer(Array(tokens[...count])).description)) \(shellQuoted(object))"
  }

  private func refusal(_ words: String) -> Failure {
    Failure(.usage, file: place.file, "\(words); nothing was written")
  }
}
