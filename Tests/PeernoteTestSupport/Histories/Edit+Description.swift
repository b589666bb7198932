package import Peernote

/// Changes as lines, a header for each and one for each of its events.
package func tell(_ changes: [Change]) -> String {
  changes.flatMap(\.statement).joined(separator: "\n")
}

/// An edit as Swift, exact to the byte.
package func describe(_ edit: Edit) -> String {
  let container = tell(edit.container)
  let text = edit.text.map { quoted($0.string) } ?? "nil"
  let contents = edit.contents.map(tell).joined(separator: ", ")
  return switch edit.kind {
  case .insertText: ".insertText(into: \(container), at: \(edit.position), text: \(text))"
  case .deleteForward, .deleteBackward:
    ".deleteText(from: \(container), at: \(edit.position), count: \(edit.count), "
      + "backward: \(edit.kind == .deleteBackward), text: \(text))"
  case .put: ".put(map: \(container), key: \(quoted(edit.key.string)), content: \(contents))"
  case .remove: ".remove(map: \(container), key: \(quoted(edit.key.string)))"
  case .insertElements:
    ".insertElements(list: \(container), at: \(tell(edit.place)), contents: [\(contents)])"
  case .putElement:
    ".putElement(list: \(container), element: \(tell(edit.named)), content: \(contents))"
  case .moveElement:
    ".moveElement(list: \(container), element: \(tell(edit.named)), to: \(tell(edit.place)))"
  case .removeElement: ".removeElement(list: \(container), element: \(tell(edit.named)))"
  case .add: ".add(set: \(container), value: \(describe(edit.value)))"
  case .discard: ".discard(set: \(container), value: \(describe(edit.value)))"
  case .increment: ".increment(counter: \(container), by: \(edit.amount))"
  }
}

private func tell(_ container: ContainerID) -> String {
  switch container {
  case .root: ".root"
  case .created(let event): "\(event.change).container(\(event.index))"
  }
}

private func tell(_ content: Content) -> String {
  switch content {
  case .value(let value): ".value(\(describe(value)))"
  case .container(let kind): ".container(.\(kind))"
  }
}

private func tell(_ place: ListPlace) -> String {
  let (left, right) = (place.left.map(tell) ?? "nil", place.right.map(tell) ?? "nil")
  return "ListPlace(left: \(left), right: \(right))"
}

private func tell(_ event: EventID) -> String { "\(event.change).event(\(event.index))" }

extension Edit {
  /// The element that it names.
  package var named: EventID {
    guard let element else { fatalError("an edit of an element names it") }
    return element
  }

  /// The value that it adds or discards.
  package var value: Value {
    guard case .value(let value)? = contents.first else { fatalError("sets hold values") }
    return value
  }

  /// How much it adds to a counter.
  package var amount: Int64 {
    guard case .integer(let amount) = value else { fatalError("counters count integers") }
    return amount
  }

  private init(
    _ kind: Operation.Kind, in container: ContainerID, _ setOperands: (inout Edit) -> Void
  ) {
    self.init(kind, in: container)
    setOperands(&self)
  }

  package static func insertText(
    into text: ContainerID, at position: Int, text string: String
  ) -> Edit {
    Edit(.insertText, in: text) {
      ($0.position, $0.count) = (position, string.unicodeScalars.count)
      $0.text = .init(string)
    }
  }

  package static func deleteText(
    from text: ContainerID, at position: Int, count: Int, backward: Bool, text string: String?
  ) -> Edit {
    Edit(backward ? .deleteBackward : .deleteForward, in: text) {
      ($0.position, $0.count, $0.text) = (position, count, string.map { .init($0) })
    }
  }

  package static func put(map: ContainerID, key: String, content: Content) -> Edit {
    Edit(.put, in: map) { ($0.key, $0.contents) = (.init(key), [content]) }
  }

  package static func remove(map: ContainerID, key: String) -> Edit {
    Edit(.remove, in: map) { $0.key = .init(key) }
  }

  package static func insertElements(
    list: ContainerID, at place: ListPlace, contents: [Content]
  ) -> Edit {
    Edit(.insertElements, in: list) {
      ($0.count, $0.place, $0.contents) = (contents.count, place, contents)
    }
  }

  package static func putElement(list: ContainerID, element: EventID, content: Content) -> Edit {
    Edit(.putElement, in: list) { ($0.element, $0.contents) = (element, [content]) }
  }

  package static func moveElement(list: ContainerID, element: EventID, to place: ListPlace) -> Edit
  {
    Edit(.moveElement, in: list) { ($0.element, $0.place) = (element, place) }
  }

  package static func removeElement(list: ContainerID, element: EventID) -> Edit {
    Edit(.removeElement, in: list) { $0.element = element }
  }

  package static func add(set: ContainerID, value: Value) -> Edit {
    Edit(.add, in: set) { $0.contents = [.value(value)] }
  }

  package static func discard(set: ContainerID, value: Value) -> Edit {
    Edit(.discard, in: set) { $0.contents = [.value(value)] }
  }

  package static func increment(counter: ContainerID, by amount: Int64) -> Edit {
    Edit(.increment, in: counter) { $0.contents = [.value(.integer(amount))] }
  }
}
