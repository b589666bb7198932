import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge export`: writes a document's content for other programs.
struct Export: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a document as JSON, Markdown or text.",
    discussion: """
      JSON holds everything and can be imported without a difference: types that JSON does not \
      know are marked, as in {"$text": "…"}. --plain leaves the marks out, for other programs. \
      Markdown and text are for notes.

      An export holds what the document shows. The document itself also holds deleted text, which \
      anyone with the file can read: 'inspect' counts it, and 'redact' removes it.

      Example:
        pnmerge export notes.peernote --output notes.json
        pnmerge export --format json --plain notes.peernote | jq .title
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to this file, which must not exist; - is standard output.", valueName: "file"))
  var output = FileName("-")

  @Flag(help: "Replace the output if it exists and is not a document.")
  var force = false

  @Option(
    help: ArgumentHelp(
      """
      Write json, markdown or text. By default the output's name decides (.json, .md, .txt), else \
      a note becomes Markdown and any other document JSON.
      """, valueName: "format"))
  var format: DocumentFormat?

  @Flag(help: "Write JSON without marks.")
  var plain = false

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Write the document as it was right after this change; repeatable.", valueName: "change"))
  var versions: [String] = []

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let root = try invocation.readRoot(file, at: versions)
    let text = try text(root)
    if output.isStandardStream {
      try invocation.console.writeText(text)
      return .done
    }
    let replacement = Replacement(
      of: output, expecting: force ? .any : .absent, host: invocation.host)
    _ = try replacement { old in
      // Its history is more than anything that an export holds, and nothing would bring it back.
      if let old, DocumentHeads.isDocument(old.bytes) {
        throw Failure(
          .cannotCreate, file: output,
          "is a peernote document, which --force does not replace; nothing was written")
      }
      return Replacement.Proposal(bytes: Array(text.utf8), report: ())
    }
    try invocation.console.report("\(output.visible): written")
    return .done
  }

  private func text(_ root: Node) throws(Failure) -> String {
    switch format ?? DocumentFormat(of: output) ?? (Note.isNote(root) ? .markdown : .json) {
    case .json:
      return String(
        decoding: (plain ? root.json : root.exactJSON).encoded(indented: true), as: UTF8.self)
        + "\n"
    case .markdown:
      guard let note = Note(root: root) else {
        throw Failure(.usage, file: file, "is not a note; try --format json")
      }
      return NoteMarkdown.text(of: note)
    case .text:
      guard let note = Note(root: root) else {
        throw Failure(.usage, file: file, "is not a note; try --format json")
      }
      return note.body
    }
  }
}

/// A form in which other programs keep documents.
enum DocumentFormat: String, CaseIterable, ExpressibleByArgument {
  case json
  case markdown
  case text

  /// The form that a file's name tells; `nil` if it tells none.
  init?(of file: FileName) {
    let name = String(decoding: file.lastComponent.bytes, as: UTF8.self).lowercased()
    if name.hasSuffix(".json") {
      self = .json
    } else if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
      self = .markdown
    } else if name.hasSuffix(".txt") || name.hasSuffix(".text") {
      self = .text
    } else {
      return nil
    }
  }
}
