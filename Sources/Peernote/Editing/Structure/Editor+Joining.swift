extension Editor {
  /// Makes one element of those that several people inserted into a list, with one identity or equal
  /// ones, without knowing of each other; see ``Conflict/Kind/sameIdentity`` and
  /// ``Conflict/Kind/sameContent``.
  ///
  /// The first of them stays, whatever is kept, so that those who settle this apart remove the same
  /// ones: with what the others hold besides, as ``DocumentNode/united(with:identityKeys:)`` says, or with what
  /// one of them holds. That is written anew where they differ, so that who keeps something else
  /// contests it. O(size of the list).
  ///
  /// The paths are in order, and `path` is one of them. `kept` is whose content stays, by its
  /// number among them; `nil` for that of all. Throws if there is no such element.
  mutating func join(
    _ paths: [JSONPointer], at path: JSONPointer, keeping kept: Int? = nil, _ keys: [String]
  ) throws(EditError) {
    guard kept.map(paths.indices.contains) ?? true else { throw .noSuchPlace(path) }
    let nodes = paths.compactMap { node(at: $0) }
    if let kept {
      if !nodes.allSatisfy({ $0 == nodes[kept] }) { try put(node: nodes[kept], at: paths[0]) }
    } else if let united = DocumentNode.united(nodes, at: paths[0], identityKeys: keys) {
      var matching = ContentMatching(identityKeys: keys)
      matching.replacesCounters = true
      try replaceContent(at: paths[0], with: united.content, matching: matching)
    }
    // Somebody may have removed it, and inserted the other one: that is settled, too.
    if try isKeptThoughRemoved(paths[0]), let node = node(at: paths[0]) {
      try put(node: node, at: paths[0])
    }
    // From the end, so that the indices of those before stay.
    for path in paths.dropFirst().reversed() { try remove(at: path) }
  }

  /// Whether an element was removed, and is there because of edits that whoever removed it had not seen.
  private mutating func isKeptThoughRemoved(_ path: JSONPointer) throws(EditError) -> Bool {
    let (list, token) = try parent(of: path)
    guard let index = JSONPointer.index(token) else { throw .noSuchPlace(path) }
    let children = editor.objects.children(ofList: list)
    return children.indices.contains(index) && children[index].overriddenRemoval != nil
  }

  /// Keeps all elements that several people inserted into a list.
  ///
  /// They are written anew as they are, so that they count as settled. O(size of the list).
  mutating func keep(_ paths: [JSONPointer]) throws(EditError) {
    for path in paths {
      guard let node = node(at: path) else { throw .noSuchPlace(path) }
      try put(node: node, at: path)
    }
  }

  /// Where the elements stand that were inserted on several sides, of which one stands at a path; in
  /// the order of the list.
  mutating func elementsInserted(
    with path: JSONPointer, _ keys: [String]
  ) throws(EditError) -> [JSONPointer] {
    let (list, token) = try parent(of: path)
    let groups = editor.objects.contestedElements(
      ofList: list, keys: editor.objects.numbered(keys), texts: shownTexts)
    guard let index = JSONPointer.index(token),
      let group = groups.first(where: { $0.places.contains { $0.index == index } })
    else { throw .noSuchPlace(path) }
    return group.places.map { path.parent.appending(String($0.index)) }
  }
}
