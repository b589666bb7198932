extension ChangeEditor {
  /// Traps unless the log with the edits so far, what it says and the texts agree with each other, and
  /// what was done to texts is noted.
  ///
  /// O(n log n + bytes); for tests.
  ///
  /// Precondition: the change is not finished.
  package func checkInvariants() {
    let log = objects.log
    objects.checkInvariants()
    log.graph.checkInvariants(agents: log.agents.count)
    log.contents.checkInvariants()
    log.operations.checkInvariants()
    precondition(log.operations.end == log.graph.end, "operations tile the events")
    precondition(log.eventCounts.end == logEnd.events, "the counts are those before the change")
    precondition(
      log.deletedText.count == log.deletedScalarCount, "the text of every deletion is there")
    precondition(texts.count == log.containers.count, "every container has a place for a text")
    for (container, text) in zip(log.containers, texts) {
      text.checkInvariants()
      precondition(container.kind == .text || text.utf8.isEmpty, "texts stand in texts")
    }
    checkChain()
    checkSplices()
  }

  /// Traps unless the edits are in a chain of the agent, and can name every key.
  private func checkChain() {
    let log = objects.log
    if isEmpty { return }
    guard let chain = log.graph.chains.last else { preconditionFailure("events are in a chain") }
    precondition(log.agents[chain.agent] == agent, "the change is the agent's")
    precondition(
      log.operations.first(of: firstOperation) == chain.start, "its chain begins with an operation")
    precondition(chain.start <= logEnd.events, "all edits are in one chain")
    for (number, key) in log.keys.enumerated() {
      precondition(objects.number(ofKey: key) == KeyIndex(number), "keys are found by name")
    }
  }

  /// Traps unless the splices lengthen each text by as much as the operations do.
  private func checkSplices() {
    var growth: [ContainerIndex: Int] = [:]
    for splice in splices {
      precondition(splice.position >= 0 && splice.inserted >= 0, "text is spliced in a place")
      growth[splice.container, default: 0] += splice.inserted - splice.deleted.scalarCount
    }
    for operation in objects.log.operations.reversed() {
      if operation.end <= logEnd.events { break }
      guard operation.kind.editsText else { continue }
      let count = Int(operation.end - max(operation.first, logEnd.events))
      growth[operation.container, default: 0] -= operation.kind.deletesText ? -count : count
    }
    precondition(growth.values.allSatisfy { $0 == 0 }, "every edit of a text is noted")
  }
}
