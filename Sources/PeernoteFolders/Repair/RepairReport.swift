import PeernoteEngine

/// Finds out what is lost and what is not proven, copy by copy.
struct RepairReport {
  private let document: ChangePlaces?
  /// The texts of the changes that are not proven, and of others.
  private let texts: [ChangeTexts]
  /// The changes of the document that are not proven, ascending.
  private var claims: [ChangeIndex] = []
  /// How many different copies say the same of each.
  private var witnesses: [Int32] = []
  private var tellingOfLost: [Source] = []
  /// The names of changes that cannot be read.
  private var unreadable: Set<ChangeID> = []
  private var lostDeletions: [Range<Int32>] = []
  private var digests: Set<[UInt8]> = []

  /// A copy that tells of lost changes.
  private struct Source {
    let places: ChangePlaces
    /// The events whose text is lost, if it is damaged.
    let lostText: [Range<LocalVersion>]?
    /// Why the others are lost that do not follow a lost one.
    let reason: Repair.LostChange.Reason

    /// Why a change is lost that a document lacks.
    func reason(
      of change: ChangeIndex, _ summary: ChangeSummary, in document: ChangePlaces?
    ) -> Repair.LostChange.Reason {
      guard let lostText else { return reason }
      let events = places.log.eventCounts.events(ofChange: change)
      if !lostText.parts(in: events).isEmpty { return .text }
      let parent = summary.parents.first { !(document?.contains($0) ?? false) }
      return parent.map { .follows($0) } ?? reason
    }
  }

  /// Without `additions`, `saved` can be replayed as a whole; else these are documents that hold
  /// all the rest.
  init(saved: Document?, proven: Document?, additions: [Document]) {
    document = (saved?.log).map { ChangePlaces($0) }
    let texts = (additions.isEmpty ? [saved].compactMap(\.self) : additions)
      .compactMap { try? ChangeTexts(of: $0) }
    self.texts = texts
    guard let saved, saved.heads != proven?.heads else { return }
    let known = (proven?.log).map { ChangePlaces($0) }
    claims = saved.log.graph.changes.filter { change in
      let id = saved.log.changeID(ofChange: change)
      return !(known?.contains(id) ?? false) && texts.contains { $0.places.contains(id) }
    }
    witnesses = Array(repeating: 0, count: claims.count)
  }

  /// Where a change stands in ``claims``; `nil` if it is proven or not there.
  private func claim(_ change: ChangeID) -> Int? {
    guard let number = document?.number(of: change) else { return nil }
    let place = claims.partitionPoint { $0 >= number }
    return place < claims.count && claims[place] == number ? place : nil
  }

  /// An unproven change as it was saved.
  private func savedChange(_ id: ChangeID) -> Change? {
    for texts in texts.reversed() {
      if let number = texts.places.number(of: id) { return texts.changes[number.number] }
    }
    return nil
  }

  // MARK: Copies

  /// Takes account of a damaged copy, and notes what came of it.
  ///
  /// The reason is why changes are lost that could be read, with all that they follow.
  mutating func add(
    _ salvaged: SalvagedFile, else reason: Repair.LostChange.Reason, to copy: inout Repair.Copy
  ) {
    let isNew = digests.insert(salvaged.digest).inserted
    for (number, change) in completedChanges(of: salvaged).enumerated() {
      guard let claim = claim(change.id), !salvaged.hasLostText(ChangeIndex(number)),
        savedChange(change.id) == change
      else { continue }
      copy.unprovenChangeCount += 1
      if isNew { witnesses[claim] += 1 }
    }
    addLost(of: salvaged, else: reason)
    addRedactions(of: salvaged, to: &copy)
    let heads = salvaged.heads
    copy.isAccountedFor =
      heads.allSatisfy(isSaved)
      && (!heads.isEmpty
        || salvaged.isWhole && salvaged.summaries.allSatisfy { isSaved($0.id) })
  }

