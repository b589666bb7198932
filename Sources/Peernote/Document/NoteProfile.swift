extension Objects {
  /// The key that keeps the content from being a note; `nil` if it is one.
  ///
  /// O(keys of the document + members of the set of tags); reads no text.
  func noteFault() -> String? {
    func content(_ key: String) -> (content: Content, container: ContainerIndex?)? {
      guard let number = number(ofAnyKey: key),
        let shown = child(number, ofMap: .root)?.resolved.shown
      else { return nil }
      return (log.contents[shown.content], container(createdBy: shown.event))
    }
    switch content(Note.Key.body)?.content {
    case .container(.text): break
    case .container, .value, nil: return Note.Key.body
    }
    switch content(Note.Key.title)?.content {
    case .value(.string), nil: break
    case .container, .value: return Note.Key.title
    }
    switch content(Note.Key.priority)?.content {
    case .value(.string(let name)) where Note.Priority(rawValue: name) != nil: break
    case nil: break
    case .container, .value: return Note.Key.priority
    }
    switch content(Note.Key.created)?.content {
    case .value(.timestamp), nil: break
    case .container, .value: return Note.Key.created
    }
    guard let tags = content(Note.Key.tags) else { return nil }
    guard case .container(.set) = tags.content, let set = tags.container else {
      return Note.Key.tags
    }
    let areStrings = members(ofSet: set).allSatisfy { member in
      if case .string = member { true } else { false }
    }
    return areStrings ? nil : Note.Key.tags
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
