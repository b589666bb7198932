/// The scalars of a text that were ever inserted, from a walk over its history, in the order of the
/// text, in runs.
///
/// Of a run all was inserted by events that follow each other, and deleted by the same operations;
/// all is redacted or nothing; and no version that is looked at has a part of it only. It is a class,
/// as all that looks at it holds it.
package final class TextRuns {
  /// One run.
  package struct Run {
    /// The event that inserted the first scalar, which the others follow; less than 0 if that was
    /// before the walk.
    package var first: LocalVersion
    package var count: Int32
    /// How many scalars of the raw text come before it.
    package var start: Int32
    /// Where its deletions end; they begin where those of the run before end.
    var deletionsEnd: Int32
    package var isRedacted = false
  }

  /// Where a scalar stands.
  struct Place: Hashable, Comparable {
    var run: Int32
    var offset: Int32

    @inline(__always)
    static func < (left: Place, right: Place) -> Bool {
      left.run != right.run ? left.run < right.run : left.offset < right.offset
    }
  }

  package let runs: [Run]
  /// The deletions of all runs that were deleted.
  package let deletions: [WalkedDeletions.Deletion]
  /// The visible text.
  let raw: IndexedText
  private let deleted: WalkedDeletions

  /// Reads a text that was walked, in O((items + d) log n + bytes) for d deletions of each item, or
  /// throws if it is not as long as the walk says.
  package init(
    of container: ContainerIndex, raw: TextBuffer, walker: borrowing Walker,
    deleted: WalkedDeletions
  ) throws(HistoryError) {
    self.raw = IndexedText(raw)
    self.deleted = deleted
    guard let sequence = walker.tracker.sequences[container] else {
      (runs, deletions) = ([], [])
      return
    }
    var position: Int32 = 0
    var isTooShort = false
    var runs: [Run] = []
    // Items are parted where a version may end, and where a deletion does.
    runs.reserveCapacity(
      walker.tracker.itemCount(of: sequence) + deleted.bounds.count + deleted.all.count)
    var deletions: [WalkedDeletions.Deletion] = []
    deletions.reserveCapacity(
      min(walker.tracker.itemCount(of: sequence), deleted.all.count))
    walker.tracker.forEachItem(of: sequence) { item in
      var names = item.first..<item.end
      let isVisible = item.deletedBy.isEmpty
      // The item that stands for what is not known may be longer than the text.
      let left = Int32(raw.scalarCount) - position
      if isVisible, left < item.length {
        if item.first.isEvent { isTooShort = true }
        names = item.first..<item.first + left
      }
      while !names.isEmpty {
        var end = names.upperBound
        let bound = deleted.bounds.partitionPoint { $0 > names.lowerBound }
        if names.lowerBound.isEvent, bound < deleted.bounds.count {
          end = min(end, deleted.bounds[bound])
        }
        var isRedacted = false
        if !isVisible {
          (end, isRedacted) = deleted.part(of: names.lowerBound..<end, &deletions)
        }
        let count = end - names.lowerBound
        runs.append(
          Run(
            first: names.lowerBound, count: count, start: position,
            deletionsEnd: Int32(deletions.count), isRedacted: isRedacted))
        if isVisible { position += count }
        names = end..<names.upperBound
      }
    }
    guard Int(position) == raw.scalarCount, !isTooShort else {
      throw HistoryError(.viewDisagrees, event: walker.log.containers[container].created)
    }
    self.runs = runs
    self.deletions = deletions
  }

  /// About how many bytes it takes.
  var byteCount: Int {
    runs.count * MemoryLayout<Run>.stride
      + deletions.count * MemoryLayout<WalkedDeletions.Deletion>.stride
  }

  /// The deletions of a run, as places in ``deletions``.
  @inline(__always)
  package func deletions(of run: Int32) -> Range<Int> {
    (run > 0 ? Int(runs[Int(run) - 1].deletionsEnd) : 0)..<Int(runs[Int(run)].deletionsEnd)
  }

  /// Appends some scalars of a run, in O(n + log d) for d deletions of the text; redacted ones are beyond
  /// Unicode.
  package func append(_ offsets: Range<Int32>, of run: Int32, to scalars: inout [UInt32]) {
    if offsets.isEmpty { return }
    let place = deletions(of: run)
    if place.isEmpty {
      raw.append(
        from: Int(runs[Int(run)].start + offsets.lowerBound), count: offsets.count, to: &scalars)
      return
    }
    if runs[Int(run)].isRedacted {
      scalars.append(contentsOf: repeatElement(TokenPart.redacted, count: offsets.count))
      return
    }
    let first = runs[Int(run)].first + offsets.lowerBound
    for number in place
    where deleted.append(
      first..<first + Int32(offsets.count), deletedBy: deletions[number], to: &scalars)
    {
      return
    }
    preconditionFailure("a run that is not redacted has its text in one of its deletions")
  }
}

