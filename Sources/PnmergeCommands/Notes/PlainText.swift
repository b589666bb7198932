import Peernote
import PeernoteJSON

/// Documents as text to read, without marks.
enum PlainText {
  /// A note as its title, an empty line and its body; anything else as JSON.
  static func text(of root: DocumentNode) -> String {
    guard let note = Note(root: root) else { return readableForm(of: root) }
    let title = note.title.map { $0 + "\n\n" } ?? ""
    let isEnded = note.body.isEmpty || note.body.utf8.last == UInt8(ascii: "\n")
    return title + note.body + (isEnded ? "" : "\n")
  }

  /// The form in which documents are compared by lines: the text alone if there is nothing else, as in
  /// the history of a tracked file, other notes as Markdown with front matter, all else as indented
  /// JSON.
  static func readableForm(of root: DocumentNode) -> String {
    if let note = Note(root: root) {
      let isBodyAlone = if case .map(let entries) = root { entries.count == 1 } else { false }
      return isBodyAlone ? note.body : NoteMarkdown.text(of: note)
    }
    return String(decoding: root.json.bytes(indented: true), as: UTF8.self) + "\n"
  }
}
