import PeernoteEngine

/// The elements of a change and those of a copy of it, which has its author, its time and its message,
/// as a change has that was picked.
extension Document {
  /// The elements that stay here, edited since, though a difference takes away those that they are
  /// copies of: a commit was picked, and the original came by a merge and is taken back;
  /// O(elements).
  func copiesLeft(of base: Document, by theirs: Document) -> [Conflict] {
    let left = theirs.elementsByChange()
    let taken = base.elementsByChange()
      .filter { $0.value.places.count > left[$0.key]?.places.count ?? 0 }
    if taken.isEmpty { return [] }
    return elements(copiedFrom: taken.keys.map(\.change), of: base)
      .filter { taken[$0.original] != nil }
      .flatMap { copy in
        elements(copy.own).dropFirst(left[copy.original]?.places.count ?? 0)
          .map { copy.change.conflict($0, nil) }
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
      let most = max(
        mine[copy.origin]?.places.count ?? 0, other[copy.original]?.places.count ?? 0)
      guard let others = shown[copy.original],
        copy.own.places.count + others.places.count > most
      else { return nil }
      return copy.change.conflict(elements(copy.own)[0], elements(others)[0].node)
    }
  }

  /// A list, and a change that inserted some of its elements.
  struct Origin: Hashable {
    var list: ContainerID
    var change: ChangeID
  }

  /// Some elements of a list that are shown, by their places.
  struct Elements {
    var list: ContainerIndex
    var places: [Int32] = []
  }

  /// The elements that are shown here of copies of some changes of another version, which lacks them.
  private func elements(
    copiedFrom originals: [ChangeID], of source: Document
  ) -> [(change: ChangeSummary, origin: Origin, original: Origin, own: Elements)] {
    let wanted = Set(originals)
    let names = Dictionary(
      source.changes.filter { wanted.contains($0.id) }.map { (Original($0), $0.id) },
      uniquingKeysWith: { first, _ in first })
    let copies = Dictionary(
      changes(missingIn: source).filter { names[Original($0)] != nil }.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    if copies.isEmpty { return [] }
    let found = elementsByChange().filter { copies[$0.key.change] != nil }
      .map { origin, own in
        let list = file.objects.path(to: own.list) ?? []
        return (path: list + own.places.prefix(1).map(String.init), origin: origin, own: own)
      }
    return found.sorted { $0.path.lexicographicallyPrecedes($1.path) }.compactMap { found in
      guard let change = copies[found.origin.change], let original = names[Original(change)] else {
        return nil
      }
      let source = Origin(list: found.origin.list, change: original)
      return (change, found.origin, source, found.own)
    }
  }

  /// The elements that are shown, by their list and the change that inserted them.
  func elementsByChange() -> [Origin: Elements] {
    var result: [Origin: Elements] = [:]
    for list in log.containers(of: .list) where file.objects.path(to: list) != nil {
      for (place, child) in file.objects.children(ofList: list).enumerated() {
        let change = log.changeID(ofChange: log.eventCounts.change(of: child.element))
        let origin = Origin(list: log.containerID(list), change: change)
        result[origin, default: Elements(list: list)].places.append(Int32(place))
      }
    }
    return result
  }

  /// The paths and contents of elements.
  func elements(_ elements: Elements) -> [(path: JSONPointer, node: DocumentNode)] {
    let (children, texts) = (file.objects.children(ofList: elements.list), file.shownTexts)
    let path = JSONPointer(file.objects.path(to: elements.list) ?? [])
    return elements.places.map { place in
      let node = file.objects.node(of: children[Int(place)], texts: texts)
      return (path.appending(String(place)), node)
    }
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
