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
}

extension String {
  /// How often each line stands there that says anything.
  ///
  /// O(n).
  package var lineCounts: [Substring: Int] {
    splitAtLineFeeds().reduce(into: [:]) { counts, line in
      if line.unicodeScalars.sayAnything { counts[line, default: 0] += 1 }
    }
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
