import ArgumentParser
import Foundation

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the parts of a merge of two files, in memory.",
    discussion: "Example: peernote-bench merge a.peernote b.peernote --runs 50")

  @Argument(help: "The file merged into.", completion: .file())
  var ours: String

  @Argument(help: "The file merged from.", completion: .file())
  var theirs: String

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 21

  @Flag(help: "Empties the processor's caches between runs, as other work would.")
  var cold = false

  func run() throws {
    let ours = [UInt8](try Data(contentsOf: URL(filePath: ours)))
    let theirs = [UInt8](try Data(contentsOf: URL(filePath: theirs)))
    var samples = Samples()
    var size = 0
    var other = [UInt64](repeating: 1, count: cold ? 1 << 23 : 0)
    for _ in 0..<runs {
      for index in other.indices { other[index] &+= UInt64(index) }
      let start = ContinuousClock.now
      size = try samples.measureMerge(ours, theirs)
      samples.add("total", ContinuousClock.now - start)
    }
    withExtendedLifetime(other) {}
    print("\(samples.description); \(ours.count) + \(theirs.count) -> \(size) bytes")
  }
}
