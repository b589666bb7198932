import Peernote

/// What is to become of a place where something was decided or overlaps.
struct Resolution {
  enum Outcome {
    /// What stands there stays, and counts as settled.
    case staying
    /// This stands there.
    case content(Node)
    /// Nothing stands there.
    case removal
    /// A passage of the text there reads so.
    case passage(Range<Int>, String)
    /// The elements inserted on several sides, of which the first stands there, become one with the
    /// content of the one at this place among them, or with this content if there is one.
    case element(Int, Node?)
    /// The elements moved to several lists, of which the first stands there, become the one at this
    /// place among them, with what was changed of the others since the element was so.
    case movedElement(Int, since: Node?)
    /// The elements with one identity, of which the first stands there, become this one.
    case joinedElement(Node)
    /// The equal elements inserted on several sides, or those moved to several lists, of which the
    /// first stands there, all stay, and count as settled.
    case allElements
    /// So does a contested one, which is settled by that.
    case reading(Range<Int>, String)
  }

  var path: JSONPointer
  var outcome: Outcome
  /// What is left out where sides are united, since another value stands in its place.
  var dropped: [DroppedValue] = []

  /// Whether nothing of what stood at the path, or inside, is left.
  var isReplacement: Bool {
    switch outcome {
    case .content, .removal: true
    case .staying, .passage, .reading, .element, .movedElement, .joinedElement, .allElements: false
    }
  }
}

extension Editor {
  /// Settles conflicts, given in the order of the content.
  ///
  /// A container that stays is written anew, so that it counts as settled; so everything inside
  /// should be settled, too.
  ///
  /// - Throws: ``EditError`` if one of the places isn't there any more.
  mutating func settle(
    _ resolutions: [Resolution], identityKeys: [String]
  ) throws(EditError) {
    // From the end, so that a removal in a list changes no path that is still to come, and what
    // stays, stays as it was settled inside.
    for resolution in resolutions.reversed() {
      switch resolution.outcome {
      case .staying:
        guard let node = node(at: resolution.path) else { throw .noSuchPlace(resolution.path) }
        try put(node: node, at: resolution.path)
      case .content(let node): try put(node: node, at: resolution.path)
      case .removal: try remove(at: resolution.path)
      case .passage(let scalars, let text):
        try spliceText(at: resolution.path, scalars: scalars, with: text)
      case .element(let kept, let content):
        try joinElements(at: resolution.path, keeping: kept, identityKeys: identityKeys)
        if let content { try put(node: content, at: resolution.path) }
      case .movedElement(let kept, let earlier):
        try joinElements(
          at: resolution.path, keeping: kept, since: earlier, identityKeys: identityKeys)
      case .joinedElement:
        try joinElements(at: resolution.path, identityKeys: identityKeys)
      case .allElements: try keepElements(at: resolution.path, identityKeys: identityKeys)
      case .reading(let scalars, let text):
        try settlePassage(at: resolution.path, scalars: scalars, with: text)
      }
    }
  }
}

extension Conflict {
  /// The competing values: what stands there first, then the others.
  var sides: [Side] { [kept] + others }

  /// The competing values that somebody wrote: a passage as merged is nobody's.
  var ownSides: [Side] { isCombined ? others : sides }

  /// All readings of a passage: one after the other within a line; of lines those that several have
  /// once, and between them what each has.
  private var allReadings: String {
    let texts = sides.compactMap { side -> String? in
      if case .text(let text)? = side.node, !text.isEmpty { text } else { nil }
    }
    guard texts.contains(where: { $0.contains("\n") }) else { return texts.joined(separator: " ") }
    return texts.dropFirst().reduce(texts[0]) { joined, text in
      if case .text(let both) = Node.text(joined).united(with: .text(text)) { both } else { joined }
    }
  }