/// What a walk found to be deleted, by the scalars.
package struct WalkedDeletions {
  /// Deletions of scalars that follow each other, by one operation.
  package struct Deletion {
    fileprivate let entry: VersionIndex.Entry
    /// The number of its first event among all deletions.
    fileprivate let number: Int32

    /// The event that deleted a scalar.
    @inline(__always)
    package func event(of scalar: LocalVersion) -> LocalVersion { entry.event(of: scalar) }

    @inline(__always)
    fileprivate func number(of event: LocalVersion) -> Int32 { number + (event - entry.first) }
  }

  /// The events before which a version may end that is looked at, ascending.
  let bounds: [LocalVersion]
  /// By the first scalar they deleted.
  let all: [Deletion]
  /// For each where those end that come before it, and itself.
  private let reach: [LocalVersion]
  private let removed: DeletedText
  private let text: IndexedText

  /// Takes the deletions of all texts that were walked, in O(n log n + bytes of deleted text).
  package init(of walker: borrowing Walker, bounds: [LocalVersion]) {
    self.bounds = bounds
    let log = walker.log
    removed = log.deletedText
    var entries = walker.tracker.deletions
    // Most are, and to sort takes memory.
    let areSorted = zip(entries, entries.dropFirst()).allSatisfy {
      $0.deleted.lowerBound <= $1.deleted.lowerBound
    }
    if !areSorted { entries.sort { $0.deleted.lowerBound < $1.deleted.lowerBound } }
    var end = LocalVersion.least
    reach = entries.map { entry in
      end = max(end, entry.deleted.upperBound)
      return end
    }
    all = entries.map { Deletion(entry: $0, number: log.scalarNumber(of: $0.first)) }
    text = IndexedText(removed.text)
  }

  /// Where those of some deleted scalars end that the same operations deleted as the first one, and
  /// whether they are redacted.
  ///
  /// O(log n), plus the deletions that are found. Those of the first scalar are appended, in order.
  fileprivate func part(
    of names: Range<LocalVersion>, _ found: inout [Deletion]
  ) -> (end: LocalVersion, isRedacted: Bool) {
    let known = found.count
    let start = names.lowerBound
    var end = names.upperBound
    var index = all.partitionPoint { $0.entry.deleted.lowerBound > start }
    if index < all.count { end = min(end, all[index].entry.deleted.lowerBound) }
    index -= 1
    while index >= 0, reach[index] > start {
      if all[index].entry.deleted.upperBound > start { found.append(all[index]) }
      index -= 1
    }
    found[known...].reverse()
    var isRedacted = true
    for deletion in found[known...] {
      end = min(end, deletion.entry.deleted.upperBound)
      let event = deletion.event(of: start)
      let number = deletion.number(of: event)
      let (part, scalar) = removed.part(of: number)
      if scalar != nil { isRedacted = false }
      let next = bounds.partitionPoint { $0 > event }
      if deletion.entry.kind == .deletionBackward {
        end = min(end, start + (number - part.lowerBound + 1))
        if next > 0 { end = min(end, start + (event - bounds[next - 1] + 1)) }
      } else {
        end = min(end, start + (part.upperBound - number))
        if next < bounds.count { end = min(end, start + (bounds[next] - event)) }
      }
    }
    return (end, isRedacted)
  }

  /// Appends some scalars as one of their deletions has them, in O(log r + count) for r redacted ranges;
  /// `false` if they are redacted there.
  fileprivate func append(
    _ names: Range<LocalVersion>, deletedBy deletion: Deletion, to scalars: inout [UInt32]
  ) -> Bool {
    let isBackward = deletion.entry.kind == .deletionBackward
    let event = deletion.event(of: isBackward ? names.upperBound - 1 : names.lowerBound)
    guard let start = removed.part(of: deletion.number(of: event)).scalar else { return false }
    let first = scalars.count
    text.append(from: start, count: names.count, to: &scalars)
    if isBackward { scalars[first...].reverse() }
    return true
  }
}

extension IndexedText {
  /// Appends some of its scalars, in O(n + log n) for n of them.
  fileprivate func append(from start: Int, count: Int, to scalars: inout [UInt32]) {
    var byte = place(ofScalar: start).byte
    for _ in 0..<count {
      let (scalar, length) = decodeScalar(text.utf8, at: byte)
      scalars.append(scalar)
      byte += length
    }
  }
}
