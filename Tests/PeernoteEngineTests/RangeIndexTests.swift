import Peernote
import PeernoteTestSupport
import Testing

/// Ranges by name, against looking at each of them.
@Suite struct RangeIndexTests {
  @Test("a range is met exactly if one of the ranges overlaps with it", arguments: 1...200)
  func againstAll(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ranges: [Range<LocalVersion>] = []
    for origin in [LocalVersion.firstPlaceholder, LocalVersion(random.below(1000))] {
      var start = origin + LocalVersion(random.below(3))
      for _ in 0..<random.below(30) {
        // Near each other and far apart, so that intervals hold many ranges, one or none.
        start += LocalVersion(random.within(1...(random.below(8) == 0 ? 5000 : 6)))
        let end = start + LocalVersion(random.within(1...4))
        ranges.append(start..<end)
        start = end
      }
    }
    let index = RangeIndex(ranges)
    let edges = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    let names = edges + [.firstPlaceholder, -1, 0, .max - 8]
    for name in names {
      for start in [name &- 2, name &- 1, name, name + 1]
      where start < 0 || start <= .max - 8 {
        for length in 1...5 as ClosedRange<LocalVersion> {
          let range = start..<start + length
          #expect(index.meets(range) == ranges.contains { $0.overlaps(range) }, "\(range)")
        }
      }
    }
  }
}
