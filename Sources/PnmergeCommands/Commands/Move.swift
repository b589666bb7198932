import ArgumentParser
import Peernote

struct Move: OptionsCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move an element of a list, or any value.",
    usage: "pnmerge move [<options>] <file> <from> <to>",
    discussion: """
      The second path is the place that it has afterwards; - as the last part is the end of a \
      list. In one list an element keeps its identity: if two people move and change it, it ends \
      in one place with all changes.

      Example:
        pnmerge move notes.peernote /agenda/3 /agenda/0
      """)

  @Argument(
    help: ArgumentHelp("The document; - is standard input and output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("What: a JSON Pointer.", valueName: "from"),
    transform: PathArgument.parse)
  var source: JSONPointer

  @Argument(
    help: ArgumentHelp("Where to: a JSON Pointer.", valueName: "to"),
    transform: PathArgument.parse)
  var target: JSONPointer

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation)
    let done: Bool? = try change { document in
      guard let node = document.node(at: source) else {
        let error = EditError.noSuchPlace(source).explanation(in: document.root)
        throw Failure(.usage, file: file, "\(error); nothing was written")
      }
      guard source == target || !target.isInside(source) else {
        throw Failure(.usage, file: file, "\(source.visible) cannot be moved into itself")
      }
      let parent = document.node(at: source.parent)
      if source != target, document.node(at: target) != nil,
        case .map = document.node(at: target.parent)
      {
        throw Failure(
          .usage, file: file,
          "there is something at \(target.visible) already, which would be replaced; to do without "
            + "it: pnmerge remove \(shellQuoted(file)) \(shellQuoted(target.description)); nothing "
            + "was written")
      }
      let changed = try change.edit(&document) { editor in
        if source == target { return }
        if case .list(let elements) = parent, source.parent == target.parent {
          let isLast = source.tokens.last == String(elements.count - 1)
          if isLast, target.tokens.last == "-" { return }
          try editor.move(from: source, to: target)
        } else {
          try editor.remove(at: source)
          if case .list = editor.node(at: target.parent) {
            try editor.insert(node: node, at: target)
          } else {
            try editor.put(node: node, at: target)
          }
        }
      }
      return changed ? true : nil
    }
    let what = "\(source.visible) to \(target.visible)"
    try change.report(done.map { _ in "moved \(what)" }, "would move \(what)")
    return .done
  }
}
