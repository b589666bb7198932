/// Deleted text that a merge took out of a document, because the other copy has redacted it.
///
/// A redaction is no change: it says neither who made it nor when. What is known is who brought it,
/// the other copy, and whose deletions held the text.
public struct TakenOutText: Hashable, Sendable {
  /// Where the text stands that the passages were deleted from; `nil` if its container was removed.
  public var path: JSONPointer?
  /// How many scalars are gone; one that several people deleted counts once for each.
  public var scalars: Int
  /// Who had deleted them, in the order of the changes, each name once.
  public var authors: [String]
}

extension LogUnion {
  /// What theirs has redacted and ours had, for each text, in the order of the first deletion.
  ///
  /// O(1) if there is nothing, else O(n).
  func takenOutTexts(in objects: Objects) -> [TakenOutText] {
    var result: [TakenOutText] = []
    var places: [Int32: Int] = [:]
    var ranges = takenOut[...]
    for operation in log.operations where operation.kind.deletesText {
      while let range = ranges.first, range.lowerBound < operation.b + operation.length {
        let part = range.clamped(to: operation.b..<operation.b + operation.length)
        let place = places[operation.container] ?? result.count
        if place == result.count {
          places[operation.container] = place
          result.append(
            TakenOutText(
              path: objects.path(to: operation.container).map { JSONPointer($0) }, scalars: 0,
              authors: []))
        }
        result[place].scalars += part.count
        for author in authors(from: operation.first + (part.lowerBound - operation.b), part.count)
        where !result[place].authors.contains(author) {
          result[place].authors.append(author)
        }
        guard range.upperBound <= operation.b + operation.length else { break }
        ranges.removeFirst()
      }
    }
    return result
  }

  /// Who made the changes of some events, in their order.
  private func authors(from first: LocalVersion, _ count: Int) -> [String] {
    var names: [String] = []
    var change = log.eventCounts.change(of: first)
    let last = log.eventCounts.change(of: first + Int32(count) - 1)
    while change <= last {
      let (run, end) = log.metadataRun(at: change)
      names.append(log.authors[Int(run.author)])
      change = end
    }
    return names
  }
}
