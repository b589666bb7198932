import ArgumentParser
import Peernote

/// Options of the commands that change a document where it stands.
struct ChangeOptions: CommandOptions {
  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Allow what makes a note, or a history, something else.", visibility: .hidden))
  var force = false

  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity
}

/// A change to the document in a file, which is replaced; or to the one on standard input, which
/// goes to standard output.
///
/// It may be made several times; what the last time found is kept.
final class FileChange {
  let file: FileName
  let options: ChangeOptions
  /// What the result must be like.
  let schema: SchemaOption?
  let invocation: Invocation
  /// When the file was saved that the change is made of; `nil` if it is made here and now.
  var saved: Timestamp?
  /// The keys that were given by which elements of lists are known; the document remembers them.
  let identityKeys: [String]
  /// Whether the content is replaced as a whole: what is written is then read without the document
  /// beside it, since little stays that could be compared, and both take memory.
  private let replacesContent: Bool
  /// The list elements that were taken for others though they may be new.
  private var doubts: [ElementDoubt] = []
  /// Where what was redacted since was left out.
  private(set) var leftRedacted: [RedactedGap] = []
  /// The contested passages that were settled, as they were.
  private var settled: [Conflict] = []
  /// What the merge with later changes decided.
  var conflicts: [Conflict] = []

  init(
    _ file: FileName, _ options: ChangeOptions, schema: SchemaOption? = nil,
    identityKeys: [TextArgument] = [], _ invocation: Invocation, replacesContent: Bool = false
  ) {
    (self.file, self.options, self.invocation) = (file, options, invocation)
    (self.schema, self.replacesContent) = (schema, replacesContent)
    self.identityKeys = identityKeys.map(\.text)
    if file.isStandardStream { invocation.console.reportStream = .error }
  }

  /// Changes the document; `edit` says what it did, `nil` if that is nothing, and what it said last
  /// counts.
  func callAsFunction<Report>(
    _ edit: (inout Document) throws -> Report?
  ) throws -> Report? {
    let schema = try schema?.schema(invocation)
    var target = DocumentFile(file, invocation)
    target.backups = options.backups
    invocation.console.step("reading \(file.visible)")
    let outcome = try target { bytes in
      let bytes = bytes ?? []
      var document = try invocation.parseDocument(bytes, from: file)
      try invocation.parsing(file, bytes, document.checkTexts())
      let old = schema == nil ? nil : document.root
      let tracked = options.force ? nil : trackedFile(of: document)
      invocation.console.step("changing \(file.visible)")
      let report = try edit(&document)
      try schema?.check(document.root, replacing: old, in: file)
      if let tracked { try check(document, isHistoryOf: tracked.file, was: tracked.text) }
      return DocumentFile.Proposal(
        document, isNews: report != nil, isCompared: !replacesContent, report: report)
    }
    if outcome.isWritten, !file.isStandardStream { invocation.console.changedFiles.append(file) }
    return outcome.report
  }

  /// Makes one change of some edits; `nil` if nothing was edited.
  ///
  /// What is undecided in the document may be known already.
  @discardableResult
  func edit(
    _ document: inout Document, contested known: [Conflict]? = nil,
    _ edits: (inout Editor) throws -> Void
  ) throws -> Void? {
    let session = try invocation.session(options.authorship, for: file)
    let message = document.message(
      options.authorship.message?.text, namingIdentityKeys: identityKeys)
    let wasNote = !options.force && document.noteFault == nil
    let contested = known ?? document.conflicts
    do {
      func edit(_ editor: inout Editor) throws {
        try edits(&editor)
        doubts = editor.doubts
        leftRedacted = editor.leftRedacted
        if wasNote, let key = editor.noteFault {
          throw noNote(because: key, isMissing: editor.node(at: JSONPointer([key])) == nil)
        }
      }
      let change =
        if let saved {
          try document.changeTogether(by: session.author, saved: saved, message: message, edit)
        } else {
          try document.change(by: session, message: message, edit)
        }
      settled = document.settled(of: contested)
      return change.map { _ in }
    } catch let error as EditError {
      // What to do about it is known where the base is.
      if case .redacted = error { throw error }
      // The document is again what it was before the edits.
      throw file.refusal(error.explanation(in: document.root))
    }
  }

  /// Refuses an element for a list at a path in which another one has its identity: both would stand
  /// for one.
  ///
  /// The keys are those that the document remembers.
  func checkIsNew(
    _ node: DocumentNode, in list: DocumentNode?, at path: JSONPointer, _ keys: [String]
  ) throws(Failure) {
    let keys = ["id"] + identityKeys + keys
    guard let key = keys.first(where: { node[$0] != nil }), let id = node[key], case .value = id,
      case .list(let elements)? = list, let index = elements.firstIndex(where: { $0[key] == id })
    else { return }
    let other = path.appending(String(index))
    throw file.refusal(
      "\(other.visible) has the same \(key); to change it: \(file.advice("set", at: other))")
  }

  /// The tracked plain file whose history a document is, and what that holds; `nil` if it is none.
  private func trackedFile(of document: Document) -> (file: FileName, text: String)? {
    let name = file.absolute(from: invocation.host.workingDirectory)
    guard let plainFile = name.plainFile, let history = PlainHistory(document: document) else {
      return nil
    }
    return (file.plainFile ?? plainFile, history.text)
  }

