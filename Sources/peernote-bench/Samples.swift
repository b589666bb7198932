import ArgumentParser
import Foundation

/// What the parts of some work took, run after run, in the order in which they were first noted.
struct Samples: CustomStringConvertible {
  /// What a part took once.
  struct Sample {
    /// From its start to its end.
    var seconds: Double
    /// Of the processor, in user and system mode together; noted of programs only.
    var processor = 0.0
    /// The most memory, in bytes; noted of programs only.
    var peak = 0.0
  }

  private var parts: [(name: String, samples: [Sample])] = []

  /// Notes what a part took.
  mutating func add(_ name: String, _ sample: Sample) {
    if let index = parts.firstIndex(where: { $0.name == name }) {
      parts[index].samples.append(sample)
    } else {
      parts.append((name, [sample]))
    }
  }

  /// Notes how long a part has taken that began some time ago.
  mutating func add(_ name: String, since start: ContinuousClock.Instant) {
    add(name, Sample(seconds: (ContinuousClock.now - start) / .seconds(1)))
  }

  /// Times a part.
  mutating func measure<Result>(
    _ name: String = "", _ body: () throws -> Result
  ) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try body()
    add(name, since: start)
    return result
  }

  /// Runs a program to its end, by time(1), which says what it takes.
  mutating func run(_ name: String, _ words: [String], in room: URL) throws {
    let process = newProcess(["time", "-f", "%U %S %M", "-o", "figures"] + words, in: room)
    process.standardOutput = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    while process.isRunning { Thread.sleep(forTimeInterval: 0.002) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let figures = try String(contentsOf: room.appending(path: "figures"), encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == 3 else {
      throw ValidationError("\(words.joined(separator: " ")) failed")
    }
    add(
      name, Sample(seconds: seconds, processor: figures[0] + figures[1], peak: figures[2] * 1024))
  }

  /// The median of each figure of a part, which must have been noted.
  subscript(name: String) -> Sample {
    let samples = parts.first { $0.name == name }?.samples ?? []
    func median(_ figure: KeyPath<Sample, Double>) -> Double {
      samples.map { $0[keyPath: figure] }.sorted()[samples.count / 2]
    }
    return Sample(
      seconds: median(\.seconds), processor: median(\.processor), peak: median(\.peak))
  }

  /// The median times of the parts in milliseconds.
  var milliseconds: [(name: String, time: Double)] {
    parts.map { ($0.name, self[$0.name].seconds * 1e3) }
  }

  /// The same by the names.
  var byName: [String: Double] {
    Dictionary(uniqueKeysWithValues: milliseconds.map { ($0.name, $0.time) })
  }

  /// The median times as text.
  var description: String {
    milliseconds.map { String(format: "%@ %.3f", $0.name, $0.time) }.joined(separator: ", ")
      + " ms"
  }

  /// A table of what programs took, and how many times as much that is as others took.
  func table(_ pairs: KeyValuePairs<String, String>) -> String {
    func texts(_ figures: [Double]) -> [String] { figures.map { String(format: "%.2f", $0) } }
    let rows = pairs.map { name, other in
      let (one, two) = (self[name], self[other])
      return [name] + texts([one.seconds, one.processor, one.peak / 1e6]) + [other]
        + texts([
          one.seconds / two.seconds, one.processor / two.processor, one.peak / two.peak,
        ])
    }
    return markdownTable(
      [["", "time, s", "CPU time, s", "memory, MB", "beside", "time", "CPU time", "memory"]] + rows)
  }
}

/// Rows as a table in Markdown; the first is its head.
func markdownTable(_ rows: [[String]]) -> String {
  let lines = rows.map { "| \($0.joined(separator: " | ")) |\n" }
  let line = "|" + String(repeating: "---|", count: rows.first?.count ?? 0) + "\n"
  return (lines.prefix(1) + [line] + lines.dropFirst()).joined()
}
