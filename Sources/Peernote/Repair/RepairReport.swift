import PeernoteEngine
import PeernoteFormat

/// Finds out what is lost and what is not proven, copy by copy.
struct RepairReport {
  /// The changes that are not proven.
  private(set) var unproven: [Repair.UnprovenChange] = []
  private let document: ChangePlaces?
  /// The texts of the changes that are not proven, and of others.
  private let texts: [ChangeTexts]
  /// The changes that those are the texts of.
  private let changes: [PortableChanges]
  /// The unproven changes: where they stand in ``changes``, and in the list.
  private var claims: [ChangeID: (source: Int, place: Int, number: Int)] = [:]
  private var lostChanges: [ChangeID: Repair.LostChange] = [:]
  private var lostDeletions: [Range<Int32>] = []
  private var digests: Set<[UInt8]> = []

  /// - Parameters:
  ///   - saved: all that was saved.
  ///   - proven: what of it is proven.
  ///   - additions: documents that hold all the rest, if that cannot be replayed as a whole.
  init(saved: Document?, proven: Document?, additions: [Document]) {
    document = (saved?.log).map { ChangePlaces($0) }
    texts = (additions.isEmpty ? [saved].compactMap(\.self) : additions)
      .compactMap { try? ChangeTexts(of: $0) }
    changes = texts.map(\.changes)
    guard let saved, saved.heads != proven?.heads else { return }
    let known = (proven?.log).map { ChangePlaces($0) }
    var places: [ChangeID: (source: Int, place: Int)] = [:]
    for (source, texts) in texts.enumerated() {
      for (place, change) in ChangeList(of: texts.places.log).enumerated()
      where !(known?.contains(change.id) ?? false) {
        places[change.id] = (source, place)
      }
    }
    for summary in saved.changes {
      guard let (source, place) = places[summary.id] else { continue }
      claims[summary.id] = (source, place, unproven.count)
      unproven.append(.init(summary: summary, witnesses: 0))
    }
  }

  /// The changes that are lost, by time and name.
  var lost: [Repair.LostChange] {
    lostChanges.values.sorted { left, right in
      let first = left.time?.milliseconds ?? .max
      let second = right.time?.milliseconds ?? .max
      return first != second ? first < second : left.id < right.id
    }
  }

  /// How many scalars of deleted text are lost.
  var lostDeletedScalars: Int {
    guard let deleted = document?.log.deletedText else { return 0 }
    var count = 0
    for range in lostDeletions.united() {
      deleted.forEachPart(in: range) { part, scalar in if scalar == nil { count += part.count } }
    }
    return count
  }

  /// Takes account of a damaged copy, and notes what came of it.
  ///
  /// - Parameters:
  ///   - salvaged: the copy.
  ///   - reason: why changes are lost that could be read, with all that they follow.
  ///   - copy: what is said of it.
  mutating func add(
    _ salvaged: SalvagedCopy, else reason: Repair.LostChange.Reason, to copy: inout Repair.Copy
  ) {
    let isNew = digests.insert(salvaged.digest).inserted
    for change in completedChanges(of: salvaged) {
      guard let claim = claims[change.id], !salvaged.lostTexts.contains(change.id),
        changes[claim.source][claim.place] == change
      else { continue }
      copy.unprovenChangeCount += 1
      if isNew { unproven[claim.number].witnesses += 1 }
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

  /// Notes which changes of a damaged copy are lost.
  ///
  /// - Parameters:
  ///   - copy: the copy.
  ///   - reason: why those are that could be read, with all that they follow.
  mutating func addLost(of copy: SalvagedCopy, else reason: Repair.LostChange.Reason) {
    for change in copy.summaries where !isSaved(change.id) {
      note(
        .init(
          id: change.id, time: change.time, author: change.author,
          reason: self.reason(for: change, in: copy) ?? reason))
    }
    for id in copy.file.unreadChanges + copy.file.heads where !isSaved(id) {
      note(.init(id: id, reason: .unreadable))
    }
  }

  /// Notes which changes are lost of a copy that is not damaged, and why.
  mutating func addLost(of copy: Document, reason: Repair.LostChange.Reason) {
    for change in copy.changes where !isSaved(change.id) {
      note(.init(id: change.id, time: change.time, author: change.author, reason: reason))
    }
  }

  /// Notes what deleted text of unproven changes a copy has lost, and what it says was redacted.
  private mutating func addRedactions(of salvaged: SalvagedCopy, to copy: inout Repair.Copy) {
    guard let document else { return }
    lostDeletions += salvaged.placed(salvaged.file.lostDeletions, in: document)
      .filter { claims[$0.change] != nil }.map(\.range)
    for (change, range) in salvaged.placed(salvaged.file.redactions, in: document) {
      document.log.deletedText.forEachPart(in: range) { part, scalar in
        if scalar != nil {
          copy.unredactedScalars += part.count
        } else if claims[change] != nil {
          copy.redactedScalars += part.count
        }
      }
    }
  }

  private func isSaved(_ change: ChangeID) -> Bool { document?.contains(change) ?? false }

  /// Why a change could not be saved that was read; `nil` if nothing in the copy tells.
  private func reason(
    for change: ChangeSummary, in copy: SalvagedCopy
  ) -> Repair.LostChange.Reason? {
    if copy.lostTexts.contains(change.id) { return .text }
    return change.parents.first { !isSaved($0) }.map { .follows($0) }
  }

  /// Notes a lost change, of which another copy may tell more.
  private mutating func note(_ change: Repair.LostChange) {
    if let known = lostChanges[change.id], known.time != nil || change.time == nil { return }
    lostChanges[change.id] = change
  }
}
