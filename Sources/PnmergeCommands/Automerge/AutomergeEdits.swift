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
    func make(_ kind: ContainerKind) throws(EditError) {
      if isInsertion {
        try editor.insert(.container(kind), at: place)
      } else {
        try editor.putContainer(kind, at: place)
      }
    }
    switch content {
    case .object(let kind): try make(ContainerKind(kind))
    case .scalar(.counter(let start)):
      try make(.counter)
      if start != 0 { try editor.increment(by: start, at: place) }
    case .scalar(let scalar):
      guard case .value(let value) = DocumentNode(scalar) else { return }
      if isInsertion {
        try editor.insert(.value(value), at: place)
      } else {
        try editor.put(value, at: place)
      }
    }
  }
}

extension ContainerKind {
  /// The kind of container that stands for a kind of object.
  fileprivate init(_ kind: AutomergeState.ObjectKind) {
    switch kind {
    case .map: self = .map
    case .list: self = .list
    case .text: self = .text
    }
  }
}
