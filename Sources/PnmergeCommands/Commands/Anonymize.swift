import ArgumentParser
import Peernote

/// `pnmerge anonymize`: makes a copy that tells nothing.
struct Anonymize: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Write a copy for a report of a fault that tells nothing of what the document says.",
    discussion: """
      Every change, time, operation, position and length stays. Letters of texts become x and \
      digits 0; strings, authors, bytes and identities become random ones, equal ones equal. \
      Numbers, truth values, times and, unless --keys is given, the names in maps stay: look \
      whether these may be shown. Two copies of a document remain copies of one document.

      Example:
        pnmerge anonymize notes.peernote --output report.peernote
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to this file, which must not exist; - is standard output.", valueName: "file"))
  var output: FileName

  @Flag(help: "Replace the names in maps, too, but those that notes have.")
  var keys = false

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    if output.isStandardStream { invocation.console.reportStream = .error }
    let anonymous = try anonymousDocument(invocation)
    if output.isStandardStream {
      try invocation.writeDocument(anonymous, dryRun: false)
    } else {
      let bytes = anonymous.encoded()
      let replacement = Replacement(of: output, expecting: .absent, host: invocation.host)
      _ = try replacement(verify: { try anonymous.state.check($0, output) }) { _ in
        Replacement.Proposal(bytes: bytes, report: ())
      }
    }
    let count = counted(anonymous.changeCount, "change")
    try invocation.console.report("\(output.outputName): \(count) without what they said")
    return .done
  }

  /// The copy; the document itself is gone before that is written and read again.
  private func anonymousDocument(_ invocation: Invocation) throws -> Document {
    let document = try invocation.readDocument(file)
    do {
      return try document.anonymized(scrubsKeys: keys)
    } catch {
      throw error.failure(in: file)
    }
  }
}
