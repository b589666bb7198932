extension Editor {
  /// A key of a map or an element of a list, to be written into.
  package struct Spot {
    package var container: ContainerIndex
    /// The key; `nil` for an element.
    package var key: String?
    /// The insertion of the element; `nil` for a key.
    package var element: LocalVersion?

    package init(container: ContainerIndex, key: String? = nil, element: LocalVersion? = nil) {
      self.container = container
      self.key = key
      self.element = element
    }
  }

  /// Writes new content, with all that is in it, under a key or into a list element that is there.
  ///
  /// A container that stood there is replaced by another one, with an identity of its own.
  /// O(size of the content).
  ///
  /// - Throws: ``EditError`` if the parent isn't there or holds no such element.
  public mutating func put(node: DocumentNode, at path: JSONPointer) throws(EditError) {
    try write(node, in: spot(at: path), at: path)
  }

  /// Inserts new content, with all that is in it, before the list element at a path; `-` as the
  /// last token means the end.
  ///
  /// O(size of the content + slots of the list).
  ///
  /// - Throws: ``EditError`` if the path leads to no list or lies beyond its end.
  public mutating func insert(node: DocumentNode, at path: JSONPointer) throws(EditError) {
    try insert(nodes: [node], at: path)
  }

  /// The same for several elements, one after the other.
  package mutating func insert(nodes: [DocumentNode], at path: JSONPointer) throws(EditError) {
    let (list, token) = try parent(of: path)
    guard kind(of: list) == .list else { throw .wrongKind(path.parent, expected: .list) }
    let count = editor.count(ofList: list)
    guard let index = token == "-" ? count : JSONPointer.index(token), index <= count else {
      throw .noSuchPlace(path)
    }
    try insert(nodes[...], into: list, before: index, at: path)
  }

  /// Writes a value, or a new, empty container, and returns its number.
  @discardableResult
  mutating func write(
    shell content: Content, in spot: Spot, at path: JSONPointer
  ) throws(EditError) -> ContainerIndex? {
    let container = spot.container
    if let key = spot.key {
      return try Self.performing(path, editor.put(map: container, key: key, content: content))
    }
    guard let element = spot.element else { preconditionFailure("a spot is a key or an element") }
    return try Self.performing(
      path, editor.putElement(list: container, element: element, content: content))
  }

  /// Writes new content, with all that is in it; a list element that was removed is there again.
  package mutating func write(
    _ node: DocumentNode, in spot: Spot, at path: JSONPointer
  ) throws(EditError) {
    let entry = DocumentNode.MapEntry(key: spot.key ?? "", node: node)
    let extent = ChangeEditor.Extent(contentOf: .map([entry]))
    try together(extent, in: spot.container) { (editor) throws(EditError) in
      var path = path
      let created = try editor.write(shell: node.shell, in: spot, at: path)
      if let created { try editor.fill(created, with: node, at: &path) }
    }
  }

  /// Inserts new content into a list; the path is that of the first element.
  package mutating func insert(
    _ nodes: ArraySlice<DocumentNode>, into list: ContainerIndex, before index: Int,
    at path: JSONPointer
  ) throws(EditError) {
    try together(ChangeEditor.Extent(contentOf: .list(Array(nodes))), in: list) {
      (editor) throws(EditError) in
      var created = try Self.performing(
        path,
        editor.editor.insertElements(list: list, at: index, contents: nodes.map(\.shell)))[...]
      for (place, node) in zip(index..., nodes) {
        guard case .container = node.shell else { continue }
        var path = place == index ? path : path.parent.appending(String(place))
        try editor.fill(created.removeFirst(), with: node, at: &path)
      }
    }
  }

  /// Makes edits that write new content with all in it, checked against the limits together.
  ///
  /// While they are made there may be more containers than their contents so far weigh for; what
  /// counts is the end. If they do not fit, each is checked by itself, so that one that does not fit
  /// is refused in its place.
  package mutating func together(
    _ extent: ChangeEditor.Extent, in container: ContainerIndex,
    _ body: (inout Editor) throws(EditError) -> Void
  ) throws(EditError) {
    if editor.isChecked { return try body(&self) }
    editor.isChecked = (try? editor.check(extent, in: container)) != nil
    defer { editor.isChecked = false }
    try body(&self)
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
      try Self.performing(path, editor.spliceText(0..<0, of: container, with: TextBuffer(text)))
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
  /// What it takes to give a container, which may hold more, the content of a node of its kind.
  package init(contentOf node: DocumentNode) {
    self.init()
    add(contentOf: node, depth: 1)
  }

  /// Adds what is in a node, which stands so many levels below the container that is edited.
  private mutating func add(contentOf node: DocumentNode, depth: Int) {
    // What is deeper does not fit, whatever is in it.
    if depth > Objects.depthLimit + 1 { return }
    switch node {
    case .value: break
    case .map(let entries):
      rows += entries.count
      events += entries.count
      for entry in entries {
        add(key: entry.key)
        add(entry.node.shell, depth: depth)
        add(contentOf: entry.node, depth: depth + 1)
      }
    case .list(let nodes):
      rows += 1
      events += nodes.count
      for node in nodes {
        add(node.shell, depth: depth)
        add(contentOf: node, depth: depth + 1)
      }
    case .text(let text):
      rows += 1
      events += text.unicodeScalars.count
      textSize += text.utf8.count
    case .set(let members):
      rows += members.count
      events += members.count
      for member in members { add(Content.value(member), depth: depth) }
    case .counter(let count):
      rows += 1
      events += 1
      add(Content.value(.integer(count)), depth: depth)
    }
  }
}
