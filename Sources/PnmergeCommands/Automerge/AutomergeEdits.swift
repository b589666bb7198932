import AutomergeFormat
import Peernote

/// Edits of one change, with neighbouring edits of a text as one.
struct AutomergeEdits {
  /// The most levels of maps and lists in a document, the root counted.
  static let depthLimit = Objects.depthLimit

  private var edits: [AutomergeReplay.Edit] = []
  /// The edit of a text that further ones may continue.
  private var splice: Splice?
  /// Whether an edit lies deeper than a document may be; no further ones are kept then.
  private(set) var isTooDeep = false

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

  /// Adds an edit, which sees those before it.
  mutating func add(_ edit: AutomergeReplay.Edit) {
    guard !isTooDeep else { return }
    guard edit.path.count <= Self.depthLimit else {
      isTooDeep = true
      return
    }
    guard case .splice(let path, let range, let text) = edit else {
      finishSplice()
      edits.append(edit)
      return
    }
    if splice?.join(path, range, text) ?? false { return }
    finishSplice()
    splice = Splice(path: path, range: range, text: text, count: text.unicodeScalars.count)
  }

  private mutating func finishSplice() {
    guard let splice = splice.take() else { return }
    edits.append(.splice(splice.path, splice.range, splice.text))
  }

  /// Makes all edits.
  mutating func perform(in editor: inout Editor) throws(EditError) {
    finishSplice()
    for edit in edits {
      switch edit {
      case .set(let path, let content): try write(content, at: JSONPointer(path), &editor)
      case .insert(let path, let content):
        let place = JSONPointer(path)
        switch content {
        case .object(let kind):
          try editor.insert(.container(ContainerKind(kind)), at: place)
        case .scalar(let scalar):
          guard case .value(let value) = Node(scalar) else {
            try editor.insert(.container(.counter), at: place)
            try count(scalar, at: place, &editor)
            continue
          }
          try editor.insert(.value(value), at: place)
        }
      case .remove(let path): try editor.remove(at: JSONPointer(path))
      case .splice(let path, let range, let text):
        try editor.spliceText(at: JSONPointer(path), scalars: range, with: text)
      case .increment(let path, let amount):
        try editor.increment(by: amount, at: JSONPointer(path))
      }
    }
  }

  private func write(
    _ content: AutomergeReplay.Content, at place: JSONPointer, _ editor: inout Editor
  ) throws(EditError) {
    switch content {
    case .object(let kind): try editor.putContainer(ContainerKind(kind), at: place)
    case .scalar(let scalar):
      guard case .value(let value) = Node(scalar) else {
        try editor.putContainer(.counter, at: place)
        try count(scalar, at: place, &editor)
        return
      }
      try editor.put(value, at: place)
    }
  }

  private func count(
    _ scalar: ScalarValue, at place: JSONPointer, _ editor: inout Editor
  ) throws(EditError) {
    if case .counter(let start) = scalar, start != 0 { try editor.increment(by: start, at: place) }
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

extension AutomergeReplay.Edit {
  /// What it changes.
  fileprivate var path: [String] {
    switch self {
    case .set(let path, _), .insert(let path, _), .remove(let path), .splice(let path, _, _),
      .increment(let path, _):
      path
    }
  }
}
