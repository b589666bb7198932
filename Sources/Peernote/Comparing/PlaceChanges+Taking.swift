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

extension PlaceChanges {
  /// Whether these bring in nothing more than other changes of the same state: each element, key and
  /// member that they add is added by the others, too, each value that they write in the place of
  /// another is written there, and a text gets no word more often than it stands there after the
  /// others and in what they delete.
  ///
  /// O(n) for n places, times their depth, and what it takes to compare texts.
  package func addNothing(beyond others: PlaceChanges) -> Bool {
    guard count == places.count, others.count == others.places.count else { return false }
    var added: [PlaceChange.Addition: Int] = [:]
    var known: [[PlaceChange.Step]: [PlaceChange.Action]] = [:]
    for place in others.places {
      if let addition = place.addition { added[addition, default: 0] += 1 }
      known[place.steps, default: []].append(place.action)
    }
    return places.allSatisfy { place in
      if let addition = place.addition {
        let left = added[addition] ?? 0
        added[addition] = left - 1
        return left > 0
      }
      let others = known[place.steps] ?? []
      if case .replaced(_, by: let node) = place.action {
        return others.contains { if case .replaced(_, by: node) = $0 { true } else { false } }
      }
      return place.action.addsNoWord(beyond: others)
    }
  }
}

extension PlaceChange {
  /// Something that is there anew, wherever in its list.
  fileprivate struct Addition: Hashable {
    var steps: [Step]
    var content: Node
  }

  fileprivate var addition: Addition? {
    switch action {
    case .added(let node):
      if case .element? = steps.last {
        Addition(steps: steps.dropLast(), content: node)
      } else {
        Addition(steps: steps, content: node)
      }
    case .memberAdded(let value): Addition(steps: steps, content: .value(value))
    case .removed, .replaced, .moved, .text, .memberRemoved, .counted: nil
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

  /// Whether a text gets no word more often than it stands there after others and in what they
  /// delete.
  fileprivate func addsNoWord(beyond others: [Self]) -> Bool {
    guard case .text(let old, let new) = self else { return true }
    var words = old.wordCounts
    for case .text(_, let othersNew) in others {
      words = othersNew.wordCounts
      for text in Self.deletedTexts(from: old, to: othersNew) {
        words.merge(text.wordCounts, uniquingKeysWith: +)
      }
    }
    return new.wordCounts.allSatisfy { $0.value <= words[$0.key] ?? 0 }
  }

  /// What goes when a text becomes another one.
  private static func deletedTexts(from old: String, to new: String) -> [String] {
    let scalars = Array(old.unicodeScalars)
    return TextDifference(from: Array(old.utf8), to: Array(new.utf8)).splices.map { splice in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[splice.position..<splice.position + splice.deleted])
      return String(text)
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
