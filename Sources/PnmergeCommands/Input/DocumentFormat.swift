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

  /// The form that a file's name tells; `nil` if it tells none.
  init?(of file: FileName) {
    let name = String(decoding: file.lastComponent.bytes, as: UTF8.self).lowercased()
    if name.hasSuffix(".json") {
      self = .json
    } else if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
      self = .markdown
    } else if name.hasSuffix(".txt") || name.hasSuffix(".text") {
      self = .text
    } else if name.hasSuffix(".meetingnotes") {
      self = .meetingNotes
    } else if name.hasSuffix(".automerge") {
      self = .automerge
    } else {
      return nil
    }
  }
}
