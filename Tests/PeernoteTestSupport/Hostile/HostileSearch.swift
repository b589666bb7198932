package import Peernote

/// A search for histories that cost much to walk: changes a pattern a little, again and again, and
/// keeps what costs no less than before.
///
/// The same seed finds the same histories.
package struct HostileSearch {
  /// The dearest pattern so far, and its steps an event.
  package private(set) var best: (graph: HostileGraph, stepsPerEvent: Double)?
  private var random: SplitMix64
  private var current: (graph: HostileGraph, stepsPerEvent: Double)?
  /// Tries since the current pattern became dearer.
  private var staleTries = 0
  /// How many changes the histories that are compared have.
  private let size: Int
  /// After so many tries that lead nowhere the search starts from another pattern.
  private static let patience = 150

  package init(seed: UInt64, size: Int) {
    random = SplitMix64(seed: seed)
    self.size = size
  }

  /// Tries one more pattern.
  ///
  /// - Returns: whether it is dearer than all before.
  /// - Throws: ``HistoryError`` if its history contradicts itself, which would be a fault of the
  ///   search.
  package mutating func step() throws(HistoryError) -> Bool {
    let candidate: HostileGraph
    if let current, staleTries < Self.patience {
      candidate = current.graph.mutated(using: &random)
    } else {
      candidate = HostileGraph(using: &random)
      current = nil
      staleTries = 0
    }
    let cost = try stepsPerEvent(of: candidate)
    staleTries += 1
    if cost >= current?.stepsPerEvent ?? 0 {
      if cost > current?.stepsPerEvent ?? 0 { staleTries = 0 }
      current = (candidate, cost)
    }
    guard cost > best?.stepsPerEvent ?? 0 else { return false }
    best = (candidate, cost)
    return true
  }

  private func stepsPerEvent(of graph: HostileGraph) throws(HistoryError) -> Double {
    let log = try Log.make(from: graph.changes(size)).log
    let steps = try WalkCost.steps(of: log)
    return Double(steps) / Double(max(1, log.eventCount))
  }
}
