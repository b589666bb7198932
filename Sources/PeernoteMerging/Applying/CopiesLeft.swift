import PeernoteEngine

/// The elements of a change and those of a copy of it, which has its author, its time and its message,
/// as a change has that was picked.
extension Document {
  /// The elements that stay here, edited since, though a difference takes away those that they are
  /// copies of: a commit was picked, and the original came by a merge and is taken back;
  /// O(elements).
  func copiesLeft(of base: Document, by theirs: Document) -> [Conflict] {
    let left = theirs.elementsByChange()
    let taken = base.elementsByChange().filter { $0.value.count > left[$0.key]?.count ?? 0 }
    if taken.isEmpty { return [] }
    return elements(copiedFrom: taken.keys.map(\.change), of: base)
      .filter { taken[$0.original] != nil }
      .flatMap { copy in
        copy.own.dropFirst(left[copy.original]?.count ?? 0).map { copy.change.conflict($0, nil) }
      }
  }

  /// The elements here that two versions brought as copies of one another, and that are not alike
  /// since one edited them; O(elements).
  func copiesBeside(of ours: Document, and theirs: Document) -> [Conflict] {
    let (shown, mine, other) = (
      elementsByChange(), ours.elementsByChange(), theirs.elementsByChange()
    )
    let new = theirs.changes(missingIn: ours).map(\.id)
    return elements(copiedFrom: new, of: theirs).compactMap { copy in
      let others = shown[copy.original] ?? []
      let most = max(mine[copy.origin]?.count ?? 0, other[copy.original]?.count ?? 0)
      guard let own = copy.own.first, let twin = others.first,
        copy.own.count + others.count > most
      else { return nil }
      return copy.change.conflict(own, twin.node)
    }
  }

  /// A list, and a change that inserted some of its elements.
  struct Origin: Hashable {
    var list: ContainerID
    var change: ChangeID
  }

  typealias Element = (path: JSONPointer, node: DocumentNode)

  /// The elements that are shown here of copies of some changes of another version, which lacks them.
  private func elements(
    copiedFrom originals: [ChangeID], of source: Document
  ) -> [(change: ChangeSummary, origin: Origin, original: Origin, own: [Element])] {
    let wanted = Set(originals)
    let names = Dictionary(
      source.changes.filter { wanted.contains($0.id) }.map { (Original($0), $0.id) },
      uniquingKeysWith: { first, _ in first })
    let copies = Dictionary(
      changes(missingIn: source).filter { names[Original($0)] != nil }.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    if copies.isEmpty { return [] }
    return elementsByChange().compactMap { origin, own in
      guard let change = copies[origin.change], let original = names[Original(change)] else {
        return nil
      }
      return (change, origin, Origin(list: origin.list, change: original), own)
    }.sorted { $0.own[0].path.tokens.lexicographicallyPrecedes($1.own[0].path.tokens) }
  }

  /// The elements that are shown and some changes inserted, by their list and change.
  func elementsByChange(
    of isWanted: (ChangeID) -> Bool = { _ in true }
  ) -> [Origin: [Element]] {
    var result: [Origin: [Element]] = [:]
    let (objects, texts) = (file.objects, file.shownTexts)
    for container in log.containers(of: .list) {
      guard let path = objects.path(to: container) else { continue }
      for (index, child) in objects.children(ofList: container).enumerated() {
        let change = log.changeID(ofChange: log.eventCounts.change(of: child.element))
        if !isWanted(change) { continue }
        result[Origin(list: log.containerID(container), change: change), default: []].append(
          (JSONPointer(path).appending(String(index)), objects.node(of: child, texts: texts)))
      }
    }
    return result
  }
}

extension ChangeSummary {
  /// An element of this change's against something else.
  fileprivate func conflict(
    _ element: (path: JSONPointer, node: DocumentNode), _ other: DocumentNode?
  ) -> Conflict {
    let side = { (node: DocumentNode?) in
      Conflict.Side.foreign(node, by: author, at: time, change: id)
    }
    return .foreign(
      other == nil ? .deleteEdit : .register, at: element.path, id: "\(id)\(element.path)",
      kept: side(element.node), others: [side(other)])
  }
}
