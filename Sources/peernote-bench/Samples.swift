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

  /// Notes what was taken in another run.
  mutating func add(_ other: Self) {
    for part in other.parts {
      for sample in part.samples { add(part.name, sample) }
    }
  }
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

  /// Times the parts of a merge of two files in memory.
  ///
  /// - Returns: how many bytes the result takes.
  mutating func measureMerge(_ ours: [UInt8], _ theirs: [UInt8]) throws -> Int {
    var left = try measure("read ours") { try Document(bytes: ours) }
    let right = try measure("read theirs") { try Document(bytes: theirs, beside: left) }
    let report = try measure("merge") { try left.merge(right) }
    return withExtendedLifetime(report) { measure("encode") { left.bytes().count } }
  }

  /// The median of each part in milliseconds.
  var medians: [(name: String, milliseconds: Double)] {
    parts.map { ($0.name, $0.samples.sorted()[$0.samples.count / 2] / .milliseconds(1)) }
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
