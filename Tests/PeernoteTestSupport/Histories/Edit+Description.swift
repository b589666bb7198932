package import Peernote

/// Changes as lines, a header for each and one for each of its events.
package func tell(_ changes: [Change]) -> String {
  changes.flatMap(\.statement).joined(separator: "\n")
}

/// An edit as Swift, exact to the byte.
package func describe(_ edit: Edit) -> String {
  switch edit {
  case .insertText(let text, let position, let inserted):
    return ".insertText(into: \(tell(text)), at: \(position), text: \(quoted(inserted)))"
  case .deleteText(let text, let position, let count, let backward, let deleted):
    let words = deleted.map(quoted) ?? "nil"
    return ".deleteText(from: \(tell(text)), at: \(position), count: \(count), "
      + "backward: \(backward), text: \(words))"
  case .put(let map, let key, let content):
    return ".put(map: \(tell(map)), key: \(quoted(key)), content: \(tell(content)))"
  case .remove(let map, let key):
    return ".remove(map: \(tell(map)), key: \(quoted(key)))"
  case .insertElements(let list, let place, let contents):
    let contents = contents.map(tell).joined(separator: ", ")
    return ".insertElements(list: \(tell(list)), at: \(tell(place)), contents: [\(contents)])"
  case .putElement(let list, let element, let content):
    return ".putElement(list: \(tell(list)), element: \(tell(element)), "
      + "content: \(tell(content)))"
  case .moveElement(let list, let element, let place):
    return ".moveElement(list: \(tell(list)), element: \(tell(element)), to: \(tell(place)))"
  case .removeElement(let list, let element):
    return ".removeElement(list: \(tell(list)), element: \(tell(element)))"
  case .add(let set, let value):
    return ".add(set: \(tell(set)), value: \(describe(value)))"
  case .discard(let set, let value):
    return ".discard(set: \(tell(set)), value: \(describe(value)))"
  case .increment(let counter, let amount):
    return ".increment(counter: \(tell(counter)), by: \(amount))"
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
