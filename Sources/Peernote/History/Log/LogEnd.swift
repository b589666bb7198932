/// Where a log ends, so that what is appended afterwards can be taken off again.
///
/// Authors, messages, times and event counts don't belong to it: they are appended last, when a
/// change is certain.
struct LogEnd: Sendable {
  /// One past the last event.
  let events: LocalVersion
  private let graph: GraphEnd
  private let operations: OperationList.End
  private let objectOperations: Int
  private let contents: Int
  private let containers: Int
  private let agents: Int
  private let keys: Int
  private let insertedScalars: Int32
  private let deletedScalars: Int32
  private let deletedText: TextPlace
  private let fileSize: Int

  /// O(heads).
  init(of log: borrowing Log) {
    events = log.graph.end
    graph = GraphEnd(of: log.graph)
    operations = log.operations.endState
    objectOperations = log.objectOperations.count
    contents = log.contents.count
    containers = log.containers.count
    agents = log.agents.count
    keys = log.keys.count
    insertedScalars = log.insertedScalarCount
    deletedScalars = log.deletedScalarCount
    deletedText = log.deletedText.text.end
    fileSize = log.fileSize
  }

  /// Takes off what was appended to a log since it ended here.
  ///
  /// O(what was appended).
  func cut(_ log: inout Log) {
    log.fileSize = fileSize
    log.deletedText.removeLast(after: deletedText, count: deletedScalars)
    log.insertedScalarCount = insertedScalars
    log.deletedScalarCount = deletedScalars
    log.keys.removeLast(log.keys.count - keys)
    log.agents.removeLast(log.agents.count - agents)
    log.containers.removeLast(log.containers.count - containers)
    log.contents.removeLast(log.contents.count - contents)
    log.objectOperations.removeLast(log.objectOperations.count - objectOperations)
    log.operations.cut(to: operations)
    log.graph.cut(to: graph)
  }
}
