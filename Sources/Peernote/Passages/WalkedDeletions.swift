/// What a walk found to be deleted, by the scalars.
struct WalkedDeletions {
  /// By the first scalar they deleted.
  let entries: [VersionIndex.Entry]
  /// For each where those end that come before it, and itself.
  private let reach: [LocalVersion]
  private let log: Log
  private let text: IndexedText

  /// Takes the deletions of all texts that were walked.
  ///
  /// O(n log n + bytes of deleted text).
  init(of walker: borrowing Walker) {
    log = walker.log
    var entries = walker.tracker.deletions
    let areSorted = zip(entries, entries.dropFirst()).allSatisfy {
      $0.deleted.lowerBound <= $1.deleted.lowerBound
    }
    if !areSorted { entries.sort { $0.deleted.lowerBound < $1.deleted.lowerBound } }
    var end = LocalVersion.least
    reach = entries.map { entry in
      end = max(end, entry.deleted.upperBound)
      return end
    }
    self.entries = entries
    text = IndexedText(walker.log.deletedText.text)
  }

  /// The numbers of the deletions of some scalars, ascending.
  ///
  /// O(log n), plus those that are found.
  func numbers(of names: Range<LocalVersion>) -> [Int32] {
    var result: [Int32] = []
    var index = entries.partitionPoint { $0.deleted.lowerBound >= names.upperBound } - 1
    while index >= 0, reach[index] > names.lowerBound {
      if entries[index].deleted.overlaps(names) { result.append(Int32(index)) }
      index -= 1
    }
    result.reverse()
    return result
  }

  /// What some events that follow each other deleted; `nil` if the first one is redacted.
  ///
  /// O(log n + count).
  ///
  /// Precondition: they belong to one operation, and all or none of what they deleted is redacted.
  func scalars(deletedFrom event: LocalVersion, count: Int) -> [UInt32]? {
    let number = log.deletionNumber(of: event)
    var start: Int?
    log.deletedText.forEachPart(in: number..<number + 1) { start = $1 }
    guard let start else { return nil }
    var byte = text.place(ofScalar: start).byte
    return (0..<count).map { _ in
      let (scalar, length) = decodeScalar(text.text.utf8, at: byte)
      byte += length
      return scalar
    }
  }

  /// Whether any deletion is redacted.
  var hasRedacted: Bool { !log.deletedText.redacted.isEmpty }

  /// Whether what an event deleted is redacted, and how far that holds of the deletions around it.
  ///
  /// O(log r) for r redacted ranges.
  ///
  /// - Returns: whether, how many right before it, and how many from it on.
  func part(deletedBy event: LocalVersion) -> (isRedacted: Bool, before: Int32, after: Int32) {
    let number = log.deletionNumber(of: event)
    let (part, isRedacted) = log.deletedText.part(of: number)
    return (isRedacted, number - part.lowerBound, part.upperBound - number)
  }
}
