/// The shared reversals that a document holds, and what they took back.
struct EarlierReversals {
  private let document: Document
  /// The changes that may be reversals, each with the events before it.
  private let reversals: [(change: ChangeSummary, past: [Range<LocalVersion>])]

  /// Those that are pieces.
  private let pieces: Set<ChangeID>

  init(in document: Document) {
    self.document = document
    let log = document.log
    reversals = document.changes.enumerated().compactMap { place, change in
      guard change.author == Document.reversalAuthor, change.id.sequence == 1 else { return nil }
      let last = log.eventCounts.firstEvent(ofChange: ChangeIndex(place) + 1) - 1
      return (change, log.graph.closure(of: [last]))
    }
    pieces = Set(reversals.map(\.change).filter { document.isPiece($0) }.map(\.id))
  }

  /// What has to be taken back so that some changes have no effect: the changes with all reversals
  /// of them, and of these; none if they have no effect already.
  ///
  /// To take back only what still has an effect would leave what a reversal brought back, as text of
  /// the reversal's own, where the rest has to go.
  func standing(_ changes: Set<ChangeID>) -> Set<ChangeID> {
    let (found, undone) = effective(on: changes)
    return changes.isSubset(of: undone) ? [] : changes.union(found.map(\.reversal))
  }

  /// The reversals that leave some changes no effect; none if one has an effect.
  func reversals(of changes: Set<ChangeID>) -> Set<ChangeID> {
    let (found, undone) = effective(on: changes)
    guard changes.isSubset(of: undone) else { return [] }
    return Set(found.map(\.reversal)).subtracting(undone)
  }

  /// The reversals that have an effect, each with those of some changes that it took back.
  func standingReversals(
    of changes: Set<ChangeID>
  ) -> [(reversal: ChangeID, targets: Set<ChangeID>)] {
    let (found, undone) = effective(on: changes.filter { !isReversal($0) })
    return found.filter { !undone.contains($0.reversal) }
  }

  /// Changes that deleted text together with nobody else, and were taken back for that.
  ///
  /// O(reversals), each O(n).
  var idleDeleters: Set<ChangeID> {
    var result: Set<ChangeID> = []
    for reversal in reversals
    where pieces.contains(reversal.change.id) && self.reversals(of: [reversal.change.id]).isEmpty {
      result.formUnion(reversal.change.parents)
    }
    return result
  }

  /// The reversals of some changes, and of these, with what each took back; and what has no effect.
  private func effective(
    on changes: Set<ChangeID>
  ) -> (found: [(reversal: ChangeID, targets: Set<ChangeID>)], undone: Set<ChangeID>) {
    var known = changes
    var found: [(reversal: ChangeID, targets: Set<ChangeID>)] = []
    for reversal in reversals where !changes.contains(reversal.change.id) {
      // The second change of a reversal took back what the first did.
      let same = found.map(\.targets).first { document.takesBack(Array($0), reversal.change) }
      guard let targets = same ?? targets(of: reversal, among: known) else { continue }
      known.insert(reversal.change.id)
      found.append((reversal.change.id, targets))
    }
    var undone: Set<ChangeID> = []
    for (reversal, targets) in found.reversed() where !undone.contains(reversal) {
      undone.formUnion(targets)
    }
    return (found, undone)
  }

  /// Whether a reversal followed one of some changes.
  func follow(_ changes: Set<ChangeID>) -> Bool {
    let last = ChangeNumbers(document.log)
    let events = changes.compactMap { last[$0] }
      .map { document.log.eventCounts.firstEvent(ofChange: $0) }
    return reversals.contains { reversal in
      events.contains { event in reversal.past.contains { $0.contains(event) } }
    }
  }

  private func isReversal(_ change: ChangeID) -> Bool {
    reversals.contains { $0.change.id == change }
  }

  /// How many of the latest changes before a reversal may be the ones that it took back: a few
  /// saves make one commit.
  private static let savesOfCommit = 64

  /// Those of some changes that a reversal took back; `nil` if it took back others.
  ///
  /// Looks at all that came before it, and at the latest of them.
  private func targets(
    of reversal: (change: ChangeSummary, past: [Range<LocalVersion>]),
    among changes: Set<ChangeID>
  ) -> Set<ChangeID>? {
    let known: [(id: ChangeID, place: Int)] = zip(changes, document.places(ofChanges: changes))
      .compactMap { id, place in
        place.flatMap { place in
          let event = document.log.eventCounts.firstEvent(ofChange: ChangeIndex(place))
          return reversal.past.contains { $0.contains(event) } ? (id, place) : nil
        }
      }
    let names = known.filter { $0.id != reversal.change.id }.sorted { $0.place < $1.place }
      .map(\.id)
    if names.isEmpty { return nil }
    // What deletes one text in several changes does so concurrently, so a piece follows just them.
    let parents = reversal.change.parents
    if pieces.contains(reversal.change.id), Set(parents).isSubset(of: names) {
      return Set(parents)
    }
    // The decisions follow the pieces that were made with them, and other reversals may stand
    // between the changes, or other changes between reversals.
    let foreign = names.filter { !pieces.contains($0) || !parents.contains($0) }
    let (older, plain) = (foreign.filter(isReversal), foreign.filter { !isReversal($0) })
    for names in [names, foreign, older, plain] where !names.isEmpty {
      if document.takesBack(names, reversal.change) { return Set(names) }
      let saves = (1...min(names.count, Self.savesOfCommit)).lazy.map { names.suffix($0) }
        .first { document.takesBack(Array($0), reversal.change) }
      if let saves { return Set(saves) }
    }
    return nil
  }
}
