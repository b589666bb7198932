import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge set`: gives a place a value.
struct SetValue: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the value at a path.",
    discussion: """
      The value is JSON, or of the type that an option names. The old value is changed only where \
      it differs, so that what others change meanwhile survives: a text by the smallest edits, a \
      list by matching its elements and finding moves. A new name is added to its map; - as the \
      last part of the path adds to the end of a list. With --base the path and the edit are those \
      of an earlier version, and what others changed since stays.

      Example:
        pnmerge set notes.peernote /agenda/0/title '"Budget"'
        pnmerge set notes.peernote /seen --type timestamp 2026-11-20T14:02:11Z
        pnmerge set notes.peernote /body --text --value-file body.txt
      """)

  @OptionGroup var place: PlaceArguments

  @Argument(help: ArgumentHelp("The value.", valueName: "value"))
  var value: TextArgument?

  @OptionGroup var input: ValueArguments
  @OptionGroup var base: BaseOption
  @OptionGroup var identity: ElementIdentity
  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    try invocation.checkStandardInput([place.file] + [input.valueFile].compactMap(\.self))
    let node = try input.prepared(value, invocation)
    let path = place.path.path
    let done = try change(at: base, path: path) { document in
      let old = document.node(at: path)
      let new = try node(document, path)
      let isList = document.kind(at: path.parent) == .list
      try checkPlace(path, in: document, isNew: old == nil)
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

  /// Refuses places that only 'insert' adds to.
  private func checkPlace(
    _ path: JSONPointer, in document: Document, isNew: Bool
  ) throws(Failure) {
    let problem: String
    switch document.kind(at: path.parent) {
    case .set: problem = "is a set, which 'insert' adds members to"
    case .list where isNew && path.tokens.last != "-":
      guard case .list(let elements) = document.node(at: path.parent) else { return }
      problem = "has \(counted(elements.count, "element")); 'insert' adds elements"
    case .list, .map, .text, .counter, nil: return
    }
    throw Failure(
      .usage, file: place.file,
      "\(path.parent.visible) \(problem): pnmerge insert \(shellQuoted(place.file)) "
        + "\(shellQuoted("\(path.parent)/-")); nothing was written")
  }
}
