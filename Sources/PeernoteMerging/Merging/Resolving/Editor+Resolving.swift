public import PeernoteEngine

extension Editor {
  /// Settles a conflict: what is chosen stands at its place, and the conflict is over in this copy
  /// and in every copy that merges the change.
  ///
  ///     try document.change(by: session) { editor in
  ///       try editor.resolve(conflict, taking: .side(conflict.others[0]))
  ///     }
  ///
  /// A container that stays is written anew as it is. So everything that is undecided inside of it
  /// counts as settled, too: settle that first, or choose there yourself. Whoever edits the container
  /// without having seen this contests it again, so that no edit is lost.
  ///
  /// A conflict says where things stood when it was found. Settle several of them in one change from
  /// the last one to the first, as ``Document/conflicts`` lists them, so that what comes and goes in
  /// lists and texts moves none that is still to come, and what is in something before that.
  ///
  /// Near-linear in the size of the sides, and O(size of the list) for elements of lists.
  ///
  /// - Precondition: the conflict was found in the document as it is; ``Document/conflicts``,
  ///   ``MergeReport/conflicts`` and ``Document/adjoiningLines(ofMerging:)`` find them.
  /// - Parameters:
  ///   - conflict: what is to be settled.
  ///   - choice: what is to stand there.
  ///   - earlier: for what was moved to several places what it was before that, which tells what was
  ///     changed of it in each, see ``Document/earlierContent(of:identityKeys:)``; `nil` if nobody
  ///     knows, and then all that one lacks was added to the others.
  ///   - keys: what tells elements of lists apart; the same as for finding the conflict.
  /// - Returns: what is left out where sides are united, since another value stands in its place.
  /// - Throws: ``EditError/noSuchChoice(_:)`` if it cannot be settled so, see
  ///   ``Conflict/allows(_:identityKeys:)``; another ``EditError`` if the place is not there any more,
  ///   or the document would grow over its limits.
  @discardableResult
  public mutating func resolve(
    _ conflict: Conflict, taking choice: Conflict.Choice, since earlier: DocumentNode? = nil,
    identityKeys keys: [String] = ["id"]
  ) throws(EditError) -> [DroppedValue] {
    let resolution = conflict.resolution(taking: choice, since: earlier, identityKeys: keys)
    guard let resolution else { throw .noSuchChoice(conflict.path) }
    try settle([resolution], identityKeys: keys)
    return resolution.dropped
  }

  /// Settles conflicts, given in the order of the content.
  ///
  /// A container that stays is written anew, so that it counts as settled; so everything inside
  /// should be settled, too. Throws if one of the places isn't there any more.
  package mutating func settle(
    _ resolutions: [Resolution], identityKeys: [String]
  ) throws(EditError) {
    var resolutions = resolutions
    // Where elements of lists go, others have another path.
    let isOfElements = resolutions.contains { $0.move != nil || !$0.elements.isEmpty }
    let handles = resolutions.map { isOfElements ? handle(ofSpotAt: $0.path) : nil }
    let elements = resolutions.map { $0.elements.compactMap { handle(ofSpotAt: $0) } }
    for step in Resolution.steps(of: resolutions) {
      if step.isRemoval {
        try removeOthers(&resolutions[step.number])
      } else {
        var resolution = resolutions[step.number]
        if let path = handles[step.number].flatMap({ path(to: $0) }) { resolution.path = path }
        try settle(resolution, of: elements[step.number], identityKeys)
      }
    }
  }

  /// Names a key or an element for good; `nil` if there is none at the path.
  private mutating func handle(ofSpotAt path: JSONPointer) -> DocumentHandle? {
    guard let spot = try? spot(at: path) else { return nil }
    let log = editor.objects.log
    if let element = spot.element { return .init(place: .element(log.eventID(of: element))) }
    return spot.key.map { .init(place: .key($0, map: log.containerID(spot.container))) }
  }

