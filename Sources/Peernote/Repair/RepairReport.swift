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
    self.document = document.map { Self.texts(of: $0) }
    self.proven = proven.map { Self.texts(of: $0) }
    guard let document, let texts = self.document, document.heads != proven?.heads else { return }
    for (summary, change) in zip(document.changes, texts.changes)
    where !(self.proven?.contains(summary.id) ?? false) {
      claims[summary.id] = (change, unproven.count)
      unproven.append(.init(summary: summary, witnesses: 0))
    }
  }

  private static func texts(of document: Document) -> ChangeTexts {
    ChangeTexts(
      document.log, (try? document.insertedText()) ?? InsertedText(DeletedText()))
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

  /// Takes account of a damaged copy.
  ///
  /// - Returns: how many of the unproven changes it tells of, and whether all that it held is known
  ///   and saved.
  mutating func add(_ copy: SalvagedCopy) -> (unproven: Int, isComplete: Bool) {
    var unprovenCount = 0
    let isNew = digests.insert(copy.digest).inserted
    for change in copy.changes {
      if let claim = claims[change.id] {
        let agrees = claim.change == change && !copy.lostTexts.contains(change.id)
        if agrees { unprovenCount += 1 }
        if agrees, isNew { unproven[claim.number].witnesses += 1 }
      } else if !isSaved(change.id) {
        note(
          .init(
            id: change.id, time: change.time, author: change.author,
            reason: reason(for: change, in: copy)))
      }
    }
    for id in copy.file.unreadChanges + copy.file.heads where !isSaved(id) {
      note(.init(id: id, reason: .unreadable))
    }
    if let document {
      lostDeletions += copy.placed(copy.file.lostDeletions, in: document)
        .filter { claims[$0.change] != nil }.map(\.range)
    }
    let heads = copy.file.heads
    let isComplete =
      heads.allSatisfy(isSaved)
      && (!heads.isEmpty || copy.file.isWhole && copy.changes.allSatisfy { isSaved($0.id) })
    return (unprovenCount, isComplete)
  }

  private func isSaved(_ change: ChangeID) -> Bool { document?.contains(change) ?? false }

  private func reason(
    for change: Change, in copy: SalvagedCopy
  ) -> Repair.LostChange.Reason {
    if copy.lostTexts.contains(change.id) { return .text }
    if let parent = change.parents.first(where: { !isSaved($0) }) { return .follows(parent) }
    return .contradiction
  }

  /// Notes a lost change, of which another copy may tell more.
  private mutating func note(_ change: Repair.LostChange) {
    if let known = lostChanges[change.id], known.time != nil || change.time == nil { return }
    lostChanges[change.id] = change
  }
}
