import Foundation
import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Files and texts changed at random, a fixed number of them.
///
/// `PEERNOTE_FUZZ_RUNS` is the number of runs, `PEERNOTE_FUZZ_SECONDS` a time instead,
/// `PEERNOTE_FUZZ_SEED` the seed of the first run. With `PEERNOTE_TRACE` each seed is printed
/// before it is tried, which tells the one that traps.
@Suite struct FuzzTests {
  @Test("files with their parts changed at random are refused, or read as what they say")
  func mutatedParts() throws {
    let samples = try Samples.all.dropFirst().map {
      (goods: [$0.document], file: try ForgedFile($0.document.bytes()))
    }
    let bases = FuzzBase.all.map { (goods: $0.goods, file: $0.file) }
    let all = samples + bases
    fuzz("parts", runs: 3_000) { random in
      let (goods, file) = random.pick(all)
      var mutation = Mutation(file, others: all.map(\.file), random: random)
      let bytes = mutation.file().bytes
      return (Probe.faults(bytes, goods: goods), "\(mutation.steps)")
    }
  }

  @Test(
    "bytes and texts changed at random are refused, or read as what they say",
    arguments: FuzzTarget.allCases)
  func mutatedBytes(target: FuzzTarget) {
    let seeds = target.seeds
    // Merging many copies, and repairing some, takes far longer than reading one.
    let runs: UInt64 =
      switch target {
      case .cbor, .file, .log, .delta, .markdown, .json, .pattern, .schema, .decisions, .marker,
        .names:
        1_000
      case .automerge, .imports: 400
      case .passages: 200
      case .merge: 100
      case .repair: 60
      }
    fuzz(target.rawValue, runs: runs) { random in
      var mutation = ByteMutation(seeds, words: target.words, random: random)
      let bytes = mutation.bytes()
      let shown =
        bytes.count > 200 ? "" : ": \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      return (target.faults(bytes), "\(bytes.count) bytes\(shown)")
    }
  }

  @Test("what was read wrongly once is read right", arguments: FuzzTarget.allCases)
  func crashers(target: FuzzTarget) throws {
    let directory = Repository.path("Fixtures/crashers/\(target.rawValue)")
    let files = try? FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    for file in files ?? [] {
      let faults = target.faults(Array(try Data(contentsOf: file)))
      #expect(faults.isEmpty, "\(file.lastPathComponent): \(faults)")
    }
  }

  @Test("what the targets start from is sound", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) {
    #expect(!target.seeds.isEmpty)
    for seed in target.seeds { #expect(target.faults(seed).isEmpty) }
    if target == .log {
      for (seed, base) in zip(target.seeds, FuzzBase.all) {
        #expect(LogFrame(seed).file.bytes == base.file.bytes)
      }
    }
  }

  /// Makes many runs, each with a seed of its own.
  private func fuzz(
    _ name: String, runs: UInt64,
    _ run: (inout SplitMix64) -> (faults: [String], description: String)
  ) {
    let first = TestSetting.number("FUZZ_SEED") ?? 1
    let runs = TestSetting.number("FUZZ_RUNS") ?? runs
    let deadline = TestSetting.number("FUZZ_SECONDS").map {
      Date(timeIntervalSinceNow: Double($0))
    }
    var seed = first
    var failures = 0
    while deadline.map({ Date() < $0 }) ?? (seed - first < runs) {
      if TestSetting.isSet("TRACE") { print("fuzz \(name) seed \(seed)") }
      var random = SplitMix64(seed: seed)
      let (faults, description) = run(&random)
      if !faults.isEmpty {
        failures += 1
        if failures <= 10 {
          Issue.record("\(name), PEERNOTE_FUZZ_SEED=\(seed): \(faults) after \(description)")
        }
      }
      seed += 1
    }
    print("fuzz \(name): \(seed - first) runs, \(failures) failures")
  }
}
