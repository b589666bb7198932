import Peernote

/// A document in a file that is changed or created there; or one that comes from standard input and
/// goes to standard output.
///
/// This is the way in which commands write documents, `undo` and those for git aside: what is written
/// is read back before, the old bytes are kept, and another program's change meanwhile has the change
/// made again.
struct DocumentFile {
  let file: FileName
  let invocation: Invocation
  /// Where old bytes go; `nil` if none are to be kept.
  var backups: BackupPolicy?
  /// What is done, for `undo`.
  var action = BackupEntry.Action.edit
  /// The files than which it may be no more readable.
  private let sources: [FileName]

  init(_ file: FileName, from sources: [FileName] = [], _ invocation: Invocation) {
    (self.file, self.sources, self.invocation) = (file, sources, invocation)
  }

  typealias Proposal = FileReplacement.Proposal

  /// What became of it.
  struct Outcome<Report> {
    var report: Report
    /// Whether the content is another one than before, or would be.
    var hasChanged: Bool
    var isWritten: Bool
    /// Whether `undo` finds the old bytes.
    var isUndoable = false
  }

  /// Writes what `compute` makes of the bytes in the file.
  ///
  /// That is `nil` if there is no file; standard input is read if a document has to be there. May run
  /// `compute` several times.
  func callAsFunction<Report>(
    expecting expectation: FileReplacement.Expectation = .existing,
    _ compute: ([UInt8]?) throws -> Proposal<Report>
  ) throws -> Outcome<Report> {
    if file.isStandardStream {
      let old = expectation == .existing ? try invocation.readDocumentBytes(file) : nil
      var proposal = try compute(old)
      let bytes = proposal.takeBytes()
      if invocation.host.isTerminal(.output) {
        throw Failure(.usage, "a document is not written to a terminal; give a file, or a pipe")
      }
      do {
        try proposal.check(bytes, FileName("-"))
      } catch let error as FileError {
        throw Failure(error)
      }
      if !invocation.isTrial { try invocation.console.write(bytes) }
      return Outcome(report: proposal.report, hasChanged: true, isWritten: !invocation.isTrial)
    }
    var isUndoable = false
    var replacement = Replacement(of: file, expecting: expectation, invocation)
    replacement.limitMode(to: sources, invocation.host)
    let outcome = try replacement(
      prepare: { old, state in
        guard let state, let backups else { return }
        isUndoable = try backups.keep(old, before: action, of: file, becoming: state, invocation)
      },
      compute: { contents in
        var proposal = try compute(contents?.bytes)
        let check = proposal.check
        proposal.check = { bytes, file in
          invocation.console.step("writing \(file.visible)")
          try check(bytes, file)
        }
        return proposal
      })
    let isWritten = outcome.hasChanged && !invocation.isTrial
    return Outcome(
      report: outcome.report, hasChanged: outcome.hasChanged, isWritten: isWritten,
      isUndoable: isWritten && isUndoable)
  }

  /// Creates the file with a document.
  func create(_ document: Document) throws {
    _ = try self(expecting: .absent) { _ in Proposal(document, report: ()) }
  }
}

extension Document {
  /// Its identity and heads.
  var state: DocumentHeads { DocumentHeads(of: self) }
}
