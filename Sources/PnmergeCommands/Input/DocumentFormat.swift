import ArgumentParser
import Peernote

/// A form in which other programs keep documents.
enum DocumentFormat: String, CaseIterable, ExpressibleByArgument {
  case json
  case markdown
  case text
  case meetingNotes = "meetingnotes"
  case automerge

  /// Whether it is text that an editor opens.
  var isPlain: Bool {
    switch self {
    case .json, .markdown, .text: true
    case .meetingNotes, .automerge: false
    }
  }

  private static let endings: KeyValuePairs<String, DocumentFormat> = [
    ".json": .json, ".md": .markdown, ".markdown": .markdown, ".txt": .text, ".text": .text,
    ".meetingnotes": .meetingNotes, ".automerge": .automerge,
  ]

  /// The form that a file's name tells; `nil` if it tells none.
  init?(of file: FileName) {
    let name = String(decoding: file.lastComponent.bytes, as: UTF8.self).lowercased()
    guard let ending = Self.endings.first(where: { name.hasSuffix($0.key) }) else { return nil }
    self = ending.value
  }
}
