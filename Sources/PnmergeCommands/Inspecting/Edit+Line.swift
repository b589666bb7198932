import Peernote
import PeernoteJSON

extension Peernote.Edit {
  /// The operation on one line: what it does, to which container, and where.
  ///
  /// Long texts are cut; ``json`` holds them whole.
  var line: String {
    switch self {
    case .insertText(let container, let position, let text):
      "insert \(quoted(text)) at \(position) of \(container.name)"
    case .deleteText(let container, let position, let count, let isBackward, let text):
      "delete \(text.map { quoted($0) } ?? "\(counted(count, "redacted character"))") at "
        + "\(position) of \(container.name)" + (isBackward && count > 1 ? ", backward" : "")
    case .put(let map, let key, let content):
      "put \(content.text) at \(quoted(key)) of \(map.name)"
    case .remove(let map, let key):
      "remove \(quoted(key)) of \(map.name)"
    case .insertElements(let list, let place, let contents):
      "insert \(contents.count == 1 ? contents[0].text : counted(contents.count, "element")) "
        + "\(place.text) of \(list.name)"
    case .putElement(let list, let element, let content):
      "put \(content.text) at element \(element) of \(list.name)"
    case .moveElement(let list, let element, let place):
      "move element \(element) \(place.text) of \(list.name)"
    case .removeElement(let list, let element):
      "remove element \(element) of \(list.name)"
    case .add(let set, let value):
      "add \(Content.value(value).text) to \(set.name)"
    case .discard(let set, let value):
      "discard \(Content.value(value).text) of \(set.name)"
    case .increment(let counter, let amount):
      "increment \(counter.name) by \(amount)"
    }
  }

  /// The operation as a JSON object: its name under `op`, its container, and its arguments.
  var json: JSON {
    switch self {
    case .insertText(let container, let position, let text):
      object("insert_text", container, [("at", .count(position)), ("text", .string(text))])
    case .deleteText(let container, let position, let count, let isBackward, let text):
      object(
        "delete_text", container,
        [
          ("at", .count(position)), ("count", .count(count)), ("backward", .bool(isBackward)),
          ("text", .optional(text)),
        ])
    case .put(let map, let key, let content):
      object("put", map, [("key", .string(key)), ("content", content.json)])
    case .remove(let map, let key):
      object("remove", map, [("key", .string(key))])
    case .insertElements(let list, let place, let contents):
      object(
        "insert_elements", list,
        place.members + [("contents", .array(contents.map(\.json)))])
    case .putElement(let list, let element, let content):
      object(
        "put_element", list,
        [("element", .string(element.description)), ("content", content.json)])
    case .moveElement(let list, let element, let place):
      object(
        "move_element", list, [("element", .string(element.description))] + place.members)
    case .removeElement(let list, let element):
      object("remove_element", list, [("element", .string(element.description))])
    case .add(let set, let value):
      object("add", set, [("content", Content.value(value).json)])
    case .discard(let set, let value):
      object("discard", set, [("content", Content.value(value).json)])
    case .increment(let counter, let amount):
      object("increment", counter, [("by", .integer(amount))])
    }
  }

  private func object(
    _ name: String, _ container: ContainerID, _ members: [(String, JSON)]
  ) -> JSON {
    .object(
      [
        JSON.Member(name: "op", value: .string(name)),
        JSON.Member(name: "container", value: .string(container.name)),
      ] + members.map { JSON.Member(name: $0.0, value: $0.1) })
  }
}

extension ContainerID {
  /// The event that created it, or `root`.
  fileprivate var name: String {
    switch self {
    case .root: "root"
    case .created(let event): event.description
    }
  }
}

extension Content {
  fileprivate var text: String {
    switch self {
    case .value: String(decoding: json.encoded(), as: UTF8.self)
    case .container(let kind): "a new \(kind)"
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .value(let value): Node.value(value).exactJSON
    case .container(let kind): ["new": .string("\(kind)")]
    }
  }
}

extension ListPlace {
  fileprivate var text: String {
    "between \(left?.description ?? "the start") and \(right?.description ?? "the end")"
  }

  fileprivate var members: [(String, JSON)] {
    [("left", .optional(left?.description)), ("right", .optional(right?.description))]
  }
}
