public import PeernoteEngine

extension Editor {
  /// Writes new content, with all that is in it, under a key or into a list element that is there.
  ///
  /// A container that stood there is replaced by another one, with an identity of its own.
  /// O(size of the content).
  ///
  /// - Throws: ``EditError`` if the parent isn't there or holds no such element.
  public mutating func put(node: Node, at path: JSONPointer) throws(EditError) {
    switch node.shell {
    case .value(let value): try put(value, at: path)
    case .container(let kind):
      try putContainer(kind, at: path)
      try fill(try container(at: path, kind), with: node, at: path)
    }
  }

  /// Inserts new content, with all that is in it, before the list element at a path; `-` as the
  /// last token means the end.
  ///
  /// O(size of the content + slots of the list).
  ///
  /// - Throws: ``EditError`` if the path leads to no list or lies beyond its end.
  public mutating func insert(node: Node, at path: JSONPointer) throws(EditError) {
    try insert(node.shell, at: path)
    guard case .container = node.shell else { return }
    // Containers are numbered in the order of their creation.
    let created = Int32(editor.objects.log.containers.count - 1)
    try fill(created, with: node, at: path)
  }

  /// Gives a new, empty container its content.
  mutating func fill(
    _ container: Int32, with node: Node, at path: JSONPointer
  ) throws(EditError) {
    switch node {
    case .value: preconditionFailure("a container is filled with what a container holds")
    case .map(let entries):
      for entry in entries {
        let path = path.appending(entry.key)
        let created = try performing(path) { () throws(HistoryError) in
          try editor.put(map: container, key: entry.key, content: entry.node.shell)
        }
        if let created { try fill(created, with: entry.node, at: path) }
      }
    case .list(let nodes):
      var created = try performing(path) { () throws(HistoryError) in
        try editor.insertElements(list: container, at: 0, contents: nodes.map(\.shell))
      }[...]
      for (index, node) in nodes.enumerated() {
        guard case .container = node.shell else { continue }
        try fill(created.removeFirst(), with: node, at: path.appending(String(index)))
      }
    case .text(let text):
      try performing(path) { () throws(HistoryError) in
        try editor.insertText(TextBuffer(text), into: container, at: 0)
      }
    case .set(let members):
      for member in members {
        try performing(path) { () throws(HistoryError) in
          try editor.add(member, toSet: container)
        }
      }
    case .counter(let count):
      if count == 0 { return }
      try performing(path) { () throws(HistoryError) in
        try editor.increment(container, by: count)
      }
    }
  }
}

extension Node {
  /// What one write puts down of the content: a value whole, of a container only the kind.
  var shell: Content {
    switch self {
    case .value(let value): .value(value)
    case .map: .container(.map)
    case .list: .container(.list)
    case .text: .container(.text)
    case .set: .container(.set)
    case .counter: .container(.counter)
    }
  }
}
