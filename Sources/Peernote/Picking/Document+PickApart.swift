extension Document {
  /// As many agents are tried for one whose text comes to stand in its place.
  private static let agentLimit = 8

  /// Makes picked edits beside what was added here at their places, not after it, where they would
  /// stand there twice once the originals come.
  ///
  /// A line that is picked without the one above it, and put below one that was added here, would be
  /// one insertion with that. The original is one insertion with the line above it, so that neither
  /// would be the other, or hold it. Made on what this version shares with the other one, and on what
  /// was picked from that before, it is what the original adds, and is found in it.
  ///
  /// What is picked again, and what somebody took back, is made on all that is here: who does that has
  /// seen it.
  ///
  /// O(size of the documents), for each agent that is tried, too, where something adjoins the edits:
  /// every other one will do, mostly.
  ///
  /// - Parameters:
  ///   - edits: the edits, for this version.
  ///   - theirs: the version from which they come.
  ///   - original: the change whose author, time and message they get.
  ///   - wanted: this version with the edits.
  /// - Returns: this version with a change of the edits, which reads as wanted, or has the same lines
  ///   where no order of the two gives that; `nil` if there is none, or no need for one.
  func pickingApart(
    _ edits: [PickedEdit], of theirs: Document, like original: ChangeSummary,
    toRead wanted: Document
  ) -> Document? {
    guard original.author != Self.reversalAuthor, !contains(original.id),
      let past = try? late(version: versionShared(with: theirs)), past.changeCount > 0,
      past.changeCount < changeCount
    else { return nil }
    let earlier = edits.compactMap { $0.moved(from: self, to: past) }
    guard earlier.count == edits.count, let lengths = lengthsOfTexts(with: theirs),
      wanted.lengthsOfTexts(with: theirs) != lengths
    else { return nil }
    let (lines, conflictCount) = (wanted.linesOfTexts, wanted.conflicts.count)
    var inOtherOrder: Document?
    for number in 0..<Self.agentLimit {
      // What is inserted at one place stands there in the order of the agents.
      let name = Array("peernote pick 2 \(original.id) \(number)".utf8)
      guard
        let provisional = try? past.adding(earlier, as: AgentID(digestOf: name), like: original),
        let change = try? past.adding(
          earlier, as: AgentID(digestOf: name + provisional.encoded()), like: original)
      else { return nil }
      var result = self
      guard (try? result.merge(change)) != nil, result.linesOfTexts == lines,
        result.conflicts.count == conflictCount, result.lengthsOfTexts(with: theirs) == lengths
      else { continue }
      if result.root.isExactly(wanted.root) { return result }
      if inOtherOrder == nil, edits.allSatisfy(\.isOfText) { inOtherOrder = result }
    }
    return inOtherOrder
  }

  /// How many scalars each text shows, ascending, when another version comes; `nil` if it cannot.
  private func lengthsOfTexts(with other: Document) -> [Int]? {
    var both = self
    guard (try? both.merge(other)) != nil else { return nil }
    return both.file.shownTexts.map(\.scalarCount).sorted()
  }

  /// The lines of each text that is shown, in an order of their own.
  private var linesOfTexts: [[Substring]] {
    file.shownTexts.map {
      $0.string.splitAtLineFeeds(omittingEmptySubsequences: false).sorted()
    }
  }

  /// The changes that another version holds, too, and those that were picked from it.
  ///
  /// A picked change has the author, the time and the message of its original.
  private func versionShared(with theirs: Document) -> [ChangeID] {
    let originals = Set(theirs.changes.filter { !contains($0.id) }.map(Origin.init))
    return changes.filter { theirs.contains($0.id) || originals.contains(Origin($0)) }.map(\.id)
  }

  /// What a picked change has of its original.
  private struct Origin: Hashable {
    var author: String
    var time: Timestamp
    var message: String?

    init(_ change: ChangeSummary) {
      author = change.author
      time = change.time
      message = change.message
    }
  }
}