  /// What it comes to when one side is taken.
  ///
  /// - Parameters:
  ///   - side: the side.
  ///   - earlier: what stood there before, for an element that stands in several lists.
  /// - Returns: what is to be done; `nil` if that is nothing.
  func taking(_ side: Side, since earlier: Node? = nil) -> Resolution? {
    switch kind {
    case .register, .deleteEdit:
      if side == kept { return Resolution(path: path, outcome: .staying) }
      return Resolution(path: path, outcome: side.node.map { .content($0) } ?? .removal)
    case .passage:
      guard let scalars, case .text(let new) = side.node else { return nil }
      return Resolution(path: path, outcome: .reading(scalars, new))
    case .overlap, .adjacent:
      guard let scalars, case .text(let old) = kept.node, case .text(let new) = side.node,
        !old.utf8.elementsEqual(new.utf8)
      else { return nil }
      return Resolution(path: path, outcome: .passage(scalars, new))
    case .sameIdentity, .sameContent:
      return Resolution(path: path, outcome: .element(sides.firstIndex(of: side) ?? 0, nil))
    case .movedApart:
      return Resolution(
        path: path,
        outcome: .movedElement(sides.firstIndex(of: side) ?? 0, since: earlier),
        dropped: combined(keeping: side, since: earlier).dropped)
    }
  }

  /// What an element that stands in several lists becomes when one of them is taken, and what of the
  /// others is left out.
  func combined(
    keeping side: Side, since earlier: Node?
  ) -> (content: Node?, dropped: [DroppedValue]) {
    let nodes = sides.compactMap(\.node)
    guard let kept = sides.firstIndex(of: side), nodes.count == sides.count else {
      return (side.node, [])
    }
    return Node.combined(nodes, keeping: kept, since: earlier, at: side.path ?? path)
  }

  /// What it comes to when other content is set.
  func setting(_ content: Node) -> Resolution {
    Resolution(
      path: path, outcome: kind.isOfSeveralElements ? .element(0, content) : .content(content))
  }

  /// Where the elements stand that it is about, if it is about several.
  var elements: [JSONPointer] { kind.isOfSeveralElements ? sides.compactMap(\.path) : [] }

  /// Whether an element that was inserted on several sides stands at a path.
  func isElement(at path: JSONPointer) -> Bool { elements.contains(path) }

  /// What it comes to when all sides are taken together; `nil` if they cannot be: values, texts of
  /// a passage, and containers of different kinds exclude each other.
  func takingBoth(identityKeys keys: [String]) -> Resolution? {
    switch kind {
    case .sameIdentity:
      guard let united = united(keys) else { return nil }
      return Resolution(
        path: path, outcome: .joinedElement(united.content), dropped: united.dropped)
    case .sameContent, .movedApart: return Resolution(path: path, outcome: .allElements)
    case .register, .deleteEdit:
      let nodes = sides.compactMap(\.node)
      guard nodes.count > 1, nodes.allSatisfy({ $0.isContainer(like: nodes[0]) }),
        let united = united(keys)
      else { return nil }
      return Resolution(path: path, outcome: .content(united.content), dropped: united.dropped)
    case .passage:
      // What stands for the lines of a key means nothing beside others.
      if isOfFrontMatter, allReadings.contains(FrontMatter.canonicalTag) { return nil }
      return scalars.map { Resolution(path: path, outcome: .reading($0, allReadings)) }
    case .overlap, .adjacent: return nil
    }
  }

  private func united(_ keys: [String]) -> (content: Node, dropped: [DroppedValue])? {
    Node.united(sides.compactMap(\.node), at: path, identityKeys: keys)
  }
}

extension Conflict {
  /// The conflict with contents that people can read, to be shown.
  var readable: Conflict {
    guard isOfFrontMatter else { return self }
    var result = self
    result.kept.node = kept.node?.readableFrontMatter
    for index in others.indices {
      result.others[index].node = others[index].node?.readableFrontMatter
    }
    return result
  }

  fileprivate var isOfFrontMatter: Bool { path.tokens == [Note.Key.frontMatter] }
}

extension EarlierContent {
  /// What people can read of it.
  func readable(of conflict: Conflict) -> EarlierContent {
    conflict.isOfFrontMatter && isKnown ? .known(node?.readableFrontMatter) : self
  }
}

extension Node {
  fileprivate var readableFrontMatter: Node {
    if case .text(let text) = self { .text(FrontMatter.readable(text)) } else { self }
  }
}

extension Console {
  /// Says which values were left out, since others stand in their places.
  func report(_ dropped: [DroppedValue]) throws {
    for value in dropped {
      try report("  \(value.path.visible) is \(value.kept.preview), not \(value.dropped.preview)")
    }
  }
}
