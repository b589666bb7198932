import AutomergeFormat
import Foundation
import PeernoteTestSupport
import Testing

/// Agreement with the Automerge library, in both versions that PyPI has.
///
/// One after the other, since the first test makes the library's environment.
@Suite("Agreement with the Automerge library", .serialized) struct LibraryTests {
  /// How many random pairs: `PEERNOTE_AUTOMERGE_PAIRS`, from the seed in `PEERNOTE_SEED`.
  private static let pairs = (
    first: TestSetting.count("SEED") ?? 1, count: TestSetting.count("AUTOMERGE_PAIRS") ?? 60
  )

  @Test(
    "Random documents that were edited on two sides merge to the library's heads and content",
    arguments: AutomergeLibrary.Version.allCases)
  func randomPairs(version: AutomergeLibrary.Version) throws {
    guard let library = try AutomergeLibrary(version) else { return }
    let seeds = Self.pairs.first..<Self.pairs.first + Self.pairs.count
    print("automerge \(version.rawValue): seeds \(seeds); replay with PEERNOTE_SEED")
    try withTemporaryDirectory { directory in
      _ = try library.run([
        "random", directory.path(percentEncoded: false), String(seeds.lowerBound),
        String(seeds.count),
      ])
      var theirs: [URL] = []
      var ours: [URL] = []
      var lines: [[String]] = []
      for seed in seeds {
        let sides = try ["left", "right", "merged"].map { side in
          let bytes = Array(try Data(contentsOf: directory.appending(path: "\(seed).\(side)")))
          return AutomergeHistory.Source(bytes, bytes.indices)
        }
        let history = try AutomergeHistory([sides[0], sides[1]])
        let bytes = AutomergeState.encoded(history)
        let orders = [[sides[1], sides[0]], [sides[2]], [sides[0], sides[2], sides[1], sides[0]]]
        for other in orders {
          let same = AutomergeState.encoded(try AutomergeHistory(other)) == bytes
          #expect(same, "seed \(seed): another order gives other bytes")
        }
        let file = directory.appending(path: "\(seed).ours")
        try Data(bytes).write(to: file)
        ours.append(file)
        theirs.append(directory.appending(path: "\(seed).merged"))
        lines.append(AutomergeState(history).lines)
      }
      let described = try library.describe(theirs + ours)
      try #require(described.count == 2 * seeds.count)
      for (index, seed) in seeds.enumerated() {
        let (theirs, ours) = (described[index], described[index + seeds.count])
        #expect(ours == theirs, "seed \(seed): the library reads our file otherwise than its own")
        let plain = theirs.filter { !$0.contains(" mark ") }
        #expect(lines[index] == plain, "seed \(seed): we see other content")
      }
    }
  }

  @Test(
    "The library loads what we write of each sample, with the same heads and content",
    arguments: AutomergeLibrary.Version.allCases)
  func samples(version: AutomergeLibrary.Version) throws {
    guard let library = try AutomergeLibrary(version) else { return }
    let root = Samples.directory.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    try withTemporaryDirectory { directory in
      var files: [URL] = []
      var lines: [[String]] = []
      for name in names where name.hasSuffix(".meetingnotes") {
        guard let file = try? AutomergeFile(try Samples.bytes(name)),
          let history = try? AutomergeHistory(file.source)
        else { continue }
        let url = directory.appending(path: "\(files.count).automerge")
        try Data(AutomergeState.encoded(history)).write(to: url)
        files.append(url)
        lines.append(AutomergeState(history).lines)
      }
      #expect(files.count > 30)
      #expect(try library.describe(files) == lines)
    }
  }
}
