extension Editor {
  /// Makes one element of those that several people inserted into a list, with one identity or equal
  /// ones, or moved to several lists, without knowing of each other; see
  /// ``Conflict/Kind/sameIdentity``, ``Conflict/Kind/sameContent`` and ``Conflict/Kind/movedApart``.
  ///
  /// In one list the first of them stays, whatever is kept, so that those who settle this apart
  /// remove the same ones: with what the others hold besides, as
  /// ``Node/united(with:identityKeys:)`` says, or with what one of them holds. That is written anew
  /// where they differ, so that who keeps something else contests it. In several lists the one that
  /// is kept stays, written anew, too, with what was changed of the others.
  ///
  /// O(size of the list), or of the document.
  ///
  /// - Parameters:
  ///   - paths: where they stand, in the order of the content.
  ///   - path: where the first one stands, for an error.
  ///   - kept: whose content stays, counted from 0 in the order of the content; `nil` for that of all.
  ///   - earlier: what one that stands in several lists was before that, which tells what was changed
  ///     of it in each; `nil` if nobody knows.
  ///   - keys: what tells elements apart.
  /// - Returns: what the others hold and the one that stays does not, since it has another value there;
  ///   nothing where one is kept in one list.
  /// - Throws: ``EditError`` if there is no such element, or it is not contested.
  @discardableResult
  mutating func join(
    _ paths: [JSONPointer], at path: JSONPointer, keeping kept: Int? = nil,
    since earlier: Node? = nil, _ keys: [String]
  ) throws(EditError) -> [DroppedValue] {
    guard kept.map(paths.indices.contains) ?? true else { throw .noSuchPlace(path) }
    let nodes = paths.compactMap { node(at: $0) }
    let areInOneList = paths.allSatisfy { $0.parent == paths[0].parent }
    let stays = areInOneList ? 0 : kept ?? 0
    var dropped: [DroppedValue] = []
    if let kept, !areInOneList {
      let all = Node.combined(nodes, keeping: kept, since: earlier, at: paths[kept])
      try put(node: all.content, at: paths[kept])
      dropped = all.dropped
    } else if let kept, !nodes.allSatisfy({ $0 == nodes[kept] }) {
      try put(node: nodes[kept], at: paths[0])
    }
    let united = kept == nil ? Node.united(nodes, at: paths[0], identityKeys: keys) : nil
    if let united {
      var matching = ContentMatching(identityKeys: keys)
      matching.replacesCounters = true
      try replaceContent(at: paths[0], with: united.content, matching: matching)
    }
    // Somebody may have removed it, and inserted the other one: that is settled, too.
    if areInOneList, try isKeptThoughRemoved(paths[0]), let node = node(at: paths[0]) {
      try put(node: node, at: paths[0])
    }
    // From the end, so that the indices of those before stay.
    for index in paths.indices.reversed() where index != stays { try remove(at: paths[index]) }
    return united?.dropped ?? dropped
  }

  /// Whether an element was removed, and is there because of edits that whoever removed it had not seen.
  private mutating func isKeptThoughRemoved(_ path: JSONPointer) throws(EditError) -> Bool {
    let (list, token) = try parent(of: path)
    guard let index = JSONPointer.index(token) else { throw .noSuchPlace(path) }
    let children = editor.objects.children(ofList: list)
    return children.indices.contains(index) && children[index].overriddenRemoval != nil
  }

  /// Keeps all elements that several people inserted into a list, with one identity or equal ones.
  ///
  /// They are written anew as they are, so that they count as settled. Of an element that several
  /// people moved to several lists each list keeps one: what stands in a list more than once is united
  /// there.
  ///
  /// O(size of the list), or of the document.
  ///
  /// - Throws: ``EditError`` if there is no such element.
  mutating func keep(_ paths: [JSONPointer], _ keys: [String]) throws(EditError) {
    let areInOneList = paths.allSatisfy { $0.parent == paths[0].parent }
    var contents: [(path: JSONPointer, node: Node?)] = []
    var first: [JSONPointer: Int] = [:]
    for path in paths {
      guard let node = node(at: path) else { throw .noSuchPlace(path) }
      if !areInOneList, let index = first[path.parent] {
        contents[index].node = contents[index].node?.united(with: node, keys, areCopies: true)
        contents.append((path, nil))
      } else {
        first[path.parent] = contents.count
        contents.append((path, node))
      }
    }
    // From the end, so that the indices of those before stay.
    for (path, node) in contents.reversed() {
      if let node { try put(node: node, at: path) } else { try remove(at: path) }
    }
  }

  /// Where the elements stand that were inserted on several sides, or moved to several lists.
  ///
  /// - Parameters:
  ///   - path: where one of them stands.
  ///   - inSeveralLists: whether they stand in one list or in several; `nil` for those in one if there
  ///     are any.
  ///   - keys: what tells elements apart.
  /// - Returns: the paths, in the order of the content.
  /// - Throws: ``EditError`` if there is no such element, or it is not contested so.
  mutating func paths(
    ofElementsInsertedWith path: JSONPointer, inSeveralLists: Bool?, _ keys: [String]
  ) throws(EditError) -> [JSONPointer] {
    let (list, token) = try parent(of: path)
    guard kind(of: list) == .list, let index = JSONPointer.index(token) else {
      throw .noSuchPlace(path)
    }
    if inSeveralLists != true {
      let group = (contestedElements(of: list, keys) + equalElements(of: list, keys))
        .first { $0.places.contains { $0.index == index } }
      if let group { return group.places.map { path.parent.appending(String($0.index)) } }
      if inSeveralLists == false { throw .noSuchPlace(path) }
    }
    let moved = editor.objects.elementsMovedApart(with: path, texts: shownTexts, identityKeys: keys)
    if moved.isEmpty { throw .noSuchPlace(path) }
    return moved
  }

  /// Unites what several people put in one place without knowing of each other, each a container
  /// of one kind: sets and maps get the members of both, counters the sum, texts and lists what
  /// either has.
  ///
  /// The conflict at the place is settled. What somebody who does not know of it still does to one
  /// of the containers is then kept and reported.
  ///
  /// - Parameters:
  ///   - path: the place.
  ///   - keys: what tells elements of lists apart.
  /// - Returns: what is left out, since another value stands in its place.
  /// - Throws: ``EditError`` if nothing stands there, or there is nothing to unite.
  @discardableResult
  public mutating func unite(
    at path: JSONPointer, identityKeys keys: [String] = ["id"]
  ) throws(EditError) -> [DroppedValue] {
    let (container, token) = try parent(of: path)
    let child = child(token, of: container)
    guard let resolved = child?.resolved, let shown = resolved.shown else {
      throw .noSuchPlace(path)
    }
    let (objects, texts) = (editor.objects, shownTexts)
    let first = objects.node(of: shown, texts: texts)
    let others = resolved.others.map { objects.node(of: $0, texts: texts) }
    guard !others.isEmpty, others.allSatisfy({ $0.isContainer(like: first) }),
      let united = Node.united([first] + others, at: path, identityKeys: keys)
    else { throw .noSuchPlace(path) }
    try put(node: united.content, at: path)
    return united.dropped
  }
}
