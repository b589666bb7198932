/// The deletions of a log by names that are the same in every log that holds them: the agent, and
/// how many scalars it had deleted before.
struct DeletionNames {
  /// Some deletions of each agent.
  typealias Names = [AgentID: RangeSet<Int>]

  /// Deletions of one agent that follow each other in the log, by the number of the first.
  private struct Run {
    var numbers: Range<Int32>
    var agent: AgentID
    var first: Int
  }

  private var runs: [Run] = []

  /// O(operations).
  init(of log: Log) {
    var counts = [Int](repeating: 0, count: log.agents.count)
    var chain = ChainIndex.first
    for operation in log.operations where operation.kind.deletesText {
      while log.graph.chains[chain].end <= operation.first { chain += 1 }
      let agent = log.graph.chains[chain].agent
      let numbers = operation.scalars
      runs.append(Run(numbers: numbers, agent: log.agents[agent], first: counts[agent]))
      counts[agent] += numbers.count
    }
  }

  /// The names of some deletions.
  ///
  /// O(runs + r log r) for r ranges.
  ///
  /// - Parameter numbers: their numbers in the log, ascending.
  /// - Returns: the names by agent.
  func names(of numbers: [Range<Int32>]) -> Names {
    var result: Names = [:]
    var rest = numbers[...]
    for run in runs {
      while let range = rest.first, range.lowerBound < run.numbers.upperBound {
        let part = range.clamped(to: run.numbers)
        let first = run.first + Int(part.lowerBound - run.numbers.lowerBound)
        result[run.agent, default: RangeSet()].insert(contentsOf: first..<first + part.count)
        guard range.upperBound <= run.numbers.upperBound else { break }
        rest.removeFirst()
      }
    }
    return result
  }
}
