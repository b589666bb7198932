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
      var start = origin + Int32(random.below(3))
      for _ in 0..<random.below(30) {
        // Near each other and far apart, so that intervals hold many ranges, one or none.
        start = start + Int32(random.within(1...(random.below(8) == 0 ? 5000 : 6)))
        let end = start + Int32(random.within(1...4))
        ranges.append(start..<end)
        start = end
      }
    }
    let index = RangeIndex(ranges)
    let edges = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    let greatest = LocalVersion(rawValue: .max - 8)
    let names = edges + [.firstPlaceholder, .beforeAll, .first, greatest]
    for name in names {
      for distance in -2...1 as ClosedRange<Int32> {
        let start = LocalVersion(rawValue: name.rawValue &+ distance)
        if start > greatest { continue }
        for length in 1...5 as ClosedRange<Int32> {
          let range = start..<start + length
          #expect(index.meets(range) == ranges.contains { $0.overlaps(range) }, "\(range)")
        }
      }
    }
  }
}