  private mutating func settle(
    _ resolution: Resolution, of elements: [DocumentHandle], _ keys: [String]
  ) throws(EditError) {
    let path = resolution.path
    switch resolution.outcome {
    case .staying:
      guard let node = node(at: path) else { throw .noSuchPlace(path) }
      try put(node: node, at: path)
    case .untouched: break
    case .content(let node?): try put(node: node, at: path)
    case .content(nil): try remove(at: path)
    case .passage(let scalars, let text): try spliceText(at: path, scalars: scalars, with: text)
    case .element(let kept, let content):
      try join(elements, at: path, keeping: kept, keys)
      if kept != nil, let content { try put(node: content, at: path) }
    case .moved(let move): try settle(move, at: path)
    case .allElements: try keep(elements)
    case .reading(let scalars, let text):
      try settlePassage(at: path, scalars: scalars, with: text)
    }
  }
}

/// Settling where something is that was moved.
///
/// What stays is written anew, or moved to where it is, so that this has seen all that was done to
/// it.
extension Editor {
  /// Notes what stands, and removes it from all places but the one that is taken.
  private mutating func removeOthers(_ resolution: inout Resolution) throws(EditError) {
    guard var move = resolution.move, let taken = move.taken else { return }
    move.standing = move.sides.map { side in path(to: side).flatMap { node(at: $0) } }
    resolution.outcome = .moved(move)
    let kept = move.sides[taken].moved?.element
    for (number, side) in move.sides.enumerated() where number != taken {
      if let element = side.moved?.element, element == kept { continue }
      if let place = path(to: side) { try remove(at: place) }
    }
  }

  private mutating func settle(_ move: Resolution.Move, at path: JSONPointer) throws(EditError) {
    if move.isOfLines {
      guard case .text(let text)? = node(at: path) else { throw .noSuchPlace(path) }
      for edit in move.edits(of: text) {
        try spliceText(at: path, scalars: edit.scalars, with: edit.text)
      }
      return
    }
    guard let taken = move.taken else { return }
    let present = self.path(to: move.sides[taken])
    var nodes = move.standing
    nodes[taken] = present.flatMap { node(at: $0) }
    let content = move.content(of: nodes, at: path).content
    let kept = move.sides[taken].moved
    switch kept {
    case .place(let element, _)?:
      let index = move.sides[taken].path?.tokens.last.flatMap { JSONPointer.index($0) }
      // It is written only if it is to be something else, or was removed.
      let isThere = self.path(to: DocumentHandle(place: .element(element))) != nil
      try place(element, index, as: isThere ? move.content : content, at: path)
    case .thing(let handle)?:
      if let element = handle.element, isOnlyMoved(element, move) {
        try place(element, nil, as: move.content, at: path)
      } else {
        guard let place = present, let content else { throw .noSuchPlace(path) }
        try put(node: content, at: place)
      }
    case .line?, .shortenedLine?, nil: break
    }
    if move.sides[taken].node == nil { try removeAgain(move, at: path) }
  }

  /// Where what a side moved stands; `nil` if it does not, or if it is a place that it is not in.
  private func path(to side: Conflict.Side) -> JSONPointer? {
    if case .thing(let handle)? = side.moved { path(to: handle) } else { nil }
  }

  /// Whether nothing but where in its list an element is was contested.
  private func isOnlyMoved(_ element: EventID, _ move: Resolution.Move) -> Bool {
    move.sides.allSatisfy { $0.moved?.element == element }
  }

  /// Moves an element to an index of its list without it, or to where it is; if it was removed, it comes
  /// back.
  private mutating func place(
    _ id: EventID, _ index: Int?, as content: DocumentNode?, at path: JSONPointer
  ) throws(EditError) {
    let objects = editor.objects
    guard let insertion = objects.log.event(id), let list = objects.list(ofElement: insertion)
    else { throw .noSuchPlace(path) }
    let present = editor.elements(ofList: list).firstIndex(of: insertion)
    if let content {
      try write(content, in: Spot(container: list, element: insertion), at: path)
    }
    guard let target = index ?? present else { throw .noSuchPlace(path) }
    let last = editor.elements(ofList: list).count - 1
    try Self.performing(
      path, editor.moveElement(list: list, element: insertion, to: min(target, last)))
  }

  /// Removes elements again that were removed by those who did not know of their move, so that they are
  /// by somebody who does.
  private mutating func removeAgain(
    _ move: Resolution.Move, at path: JSONPointer
  ) throws(EditError) {
    for side in move.sides {
      guard case .place(let id, _)? = side.moved, let insertion = editor.objects.log.event(id),
        let list = editor.objects.list(ofElement: insertion)
      else { continue }
      try Self.performing(path, editor.removeElement(list: list, element: insertion))
    }
  }
}
