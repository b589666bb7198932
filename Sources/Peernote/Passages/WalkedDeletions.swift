/// What a walk found to be deleted, by the scalars.
struct WalkedDeletions {
  /// By the first scalar they deleted.
  private let entries: [VersionIndex.Entry]
  /// For each where those end that come before it, and itself.
  private let reach: [LocalVersion]
  private let log: Log
  private let text: IndexedText

  /// Takes the deletions of all texts that were walked.
  ///
  /// O(n log n + bytes of deleted text).
  init(of walker: borrowing Walker) {
    log = walker.log
    entries = walker.tracker.deletions.sorted { $0.deleted.lowerBound < $1.deleted.lowerBound }
    var end = LocalVersion.min
    reach = entries.map { entry in
      end = max(end, entry.deleted.upperBound)
      return end
    }
    text = IndexedText(walker.log.deletedText.text)
  }

  /// The deletions of some scalars, by the first scalar they deleted.
  ///
  /// O(log n), plus those that are found.
  func deletions(of names: Range<LocalVersion>) -> [VersionIndex.Entry] {
    var result: [VersionIndex.Entry] = []
    var index = entries.partitionPoint { $0.deleted.lowerBound >= names.upperBound } - 1
    while index >= 0, reach[index] > names.lowerBound {
      if entries[index].deleted.overlaps(names) { result.append(entries[index]) }
      index -= 1
    }
    result.reverse()
    return result
  }

  /// What an event deleted; beyond Unicode if that is redacted.
  ///
  /// O(log n).
  func scalar(deletedBy event: LocalVersion) -> UInt32 {
    let number = log.deletionNumber(of: event)
    var result = Stretch.Unit.redacted
    log.deletedText.forEachPart(in: number..<number + 1) { _, first in
      guard let first else { return }
      result = decodeScalar(text.text.utf8, at: text.place(ofScalar: first).byte).value
    }
    return result
  }
}
