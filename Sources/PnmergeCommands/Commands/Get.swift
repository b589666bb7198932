import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge get`: prints one value.
struct Get: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the value at a path.",
    discussion: """
      A path is a JSON Pointer: /agenda/0/title is the title of the first element of the agenda. \
      The status is 1 if there is nothing.

      Example:
        pnmerge get notes.peernote /agenda/0/title
        pnmerge get --raw notes.peernote /body | wc -w
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("Where; the whole document by default.", valueName: "path"),
    transform: PathArgument.parse)
  var path = PathArgument(JSONPointer())

  @Flag(help: "Mark types that JSON does not know, as 'export' does.")
  var exact = false

  @Flag(
    name: [.short, .long],
    help: "Print a string, text or bytes as they are, and other values without quotation marks.")
  var raw = false

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Look at the document as it was right after this change; repeatable.", valueName: "change"))
  var versions: [String] = []

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if raw && exact { throw ValidationError("--raw and --exact exclude each other.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    guard let node = try invocation.readNode(file, path.path, at: versions) else {
      let root = try invocation.readRoot(file, at: versions)
      let reason = root.absence(of: path.path) ?? ""
      throw Failure(.different, file: file, "there is nothing at \(path.path.visible): \(reason)")
    }
    if raw {
      try writeRaw(node, invocation)
    } else {
      let json = exact ? node.exactJSON : node.json
      try invocation.console.printResult(json, indented: true)
    }
    return .done
  }

  private func writeRaw(_ node: Node, _ invocation: Invocation) throws {
    let bytes: [UInt8]
    if case .value(.bytes(let value)) = node {
      bytes = value
    } else if case .string(let text) = node.json {
      bytes = Array(text.utf8)
    } else {
      bytes = node.json.encoded()
    }
    guard invocation.host.isTerminal(.output) else { return try invocation.console.write(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    try invocation.console.writeText(text, end: text.utf8.last == UInt8(ascii: "\n") ? "" : "\n")
  }
}
