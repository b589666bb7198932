/// In files, an edit of a text stands as the distance from where its agent edited last.
extension Log {
  /// Where each agent's cursor stands after the first chains; 0 for those who have edited no text.
  ///
  /// O(chains), and O(1) where every agent has edited a text lately.
  package func cursors(after prefix: LogPrefix) -> [Int32] {
    var cursors = [Int32](repeating: 0, count: agents.count)
    var isKnown = [Bool](repeating: false, count: agents.count)
    var unknown = prefix.agents
    var end = ChainIndex(prefix.chains)
    while unknown > 0, end > .first {
      let index = end - 1
      let agent = graph.chains[index].agent
      if !isKnown[agent], let cursor = lastCursor(in: graph.chains[index].events) {
        cursors[agent] = cursor
        isKnown[agent] = true
        unknown -= 1
      }
      end = index
    }
    return cursors
  }

  /// Where the last text operation of a chain leaves the cursor; `nil` if there is none.
  private func lastCursor(in events: Range<LocalVersion>) -> Int32? {
    var index = operationIndex(endingAfter: events.upperBound - 1)
    while index >= 0, operations[index].end > events.lowerBound {
      let operation = operations[index]
      if operation.kind.editsText { return TextRow(operation).cursor }
      index -= 1
    }
    return nil
  }
}
