package import Peernote

/// Changes as the lines of Swift that tell them as a ``Story``, to paste into a test.
///
/// Parents must come before children.
package func tell(_ changes: [Change]) -> String {
  var names: [ChangeID: String] = [:]
  var lines = ["var story = Story()"]
  for (number, change) in changes.enumerated() {
    let name = "c\(number)"
    names[change.id] = name
    let teller = Teller(names: names)
    let parents = change.parents.map { names[$0] ?? "\($0)" }.joined(separator: ", ")
    let agent = "0x\(change.id.agent)"
    lines.append(
      "let \(name) = story.change(\(agent), after: [\(parents)], time: \(change.time.milliseconds),"
    )
    lines.append(
      change.edits.map { "  " + teller.tell($0) }.joined(separator: ",\n") + ")")
  }
  return lines.joined(separator: "\n")
}

/// An edit as Swift, with changes by their names, exact to the byte.
package func describe(_ edit: Edit) -> String {
  Teller(names: [:]).tell(edit)
}

/// Writes edits as Swift, with changes named by variables.
private struct Teller {
  let names: [ChangeID: String]

  func tell(_ edit: Edit) -> String {
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
    case .created(let event): "\(name(event.change)).container(\(event.index))"
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

  private func tell(_ event: EventID) -> String { "\(name(event.change)).event(\(event.index))" }

  private func name(_ change: ChangeID) -> String { names[change] ?? "\(change)" }
}
