extension PlaceChanges {
  /// Whether these take away nothing that other changes of the same state leave: what they remove,
  /// replace or move is removed, replaced or moved by the others, too, an element that they remove is at
  /// least edited by them, and a text keeps the lines that it keeps after them.
  ///
  /// O(n) for n places, times their depth, and the size of the texts.
  package func takeNothing(leftBy others: PlaceChanges) -> Bool {
    // What is not kept is not known.
    guard count == places.count, others.count == others.places.count else { return false }
    var known: [[PlaceChange.Step]: [PlaceChange.Action]] = [:]
    var touched: Set<[PlaceChange.Step]> = []
    for place in others.places {
      known[place.steps, default: []].append(place.action)
      for depth in place.steps.indices { touched.insert(Array(place.steps[...depth])) }
    }
    return places.allSatisfy { place in
      if !place.action.takesSomething { return true }
      let isGone = place.steps.indices.contains { depth in
        (known[Array(place.steps[..<depth])] ?? []).contains { $0.endsContent }
      }
      if isGone { return true }
      // The others may have taken the element for one that came.
      if case (.removed, .element?) = (place.action, place.steps.last),
        touched.contains(place.steps)
      {
        return true
      }
      return (known[place.steps] ?? []).contains { place.action.takesNothing(leftBy: $0) }
    }
  }

  /// Whether these bring in nothing a second time that other changes of the same state do not: no
  /// element of a list and no line of a text that says anything.
  ///
  /// O(n) for n places, and the size of the texts and of the lists that elements are added to.
  ///
  /// - Parameters:
  ///   - later: the state after these changes.
  ///   - others: the others.
  /// - Returns: whether nothing is there twice that is not after the others.
  package func bringNothingTwice(in later: Document, beyond others: PlaceChanges) -> Bool {
    guard count == places.count, others.count == others.places.count else { return false }
    var added: [PlaceChange.Addition: Int] = [:]
    var texts: [[PlaceChange.Step]: String] = [:]
    for place in others.places {
      if let addition = place.addition { added[addition, default: 0] += 1 }
      if case .text(_, becoming: let text) = place.action { texts[place.steps] = text }
    }
    var counts: [JSONPointer: [Node: Int]] = [:]
    return places.allSatisfy { place in
      if case .text(let old, becoming: let new) = place.action {
        return Self.bringsNothingTwice(old, becoming: new, beyond: texts[place.steps] ?? old)
      }
      guard let addition = place.addition else { return true }
      added[addition, default: 0] -= 1
      if added[addition, default: 0] >= 0 { return true }
      let list = JSONPointer(place.path.tokens.dropLast())
      if counts[list] == nil, case .list(let nodes)? = later.node(at: list) {
        counts[list] = nodes.reduce(into: [:]) { $0[$1.comparable, default: 0] += 1 }
      }
      return counts[list]?[addition.content] ?? 0 < 2
    }
  }

  /// Whether no line of a text stands there several times that does so neither before nor in another
  /// text.
  private static func bringsNothingTwice(
    _ old: String, becoming new: String, beyond other: String
  ) -> Bool {
    let (before, allowed) = (old.lineCounts, other.lineCounts)
    return new.lineCounts.allSatisfy { line, count in
      count < 2 || count <= max(before[line] ?? 0, allowed[line] ?? 0)
    }
  }
}

extension String {
  /// How often each line stands there that says anything.
  fileprivate var lineCounts: [Substring: Int] {
    splitAtLineFeeds().reduce(into: [:]) { counts, line in
      if line.unicodeScalars.sayAnything { counts[line, default: 0] += 1 }
    }
  }
}

extension PlaceChange {
  /// An element that is in a list anew, wherever in it.
  fileprivate struct Addition: Hashable {
    var steps: [Step]
    var content: Node
  }

  fileprivate var addition: Addition? {
    guard case (.added(let node), .element?) = (action, steps.last) else { return nil }
    return Addition(steps: steps.dropLast(), content: node.comparable)
  }
}

extension PlaceChange.Action {
  /// Whether something that stood at the place stands there no more.
  fileprivate var takesSomething: Bool {
    switch self {
    case .added, .memberAdded: false
    case .removed, .replaced, .moved, .text, .memberRemoved, .counted: true
    }
  }

  fileprivate func takesNothing(leftBy other: Self) -> Bool {
    switch (self, other) {
    case (_, .removed), (.replaced, .replaced), (.moved, .moved), (.counted, .counted),
      (.text, .replaced):
      return true
    case (.memberRemoved(let left), .memberRemoved(let right)): return left == right
    case (.text(let old, let new), .text(_, let othersNew)):
      let (left, others) = (new.lineCounts, othersNew.lineCounts)
      return old.lineCounts.allSatisfy { line, count in
        left[line] ?? 0 >= min(count, others[line] ?? 0)
      }
    case (.added, _), (.removed, _), (.replaced, _), (.moved, _), (.text, _), (.memberAdded, _),
      (.memberRemoved, _), (.counted, _):
      return false
    }
  }
}
