import Peernote
import PeernoteTestSupport
import Testing

/// Definition 4 of "The Art of the Fugue" (arXiv 2305.00583), which by its Theorem 10 leaves no
/// order but that of FugueMax.
///
/// Checked over all items, deleted ones included, on the oracle.
@Suite struct OracleNonInterleavingTests {
  @Test(
    "the oracle's order of a text is maximally non-interleaving",
    arguments: [
      HistoryProfile.text, .crowdedText, .everything,
    ])
  func randomHistories(profile: HistoryProfile) {
    for seed: UInt64 in 1...150 {
      check(History(seed: seed, profile: profile).oracle, "seed \(seed)")
    }
  }

  @Test("the oracle's order is maximally non-interleaving in every small history")
  func smallHistories() {
    SmallHistories(agents: 3, changes: 4, start: "").forEach { check($0, "small") }
  }

  private func check(_ oracle: Oracle, _ context: String) {
    for container in oracle.containers(in: oracle.everything) {
      guard let tree = oracle.tree(of: container.id) else { continue }
      // What a run of moves does to one element is no interleaving, but the order of slots is
      // the same algorithm's.
      let items = Origins(tree, oracle)
      #expect(items.areBetweenTheirOrigins, "\(context)")
      #expect(items.areForwardNonInterleaving, "\(context)")
      #expect(items.areBackwardNonInterleaving, "\(context)")
      #expect(items.areOrderedByNameBetweenSameOrigins, "\(context)")
    }
  }
}

/// The items of a sequence by position from 1, with 0 for the start, and those they stood between.
private struct Origins {
  let ids: [EventID]
  let lefts: [Int]
  let rights: [Int]

  init(_ tree: FugueTree, _ oracle: Oracle) {
    let positions = Dictionary(
      uniqueKeysWithValues: tree.order.enumerated().map { ($1, $0 + 1) })
    let end = tree.order.count + 1
    ids = tree.order.map { oracle.events[$0].id }
    lefts = tree.order.map { tree.origins(of: $0).left.flatMap { positions[$0] } ?? 0 }
    rights = tree.order.map { tree.origins(of: $0).right.flatMap { positions[$0] } ?? end }
  }

  private var positions: Range<Int> { 1..<ids.count + 1 }
  private func left(_ position: Int) -> Int { lefts[position - 1] }
  private func right(_ position: Int) -> Int { rights[position - 1] }

  var areBetweenTheirOrigins: Bool {
    positions.allSatisfy { left($0) < $0 && $0 < right($0) }
  }

  /// Condition (1): the first item with A as its left origin follows A directly.
  var areForwardNonInterleaving: Bool {
    (0...ids.count).allSatisfy { a in
      positions.first { left($0) == a }.map { $0 == a + 1 } ?? true
    }
  }

  /// Condition (2): the last item with B as its right origin stands directly before B, unless
  /// forward non-interleaving forbids it (the paper's Lemma 5).
  var areBackwardNonInterleaving: Bool {
    positions.allSatisfy { b in
      guard let a = positions.last(where: { right($0) == b }), a + 1 != b else { return true }
      let stranger = (left(a) + 1..<b).contains { !descends($0, from: left(a)) }
      return left(a) != left(b) && stranger
    }
  }

  /// Condition (3): items between the same origins stand in the order of their names.
  var areOrderedByNameBetweenSameOrigins: Bool {
    positions.allSatisfy { a in
      positions.allSatisfy { b in
        a >= b || left(a) != left(b) || right(a) != right(b) || ids[a - 1] < ids[b - 1]
      }
    }
  }

  /// Whether following left origins leads from one item to another.
  private func descends(_ position: Int, from ancestor: Int) -> Bool {
    var position = position
    while position > ancestor { position = left(position) }
    return position == ancestor
  }
}
