import ArgumentParser
import Foundation
import Peernote
import PeernoteEngine

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the parts of a merge of two files, in memory.",
    discussion: "Example: peernote-bench merge a.peernote b.peernote --runs 50")

  @Argument(help: "The file merged into.", completion: .file())
  var ours: String

  @Argument(help: "The file merged from.", completion: .file())
  var theirs: String

  @Option(help: "How often; medians are reported.")
  var runs = 21

  func validate() throws {
    guard runs > 0 else { throw ValidationError("--runs takes a number from 1 up") }
  }

  func run() throws {
    let ours = [UInt8](try Data(contentsOf: URL(filePath: ours)))
    let theirs = [UInt8](try Data(contentsOf: URL(filePath: theirs)))
    let clock = ContinuousClock()
    var samples: [String: [Duration]] = [:]
    var size = 0
    for _ in 0..<runs {
      let start = clock.now
      var left = try Document(bytes: ours)
      let leftRead = clock.now
      let right = try Document(bytes: theirs, beside: left)
      let rightRead = clock.now
      let report = try left.merge(right)
      let merged = clock.now
      size = left.encoded().count
      let end = clock.now
      withExtendedLifetime(report) {}
      for (name, duration) in [
        ("read", rightRead - start), ("read ours", leftRead - start),
        ("merge", merged - rightRead), ("encode", end - merged), ("total", end - start),
      ] {
        samples[name, default: []].append(duration)
      }
    }
    let parts = ["total", "read", "read ours", "merge", "encode"].map { name in
      let sorted = (samples[name] ?? []).sorted()
      return "\(name) \(sorted[sorted.count / 2].milliseconds)"
    }
    print("\(parts.joined(separator: ", ")) ms; \(ours.count) + \(theirs.count) -> \(size) bytes")
  }
}
