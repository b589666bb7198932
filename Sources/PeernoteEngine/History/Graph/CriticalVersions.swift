/// The critical versions of a graph: those that every event is either part of or comes after.
///
/// At such a version nothing that was done before matters to what comes after but the state it
/// led to (Gentle & Kleppmann, "Collaborative Text Editing with Eg-walker", section 3.5). Each one
/// is a cut of the canonical order, named by the last event before it
/// (``LocalVersion/beforeAll``: before everything).
package struct CriticalVersions: Sendable {
  /// The cuts as ranges of last events, ascending: inside a range every event follows all before
  /// it.
  private(set) var ranges: [Range<LocalVersion>] = []

  /// The events in parts, ascending: what comes after a range of critical versions up to the first of
  /// the next range, which may be concurrent, and what comes in that one, of which each event follows
  /// all before it.
  var parts: [(concurrent: Range<LocalVersion>, linear: Range<LocalVersion>)] {
    var start = LocalVersion.first
    return ranges.map { range in
      defer { start = range.upperBound }
      return (start..<range.lowerBound + 1, range.lowerBound + 1..<range.upperBound)
    }
  }

  /// Finds all critical versions, or those from the last one before an event on, in O(c log c) for
  /// the c chains that they reach over.
  ///
  /// A chain with parents P, whose greatest is m, starting at s, rules out the cuts after m and
  /// before s, since it has not seen m + 1; and the cut at m unless P are all the heads there.
  package init(of graph: Graph, before limit: LocalVersion = .first) {
    let chains = graph.chains
    // From the last chain down: `floor` is the least m of the chains above, `floorIsClean` says
    // whether every one of them whose m is `floor` has all heads of that cut as its parents.
    var floor = graph.end - 1
    var floorIsClean = true
    var found: [Range<LocalVersion>] = []
    for index in chains.indices.reversed() {
      let chain = chains[index]
      if floor >= chain.start {
        var top = min(floor, chain.end - 1)
        if top == floor, !floorIsClean { top -= 1 }
        let interiorTop = min(top, chain.end - 2)
        if chain.joinsEverything, interiorTop >= chain.start {
          found.append(chain.start..<top + 1)
        } else if top == chain.end - 1 {
          found.append(top..<top + 1)
        }
        if let range = found.last, range.lowerBound < limit { break }
      }
      let parents = graph.parentRange(ofChain: index)
      let greatest = parents.isEmpty ? .beforeAll : graph.parentPool[parents.upperBound - 1]
      if greatest < floor {
        floor = greatest
        floorIsClean = true
      }
      if greatest == floor, floorIsClean {
        floorIsClean = Self.areAllHeads(parents, of: graph)
      }
    }
    if floor == .beforeAll, floorIsClean { found.append(.beforeAll ..< .first) }
    for range in found.reversed() { ranges.appendAscending(range) }
  }

  /// Whether the parents of a chain, by their places, are all the heads of the events up to the
  /// greatest of them.
  private static func areAllHeads(_ parents: Range<Int>, of graph: Graph) -> Bool {
    guard let greatest = parents.last else { return true }
    let last = graph.parentPool[greatest]
    let owner = graph.parentChains[greatest]
    if last < graph.chains[owner].end - 1 {
      return graph.chains[owner].joinsEverything && parents.count == 1
    }
    let next = owner + 1
    guard next < graph.chains.endIndex else { return true }
    return graph.chains[next].joinsEverything
      && graph.parents(ofChain: next) == graph.parentPool[parents]
  }

  /// The last event before the last critical version that no event from `limit` on is part of, in
  /// O(log c) for c ranges.
  package func last(before limit: LocalVersion) -> LocalVersion {
    let next = ranges.partitionPoint { $0.lowerBound >= limit }
    return next > 0 ? min(ranges[next - 1].upperBound, limit) - 1 : .beforeAll
  }

  /// Whether there is a critical version that holds `earlier` but not `later`, in O(log c).
  package func separate(_ earlier: LocalVersion, from later: LocalVersion) -> Bool {
    last(before: later) >= earlier
  }

  /// Goes on with events each of which follows all before it, in O(1), since all there is up to now
  /// is a critical version then.
  mutating func extend(to end: LocalVersion) {
    guard let last = ranges.last else { return ranges.append(.beforeAll..<end) }
    ranges[ranges.count - 1] = last.lowerBound..<end
  }
}

extension Graph {
  /// A critical version.
  package struct Cut: Hashable, Sendable {
    /// The last event before the cut; ``LocalVersion/beforeAll`` for the empty version.
    package var last: LocalVersion
    /// The heads of all events before the cut.
    package var heads: Version

    /// The empty version, before all events.
    package static let start = Cut(last: .beforeAll, heads: [])
  }

  /// The critical version that there is after an event, in O(log c).
  package func cut(after last: LocalVersion) -> Cut {
    if !last.isEvent { return .start }
    if last == end - 1 { return Cut(last: last, heads: heads) }
    let owner = chainIndex(of: last)
    if last < chains[owner].end - 1 { return Cut(last: last, heads: [last]) }
    return Cut(last: last, heads: Version(parents(ofChain: owner + 1)))
  }
}
