import Peernote
import PeernoteTestSupport
import Testing

/// Many concurrent insertions at one place, which a walk searches instead of scanning them.
@Suite struct GapTests {
  @Test("insertions of many people at one place stand in the oracle's order", arguments: 1...12)
  func branches(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sides = random.within(2...4)
    var changes = [HostileFile.start]
    // What each side goes on from, and how long its text is.
    var heads = [[ChangeID]](repeating: [changes[0].id], count: sides)
    var lengths = [Int](repeating: 9, count: sides)
    for round in 0..<3 {
      for side in 0..<sides {
        let edits = Self.edits(random.within(10...60), length: &lengths[side], using: &random)
        let change = Change(UInt64(sides + 1 - side), round + 1, after: heads[side], edits)
        changes.append(change)
        heads[side] = [change.id]
      }
      if round == 1 {
        // One side sees what another one did.
        heads[0] += heads[1]
        let oracle = Oracle(changes: changes)
        lengths[0] = oracle.text(HostileFile.body, in: oracle.version(of: heads[0])).count
      }
    }
    try EngineCase(Oracle(changes: changes)).checkWalk()
  }

  /// Insertions at one place, each before or after the last one, and now and then a deletion there.
  private static func edits(
    _ count: Int, length: inout Int, using random: inout SplitMix64
  ) -> [Edit] {
    var place = 4
    var edits: [Edit] = []
    for _ in 0..<count {
      place = min(place, length)
      if length > 6, random.chance(10) {
        edits.append(
          .deleteText(
            from: HostileFile.body, at: min(place, length - 1), count: 1, backward: false,
            text: nil))
        length -= 1
        continue
      }
      let run = random.chance(80) ? 1 : random.within(2...4)
      edits.append(
        .insertText(
          into: HostileFile.body, at: place, text: String(repeating: "x", count: run)))
      length += run
      if random.chance(20) { place += run }
      if random.chance(10) { place = 4 }
    }
    return edits
  }

  @Test("patterns that are dear to walk end in the oracle's order", arguments: 100..<130)
  func patterns(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try EngineCase(Oracle(changes: HostileGraph(using: &random).changes(36))).checkWalk()
  }
}

extension EngineCase {
  fileprivate init(_ oracle: Oracle) throws { try self.init(oracle, at: oracle.everything) }
}
