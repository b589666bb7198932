/// Tells whether the history of a document's texts is sound, without saying what is wrong where it
/// isn't: that takes a ``Replay``, which finds the same.
///
/// Since a log holds no text but that of deletions, there are three things to check: that each
/// operation applies at its version, that each text comes out as long as it is, and that deletions
/// of one scalar agree on it. Where history is linear, the length of a text says whether the next
/// operation applies, and no scalar can be deleted twice, so the scalars need no names there. What
/// lies between two critical versions where it is not linear is walked; what was there before is a
/// placeholder.
package struct HistoryCheck: ~Copyable {
  private let log: Log
  private var walker: Walker
  /// How long each text is after what has been checked, by container number.
  private var lengths: [Int32]
  /// The texts that a walk edits.
  private var touched: [ContainerIndex] = []
  private var isTouched: [Bool]
  private var texts: PieceTexts

  private init(_ log: Log, memoryLimit: Int) {
    self.log = log
    walker = Walker(log: log, after: .start, texts: [], memoryLimit: memoryLimit)
    lengths = [Int32](repeating: 0, count: log.containers.count)
    isTouched = [Bool](repeating: false, count: log.containers.count)
    texts = PieceTexts(deleted: log.deletedText.text)
  }

  /// Whether all operations on texts apply, lead to texts of these lengths, and deletions of one
  /// scalar agree on it.
  ///
  /// True if ``Replay`` and ``Replay/checkDeletions()`` would find no fault, and
  /// ``Replay/lengthFaults(texts:)`` none. A replay keeps all deletions, so only it can pass
  /// ``Log/deletedPieceLimit`` by those of several walks together. `critical` are all critical
  /// versions, and the texts stand by container number. Throws if a limit is passed; putting
  /// concurrent edits in order may take `memoryLimit` bytes.
  ///
  /// O(n) where history is linear, O(n log n) where it isn't, plus what its concurrency costs.
  package static func isSound(
    _ log: Log, critical: CriticalVersions, texts: [TextBuffer], memoryLimit: Int = .max
  ) throws(HistoryError) -> Bool {
    var check = HistoryCheck(log, memoryLimit: memoryLimit)
    for (concurrent, linear) in critical.parts {
      guard try check.walk(concurrent), check.applyLinear(linear) else { return false }
    }
    return log.containers(of: .text).allSatisfy {
      Int(check.lengths[$0]) == texts[$0].scalarCount
    }
  }

  /// Checks operations each of which has seen all before it.
  private mutating func applyLinear(_ events: Range<LocalVersion>) -> Bool {
    if events.isEmpty { return true }
    let operations = log.operations
    let first = log.operationIndex(endingAfter: events.lowerBound)
    var lengths = lengths.mutableSpan
    for index in first..<operations.count {
      let whole = operations[index]
      if whole.first >= events.upperBound { break }
      guard whole.kind.editsText else { continue }
      let operation = whole.slice(whole.events.clamped(to: events))
      let container = operation.container.number
      let length = lengths[container]
      if operation.kind == .insertText {
        guard operation.position <= length else { return false }
        lengths[container] = length + operation.length
      } else {
        guard operation.position <= length - operation.length else { return false }
        lengths[container] = length - operation.length
      }
    }
    return true
  }

  /// Checks what lies between two critical versions.
  private mutating func walk(_ events: Range<LocalVersion>) throws(HistoryError) -> Bool {
    listTouched(by: events)
    if touched.isEmpty { return true }
    walker.restart(
      after: log.graph.cut(after: events.lowerBound - 1),
      texts: touched.map { (container: $0, placeholder: Int(lengths[$0])) })
    do throws(HistoryError) {
      try walker.walk(sides: .allBoth, upTo: events.upperBound)
    } catch {
      if error.reason.isLimit { throw error }
      return false
    }
    if !walker.tracker.deletedAgain.isEmpty {
      try walker.checkMemoryOfDeletions(event: events.lowerBound)
      guard deletionsAgree() else { return false }
    }
    for container in touched {
      lengths[container] = walkedLength(container)
      isTouched[container] = false
    }
    touched.removeAll(keepingCapacity: true)
    return true
  }

  /// Lists the texts that some events edit.
  private mutating func listTouched(by events: Range<LocalVersion>) {
    log.forEachOperation(in: events) { operation in
      if !operation.kind.editsText || isTouched[operation.container] { return }
      isTouched[operation.container] = true
      touched.append(operation.container)
    }
  }

  /// How long a text is after the walk.
  private borrowing func walkedLength(_ container: ContainerIndex) -> Int32 {
    var length: Int32 = 0
    if let sequence = walker.tracker.sequences[container] {
      walker.tracker.forEachItem(of: sequence) { if $0.deletedBy.isEmpty { length += $0.length } }
    }
    return length
  }

  /// Whether the deletions of those scalars that were deleted more than once agree on them.
  ///
  /// O(d log d) for d deletions.
  private mutating func deletionsAgree() -> Bool {
    do throws(HistoryError) {
      try walker.tracker.checkDeletions(of: log, against: [], in: &texts)
      return true
    } catch {
      return false
    }
  }
}
