import Peernote

/// Who made the changes of a document, for people.
struct AuthorWords {
  private let isOfPlainFile: Bool
  private let savers: [ChangeID: String]

  /// Reads what this machine keeps of a tracked file, if the document is its history.
  init(of document: Document, from file: FileName, _ host: any Host) {
    isOfPlainFile = PlainHistory(document: document) != nil
    let state = isOfPlainFile ? PlainFileStates(host).state(of: document, from: file) : nil
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

  /// Reads a history; throws `DocumentError`, or ``Failure`` if the document is no history of a
  /// plain file.
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
