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
  /// Which texts the walk at hand edits.
  private var isEdited: [Bool]
  private var texts: PieceTexts

  private init(_ log: Log, memoryLimit: Int) {
    self.log = log
    walker = Walker(log: log, after: .start, texts: [], memoryLimit: memoryLimit)
    lengths = [Int32](repeating: 0, count: log.containers.count)
    isEdited = [Bool](repeating: false, count: log.containers.count)
    texts = PieceTexts(deleted: log.deletedText.text)
  }

  /// Whether all operations on texts apply, lead to texts of these lengths, and deletions of one
  /// scalar agree on it.
  ///
  /// True if ``Replay`` and ``Replay/checkDeletions()`` would find no fault, and
  /// ``Replay/lengthFaults(texts:)`` none. A replay keeps all deletions, so only it can pass
  /// ``Log/deletedPieceLimit`` by those of several walks together. `critical` are all critical
  /// versions, and the texts stand by container number. Throws if a limit is passed; putting
  /// concurrent edits in order may take `memoryLimit` bytes. O(n) where history is linear,
  /// O(n log n) where it isn't, plus what its concurrency costs.
  package static func isSound(
    _ log: Log, critical: CriticalVersions, texts: [TextBuffer], memoryLimit: Int = .max
  ) throws(HistoryError) -> Bool {
    var check = HistoryCheck(log, memoryLimit: memoryLimit)
    do throws(HistoryError) {
      for (concurrent, linear) in critical.parts {
        try check.walk(concurrent)
        try check.applyLinear(linear)
      }
    } catch {
      if error.reason.isLimit { throw error }
      return false
    }
    return log.containers(of: .text).allSatisfy {
      Int(check.lengths[$0]) == texts[$0].scalarCount
    }
  }

  /// Checks operations each of which has seen all before it, or throws.
  private mutating func applyLinear(_ events: Range<LocalVersion>) throws(HistoryError) {
    try log.forEachOperation(in: events) { (operation) throws(HistoryError) in
      guard operation.kind.editsText else { return }
      let change = operation.kind == .insertText ? operation.length : -operation.length
      let length = lengths[operation.container]
      guard operation.position <= length + min(0, change) else {
        throw HistoryError(.positionOutOfRange, event: operation.first)
      }
      lengths[operation.container] = length + change
    }
  }

  /// Checks what lies between two critical versions, or throws.
  private mutating func walk(_ events: Range<LocalVersion>) throws(HistoryError) {
    var edited: [ContainerIndex] = []
    log.forEachOperation(in: events) { operation in
      if !operation.kind.editsText || isEdited[operation.container] { return }
      isEdited[operation.container] = true
      edited.append(operation.container)
    }
    if edited.isEmpty { return }
    walker.restart(
      after: log.graph.cut(after: events.lowerBound - 1),
      texts: edited.map { (container: $0, placeholder: Int(lengths[$0])) })
    try walker.walk(sides: .allBoth, upTo: events.upperBound)
    try walker.checkMemoryOfDeletions(event: events.lowerBound)
    try walker.tracker.checkDeletions(of: log, against: [], in: &texts)
    for container in edited {
      isEdited[container] = false
      lengths[container] = 0
      guard let sequence = walker.tracker.sequences[container] else { continue }
      walker.tracker.forEachItem(of: sequence) { item in
        if item.deletedBy.isEmpty { lengths[container] += item.length }
      }
    }
  }
}
