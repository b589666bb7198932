import ArgumentParser
import Peernote

/// `pnmerge anonymize`: makes a copy that tells nothing.
struct Anonymize: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Write a copy without any of the content, to attach to a bug report.",
    discussion: """
      Every change, time, operation, position and length stays. Letters of texts become x and \
      digits 0; strings, authors, bytes and identities become random ones, equal ones equal. \
      Numbers, truth values, times and, unless --keys is given, the names in maps stay: check that \
      these may be shown.

      The replacements follow from a random key that is drawn for this run and thrown away, so \
      that nobody can check a guessed name against them. Copies of one document that are given \
      together share the key, and remain copies of one document.

      Example:
        pnmerge anonymize notes.peernote --output report.peernote
        pnmerge anonymize desk.peernote phone.peernote -o a.peernote -o b.peernote
      """)

  @Argument(help: ArgumentHelp("The documents; - is standard input.", valueName: "file"))
  var fileArguments: [FileNames]
  var files: [FileName] { fileArguments.flatMap(\.names) }

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      """
      Write to this file, which must not exist; - is standard output. Give one for each document, \
      in their order.
      """, valueName: "file"))
  var output: [FileName]

  @Flag(help: "Replace the names in maps, too, but those that notes have.")
  var keys = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.count != output.count {
      throw ValidationError("Give an --output for each document.")
    }
    if output.count > 1, output.contains(where: \.isStandardStream) {
      throw ValidationError("Only one document can go to standard output.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    try invocation.checkStandardInput(files)
    if output.contains(where: \.isStandardStream) { invocation.console.reportStream = .error }
    let host = invocation.host
    let key = AnonymizationKey(
      randomBits: host.randomBits(), host.randomBits(), host.randomBits(), host.randomBits())
    // All can be made before one is written.
    let copies = try files.map { try copy(of: $0, key, invocation) }
    for (copy, output) in zip(copies, output) { try write(copy, to: output, invocation) }
    return .done
  }

  /// An anonymous copy, ready to be written.
  private struct Copy {
    var bytes: [UInt8]
    var state: DocumentState
    var changeCount: Int
  }

  /// Makes a copy; the document itself is gone before that is written and read again.
  private func copy(
    of file: FileName, _ key: AnonymizationKey, _ invocation: Invocation
  ) throws(Failure) -> Copy {
    let document = try invocation.readDocument(file)
    invocation.console.step("replacing the text of \(file.inputName)")
    do throws(DocumentError) {
      let anonymous = try document.anonymized(with: key, scrubsKeys: keys)
      return Copy(
        bytes: anonymous.encoded(), state: anonymous.state, changeCount: anonymous.changeCount)
    } catch {
      throw error.failure(in: file)
    }
  }

  private func write(_ copy: Copy, to output: FileName, _ invocation: Invocation) throws {
    if output.isStandardStream {
      try invocation.writeDocument(copy.bytes, copy.state, dryRun: false)
    } else {
      let replacement = Replacement(of: output, expecting: .absent, invocation)
      _ = try replacement(verify: { try copy.state.check($0, output) }) { _ in
        Replacement.Proposal(bytes: copy.bytes, report: ())
      }
    }
    let count = counted(copy.changeCount, "change")
    try invocation.console.report("\(output.outputName): \(count) without what they said")
  }
}
