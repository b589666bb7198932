/// An edit taken apart: its kind, and by name what an operation of that kind names
/// (``Operation/Kind/operands``); what it does not name has no meaning.
struct EditParts: Hashable {
  /// A deletion of one scalar may have either direction.
  var kind: Operation.Kind
  var container: ContainerID
  var position = 0
  /// How many events it holds.
  var count = 1
  /// What is inserted or deleted; `nil` where that was redacted.
  var text: ExactString?
  var key = ExactString("")
  var element: EventID?
  var place = ListPlace(left: nil, right: nil)
  /// What it writes, adds, discards or counts.
  var contents: [Content] = []

  /// How many containers the edit creates.
  var containerCount: Int {
    contents.count { content in
      if case .container = content { true } else { false }
    }
  }

  /// At most so many bytes does the edit take in a file; see ``Log/fileSize``.
  var fileSize: Int {
    let names = (text?.string.utf8.count ?? 0) + 2 * key.string.utf8.count
    return contents.reduce(64 + names) { $0 + 32 + 2 * $1.weight }
  }

  /// The element that the kind names.
  fileprivate var namedElement: EventID {
    guard let element else { preconditionFailure("an edit of an element names it") }
    return element
  }

  /// The value that is added, discarded or counted.
  fileprivate var value: Value {
    guard case .value(let value)? = contents.first else {
      preconditionFailure("sets and counters are given values")
    }
    return value
  }
}

extension Edit {
  /// How many events the edit holds.
  package var eventCount: Int { parts.count }

  /// The parts of the edit.
  var parts: EditParts {
    switch self {
    case .insertText(let text, let position, let string):
      EditParts(
        kind: .insertText, container: text, position: position,
        count: string.unicodeScalars.count, text: ExactString(string))
    case .deleteText(let text, let position, let count, let backward, let string):
      EditParts(
        kind: backward ? .deleteBackward : .deleteForward, container: text, position: position,
        count: count, text: string.map { ExactString($0) })
    case .put(let map, let key, let content):
      EditParts(kind: .put, container: map, key: ExactString(key), contents: [content])
    case .remove(let map, let key):
      EditParts(kind: .remove, container: map, key: ExactString(key))
    case .insertElements(let list, let place, let contents):
      EditParts(
        kind: .insertElements, container: list, count: contents.count, place: place,
        contents: contents)
    case .putElement(let list, let element, let content):
      EditParts(kind: .putElement, container: list, element: element, contents: [content])
    case .moveElement(let list, let element, let place):
      EditParts(kind: .moveElement, container: list, element: element, place: place)
    case .removeElement(let list, let element):
      EditParts(kind: .removeElement, container: list, element: element)
    case .add(let set, let value):
      EditParts(kind: .add, container: set, contents: [.value(value)])
    case .discard(let set, let value):
      EditParts(kind: .discard, container: set, contents: [.value(value)])
    case .increment(let counter, let amount):
      EditParts(kind: .increment, container: counter, contents: [.value(.integer(amount))])
    }
  }

  /// The edit with these parts.
  ///
  /// Precondition: all that its kind names is there, and counters are given integers.
  init(_ parts: EditParts) {
    let container = parts.container
    switch parts.kind {
    case .insertText:
      self = .insertText(into: container, at: parts.position, text: parts.text?.string ?? "")
    case .deleteForward, .deleteBackward:
      self = .deleteText(
        from: container, at: parts.position, count: parts.count,
        backward: parts.kind == .deleteBackward, text: parts.text?.string)
    case .put: self = .put(map: container, key: parts.key.string, content: parts.contents[0])
    case .remove: self = .remove(map: container, key: parts.key.string)
    case .insertElements:
      self = .insertElements(list: container, at: parts.place, contents: parts.contents)
    case .putElement:
      self = .putElement(list: container, element: parts.namedElement, content: parts.contents[0])
    case .moveElement:
      self = .moveElement(list: container, element: parts.namedElement, to: parts.place)
    case .removeElement: self = .removeElement(list: container, element: parts.namedElement)
    case .add: self = .add(set: container, value: parts.value)
    case .discard: self = .discard(set: container, value: parts.value)
    case .increment:
      guard case .integer(let amount) = parts.value else {
        preconditionFailure("counters are given integers")
      }
      self = .increment(counter: container, by: amount)
    }
  }
}
