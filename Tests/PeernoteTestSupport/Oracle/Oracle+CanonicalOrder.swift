package import Peernote

extension Oracle {
  /// The changes of a version in the order in which files hold them.
  ///
  /// A change continues the chain of its only parent if that is the previous change of the same
  /// agent. Chains stand in the order of the Lamport time of their first event, then by agent and
  /// sequence number.
  package func canonicalOrder(of version: OracleVersion) -> [Change] {
    let held = version.changes
    func continues(_ change: Int, _ chain: Int) -> Bool {
      let (parent, child) = (changes[chain].id, changes[change].id)
      return changes[change].parents == [parent] && parent.agent == child.agent
        && parent.sequence + 1 == child.sequence
    }
    let firsts = held.filter { change in !held.contains { continues(change, $0) } }
    let sorted = firsts.sorted { left, right in
      lamports[left] == lamports[right]
        ? changes[left].id < changes[right].id : lamports[left] < lamports[right]
    }
    var order: [Change] = []
    for first in sorted {
      var last: Int? = first
      while let change = last {
        order.append(changes[change])
        last = held.first { continues($0, change) }
      }
    }
    return order
  }
}
