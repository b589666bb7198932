import Peernote

extension ChangeSummary {
  /// Who made a change, for people; of one that a tracked file's history has without a name, how it came
  /// about.
  func authorWords(in document: Document) -> String {
    guard author.isEmpty, PlainHistory(document: document) != nil else {
      return authorName(author)
    }
    return parents.isEmpty ? "as found" : message == nil ? authorName(author) : "pnmerge"
  }
}

/// The history of a tracked plain file, and what its own file holds.
struct HistoryFile {
  let history: PlainHistory
  let bytes: [UInt8]

  init(_ history: PlainHistory) { (self.history, bytes) = (history, history.document.bytes()) }

  /// Reads a history.
  ///
  /// - Throws: `DocumentError`; ``Failure`` if the document is no history of a plain file.
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
