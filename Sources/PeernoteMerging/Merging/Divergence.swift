package import PeernoteEngine

/// What two copies of a document did since they parted, each compared with what both had.
package struct Divergence: Sendable {
  /// The heads of what both copies have.
  package var common: [ChangeID]
  /// What this copy did that the other lacks.
  package var ours: PlaceChanges
  /// What the other copy did that this one lacks.
  package var theirs: PlaceChanges
  /// Where both did something, by places in `ours` and in `theirs`, in the order of `theirs`.
  package var meetings: [(ours: Int, theirs: Int)] = []

  /// Compares two copies with what both had; O(n log n) for the size of all.
  package init(between ours: Document, and theirs: Document, since parting: Document) {
    common = parting.heads
    self.ours = StateChanges(from: parting.file, to: ours.file).changes
    self.theirs = StateChanges(from: parting.file, to: theirs.file).changes
    meet()
  }

  /// Finds what meets: changes of one thing, or of something and of what it stands in; O(n) for n
  /// places, times their depth, and what it takes to compare texts.
  private mutating func meet() {
    var here: [[PlaceChange.Step]: [Int]] = [:]
    for (index, place) in ours.places.enumerated() { here[place.steps, default: []].append(index) }
    // What only they took away may hold what we worked on, at any depth.
    var inside: [[PlaceChange.Step]: [Int]] = [:]
    let gone = Set(theirs.places.filter(\.endsContent).map(\.steps))
    for (index, place) in ours.places.enumerated() where !gone.isEmpty {
      for depth in 0..<place.steps.count {
        let above = Array(place.steps.prefix(depth))
        if gone.contains(above) { inside[above, default: []].append(index) }
      }
    }
    for (index, place) in theirs.places.enumerated() {
      var found: [Int] = []
      for depth in 0..<place.steps.count {
        let above = here[Array(place.steps.prefix(depth))] ?? []
        found += above.filter { ours.places[$0].endsContent }
      }
      found += (here[place.steps] ?? []).filter { ours.places[$0].meets(place) }
      if place.endsContent { found += inside[place.steps] ?? [] }
      meetings += found.map { ($0, index) }
    }
  }
}

extension PlaceChange {
  /// Whether what stood at the place, with all that was inside, is there no more.
  fileprivate var endsContent: Bool { kind == .removed || kind == .replaced }

  /// Whether two copies' changes of one place are about the same thing.
  ///
  /// Lines of a text that only one of them touched are not, nor are increments, which add up, nor
  /// different members of a set.
  fileprivate func meets(_ other: PlaceChange) -> Bool {
    switch (kind, other.kind) {
    case (.text, .text):
      let here = changedLines
      return other.changedLines.contains { change in here.contains { $0.meets(change) } }
    case (.memberAdded, .memberAdded), (.memberRemoved, .memberRemoved):
      return (old, new) == (other.old, other.new)
    case (.memberAdded, .memberRemoved), (.memberRemoved, .memberAdded): return false
    case (.counted, .counted): return false
    case (.moved, .moved), (.moved, .removed), (.removed, .moved): return true
    case (.moved, _), (_, .moved): return false
    case (_, _): return true
    }
  }
}

extension Document {
  /// What this copy and another one did since they parted.
  package func divergence(from other: Document) throws(DocumentError) -> Divergence {
    Divergence(between: self, and: other, since: try parting(from: other))
  }

  /// The document as it was when this copy and another one parted; one walk over the whole history
  /// if both did something since.
  package func parting(from other: Document) throws(DocumentError) -> Document {
    let common = commonVersion(with: other)
    return common == heads ? self : common == other.heads ? other : try at(version: common)
  }

  /// The heads of what this copy and another one both have, ascending.
  package func commonVersion(with other: Document) -> [ChangeID] {
    // A change comes with all that it follows.
    let counts = other.log.changeCounts
    let shared = log.graph.chains.map { chain in
      let count = (counts[log.agents[chain.agent]] ?? 0) - Int(chain.firstSequence) + 1
      let end = chain.firstChange + Int32(min(max(count, 0), Int(chain.changeCount)))
      return chain.start..<log.eventCounts.firstEvent(ofChange: end)
    }
    return log.graph.heads(ofClosure: shared).map { log.changeID(of: $0) }.sorted()
  }
}
