/// Where a log ends, so that what is appended afterwards can be taken off again.
///
/// Authors, messages, times and event counts don't belong to it: they are appended last, when a
/// change is certain.
struct LogEnd: Sendable {
  /// How much there is in each table.
  private let counts: LogPrefix
  /// The last chain, which may yet be lengthened.
  private let lastChain: Chain?
  private let heads: Heads
  /// The last operation, which may yet be joined to.
  private let lastOperation: Operation?
  private let deletedText: TextPlace
  private let fileSize: Int

  /// O(heads).
  init(of log: borrowing Log) {
    counts = LogPrefix(all: log)
    lastChain = log.graph.chains.last
    heads = log.graph.openHeads
    lastOperation = log.operations.last
    deletedText = log.deletedText.text.end
    fileSize = log.fileSize
  }

  /// One past the last event.
  var events: LocalVersion { counts.events }

  /// Takes off what was appended to a log since it ended here.
  ///
  /// O(what was appended).
  func cut(_ log: inout Log) {
    log.fileSize = fileSize
    log.deletedText.removeLast(after: deletedText, count: counts.deletedScalars)
    log.insertedScalarCount = counts.insertedScalars
    log.deletedScalarCount = counts.deletedScalars
    log.keys.removeLast(log.keys.count - counts.keys)
    log.agents.removeLast(log.agents.count - counts.agents)
    log.containers.removeLast(log.containers.count - counts.containers)
    log.contents.removeLast(log.contents.count - counts.contents)
    log.objectOperations.removeLast(log.objectOperations.count - counts.objectOperations)
    log.operations.cut(to: counts.operations, last: lastOperation)
    log.graph.cut(to: counts, last: lastChain, heads: heads)
  }
}
