import ArgumentParser
import Peernote
import PeernoteJSON

struct Cat: OneFileCommand {
  static let configuration = configured(
    "Print a document, or the value at a path.", takes: "<file> [<path>]",
    """
    A note is printed as Markdown, any other document and a value as JSON. A path is a JSON \
    Pointer. The status is 1 if nothing is there.

    Example:
      pnmerge cat notes.peernote
      pnmerge cat --raw notes.peernote /body | wc -w
    """)

  /// What to print a document as.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown
    case text
    case json
  }

  @Argument(help: .of("file", "The document; - is standard input."))
  var file: FileName

  @Argument(
    help: .of("path", "Where; the whole document by default."),
    transform: PathArgument.parse)
  var path: JSONPointer?

  @Option(help: .of("format", "The form."))
  var format: Format?

  @Flag(help: "Print the body's exact text, nothing added.")
  var body = false

  @Flag(help: "Mark types that JSON does not know.")
  var exact = false

  @Flag(name: [.short, .long], help: "Print text or bytes as they are.")
  var raw = false

  @Option(
    name: .customLong("at"),
    help: .of("change", "As it was right after this change; repeatable."))
  var versions: [String] = []

  @OptionGroup var verbosity: Verbosity

  /// Whether one value is printed, and not the document in the form for people.
  private var isOfValue: Bool { path != nil || exact || raw }

  var mistakes: Mistakes {
    [
      "--body and --format exclude each other": body && format != nil,
      "--raw and --exact exclude each other": raw && exact,
      "--body and --format are for the whole document": isOfValue && (body || format != nil),
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    if isOfValue {
      try writeValue(at: path ?? JSONPointer(), invocation)
    } else {
      // What it was read from is let go before it is written.
      let root = try invocation.operand(file).printed(
        asOf: versions, asNote: body || format != .json)
      try write(root ?? .map([]), invocation.console)
    }
    return .done
  }

  private func write(_ root: DocumentNode, _ console: Console) throws {
    let text: String
    if format != .json, let plain = file.plainText(in: root) {
      text = plain
    } else if body {
      text = try file.note(in: root).body
    } else {
      switch format ?? (Note.isNote(root) ? .markdown : .json) {
      case .markdown: text = NoteMarkdown.text(of: try file.note(in: root))
      case .text: text = PlainText.text(of: root)
      case .json: return try console.writeJSON(root.json)
      }
    }
    try console.writeText(text)
  }

  private func writeValue(at path: JSONPointer, _ invocation: Invocation) throws {
    let operand = try invocation.operand(file)
    guard let node = try operand.printed(at: path, asOf: versions) else {
      let root = try operand.printed(asOf: versions) ?? .map([])
      let reason = root.absence(of: path) ?? ""
      throw Failure(.different, file: file, "there is nothing at \(path.visible): \(reason)")
    }
    if raw {
      try writeRaw(node, invocation)
    } else {
      try invocation.console.writeJSON(exact ? node.exactJSON : node.json)
    }
  }

  private func writeRaw(_ node: DocumentNode, _ invocation: Invocation) throws {
    let bytes: [UInt8]
    if case .value(.bytes(let value)) = node {
      bytes = value
    } else if case .string(let text) = node.json {
      bytes = Array(text.utf8)
    } else {
      bytes = node.json.bytes()
    }
    guard invocation.host.isTerminal(.output) else { return try invocation.console.write(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    try invocation.console.writeText(text, end: text.utf8.last == UInt8(ascii: "\n") ? "" : "\n")
  }
}
