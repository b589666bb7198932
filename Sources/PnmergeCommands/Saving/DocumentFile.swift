package import Peernote
package import PeernoteFiles

/// A document in a file that is changed or created there; or one that comes from standard input and
/// goes to standard output.
///
/// This is the way in which commands write documents, `undo` and those for git aside: what is written
/// is read back before, the old bytes are kept, and another program's change meanwhile has the change
/// made again.
struct DocumentFile {
  let file: FileName
  let invocation: Invocation
  /// Computes and checks, but writes nothing.
  var isDryRun = false
  /// Where old bytes go; `nil` if none are to be kept.
  var backups: BackupPolicy?
  /// What is done, for `undo`.
  var action = BackupEntry.Action.edit
  /// The files than which it may be no more readable.
  var sources: [FileName] = []

  init(_ file: FileName, _ invocation: Invocation, isDryRun: Bool = false) {
    (self.file, self.invocation, self.isDryRun) = (file, invocation, isDryRun)
  }

  /// What a file is to hold.
  struct Proposal<Report> {
    /// Whether it is another content than before; a file is left alone if not.
    var isNews = true
    /// Makes the bytes.
    var written: () -> [UInt8]
    /// What `undo` has to know of it.
    var state: DocumentHeads?
    /// Throws if bytes are not those that were meant.
    var check: ([UInt8], FileName) throws -> Void
    var report: Report

    /// A document; it is kept to compare what is read back with it, which is faster and takes its
    /// memory, if `isCompared`.
    init(_ document: Document, isNews: Bool = true, isCompared: Bool = false, report: Report) {
      (self.isNews, self.report) = (isNews, report)
      let state = document.state
      self.state = state
      written = { document.bytes() }
      let compared = isCompared ? document : nil
      check = { bytes, file in try state.check(bytes, file, beside: compared) }
    }

    /// Bytes that some check has to find good, by default that they hold that state; `nil` leaves the
    /// file alone.
    init(
      _ bytes: [UInt8]?, _ state: DocumentHeads? = nil, report: Report,
      check: (([UInt8], FileName) throws -> Void)? = nil
    ) {
      (isNews, self.state, self.report) = (bytes != nil, state, report)
      self.check = check ?? { bytes, file in try state?.check(bytes, file) }
      written = { bytes ?? [] }
    }
  }

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
      let proposal = try compute(old)
      try invocation.writeDocument(proposal.written(), dryRun: isDryRun, check: proposal.check)
      return Outcome(report: proposal.report, hasChanged: true, isWritten: !isDryRun)
    }
    var check: (([UInt8], FileName) throws -> Void)?
    var state: DocumentHeads?
    var isUndoable = false
    var replacement = Replacement(of: file, expecting: expectation, invocation)
    replacement.limitMode(to: sources, invocation.host)
    let outcome = try replacement(
      dryRun: isDryRun,
      verify: { bytes in
        invocation.console.step("writing \(file.visible)")
        try check?(bytes, file)
      },
      prepare: { old in
        guard let state, let backups else { return }
        isUndoable = try backups.keep(old, before: action, of: file, becoming: state, invocation)
      },
      compute: { contents in
        let proposal = try compute(contents?.bytes)
        (state, check) = (proposal.state, proposal.check)
        return Replacement.Proposal(
          bytes: proposal.isNews ? proposal.written() : nil, report: proposal.report)
      })
    let isWritten = outcome.hasChanged && !isDryRun
    return Outcome(
      report: outcome.report, hasChanged: outcome.hasChanged, isWritten: isWritten,
      isUndoable: isWritten && isUndoable)
  }

  /// Creates the file with a document; it is no more readable than its sources.
  func create(_ document: Document, from sources: [FileName] = []) throws {
    var place = self
    place.sources = sources
    _ = try place(expecting: .absent) { _ in Proposal(document, report: ()) }
  }
}

extension Invocation {
  /// Writes the bytes of a document to standard output, which must not be a terminal.
  fileprivate func writeDocument(
    _ bytes: [UInt8], dryRun: Bool, check: ([UInt8], FileName) throws -> Void
  ) throws {
    guard !host.isTerminal(.output) else {
      throw Failure(.usage, "a document is not written to a terminal; give a file, or a pipe")
    }
    try check(bytes, FileName("-"))
    if !dryRun { try console.write(bytes) }
  }
}

extension DocumentHeads {
  /// Checks that encoded bytes of the document in this state can be read back, to be done before
  /// they take the place of what `file` holds; see ``fault(of:beside:)``.
  package func check(
    _ bytes: [UInt8], _ file: FileName, beside document: Document? = nil
  ) throws(Failure) {
    if let fault = fault(of: bytes, beside: document) { throw Failure(.ioError, file: file, fault) }
  }
}

extension Document {
  /// Its identity and heads.
  var state: DocumentHeads { DocumentHeads(of: self) }
}
