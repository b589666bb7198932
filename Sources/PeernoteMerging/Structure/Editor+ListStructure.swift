import PeernoteEngine

extension Editor {
  /// Makes a list read as other elements.
  mutating func updateList(
    _ list: ContainerIndex, to wanted: [DocumentNode], at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    let earlier = matching.earlierElements[path] ?? []
    if let partners = try bringBack(earlier, of: list, as: wanted, at: path) {
      return try update(list, to: wanted, partners, at: path, matching)
    }
    let (wanted, partners) = matched(list, with: wanted, at: path, matching)
    try update(list, to: wanted, partners, at: path, matching)
  }

  /// The elements that a list is to have, and which of the present ones they are.
  ///
  /// Nothing here outlives the call that would have the objects copied by the first edit.
  private mutating func matched(
    _ list: ContainerIndex, with wanted: [DocumentNode], at path: JSONPointer,
    _ matching: ContentMatching
  ) -> (wanted: [DocumentNode], partners: [Int32]) {
    let (objects, shown) = (editor.objects, shownTexts)
    let children = objects.children(ofList: list)
    let keys = objects.numbered(matching.identityKeys)
    let found = objects.contestedElements(ofList: list, keys: keys, texts: shown)
    let (wanted, contested) = Self.joined(wanted, found, matching.identityKeys)
    let gone = Set(contested.flatMap { $0.places.dropFirst().map(\.index) })
      .union(surplus(of: found.filter { $0.identity == nil }, children, wanted))
    let kept = children.indices.filter { !gone.contains($0) }
    func content(_ place: Int) -> DocumentNode {
      place < kept.count
        ? objects.node(of: children[kept[place]], texts: shown).comparable
        : wanted[place - kept.count].comparable
    }
    let matched = ListMatching(
      oldCount: kept.count, newCount: wanted.count,
      identity: { place in
        place < kept.count
          ? objects.identity(of: children[kept[place]], keys)?.identity
          : wanted[place - kept.count].identity(matching.identityKeys)
      }, content: content,
      similarity: {
        ElementSimilarity(oldCount: kept.count, newCount: wanted.count, content)
      },
      mayBecome: { new, old in
        guard let entry = children[kept[old]].resolved.shown else { return false }
        let present = objects.log.contents[entry.content]
        return matching.adapted(wanted[new], to: present).shell.isLike(present)
      })
    let partners = matched.partners.map { $0 < 0 ? $0 : Int32(kept[Int($0)]) }
    for index in matched.doubts {
      let old = objects.node(of: children[Int(partners[index])], texts: shown)
      doubts.append(.init(path: path.appending(String(index)), old: old, new: wanted[index]))
    }
    return (wanted, partners)
  }

  /// Makes a list read as other elements, of which is known which of the present ones they are.
  private mutating func update(
    _ list: ContainerIndex, to wanted: [DocumentNode], _ partners: [Int32], at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    func place(_ index: Int) -> JSONPointer { path.appending(String(index)) }
    for (index, partner) in partners.enumerated() where partner >= 0 {
      guard let child = editor.child(at: Int(partner), ofList: list),
        let shown = child.resolved.shown
      else { continue }
      let spot = Spot(container: list, element: child.element)
      try update(shown, in: spot, to: wanted[index], at: place(index), matching)
    }
    let elements = editor.elements(ofList: list)
    let kept = Set(partners)
    // From the end, so that the indices of those before stay.
    for index in elements.indices.reversed() where !kept.contains(Int32(index)) {
      try Self.performing(
        place(index), editor.removeElement(list: list, element: elements[index], at: index))
    }
    for move in ListMoves(toOrder: partners.filter { $0 >= 0 }).moves {
      try Self.performing(
        place(Int(move.to)),
        editor.moveElement(
          list: list, element: elements[Int(move.element)], to: Int(move.to), from: Int(move.from)))
    }
    for run in partners.indices(where: { $0 < 0 }).ranges {
      try insert(
        wanted[run], into: list, before: run.lowerBound, at: place(run.lowerBound))
    }
  }

  /// Puts back those of a list's earlier elements that were removed since, and returns where each
  /// stands now; `nil` if they were not in this list.
  private mutating func bringBack(
    _ earlier: [EventID], of list: ContainerIndex, as wanted: [DocumentNode], at path: JSONPointer
  ) throws(EditError) -> [Int32]? {
    if earlier.isEmpty || earlier.count != wanted.count { return nil }
    let insertions = earlier.compactMap { editor.objects.insertion($0, in: list) }
    if insertions.count != earlier.count { return nil }
    let present = Set(editor.elements(ofList: list))
    for (index, insertion) in insertions.enumerated() where !present.contains(insertion) {
      let spot = Spot(container: list, element: insertion)
      try write(wanted[index], in: spot, at: path.appending(String(index)))
    }
    let elements = editor.elements(ofList: list)
    let places = Dictionary(zip(elements, Int32(0)...)) { first, _ in first }
    return insertions.compactMap { places[$0] }
  }

