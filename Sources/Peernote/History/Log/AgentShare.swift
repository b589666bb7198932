/// How much of what a limit counts one agent made.
package struct AgentShare: Hashable, Sendable {
  /// Its last change.
  package var lastChange: ChangeID
  /// How many events, changes or parents.
  package var count: Int

  /// The agent that made more of what a limit counts than all others together.
  ///
  /// O(chains). What stands in several logs counts in the one where there is most. `nil` if there
  /// is no such agent, or the limit is not on events, changes or parents.
  package static func filling(_ limit: HistoryError.Reason, of logs: [Log]) -> AgentShare? {
    logs.compactMap { filling(limit, of: $0) }.max { $0.count < $1.count }
  }

  private static func filling(_ limit: HistoryError.Reason, of log: Log) -> AgentShare? {
    var shares = [(count: Int, changes: Int)](repeating: (0, 0), count: log.agents.count)
    var all = 0
    for chain in log.graph.chains {
      let count: Int
      if limit == .tooManyEvents {
        count = chain.events.count
      } else if limit == .tooManyChanges {
        count = chain.changes.count
      } else if limit == .tooManyParents {
        count = Int(chain.parentCount)
      } else {
        return nil
      }
      all += count
      shares[chain.agent].count += count
      shares[chain.agent].changes += chain.changes.count
    }
    guard let most = shares.indices.max(by: { shares[$0].count < shares[$1].count }),
      shares[most].count > all / 2
    else { return nil }
    return AgentShare(
      lastChange: ChangeID(agent: log.agents[most], sequence: shares[most].changes),
      count: shares[most].count)
  }
}
