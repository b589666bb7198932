extension ChangeEditor {
  /// Gives up the change; ``objects`` and ``texts`` are then what they were before it.
  ///
  /// O(1) if nothing was edited, else O(n log n): what was appended to the log is taken off, and
  /// the rest is replayed.
  package mutating func giveUp() {
    if isEmpty { return }
    for splice in splices.reversed() {
      let number = splice.container
      let from = texts[number].place(ofScalar: splice.position)
      let to = texts[number].place(ofScalar: splice.position + splice.inserted, from: from)
      texts[number].replace(from: from, to: to, with: splice.deleted)
    }
    splices = []
    var log = objects.log
    objects = .empty
    logEnd.cut(&log)
    texts.removeLast(texts.count - log.containers.count)
    do throws(HistoryError) {
      // The work was done once, so it need not be limited.
      objects = try Objects(of: log, workLimit: .max)
    } catch {
      preconditionFailure("a log that was replayed can be replayed again: \(error.reason)")
    }
  }
}
