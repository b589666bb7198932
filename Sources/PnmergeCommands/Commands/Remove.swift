import ArgumentParser
import Peernote

struct Remove: OptionsCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove the value at a path, or a member of a set.",
    usage: "pnmerge remove [<options>] <file> <path>",
    discussion: """
      If somebody else changes something inside meanwhile, the value stays, and the merge reports \
      it.

      Example:
        pnmerge remove notes.peernote /agenda/0
        pnmerge remove notes.peernote /tags --member work
      """)

  @OptionGroup var place: PlaceArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Remove this member of the set at the path.", valueName: "value"))
  var member: TextArgument?

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "The type of the member.", valueName: "type"))
  var type: ValueType?

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    if type != nil && member == nil { throw ValidationError("--type belongs to --member.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(place.file, options, invocation)
    let path = place.path
    let member = try member.map { try value($0.text) }
    let done: Bool? = try change { document in
      let changed = try change.edit(&document) { editor in
        guard let member else { return try editor.remove(at: path) }
        try editor.discard(member, fromSetAt: path)
      }
      return changed ? true : nil
    }
    let what = member == nil ? path.visible : "a member of \(path.visible)"
    try change.report(done.map { _ in "removed \(what)" }, "would remove \(what)")
    return .done
  }

  /// The member that an argument names.
  private func value(_ text: String) throws(Failure) -> Value {
    let type = type ?? .string
    guard case .value(let value) = try type.content(of: text) else {
      throw Failure(.usage, "a set holds values only, no texts, lists or maps")
    }
    return value
  }
}