  /// The changes of a copy, with the document's text where it knows none.
  private func completedChanges(of copy: SalvagedFile) -> PortableChanges {
    guard !copy.redactions.isEmpty || !copy.lostDeletions.isEmpty,
      let text = ChangeTexts.insertedText(of: copy.log, from: [copy.texts] + texts)
    else { return copy.changes }
    return ChangeTexts(copy.log, text).changes
  }

  /// Notes which changes of a damaged copy are lost, and why those are that could be read, with all
  /// that they follow.
  mutating func addLost(of copy: SalvagedFile, else reason: Repair.LostChange.Reason) {
    tellingOfLost.append(
      Source(places: copy.texts.places, lostText: copy.lostInsertions, reason: reason))
    unreadable.formUnion(copy.unreadChanges + copy.heads)
  }

  /// Notes which changes are lost of a copy that is not damaged, and why.
  mutating func addLost(of copy: Document, reason: Repair.LostChange.Reason) {
    tellingOfLost.append(Source(places: ChangePlaces(copy.log), lostText: nil, reason: reason))
  }

  /// Notes what deleted text of unproven changes a copy has lost, and what it says was redacted.
  private mutating func addRedactions(of salvaged: SalvagedFile, to copy: inout Repair.Copy) {
    guard let document else { return }
    lostDeletions += salvaged.placed(salvaged.lostDeletions, in: document)
      .filter { claim($0.change) != nil }.map(\.range)
    for (change, range) in salvaged.placed(salvaged.redactions, in: document) {
      let known = document.log.deletedText.knownCount(in: range)
      copy.unredactedScalars += known
      if claim(change) != nil { copy.redactedScalars += range.count - known }
    }
  }

  private func isSaved(_ change: ChangeID) -> Bool { document?.contains(change) ?? false }

  // MARK: What came of all

  /// The changes that are not proven.
  var unproven: AnyRandomAccessCollection<Repair.UnprovenChange> {
    guard let log = document?.log else { return .init([]) }
    return .init(
      claims.indices.lazy.map { [claims, witnesses] place in
        .init(summary: ChangeSummary(of: claims[place], in: log), witnesses: Int(witnesses[place]))
      })
  }

  /// How many scalars of deleted text are lost.
  var lostDeletedScalars: Int {
    guard let deleted = document?.log.deletedText else { return 0 }
    return lostDeletions.united().reduce(0) { $0 + $1.count - deleted.knownCount(in: $1) }
  }

  /// A lost change that a copy tells of.
  private struct LostPlace {
    /// In milliseconds.
    var time: Int64
    var source: Int32
    var change: ChangeIndex
  }

  /// The changes that are lost, those that cannot be read last; of those that several copies lost the
  /// first one tells why.
  ///
  /// O(n log n) for n changes of all copies. Takes 16 bytes for each, besides the copies.
  var lost: AnyRandomAccessCollection<Repair.LostChange> {
    let (document, sources) = (document, tellingOfLost)
    func isTold(_ id: ChangeID, before source: Int) -> Bool {
      document?.contains(id) ?? false || sources[..<source].contains { $0.places.contains(id) }
    }
    let names = unreadable.filter { !isTold($0, before: sources.count) }.sorted()
    var places: [LostPlace] = []
    for (number, source) in sources.enumerated() {
      let log = source.places.log
      for change in log.graph.changes where !isTold(log.changeID(ofChange: change), before: number)
      {
        let time = log.metadata(ofChange: change).time.milliseconds
        places.append(LostPlace(time: time, source: Int32(number), change: change))
      }
    }
    func id(_ place: LostPlace) -> ChangeID {
      sources[Int(place.source)].places.log.changeID(ofChange: place.change)
    }
    places.sort { left, right in
      left.time != right.time ? left.time < right.time : id(left) < id(right)
    }
    return .init(
      (0..<places.count + names.count).lazy.map { [places] position in
        guard position < places.count else {
          return .init(id: names[position - places.count], reason: .unreadable)
        }
        let place = places[position]
        let source = sources[Int(place.source)]
        let summary = ChangeSummary(of: place.change, in: source.places.log)
        return .init(
          id: summary.id, time: summary.time, author: summary.author,
          reason: source.reason(of: place.change, summary, in: document))
      })
  }
}
