import Peernote

/// What this machine keeps of tracked plain files, in `$XDG_STATE_HOME/peernote/tracked`.
///
/// One file for each, named by a digest of the plain file's absolute name. It may be lost: then
/// less is known of what a text that was seen before stands for, and nothing is lost.
struct PlainFileStates {
  private let host: any Host

  init(_ host: any Host) { self.host = host }

  private func name(_ file: FileName, _ ending: String = ".cbor") -> FileName? {
    (try? StateDirectory.name(host))?.appending("tracked")
      .appending("\(AgentID(digestOf: file.bytes))\(ending)")
  }

  private func bytes(in name: FileName?) -> [UInt8]? {
    name.flatMap { try? host.read($0, limit: Invocation.inputLimit).bytes }
  }

  /// What is kept of a file; `nil` if that is nothing.
  func state(of file: FileName) -> PlainFileState? {
    bytes(in: name(file)).flatMap { PlainFileState(encoded: $0) }
  }

  /// The history that is kept of a file, if that beside the file is gone or damaged; `nil` if there
  /// is none, or the file is another one by now.
  func keptHistory(of file: FileName, _ contents: PlainContents) -> PlainHistory? {
    guard let state = state(of: file), state.history.document.deletion == nil,
      contents.share(of: state.history, remembered: state.memory?.text) != nil
    else { return nil }
    return state.history
  }

  func keep(_ state: PlainFileState, of file: FileName) throws {
    try keep(state.bytes(), in: name(file))
  }

  private func keep(_ bytes: [UInt8], in name: FileName?) throws {
    guard let name else { return }
    try name.creating(host.makeDirectories(name.directory))
    let replacement = Replacement(ofState: name, host: host)
    _ = try replacement { _ in Replacement.Proposal(bytes, report: ()) }
  }

  /// Keeps that a file which was just written, or read, shows the present version of its history.
  func keepShown(_ history: PlainHistory, at file: FileName) throws {
    try keep(PlainFileState(history: history, memory: PlainMemory(showing: history)), of: file)
  }

  /// Keeps the history in a file as it is now: put back to an earlier state, which the plain file is
  /// to show, or redacted.
  func follow(_ history: PlainHistory, at name: FileName, isShown: Bool = true) throws {
    guard var found = known(history.document, from: name) else { return }
    found.state.history = history
    if isShown { found.state.memory?.shown = history.document.heads }
    try keep(found.state, of: found.file)
  }

  /// The file whose history is in a document, and what is kept of it; `nil` if it is none, or nothing
  /// is kept.
  func known(
    _ document: Document, from history: FileName
  ) -> (file: FileName, state: PlainFileState)? {
    guard let file = history.plainFile.flatMap({ try? host.resolved($0) }),
      let state = state(of: file), state.history.document.id == document.id
    else { return nil }
    return (file, state)
  }

  /// The end of the name of what says which file had a name before it was renamed.
  private static let formerEnding = ".cbor.renamed"

  /// The history of the file that had a name and was renamed last; `nil` if that is not known.
  func renamed(from file: FileName) -> UniqueID? {
    bytes(in: name(file, Self.formerEnding))
      .flatMap { UniqueID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Keeps under a new name what is kept of the file with a history, unless another one has its name by
  /// now; and under the old name which file that was, for conflict copies of it.
  func move(_ file: FileName, to new: FileName, of id: UniqueID) {
    try? keep(Array(id.description.utf8), in: name(file, Self.formerEnding))
    guard state(of: file)?.history.document.id == id, let from = name(file), let to = name(new)
    else { return }
    try? host.rename(from, to: to, replacing: true)
  }

  /// Keeps nothing of a file any more.
  func forget(_ file: FileName) {
    if let name = name(file) { try? host.remove(name) }
  }
}

/// Who made the changes of a document, for people.
struct AuthorWords {
  private let isOfPlainFile: Bool
  private let savers: [ChangeID: String]

  /// Reads what this machine keeps of a tracked file, if the document is its history.
  init(of document: Document, from file: FileName, _ host: any Host) {
    isOfPlainFile = PlainHistory(document: document) != nil
    let state = isOfPlainFile ? PlainFileStates(host).known(document, from: file)?.state : nil
    savers = Dictionary((state?.savers ?? []).map { ($0.change, $0.author) }) { $1 }
  }

  /// Who made a change; of one in a tracked file's history who saved it here, or else how it came about.
  func words(for change: ChangeSummary) -> String {
    if let saver = savers[change.id] { return authorName(saver) }
    guard isOfPlainFile, change.author.isEmpty else { return authorName(change.author) }
    return change.parents.isEmpty
      ? "as found" : change.message == nil ? authorName(change.author) : "pnmerge"
  }
}

/// The history of a tracked plain file, and what its own file holds.
struct HistoryFile {
  let history: PlainHistory
  let bytes: [UInt8]

  init(_ history: PlainHistory) { (self.history, bytes) = (history, history.document.bytes()) }

  /// Throws `DocumentError`, or ``Failure`` if the document is not the history of a plain file.
  init(_ bytes: [UInt8]) throws {
    guard let history = PlainHistory(document: try Document(bytes: bytes)) else {
      throw Failure(
        .damaged, "is not the history of a plain file; move it out of the folder .peernote")
    }
    (self.history, self.bytes) = (history, bytes)
  }

  /// The SHA-256 that ends the file.
  var checksum: [UInt8] { Array(bytes.suffix(32)) }

  /// What lists show of it, with the title, tags and priority that the front matter says.
  var summary: DocumentSummary {
    var summary = DocumentSummary(of: history.document, checksum: checksum)
    let text = history.text
    if NoteMarkdown.hasFrontMatter(text), let parsed = try? NoteMarkdown.parsed(text) {
      summary.title = parsed.note.title
      summary.priority = parsed.note.priority?.rawValue
      summary.tags = parsed.note.tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return summary
  }
}
