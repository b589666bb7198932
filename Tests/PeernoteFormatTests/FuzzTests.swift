import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Random changes to the parts of files, with the checksum made right.
///
/// `PEERNOTE_FUZZ_RUNS` is the number of runs, `PEERNOTE_FUZZ_SECONDS` a time instead,
/// `PEERNOTE_FUZZ_SEED` the seed of the first run. With `PEERNOTE_TRACE` each seed is printed
/// before it is tried, which tells the one that traps.
@Suite struct FuzzTests {
  @Test("files with their parts changed at random are refused, or read as what they say")
  func mutatedParts() throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["PEERNOTE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    let seconds = environment["PEERNOTE_FUZZ_SECONDS"].flatMap { Double($0) }
    let runs = environment["PEERNOTE_FUZZ_RUNS"].flatMap { UInt64($0) } ?? 20_000
    let samples = try Samples.all.dropFirst().map {
      (good: $0.document, file: try ForgedFile($0.document.encoded()))
    }
    let deadline = seconds.map { Date(timeIntervalSinceNow: $0) }
    var seed = first
    var opened = 0
    var failures = 0
    while deadline.map({ Date() < $0 }) ?? (seed - first < runs) {
      if environment["PEERNOTE_TRACE"] != nil { print("fuzz seed \(seed)") }
      var random = SplitMix64(seed: seed)
      let sample = random.pick(samples)
      var mutation = Mutation(sample.file, others: samples.map(\.file), random: random)
      let bytes = mutation.file().bytes
      let faults = Probe.faults(bytes, good: sample.good)
      if (try? DocumentReader(bytes: bytes)) != nil { opened += 1 }
      if !faults.isEmpty {
        failures += 1
        if failures <= 10 {
          Issue.record("PEERNOTE_FUZZ_SEED=\(seed): \(faults) after \(mutation.steps)")
        }
      }
      seed += 1
    }
    print("fuzz: \(seed - first) runs, \(opened) with a readable view, \(failures) failures")
  }
}
