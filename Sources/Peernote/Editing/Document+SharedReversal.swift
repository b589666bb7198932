/// Reversals that everybody makes in the same way.
///
/// When branches are merged, either side may make the merge, and both have to get the same bytes.
/// So a change that undoes what one branch took back can have neither a random agent nor the time
/// and the author of the merge. All three follow from what the change does:
///
/// - the agent is a digest of the document's identity, the changes undone and the change's parents;
/// - the time is the latest one in the document, so that the change comes after all that it saw;
/// - the author and the message are always the same for the same changes.
///
/// An agent must never name two different changes. It does not here: the parents name everything
/// that the document holds, and with the changes undone they determine every operation of the
/// reversal (``Document/revert(_:by:message:)`` is a function of these), so the same name means the
/// same content. The agent makes no second change, since any further one has other parents. Text
/// that is redacted in one of two copies is no exception: there the reversal is refused, not made
/// differently. Should the way of reverting ever change, so must ``ruleNumber``, which is part of
/// the digest.
extension Document {
  private static let ruleNumber: UInt64 = 2
  /// The author of shared reversals.
  package static let reversalAuthor = "pnmerge"
  /// Changes that the message names before it only counts them.
  private static let namedChanges = 3

  /// Takes back what some changes did, with the same new change whoever does it.
  ///
  /// What a shared reversal that the document holds took back already is left out, since text that
  /// the changes deleted would come back twice. If that reversal was taken back itself, it is the
  /// later one that keeps the effect of the changes alive, and that is taken back instead.
  ///
  /// O(n log n) and, for each shared reversal in the document, O(changes).
  ///
  /// - Returns: whether there was anything to take back.
  /// - Throws: ``RevertError``; the document stays as it was.
  package mutating func revertTogether(_ changes: Set<ChangeID>) throws(RevertError) -> Bool {
    let summaries = self.changes
    let reversals = summaries.filter { $0.author == Self.reversalAuthor && $0.id.sequence == 1 }
    let standing = standing(changes, reversals)
    guard !standing.isEmpty else { return false }
    let session = Session(
      agent: reversalAgent(of: standing, parents: heads), author: Self.reversalAuthor,
      time: summaries.map(\.time).max() ?? Timestamp(milliseconds: 0))
    return try revert(standing.sorted(), by: session, message: Self.message(standing)) != nil
  }

  /// The changes through which some changes are in effect; none if they were taken back.
  private func standing(
    _ changes: Set<ChangeID>, _ reversals: [ChangeSummary]
  ) -> Set<ChangeID> {
    let found = self.reversals(of: changes, among: reversals)
    if found.isEmpty {
      // Perhaps some of them were taken back one by one.
      guard changes.count > 1, !reversals.isEmpty else { return changes }
      return changes.reduce(into: []) { $0.formUnion(standing([$1], reversals)) }
    }
    if found.contains(where: { self.reversals(of: [$0], among: reversals).isEmpty }) { return [] }
    var result: Set<ChangeID> = []
    for reversal in found {
      let through = self.reversals(of: [reversal], among: reversals)
        .map { standing([$0], reversals) }
      // Taken back, and that taken back, too: the reversal stands.
      if through.allSatisfy(\.isEmpty) { return [] }
      through.forEach { result.formUnion($0) }
    }
    return result
  }

  /// Those of the shared reversals that took back just these changes.
  private func reversals(
    of changes: Set<ChangeID>, among reversals: [ChangeSummary]
  ) -> [ChangeID] {
    reversals.filter { $0.id.agent == reversalAgent(of: changes, parents: $0.parents) }.map(\.id)
  }

  private func reversalAgent(of changes: Set<ChangeID>, parents: [ChangeID]) -> AgentID {
    var text = Array("peernote reversal".utf8)
    func append(_ number: UInt64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        text.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    append(Self.ruleNumber)
    append(id.high)
    append(id.low)
    for list in [changes.sorted(), parents.sorted()] {
      append(UInt64(list.count))
      for change in list {
        append(change.agent.rawValue)
        append(UInt64(change.sequence))
      }
    }
    return AgentID(digestOf: text)
  }

  private static func message(_ changes: Set<ChangeID>) -> String {
    let names = changes.sorted().prefix(namedChanges).map(\.description)
    let rest = changes.count - names.count
    return "takes back " + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
