extension Editor {
  /// Writes new content, with all that is in it, under a key or into a list element that is there.
  ///
  /// A container that stood there is replaced by another one, with an identity of its own.
  /// O(size of the content).
  ///
  /// - Throws: ``EditError`` if the parent isn't there or holds no such element.
  public mutating func put(node: DocumentNode, at path: JSONPointer) throws(EditError) {
    switch node.shell {
    case .value(let value): try put(value, at: path)
    case .container(let kind):
      let (parent, token) = try parent(of: path)
      try together(ChangeEditor.Extent(key: token, node), in: parent) {
        (editor) throws(EditError) in
        try editor.putContainer(kind, at: path)
        try editor.fill(try editor.container(at: path, kind), with: node, at: path)
      }
    }
  }

  /// Inserts new content, with all that is in it, before the list element at a path; `-` as the
  /// last token means the end.
  ///
  /// O(size of the content + slots of the list).
  ///
  /// - Throws: ``EditError`` if the path leads to no list or lies beyond its end.
  public mutating func insert(node: DocumentNode, at path: JSONPointer) throws(EditError) {
    try together(ChangeEditor.Extent([node]), in: try parent(of: path).container) {
      (editor) throws(EditError) in
      try editor.insert(node.shell, at: path)
      guard case .container = node.shell else { return }
      // Containers are numbered in the order of their creation.
      let created = ContainerIndex(editor.editor.objects.log.containers.count - 1)
      try editor.fill(created, with: node, at: path)
    }
  }

  /// Makes edits that write new content with all that is in it; they are checked against the limits
  /// together.
  mutating func together(
    _ extent: ChangeEditor.Extent, in container: ContainerIndex,
    _ body: (inout Editor) throws(EditError) -> Void
  ) throws(EditError) {
    if editor.isChecked { return try body(&self) }
    editor.beginTogether(extent, in: container)
    defer { editor.endTogether() }
    try body(&self)
  }

  /// Gives a new, empty container its content.
  mutating func fill(
    _ container: ContainerIndex, with node: DocumentNode, at path: JSONPointer
  ) throws(EditError) {
    var path = path
    try fill(container, with: node, at: &path)
  }

  /// Gives a new, empty container its content; the path is again what it was afterwards.
  private mutating func fill(
    _ container: ContainerIndex, with node: DocumentNode, at path: inout JSONPointer
  ) throws(EditError) {
    switch node {
    case .value: preconditionFailure("a container is filled with what a container holds")
    case .map(let entries):
      for entry in entries {
        path.tokens.append(entry.key)
        let created = try Self.performing(
          path, editor.put(map: container, key: entry.key, content: entry.node.shell))
        if let created { try fill(created, with: entry.node, at: &path) }
        path.tokens.removeLast()
      }
    case .list(let nodes):
      var created = try Self.performing(
        path, editor.insertElements(list: container, at: 0, contents: nodes.map(\.shell)))[...]
      for (index, node) in nodes.enumerated() {
        guard case .container = node.shell else { continue }
        path.tokens.append(String(index))
        try fill(created.removeFirst(), with: node, at: &path)
        path.tokens.removeLast()
      }
    case .text(let text):
      try Self.performing(path, editor.insertText(TextBuffer(text), into: container, at: 0))
    case .set(let members):
      for member in members {
        try Self.performing(path, editor.add(member, toSet: container))
      }
    case .counter(let count):
      if count == 0 { return }
      try Self.performing(path, editor.increment(container, by: count))
    }
  }
}

extension ChangeEditor.Extent {
  /// What it takes to write content, with all that is in it, under a key.
  init(key: String, _ node: DocumentNode) {
    self.init([.init(key: key, node: node)])
  }

  /// What it takes to write entries of a map.
  init(_ entries: [DocumentNode.MapEntry]) {
    self.init()
    addEntries(entries, depth: 1)
  }

  /// What it takes to insert elements into a list.
  init(_ elements: some Collection<DocumentNode>) {
    self.init()
    addElements(elements, depth: 1)
  }

  private mutating func addEntries(_ entries: [DocumentNode.MapEntry], depth: Int) {
    rows += entries.count
    events += entries.count
    for entry in entries {
      add(key: entry.key)
      add(entry.node, depth: depth)
    }
  }

  private mutating func addElements(_ elements: some Collection<DocumentNode>, depth: Int) {
    rows += 1
    events += elements.count
    for element in elements { add(element, depth: depth) }
  }

  /// Adds content that stands so many levels below the container that is edited.
  private mutating func add(_ node: DocumentNode, depth: Int) {
    add(node.shell, depth: depth)
    // What is deeper does not fit, whatever is in it.
    if depth > Objects.depthLimit { return }
    switch node {
    case .value: break
    case .map(let entries): addEntries(entries, depth: depth + 1)
    case .list(let nodes): addElements(nodes, depth: depth + 1)
    case .text(let text):
      rows += 1
      events += text.unicodeScalars.count
      textSize += text.utf8.count
    case .set(let members):
      rows += members.count
      events += members.count
      for member in members { add(Content.value(member), depth: depth + 1) }
    case .counter(let count):
      rows += 1
      events += 1
      add(Content.value(.integer(count)), depth: depth + 1)
    }
  }
}
