extension Note {
  /// The key that keeps content, given by key, from being a note; `nil` if it is one.
  static func fault(_ content: (String) -> DocumentNode?) -> String? {
    func isRight(_ key: String) -> Bool {
      switch (key, content(key)) {
      case (Key.body, .text?), (Key.title, .value(.string)?), (Key.created, .value(.timestamp)?):
        true
      case (Key.priority, .value(.string(let name))?): Priority(rawValue: name) != nil
      case (Key.tags, .set(let members)?):
        members.allSatisfy { if case .string = $0 { true } else { false } }
      case (let key, let node): node == nil && key != Key.body
      }
    }
    return [Key.body, Key.title, Key.priority, Key.created, Key.tags].first { !isRight($0) }
  }
}

extension Objects {
  /// The key that keeps the content from being a note; `nil` if it is one.
  ///
  /// O(keys of the document + members of the set of tags); reads no text.
  func noteFault() -> String? {
    Note.fault { key in
      guard let number = number(ofKey: key),
        let shown = child(number, ofMap: .root)?.resolved.shown
      else { return nil }
      switch log.contents[shown.content] {
      case .value(let value): return .value(value)
      case .container(.text): return .text("")
      case .container(.set):
        return container(createdBy: shown.event).map { .set(members(ofSet: $0)) }
      case .container: return .map([])
      }
    }
  }
}

extension Document {
  /// The key that keeps the document from being a note; `nil` if it is one.
  package var noteFault: String? { file.objects.noteFault() }
}

extension Editor {
  /// The key that keeps the document from being a note, as it is now; `nil` if it is one.
  package var noteFault: String? { editor.objects.noteFault() }
}
