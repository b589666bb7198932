import Foundation

/// Times of the parts of some work, run after run.
struct Samples {
  private var durations: [(name: String, samples: [Duration])] = []

  /// Notes how long a part took.
  mutating func add(_ name: String, _ duration: Duration) {
    if let index = durations.firstIndex(where: { $0.name == name }) {
      durations[index].samples.append(duration)
    } else {
      durations.append((name, [duration]))
    }
  }

  /// Notes the times of another run.
  mutating func add(_ other: Samples) {
    for part in other.durations {
      for duration in part.samples { add(part.name, duration) }
    }
  }

  /// Times a part.
  mutating func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try body()
    add(name, ContinuousClock.now - start)
    return result
  }

  /// The median of each part in milliseconds, in the order in which they were first noted.
  var medians: [(name: String, milliseconds: Double)] {
    durations.map { part in
      let median = part.samples.sorted()[part.samples.count / 2]
      let (seconds, attoseconds) = median.components
      return (part.name, Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
    }
  }

  /// The same by name.
  var byName: [String: Double] {
    Dictionary(uniqueKeysWithValues: medians.map { ($0.name, $0.milliseconds) })
  }

  /// The medians as text.
  var description: String {
    medians.map { String(format: "%@ %.3f", $0.name, $0.milliseconds) }.joined(separator: ", ")
      + " ms"
  }
}
