/// Text that a merge took out of a document for good, because the other copy has redacted it: text
/// that was deleted before, or is only now.
///
/// A redaction is no change: it says neither who made it nor when. What is known is who brought it,
/// the other copy, and whose deletions held the text.
package struct TakenOutText: Hashable, Sendable {
  /// Where the text stands that the passages were deleted from; `nil` if its container was removed.
  package var path: JSONPointer?
  /// How many scalars are gone; one that several people deleted counts once for each.
  package var scalars: Int
  /// Who had deleted them, in the order of the changes, each name once.
  package var authors: [String]
}

extension Log {
  /// What some deletions, in ascending ranges, removed from each text, in the order of the first
  /// deletion.
  ///
  /// O(1) if there is nothing, else O(n).
  func deletedTexts(_ deletions: [Range<Int32>], in objects: Objects) -> [TakenOutText] {
    if deletions.isEmpty { return [] }
    var result: [TakenOutText] = []
    var places: [ContainerIndex: Int] = [:]
    forEachDeletion(with: deletions) { operation, parts in
      for part in parts {
        let place = places[operation.container] ?? result.count
        if place == result.count {
          places[operation.container] = place
          result.append(
            TakenOutText(
              path: objects.path(to: operation.container).map { JSONPointer($0) }, scalars: 0,
              authors: []))
        }
        result[place].scalars += part.count
        for author in authorNames(
          from: operation.first + (part.lowerBound - operation.firstScalar), part.count)
        where !result[place].authors.contains(author) {
          result[place].authors.append(author)
        }
      }
    }
    return result
  }

  /// Some deletions by names that are the same in every log that holds them: how many scalars each
  /// agent had deleted before.
  ///
  /// O(n), and O(r log r) for r ranges.
  func names(ofDeletions deletions: [Range<Int32>]) -> [AgentID: RangeSet<Int>] {
    var result: [AgentID: RangeSet<Int>] = [:]
    var counts = [Int](repeating: 0, count: agents.count)
    var chain = ChainIndex.first
    forEachDeletion(with: deletions) { operation, parts in
      while graph.chains[chain].end <= operation.first { chain += 1 }
      let agent = graph.chains[chain].agent
      for part in parts {
        let first = counts[agent] + Int(part.lowerBound - operation.firstScalar)
        result[agents[agent], default: RangeSet()].insert(contentsOf: first..<first + part.count)
      }
      counts[agent] += operation.scalars.count
    }
    return result
  }

  /// Goes through all deletions of texts, each with the parts of it that lie in ascending ranges.
  private func forEachDeletion(
    with ranges: [Range<Int32>], _ body: (_ operation: Operation, _ parts: [Range<Int32>]) -> Void
  ) {
    var rest = ranges[...]
    for operation in operations where operation.kind.deletesText {
      var parts: [Range<Int32>] = []
      while let range = rest.first, range.lowerBound < operation.scalars.upperBound {
        parts.append(range.clamped(to: operation.scalars))
        guard range.upperBound <= operation.scalars.upperBound else { break }
        rest.removeFirst()
      }
      body(operation, parts)
    }
  }

  /// Who made the changes of some events, in their order.
  private func authorNames(from first: LocalVersion, _ count: Int) -> [String] {
    var names: [String] = []
    var change = eventCounts.change(of: first)
    let last = eventCounts.change(of: first + Int32(count) - 1)
    while change <= last {
      let (run, end) = metadataRun(at: change)
      names.append(authors[run.author])
      change = end
    }
    return names
  }
}
