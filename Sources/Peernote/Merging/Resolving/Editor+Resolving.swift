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
  /// lists and texts moves none that is still to come.
  ///
  /// Near-linear in the size of the sides, and O(size of the list) for elements of lists, or O(size
  /// of the document) for one in several lists.
  ///
  /// - Precondition: the conflict was found in the document as it is; ``Document/conflicts``,
  ///   ``MergeReport/conflicts`` and ``Document/adjoiningLines(ofMerging:)`` find them.
  /// - Parameters:
  ///   - conflict: what is to be settled.
  ///   - choice: what is to stand there.
  ///   - earlier: for an element that stands in several lists what it was before that, which tells
  ///     what was changed of it in each, see ``Document/earlierContent(of:identityKeys:)``; `nil` if
  ///     nobody knows, and then all that one lacks was added to the others.
  ///   - keys: what tells elements of lists apart; the same as for finding the conflict.
  /// - Returns: what is left out where sides are united, since another value stands in its place.
  /// - Throws: ``EditError/noSuchChoice(_:)`` if it cannot be settled so, see
  ///   ``Conflict/allows(_:identityKeys:)``; another ``EditError`` if the place is not there any more,
  ///   or the document would grow over its limits.
  @discardableResult
  public mutating func resolve(
    _ conflict: Conflict, taking choice: Conflict.Choice, since earlier: Node? = nil,
    identityKeys keys: [String] = ["id"]
  ) throws(EditError) -> [DroppedValue] {
    let resolution = conflict.resolution(taking: choice, since: earlier, identityKeys: keys)
    guard let resolution else { throw .noSuchChoice(conflict.path) }
    try settle(resolution, identityKeys: keys)
    return resolution.dropped
  }

  /// Settles conflicts, given in the order of the content.
  ///
  /// A container that stays is written anew, so that it counts as settled; so everything inside
  /// should be settled, too.
  ///
  /// - Throws: ``EditError`` if one of the places isn't there any more.
  package mutating func settle(
    _ resolutions: [Resolution], identityKeys: [String]
  ) throws(EditError) {
    // From the end, so that a removal in a list changes no path that is still to come, and what
    // stays, stays as it was settled inside.
    for resolution in resolutions.reversed() {
      try settle(resolution, identityKeys: identityKeys)
    }
  }

  private mutating func settle(
    _ resolution: Resolution, identityKeys keys: [String]
  ) throws(EditError) {
    let path = resolution.path
    func elements(inSeveralLists: Bool) throws(EditError) -> [JSONPointer] {
      try paths(ofElementsInsertedWith: path, inSeveralLists: inSeveralLists, keys)
    }
    switch resolution.outcome {
    case .staying:
      guard let node = node(at: path) else { throw .noSuchPlace(path) }
      try put(node: node, at: path)
    case .untouched: break
    case .content(let node): try put(node: node, at: path)
    case .removal: try remove(at: path)
    case .passage(let scalars, let text): try spliceText(at: path, scalars: scalars, with: text)
    case .element(let kept, let content):
      try join(elements(inSeveralLists: false), at: path, keeping: kept, keys)
      if let content { try put(node: content, at: path) }
    case .movedElement(let kept, let earlier):
      try join(elements(inSeveralLists: true), at: path, keeping: kept, since: earlier, keys)
    case .joinedElement: try join(elements(inSeveralLists: false), at: path, keys)
    case .allElements(let inSeveralLists):
      try keep(elements(inSeveralLists: inSeveralLists), keys)
    case .reading(let scalars, let text):
      try settlePassage(at: path, scalars: scalars, with: text)
    }
  }
}