  /// Refuses a change after which a document is no history of a tracked file any more, or other
  /// programs could not read the file.
  private func check(
    _ document: Document, isHistoryOf plainFile: FileName, was old: String
  ) throws(Failure) {
    guard let history = PlainHistory(document: document) else {
      throw Failure(
        .usage, file: file,
        "is the history of \(plainFile.visible), and has nothing but its text; edit that file; "
          + "nothing was written; --force makes something else of it")
    }
    let form = DocumentFormat(of: plainFile)
    guard form.fault(in: old) == nil, let fault = form.fault(in: history.text) else { return }
    throw plainFile.failure(.usage, "\(fault); nothing was written; --force writes it all the same")
  }

  private func noNote(because key: String, isMissing: Bool) -> Failure {
    let wanted =
      switch key {
      case "body": "a text"
      case "title": "a string, or is missing"
      case "tags": "a set of strings"
      case "priority": "low, normal or high"
      default: "a time (--type timestamp)"
      }
    return Failure(
      .usage, file: file,
      "/\(key) of a note is \(wanted), \(isMissing ? "and would be missing" : "which it would not be"); "
        + "nothing was written; --force makes something else of the note")
  }

  /// Says what was done, or would be, if it was: `a.peernote: set /title`, `would set /title`; and what
  /// a merge decided.
  func report(_ isDone: Bool, _ done: String, _ plan: String, _ what: String) throws {
    try report(isDone ? "\(options.dryRun ? "would \(plan)" : done) \(what)" : nil)
  }

  /// Says what was done, `nil` for nothing, and what a merge decided.
  func report(_ sentence: String?) throws {
    try invocation.console.report("\(file.shown.inputName): \(sentence ?? "unchanged")")
    try sayDoubts()
    try reportConflicts()
  }

  /// Says what of the content that comes back was redacted since, and stays out.
  func say(leftRedacted gaps: [RedactedGap]) throws {
    for gap in gaps {
      let verb = gap.scalars == 1 ? "was redacted since and stays" : "were redacted since and stay"
      try invocation.console.report(
        "  \(counted(gap.scalars, "character")) of \(gap.path.visible) \(verb) out")
    }
  }

  /// The most elements in doubt that are shown, unless verbose.
  private static let shownDoubts = 5

  /// Says what the last change left out, which contested passages it settled, and which list elements
  /// it took for others though they may be new: by their places in a file, if they came from one.
  func sayDoubts(placesOf source: FileName? = nil) throws {
    try say(leftRedacted: leftRedacted)
    let console = invocation.console
    for passage in settled {
      let previews = passage.previews(limit: Conflict.sentenceLength).dropFirst()
      let others = zip(passage.others, previews).map { "\($1) (\($0.signature(invocation)))" }
      try console.report(
        "  settled the conflict at \(passage.place): it also had \(enumerated(others))")
    }
    let shown = console.isVerbose ? doubts[...] : doubts.prefix(Self.shownDoubts)
    let there = source.map { " of \($0.visible)" } ?? ""
    for doubt in shown {
      try console.report(
        "  in doubt: \(doubt.path.visible)\(there) was taken for \(doubt.old.preview), edited")
    }
    if shown.count < doubts.count {
      try console.report("  and \(doubts.count - shown.count) more; --verbose shows all")
    }
  }
}

extension FileChange {
  /// Edits a document as it was at a version, the present one by default, and merges that with what
  /// came since.
  func edit<Report>(
    _ document: inout Document, at base: [ChangeID]?,
    _ edit: (inout Document) throws -> Report?
  ) throws -> Report? {
    conflicts = []
    guard let base else { return try edit(&document) }
    do {
      let made = try document.changing(at: base, edit)
      conflicts = made.report.conflicts
      return made.result
    } catch EditError.redacted(let path, let line) {
      let present = document.heads.map { " --base \($0)" }.joined()
      throw Failure(
        .usage, file: file,
        "\(path.visible): line \(line) of what comes in cannot be told from text that was redacted "
          + "since; nothing was written; to make it an edit of the present version, take out of it "
          + "what was redacted, and give\(present)")
    } catch let error as DocumentError {
      throw error.failure(in: file)
    } catch let error as MergeError {
      throw file.failure(.damaged, "\(error); nothing was written")
    }
  }

  /// Changes the document on the version that an option names; the present one by default.
  func callAsFunction<Report>(
    at base: BaseOption, _ edit: (inout Document) throws -> Report?
  ) throws -> Report? {
    try self { try self.edit(&$0, at: base.heads(in: $0, file), edit) }
  }

  /// Changes what stands at a path of the version that an option names, and says where that stands
  /// now; `nil` if nothing changed.
  func callAsFunction(
    at base: BaseOption, path: JSONPointer, _ edit: (inout Document) throws -> Void?
  ) throws -> JSONPointer? {
    try self { document in
      let edited = try self.edit(&document, at: base.heads(in: document, file)) { version in
        try edit(&version).map { version }
      }
      return edited.map { base.names.isEmpty ? path : document.place(of: path, in: $0) }
    }
  }

  /// Says what the merge of the last change with later ones decided.
  func reportConflicts() throws {
    if let words = conflictWords(conflicts) {
      try invocation.console.report("\(file.shown.inputName): \(words)")
      try invocation.report(conflicts)
    }
  }
}

extension Document {
  /// Where what stands at a path of another version stands in this one; the same path if that cannot be
  /// told.
  fileprivate func place(of path: JSONPointer, in other: Document) -> JSONPointer {
    if let place = self.path(ofPlace: path, in: other) { return place }
    // The end of a list has no element.
    let list = path.tokens.last == "-" ? self.path(ofPlace: path.parent, in: other) : nil
    return list?.appending("-") ?? path
  }
}
