extension PlaceChanges {
  /// Whether these take away nothing that other changes of the same state leave: what they remove,
  /// replace or move is removed, replaced or moved by the others, too, and of texts no more goes.
  ///
  /// O(n) for n places, times their depth, and what it takes to compare texts.
  package func takeNothing(leftBy others: PlaceChanges) -> Bool {
    // What is not kept is not known.
    guard count == places.count, others.count == others.places.count else { return false }
    var known: [[PlaceChange.Step]: [PlaceChange.Action]] = [:]
    for place in others.places { known[place.steps, default: []].append(place.action) }
    return places.allSatisfy { place in
      if !place.action.takesSomething { return true }
      let isGone = place.steps.indices.contains { depth in
        (known[Array(place.steps[..<depth])] ?? []).contains { $0.endsContent }
      }
      return isGone
        || (known[place.steps] ?? []).contains { place.action.takesNothing(leftBy: $0) }
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
    case (_, .removed), (.replaced, .replaced), (.moved, .moved), (.counted, .counted): return true
    case (.memberRemoved(let left), .memberRemoved(let right)): return left == right
    case (.text(let old, let new), .text(_, let othersNew)):
      return Self.deletedPlaces(from: old, to: othersNew)
        .isSuperset(of: Self.deletedPlaces(from: old, to: new))
    case (.added, _), (.removed, _), (.replaced, _), (.moved, _), (.text, _), (.memberAdded, _),
      (.memberRemoved, _), (.counted, _):
      return false
    }
  }

  /// Where the scalars stand that go when a text becomes another one, white space aside.
  private static func deletedPlaces(from old: String, to new: String) -> RangeSet<Int> {
    let scalars = Array(old.unicodeScalars)
    var result = RangeSet<Int>()
    for splice in TextDifference(from: Array(old.utf8), to: Array(new.utf8)).splices {
      let deleted = splice.position..<splice.position + splice.deleted
      for place in deleted where !scalars[place].properties.isWhitespace {
        result.insert(contentsOf: place..<place + 1)
      }
    }
    return result
  }
}
