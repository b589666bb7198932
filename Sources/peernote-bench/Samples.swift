import Foundation
import Peernote

/// What the parts of some work took, run after run, in the order in which they were first noted.
struct PartSamples<Sample> {
  private(set) var parts: [(name: String, samples: [Sample])] = []

  /// Notes what a part took.
  mutating func add(_ name: String, _ sample: Sample) {
    if let index = parts.firstIndex(where: { $0.name == name }) {
      parts[index].samples.append(sample)
    } else {
      parts.append((name, [sample]))
    }
  }
}

extension Array where Element: Comparable {
  /// The one in the middle; precondition: there is one.
  var median: Element { sorted()[count / 2] }
}

/// Times of the parts of some work.
typealias Samples = PartSamples<Duration>

extension PartSamples<Duration> {
  /// Times a part.
  mutating func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try body()
    add(name, ContinuousClock.now - start)
    return result
  }

  /// The median of each part in milliseconds.
  var medians: [(name: String, milliseconds: Double)] {
    parts.map { ($0.name, $0.samples.median / .milliseconds(1)) }
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

extension DocumentSession {
  /// A session whose changes are the same in every run.
  init(agent: UInt64, milliseconds: Int64 = 0) {
    self.init(
      agent: AgentID(rawValue: agent), author: "bench",
      time: Timestamp(milliseconds: milliseconds))
  }
}
