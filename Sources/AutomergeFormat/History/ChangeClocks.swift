/// Which changes were made upon which: for each change how many of each actor's changes came before
/// it, which are the first ones of each.
package struct ChangeClocks: Sendable {
  private let history: AutomergeHistory
  private let actorCount: Int
  /// By change, the counts for all actors.
  private var counts: [Int32]

  /// The most counts: 67,108,864, which is 256 MiB.
  static let limit = 1 << 26

  /// Goes through a history; O(changes · actors).
  ///
  /// - Throws: ``AutomergeError``: a limit, if that is too much.
  package init(_ history: AutomergeHistory) throws(AutomergeError) {
    self.history = history
    actorCount = history.actors.actors.count
    let links = history.parents.reduce(0) { $0 + $1.count }
    guard max(history.changes.count, links / 16) <= Self.limit / max(1, actorCount) else {
      throw AutomergeError(
        .limit, "too many changes by too many actors: \(history.changes.count), \(actorCount)")
    }
    counts = Array(repeating: 0, count: history.changes.count * actorCount)
    for number in history.order {
      let row = number * actorCount
      for parent in history.parents[number] {
        let other = Int(parent) * actorCount
        for actor in 0..<actorCount where counts[other + actor] > counts[row + actor] {
          counts[row + actor] = counts[other + actor]
        }
      }
      let change = history.changes[number]
      counts[row + Int(change.actor)] = Int32(change.sequence)
    }
  }

  /// Whether a change was made upon another one, or is it.
  package func isMade(_ change: Int, upon other: Int) -> Bool {
    let earlier = history.changes[other]
    return counts[change * actorCount + Int(earlier.actor)] >= Int32(earlier.sequence)
  }
}
