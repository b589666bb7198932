import AutomergeFormat
import Peernote

/// Makes the edits of one change as they are told, neighbouring edits of a text as one.
struct AutomergeEdits {
  /// The edit of a text that further ones may continue.
  private var splice: Splice?

  /// Replaces some scalars of a text.
  private struct Splice {
    let path: [String]
    var range: Range<Int>
    var text: String
    /// How many scalars the text has.
    var count: Int

    /// Takes in an edit that comes right after this one, if both are one; the time is that of the
    /// new text.
    mutating func join(_ path: [String], _ range: Range<Int>, _ text: String) -> Bool {
      guard path == self.path else { return false }
      if range.lowerBound == self.range.lowerBound + count {
        self.range = self.range.lowerBound..<self.range.upperBound + range.count
        self.text += text
        count += text.unicodeScalars.count
        return true
      }
      guard range.upperBound == self.range.lowerBound, text.isEmpty, count == 0 else {
        return false
      }
      self.range = range.lowerBound..<self.range.upperBound
      return true
    }
  }

  /// Makes an edit, which sees those before it, unless further ones may continue it.
  mutating func make(
    _ edit: AutomergeReplay.Edit, in editor: inout Editor
  ) throws(EditError) {
    guard case .splice(let path, let range, let text) = edit else {
      try finish(in: &editor)
      return try perform(edit, in: &editor)
    }
    if splice?.join(path, range, text) ?? false { return }
    try finish(in: &editor)
    splice = Splice(path: path, range: range, text: text, count: text.unicodeScalars.count)
  }

  /// Makes what further edits might have continued.
  mutating func finish(in editor: inout Editor) throws(EditError) {
    guard let splice = splice.take() else { return }
    try perform(.splice(splice.path, splice.range, splice.text), in: &editor)
  }

  private func perform(
    _ edit: AutomergeReplay.Edit, in editor: inout Editor
  ) throws(EditError) {
    switch edit {
    case .set(let path, let content):
      try write(content, at: JSONPointer(path), isInsertion: false, &editor)
    case .insert(let path, let content):
      try write(content, at: JSONPointer(path), isInsertion: true, &editor)
    case .remove(let path): try editor.remove(at: JSONPointer(path))
    case .splice(let path, let range, let text):
      try editor.spliceText(at: JSONPointer(path), scalars: range, with: text)
    case .increment(let path, let amount):
      try editor.increment(by: amount, at: JSONPointer(path))
    }
  }

  private func write(
    _ content: AutomergeState.Content, at place: JSONPointer, isInsertion: Bool,
    _ editor: inout Editor
  ) throws(EditError) {
    let node: DocumentNode
    switch content {
    case .object(.map): node = .map([])
    case .object(.list): node = .list([])
    case .object(.text): node = .text("")
    case .scalar(let scalar): node = DocumentNode(scalar)
    }
    if isInsertion {
      try editor.insert(node: node, at: place)
    } else {
      try editor.put(node: node, at: place)
    }
  }
}