  // MARK: Which elements are the same

  /// The wanted elements, with those in one that have the identity of contested ones, if that drops
  /// no value of theirs; and those of the contested ones that are to be one.
  private static func joined(
    _ wanted: [DocumentNode], _ contested: [Objects.ContestedElements], _ keys: [String]
  ) -> (wanted: [DocumentNode], contested: [Objects.ContestedElements]) {
    if contested.isEmpty { return (wanted, []) }
    let groups = Dictionary(grouping: wanted) { $0.identity(keys) }
    var united: [ListIdentity: DocumentNode] = [:]
    var joined = Set(contested.compactMap(\.identity))
    for identity in joined {
      let all = DocumentNode.united(groups[identity] ?? [], at: [], identityKeys: keys)
      united[identity] = all?.content
      if all?.dropped.isEmpty == false { joined.remove(identity) }
    }
    let result = wanted.compactMap { node in
      guard let identity = node.identity(keys), joined.contains(identity) else { return node }
      // The first one stands for all.
      return united.removeValue(forKey: identity)
    }
    return (result, contested.filter { $0.identity.map(joined.contains) ?? false })
  }

  /// Where equal elements stand that were inserted on several sides and of which fewer are wanted: the
  /// first ones stay, so that those who leave one out apart leave out the same.
  private func surplus(
    of groups: [Objects.ContestedElements],
    _ children: LazyMapCollection<[SlotIndex], Objects.Child>, _ wanted: [DocumentNode]
  ) -> [Int] {
    var removed = children.count - wanted.count
    if groups.isEmpty || removed <= 0 { return [] }
    var left: [DocumentNode: Int] = [:]
    for child in children {
      left[editor.objects.node(of: child, texts: shownTexts).comparable, default: 0] += 1
    }
    for node in wanted { left[node.comparable, default: 0] -= 1 }
    return groups.flatMap { group in
      let child = children[group.places[0].index]
      let content = editor.objects.node(of: child, texts: shownTexts).comparable
      let count = min(max(left[content] ?? 0, 0), group.places.count - 1, removed)
      left[content, default: 0] -= count
      removed -= count
      return group.places.suffix(count).map(\.index)
    }
  }

  /// Makes one element of those that several people inserted into a list, with one identity or equal
  /// ones, without knowing of each other; see ``Conflict/Kind/sameIdentity`` and
  /// ``Conflict/Kind/sameContent``.
  ///
  /// The first of them stays, whatever is kept, so that those who settle this apart remove the same
  /// ones: with what the others hold besides (``DocumentNode/united(with:identityKeys:areCopies:)``), or
  /// with what one of them holds. That is written anew where they differ, so that who keeps something
  /// else contests it.
  ///
  /// `kept` is whose content stays, by its number among them; `nil` for that of all.
  mutating func join(
    _ elements: [DocumentHandle], at path: JSONPointer, keeping kept: Int? = nil, _ keys: [String]
  ) throws(EditError) {
    let nodes = elements.map { self.path(to: $0).flatMap { node(at: $0) } }
    guard let first = elements.first.flatMap({ self.path(to: $0) })
    else { throw .noSuchPlace(path) }
    if let kept {
      guard let node = nodes[kept] else { throw .noSuchPlace(path) }
      if !nodes.allSatisfy({ $0 == node }) { try put(node: node, at: first) }
    } else if let united = DocumentNode.united(
      nodes.compactMap(\.self), at: first, identityKeys: keys)
    {
      var matching = ContentMatching(identityKeys: keys)
      matching.replacesCounters = true
      try replaceContent(at: first, with: united.content, matching: matching)
    }
    // Somebody may have removed it, and inserted the other one: that is settled, too.
    if try isKeptThoughRemoved(first), let node = node(at: first) {
      try put(node: node, at: first)
    }
    for element in elements.dropFirst() {
      if let path = self.path(to: element) { try remove(at: path) }
    }
  }

  /// Whether an element was removed, and is there because of edits that whoever removed it had not seen.
  private mutating func isKeptThoughRemoved(_ path: JSONPointer) throws(EditError) -> Bool {
    let (list, token) = try parent(of: path)
    guard let index = JSONPointer.index(token) else { throw .noSuchPlace(path) }
    let children = editor.objects.children(ofList: list)
    return children.indices.contains(index) && children[index].overriddenRemoval != nil
  }

  /// Keeps all of what stands in several places.
  ///
  /// It is written anew as it is, so that it counts as settled. O(size of the lists) for each.
  mutating func keep(_ things: [DocumentHandle]) throws(EditError) {
    for thing in things {
      if let path = path(to: thing), let node = node(at: path) { try put(node: node, at: path) }
    }
  }
}
