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

/// What lists show of a tracked plain file.
enum TrackedSummary {
  /// Sums up a history, with the title, tags and priority that the file's front matter says.
  ///
  /// - Throws: `DocumentError`; ``Failure`` if the document is no history of a plain file.
  static func summary(of bytes: [UInt8]) throws -> DocumentSummary {
    guard let history = PlainHistory(document: try Document(bytes: bytes)) else {
      throw Failure(
        .damaged, "is not the history of a plain file; move it out of the folder .peernote")
    }
    return summary(of: history, checksum: Array(bytes.suffix(32)))
  }

  /// The same of a history whose file ends with these bytes.
  static func summary(of history: PlainHistory, checksum: [UInt8]) -> DocumentSummary {
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
