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
  /// What some deletions removed, for each text, in the order of the first deletion.
  ///
  /// O(1) if there is nothing, else O(n).
  ///
  /// - Parameters:
  ///   - deletions: the deletions by their numbers, ascending.
  ///   - objects: what the log says of everything but texts.
  /// - Returns: how much it is, from where, and by whom.
  func deletedTexts(_ deletions: [Range<Int32>], in objects: Objects) -> [TakenOutText] {
    if deletions.isEmpty { return [] }
    var result: [TakenOutText] = []
    var places: [ContainerIndex: Int] = [:]
    var ranges = deletions[...]
    for operation in operations where operation.kind.deletesText {
      while let range = ranges.first, range.lowerBound < operation.scalars.upperBound {
        let part = range.clamped(to: operation.scalars)
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
        guard range.upperBound <= operation.scalars.upperBound else { break }
        ranges.removeFirst()
      }
    }
    return result
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
