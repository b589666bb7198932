/// Finds out what is lost and what is not proven, copy by copy.
struct RepairReport {
  /// The changes that are not proven.
  private(set) var unproven = Repair.UnprovenChanges()
  private let document: ChangePlaces?
  /// The texts of the changes that are not proven, and of others.
  private let texts: [ChangeTexts]
  /// Where each change of the document stands in ``unproven``; -1 for those that are proven.
  private var claims: [Int32] = []
  private var tellingOfLost: [Repair.LostChanges.Source] = []
  /// The names of changes that cannot be read.
  private var unreadable: Set<ChangeID> = []
  private var lostDeletions: [Range<Int32>] = []
  private var digests: Set<[UInt8]> = []

  /// Without `additions`, `saved` can be replayed as a whole; else these are documents that hold
  /// all the rest.
  init(saved: Document?, proven: Document?, additions: [Document]) {
    document = (saved?.log).map { ChangePlaces($0) }
    texts = (additions.isEmpty ? [saved].compactMap(\.self) : additions)
      .compactMap { try? ChangeTexts(of: $0) }
    guard let saved, saved.heads != proven?.heads else { return }
    let known = (proven?.log).map { ChangePlaces($0) }
    var ranges: [Range<LocalVersion>] = []
    var count: Int32 = 0
    claims.reserveCapacity(saved.changeCount)
    for change in saved.log.graph.changes {
      let id = saved.log.changeID(ofChange: change)
      if known?.contains(id) ?? false || !texts.contains(where: { $0.places.contains(id) }) {
        claims.append(-1)
        continue
      }
      claims.append(count)
      count += 1
      ranges.appendAscending(saved.log.eventCounts.events(ofChange: change))
    }
    unproven = Repair.UnprovenChanges(ChangeList(of: saved.log, in: ranges))
  }

  /// Where a change stands in ``unproven``; `nil` if it is proven or not there.
  private func claim(_ change: ChangeID) -> Int? {
    guard !claims.isEmpty, let number = document?.number(of: change), claims[number] >= 0
    else { return nil }
    return Int(claims[number])
  }

  /// An unproven change as it was saved.
  private func savedChange(_ id: ChangeID) -> Change? {
    for texts in texts.reversed() {
      if let number = texts.places.number(of: id) { return texts.changes[number.number] }
    }
    return nil
  }

  /// The changes that are lost.
  var lost: Repair.LostChanges {
    Repair.LostChanges(missingIn: document, sources: tellingOfLost, named: unreadable)
  }

  /// How many scalars of deleted text are lost.
  var lostDeletedScalars: Int {
    guard let deleted = document?.log.deletedText else { return 0 }
    return lostDeletions.united().reduce(0) { $0 + $1.count - deleted.knownCount(in: $1) }
  }

  /// Takes account of a damaged copy, and notes what came of it.
  ///
  /// The reason is why changes are lost that could be read, with all that they follow.
  mutating func add(
    _ salvaged: SalvagedCopy, else reason: Repair.LostChange.Reason, to copy: inout Repair.Copy
  ) {
    let isNew = digests.insert(salvaged.digest).inserted
    for (number, change) in completedChanges(of: salvaged).enumerated() {
      guard let claim = claim(change.id), !salvaged.lostTexts[number],
        savedChange(change.id) == change
      else { continue }
      copy.unprovenChangeCount += 1
      if isNew { unproven.addWitness(at: claim) }
    }
    addLost(of: salvaged, else: reason)
    addRedactions(of: salvaged, to: &copy)
    let heads = salvaged.file.heads
    copy.isAccountedFor =
      heads.allSatisfy(isSaved)
      && (!heads.isEmpty
        || salvaged.file.isWhole && salvaged.summaries.allSatisfy { isSaved($0.id) })
  }

  /// The changes of a copy, with the document's text where it knows none.
  private func completedChanges(of copy: SalvagedCopy) -> PortableChanges {
    guard !copy.file.redactions.isEmpty || !copy.file.lostDeletions.isEmpty,
      let text = ChangeTexts.insertedText(of: copy.file.log, from: [copy.texts] + texts)
    else { return copy.changes }
    return ChangeTexts(copy.file.log, text).changes
  }

  /// Notes which changes of a damaged copy are lost, and why those are that could be read, with all
  /// that they follow.
  mutating func addLost(of copy: SalvagedCopy, else reason: Repair.LostChange.Reason) {
    tellingOfLost.append(
      .init(places: copy.texts.places, textLost: copy.lostTexts, reason: reason))
    unreadable.formUnion(copy.file.unreadChanges + copy.file.heads)
  }

  /// Notes which changes are lost of a copy that is not damaged, and why.
  mutating func addLost(of copy: Document, reason: Repair.LostChange.Reason) {
    tellingOfLost.append(.init(places: ChangePlaces(copy.log), textLost: nil, reason: reason))
  }

  /// Notes what deleted text of unproven changes a copy has lost, and what it says was redacted.
  private mutating func addRedactions(of salvaged: SalvagedCopy, to copy: inout Repair.Copy) {
    guard let document else { return }
    lostDeletions += salvaged.placed(salvaged.file.lostDeletions, in: document)
      .filter { claim($0.change) != nil }.map(\.range)
    for (change, range) in salvaged.placed(salvaged.file.redactions, in: document) {
      let known = document.log.deletedText.knownCount(in: range)
      copy.unredactedScalars += known
      if claim(change) != nil { copy.redactedScalars += range.count - known }
    }
  }

  private func isSaved(_ change: ChangeID) -> Bool { document?.contains(change) ?? false }
}
