extension Document {
  /// The current content: a map.
  ///
  /// O(n log n).
  public var root: DocumentNode { file.objects.node(ofContainer: .root, texts: file.shownTexts) }

  /// The same with the raw texts, which insertions and deletions alone add up to.
  package var rawRoot: DocumentNode { file.objects.node(ofContainer: .root, texts: file.texts) }

  /// The current content for exports, with the keys of each map in the order in which they were
  /// first written: as it was imported, and then what was added later; O(n log n).
  package var rootInOrderOfWriting: DocumentNode {
    file.objects.node(ofContainer: .root, texts: file.shownTexts, inOrderOfWriting: true)
  }

  /// What stands at a path; `nil` if nothing does.
  ///
  /// O(depth) steps down, each O(children), and the size of what is returned.
  public func node(at path: JSONPointer) -> DocumentNode? {
    guard let target = Target(path, in: file.objects) else { return nil }
    return target.node(in: file.objects, texts: file.shownTexts)
  }

  /// What stands at a path in whatever elements of the lists on the way, which may be those of one
  /// element that are to be like the others.
  ///
  /// There may be nothing; `nil` where a step comes to containers of several kinds, or to what has
  /// nothing inside. O(k) for k keys of the document, O(1) for each map on the way and O(n) for
  /// each list of n elements, and the size of what is returned.
  package func nodes(along path: JSONPointer) -> [DocumentNode]? {
    let objects = file.objects
    var containers = [ContainerIndex.root]
    var entries: [Objects.Entry] = []
    for token in path.tokens {
      guard let kind = containers.first.map({ log.containers[$0].kind }) else { return [] }
      guard containers.allSatisfy({ log.containers[$0].kind == kind }) else { return nil }
      switch kind {
      case .map:
        guard let key = objects.number(ofKey: token) else { return [] }
        entries = containers.compactMap { objects.child(key, ofMap: $0)?.resolved.shown }
      case .list: entries = containers.flatMap { objects.entries(ofList: $0) }
      case _: return nil
      }
      containers = entries.compactMap { objects.container(createdBy: $0.event) }
      let others = entries.count - containers.count
      let nulls = others == 0 ? 0 : entries.count { log.contents[$0.content] == .value(.null) }
      if others > nulls { containers = [] }
    }
    return entries.map { objects.node(of: $0, texts: file.shownTexts) }
  }

  /// The kind of the container at a path; `nil` if a value stands there, or nothing; O(depth) steps
  /// down, each O(children).
  package func kind(at path: JSONPointer) -> ContainerKind? {
    Target(path, in: file.objects)?.container(in: file.objects).map {
      log.containers[$0].kind
    }
  }
}

extension Objects {
  /// What a container holds.
  package func node(
    ofContainer number: ContainerIndex, texts: [TextBuffer],
    inOrderOfWriting isWritten: Bool = false
  ) -> DocumentNode {
    switch log.containers[number].kind {
    case .map:
      .map(
        isWritten
          ? entriesAsWritten(ofMap: number, texts: texts)
          : entries(ofMap: number).map { key, entry in
            .init(key: log.keys[key], node: node(of: entry, texts: texts))
          })
    case .list:
      .list(
        entries(ofList: number).map { node(of: $0, texts: texts, inOrderOfWriting: isWritten) })
    case .text:
      .text(texts[number].string)
    case .set:
      .set(members(ofSet: number).sortedByEncoding())
    case .counter:
      .counter(value(ofCounter: number))
    }
  }

  /// What a map shows, in the order in which its keys were first written; no list of it is made
  /// beside, which takes half as much again.
  private func entriesAsWritten(
    ofMap map: ContainerIndex, texts: [TextBuffer]
  ) -> [DocumentNode.MapEntry] {
    var result: [DocumentNode.MapEntry] = []
    result.reserveCapacity(mapKeys.keys(ofMap: map).reduce(0) { count, _ in count + 1 })
    for key in mapKeys.keys(ofMap: map) {
      guard let entry = shownEntry(of: key.register) else { continue }
      let node = node(of: entry, texts: texts, inOrderOfWriting: true)
      result.append(.init(key: log.keys[key.key], node: node))
    }
    return result
  }

  package func node(of child: Child, texts: [TextBuffer]) -> DocumentNode {
    guard let entry = child.resolved.shown else {
      preconditionFailure("a child that is shown has content")
    }
    return node(of: entry, texts: texts)
  }

  package func node(
    of entry: Entry, texts: [TextBuffer], inOrderOfWriting isWritten: Bool = false
  ) -> DocumentNode {
    if let number = container(of: entry) {
      node(ofContainer: number, texts: texts, inOrderOfWriting: isWritten)
    } else {
      .value(log.contents.value(entry.content))
    }
  }
}

/// Where a path leads in the objects of a document.
package enum Target {
  case root
  /// A key or an element that is there.
  case child(Objects.Child, parent: ContainerIndex)

  /// Follows a path; `nil` if it leads nowhere.
  package init?(_ path: JSONPointer, in objects: Objects) {
    self.init(path.tokens, in: objects) { objects.child($0, of: $1) }
  }

  /// Follows a path, with what finds the child of a container that a token of it names.
  package init?(
    _ tokens: [String], in objects: Objects, child: (String, ContainerIndex) -> Objects.Child?
  ) {
    self = .root
    for token in tokens {
      guard let container = container(in: objects), let child = child(token, container) else {
        return nil
      }
      self = .child(child, parent: container)
    }
  }

  /// The container that stands here; `nil` for a value.
  package func container(in objects: Objects) -> ContainerIndex? {
    switch self {
    case .root: .root
    case .child(let child, _):
      child.resolved.shown.flatMap { objects.container(createdBy: $0.event) }
    }
  }

  package func node(in objects: Objects, texts: [TextBuffer]) -> DocumentNode {
    switch self {
    case .root: objects.node(ofContainer: .root, texts: texts)
    case .child(let child, _): objects.node(of: child, texts: texts)
    }
  }
}

extension Objects {
  /// The child of a map or list that a token of a path names; `nil` if there is none.
  package func child(_ token: String, of container: ContainerIndex) -> Child? {
    switch log.containers[container].kind {
    case .map: child(token, ofMap: container)
    case .list: JSONPointer.index(token).flatMap { child(at: $0, ofList: container) }
    case _: nil
    }
  }
}

extension Document {
  /// The keys by which elements of lists are known, besides `id`: those that were given when
  /// content came in, as messages of changes say; O(messages).
  package var identityKeys: [String] { log.identityKeys }

  /// A message, if it says anything, that also names the keys by which elements are known, without
  /// those that the document knows.
  package func message(_ message: String?, namingIdentityKeys keys: [String]) -> String? {
    let new = keys.filter { !identityKeys.contains($0) && !$0.contains("\n") && $0 != "id" }
    let lines = [message].compactMap(\.self) + new.map { Log.identityMark + $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
