import ArgumentParser
import AutomergeFormat
import Peernote
import PeernoteJSON

struct Export: OneFileCommand {
  static let configuration = configured(
    "Write a document as JSON, Markdown or text.", takes: "<file>",
    """
    JSON holds everything, with marks for types that it does not know. 'import' takes back what \
    was edited in an export.

    Example:
      pnmerge export --format json --plain notes.peernote | jq .title
    """)

  @Argument(help: .of("file", "The document; - is standard input."))
  var file: FileName

  @Option(name: [.short, .long], help: .of("file", "Write here; - is standard output."))
  var output = FileName("-")

  @Flag(help: "Replace the output if it is no document.")
  var force = false

  @Option(help: .of("format", "The form; by default the output's name decides."))
  var format: DocumentFormat?

  @Flag(help: "Write JSON without marks.")
  var plain = false

  @Flag(help: "Say in it which version it is, for 'import'.")
  var withVersion = false

  @Option(
    name: .customLong("at"),
    help: .of("change", "As it was right after this change; repeatable."))
  var versions: [String] = []

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    if let form, !form.isPlain { return try export(as: form, invocation) }
    let version = try invocation.operand(file).version(asOf: versions)
    let text = try text(version)
    if output.isStandardStream {
      try invocation.console.writeText(text)
      return .done
    }
    try write(Array(text.utf8), invocation)
    if let id = version.id, !version.heads.isEmpty {
      try invocation.remember(
        .init(
          file: output, origin: .exported, heads: version.heads,
          mark: withVersion ? version.heads : []), of: id)
    }
    try invocation.console.report("\(output.visible): written")
    return .done
  }

  /// The form that is asked for; `nil` if neither an option nor the output's name tells.
  private var form: DocumentFormat? { format ?? DocumentFormat(of: output) }

  private func write(_ bytes: [UInt8], _ invocation: Invocation) throws {
    let target = DocumentFile(output, from: [file], invocation)
    _ = try target(expecting: force ? .any : .absent) { old in
      // Its history is more than anything that an export holds, and nothing would bring it back.
      if let old, GitMerge.isDocument(old) {
        let kind = AutomergeFile.begins(old) ? "an Automerge" : "a peernote"
        throw output.failure(
          .cannotCreate, "is \(kind) document, which --force does not replace; nothing was written")
      }
      return DocumentFile.Proposal(bytes, report: ())
    }
  }

  /// Writes a new Automerge document, and says what it lacks.
  private func export(
    as format: DocumentFormat, _ invocation: Invocation
  ) throws -> ExitStatus {
    let source = try invocation.operand(file)
    let document = try source.document()
    let root =
      try versions.isEmpty ? source.root : document.version(named: versions, in: file).root
    let changes = ChangeTally(document.changes)
    let bytes = try AutomergeExport.bytes(of: root, as: format, from: file, invocation)
    if output.isStandardStream { invocation.console.reportStream = .error }
    try write(bytes, invocation)
    try invocation.console.report(
      "\(output.outputName): written as a new document; its history is not that of "
        + "\(file.inputName): \(changes.summary) stay behind, and the two cannot be merged")
    return .done
  }

  private func text(_ version: ReadVersion) throws(Failure) -> String {
    let root = version.root
    let mark = try mark(version)
    if form == nil, output.hasSuffix {
      throw Failure(
        .usage, file: output,
        "its name does not tell a known format; give --format json, markdown, text, meetingnotes "
          + "or automerge; nothing was written")
    }
    let plainText = mark == nil ? file.plainText(in: root) : nil
    switch form ?? (Note.isNote(root) ? .markdown : .json) {
    case .markdown where plainText != nil, .text where plainText != nil: return plainText ?? ""
    case .json:
      let json = plain ? root.json : root.exactJSON
      return String(
        decoding: (mark.map(json.with) ?? json).bytes(indented: true), as: UTF8.self) + "\n"
    case .markdown: return NoteMarkdown.text(of: try file.note(in: root), mark: mark)
    case .text where mark != nil:
      throw Failure(.usage, "--with-version needs Markdown or JSON, which have a place for it")
    case .text, .meetingNotes, .automerge: return try file.note(in: root).body
    }
  }

  /// The mark to write, if one is wanted.
  private func mark(_ version: ReadVersion) throws(Failure) -> VersionMark? {
    guard withVersion else { return nil }
    guard let id = version.id, !version.heads.isEmpty else {
      throw Failure(
        .usage, file: file,
        version.id == nil
          ? "is an Automerge document, whose versions 'import' does not know"
          : "has no change yet, and so no version")
    }
    for name in [VersionMark.markdownKey, VersionMark.jsonName] where version.root[name] != nil {
      throw Failure(
        .usage, file: file, "has something of its own at /\(name), where the version would stand")
    }
    return VersionMark(document: id, heads: version.heads)
  }
}
