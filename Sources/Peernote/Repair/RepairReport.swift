import PeernoteEngine
import PeernoteFormat

/// Finds out what is lost and what is not proven, copy by copy.
struct RepairReport {
  /// The changes that are not proven.
  private(set) var unproven: [Repair.UnprovenChange] = []
  private let document: ChangeTexts?
  private let proven: ChangeTexts?
  /// The unproven changes, and where they stand in the list.
  private var claims: [ChangeID: (change: Change, number: Int)] = [:]
  private var lostChanges: [ChangeID: Repair.LostChange] = [:]
  private var lostDeletions: [Range<Int32>] = []
  private var digests: Set<[UInt8]> = []

  /// - Parameters:
  ///   - document: all that was saved.
  ///   - proven: what of it is proven.
  init(document: Document?, proven: Document?) {
    self.document = document.flatMap { try? ChangeTexts(of: $0) }
    self.proven = proven.flatMap { try? ChangeTexts(of: $0) }
    guard let document, let texts = self.document, document.heads != proven?.heads else { return }
    for (summary, change) in zip(document.changes, texts.changes)
    where !(self.proven?.contains(summary.id) ?? false) {
      claims[summary.id] = (change, unproven.count)
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
  mutating func add(_ salvaged: SalvagedCopy, to copy: inout Repair.Copy) {
    let isNew = digests.insert(salvaged.digest).inserted
    for change in completedChanges(of: salvaged) {
      guard let claim = claims[change.id], claim.change == change,
        !salvaged.lostTexts.contains(change.id)
      else { continue }
      copy.unprovenChangeCount += 1
      if isNew { unproven[claim.number].witnesses += 1 }
    }
    addLost(of: salvaged, else: .contradiction)
    addRedactions(of: salvaged, to: &copy)
    let heads = salvaged.file.heads
    copy.isAccountedFor =
      heads.allSatisfy(isSaved)
      && (!heads.isEmpty || salvaged.file.isWhole && salvaged.changes.allSatisfy { isSaved($0.id) })
  }

  /// The changes of a copy, with the document's text where it knows none.
  private func completedChanges(of copy: SalvagedCopy) -> [Change] {
    guard let document, !copy.file.redactions.isEmpty || !copy.file.lostDeletions.isEmpty,
      let text = ChangeTexts.insertedText(of: copy.file.log, from: [copy.texts, document])
    else { return copy.changes }
    return ChangeTexts(copy.file.log, text).changes
  }

  /// Notes which changes of a damaged copy are lost.
  ///
  /// - Parameters:
  ///   - copy: the copy.
  ///   - reason: why those are that could be read, with all that they follow.
  mutating func addLost(of copy: SalvagedCopy, else reason: Repair.LostChange.Reason) {
    for change in copy.changes where !isSaved(change.id) {
      note(
        .init(
          id: change.id, time: change.time, author: change.author,
          reason: self.reason(for: change, in: copy) ?? reason))
    }
    for id in copy.file.unreadChanges + copy.file.heads where !isSaved(id) {
      note(.init(id: id, reason: .unreadable))
    }
  }

  /// Notes which changes of a sound copy are lost because it contradicts others.
  mutating func addLost(of copy: Document) {
    for change in copy.changes where !isSaved(change.id) {
      note(.init(id: change.id, time: change.time, author: change.author, reason: .contradiction))
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
    for change: Change, in copy: SalvagedCopy
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
