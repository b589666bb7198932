/// What is to become of the place of a conflict.
package struct Resolution {
  /// What is done there.
  package enum Outcome {
    /// What stands there stays, and counts as settled.
    case staying
    /// A passage stays as it was merged, which takes no edit.
    case untouched
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
    /// The equal elements inserted on several sides all stay, and count as settled; or those moved to
    /// several lists, one in each. The first of them stands there.
    case allElements(inSeveralLists: Bool)
    /// A contested passage reads so, which settles it.
    case reading(Range<Int>, String)
  }

  /// The place of the conflict.
  package var path: JSONPointer
  /// What is done there.
  package var outcome: Outcome
  /// What is left out where sides are united, since another value stands in its place.
  package var dropped: [DroppedValue] = []

  /// Whether nothing of what stood at the path, or inside, is left.
  package var isReplacement: Bool {
    switch outcome {
    case .content, .removal: true
    case .staying, .untouched, .passage, .reading, .element, .movedElement, .joinedElement,
      .allElements:
      false
    }
  }
}

extension Conflict {
  /// What a choice comes to.
  ///
  /// Near-linear in the size of the sides.
  ///
  /// - Parameters:
  ///   - choice: what is to stand there.
  ///   - earlier: what stood there before, for an element that stands in several lists.
  ///   - keys: what tells elements of lists apart.
  /// - Returns: what is to be done; `nil` if the conflict cannot be settled so.
  package func resolution(
    taking choice: Choice, since earlier: Node? = nil, identityKeys keys: [String] = ["id"]
  ) -> Resolution? {
    switch choice {
    case .kept: taking(0, since: earlier)
    case .side(let side): sides.firstIndex(of: side).flatMap { taking($0, since: earlier) }
    case .all: takingAll(identityKeys: keys)
    case .content(let node): setting(node)
    }
  }

  /// What it comes to when the side of a number is taken.
  private func taking(_ number: Int, since earlier: Node?) -> Resolution? {
    let side = sides[number]
    switch kind {
    case .register, .deleteEdit:
      if number == 0 { return Resolution(path: path, outcome: .staying) }
      return Resolution(path: path, outcome: side.node.map { .content($0) } ?? .removal)
    case .passage, .adjacent:
      guard case .text(let text) = side.node else { return nil }
      return reading(text)
    case .sameIdentity, .sameContent:
      return Resolution(path: path, outcome: .element(number, nil))
    case .movedApart:
      return Resolution(
        path: path, outcome: .movedElement(number, since: earlier),
        dropped: combined(keeping: number, since: earlier).dropped)
    }
  }

  /// What it comes to when other content is set.
  private func setting(_ content: Node) -> Resolution? {
    if scalars == nil {
      return Resolution(
        path: path, outcome: kind.isOfSeveralElements ? .element(0, content) : .content(content))
    }
    return content.string.flatMap(reading)
  }

  /// What it comes to when a passage reads so; `nil` if it is no passage.
  private func reading(_ text: String) -> Resolution? {
    guard let scalars else { return nil }
    if kind == .passage { return Resolution(path: path, outcome: .reading(scalars, text)) }
    guard case .text(let old) = kept.node else { return nil }
    return Resolution(
      path: path,
      outcome: old.utf8.elementsEqual(text.utf8) ? .untouched : .passage(scalars, text))
  }

  /// What it comes to when all sides are taken together; `nil` if they exclude each other.
  private func takingAll(identityKeys keys: [String]) -> Resolution? {
    switch kind {
    case .sameIdentity:
      guard let united = united(keys) else { return nil }
      return Resolution(
        path: path, outcome: .joinedElement(united.content), dropped: united.dropped)
    case .sameContent:
      return Resolution(path: path, outcome: .allElements(inSeveralLists: false))
    case .movedApart:
      return Resolution(
        path: path, outcome: .allElements(inSeveralLists: true), dropped: droppedInLists(keys))
    case .register, .deleteEdit:
      let nodes = sides.compactMap(\.node)
      guard nodes.count > 1, nodes.allSatisfy({ $0.isContainer(like: nodes[0]) }),
        let united = united(keys)
      else { return nil }
      return Resolution(path: path, outcome: .content(united.content), dropped: united.dropped)
    case .passage:
      let text = allReadings
      // What stands for the lines of a key means nothing beside others.
      if isOfFrontMatter, text.contains(Note.canonicalTag) { return nil }
      return reading(text)
    // What was merged holds what both wrote.
    case .adjacent: return Resolution(path: path, outcome: .untouched)
    }
  }

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

  /// What is left out where an element that was moved to several lists stands in one of them more than
  /// once, and is united there.
  private func droppedInLists(_ keys: [String]) -> [DroppedValue] {
    let lists = sides.reduce(into: [[Conflict.Side]]()) { lists, side in
      let list = lists.firstIndex { $0[0].path?.parent == side.path?.parent }
      if let list { lists[list].append(side) } else { lists.append([side]) }
    }
    return lists.flatMap { sides in
      Node.united(sides.compactMap(\.node), at: sides[0].path ?? path, identityKeys: keys)?.dropped
        ?? []
    }
  }

  private func united(_ keys: [String]) -> (content: Node, dropped: [DroppedValue])? {
    Node.united(sides.compactMap(\.node), at: path, identityKeys: keys)
  }

  /// What an element that stands in several lists becomes when one of them is taken, and what of the
  /// others is left out.
  ///
  /// O(n) for the size of the sides, times their depth.
  ///
  /// - Parameters:
  ///   - number: the side that is taken, by its number.
  ///   - earlier: what the element was before that; `nil` if nobody knows.
  /// - Returns: the content, and what of the others is left out.
  package func combined(
    keeping number: Int, since earlier: Node?
  ) -> (content: Node?, dropped: [DroppedValue]) {
    let side = sides[number]
    let nodes = sides.compactMap(\.node)
    guard nodes.count == sides.count else { return (side.node, []) }
    return Node.combined(nodes, keeping: number, since: earlier, at: side.path ?? path)
  }
}
