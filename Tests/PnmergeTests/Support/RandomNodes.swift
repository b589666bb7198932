import PeernoteTestSupport
import Peernote

/// Contents of all types and shapes.
enum RandomNodes {
  /// The keys that a mapping of types to JSON must not stumble over.
  private static let keys = [
    "a", "b", "id", "", "$", "$$", "$text", "$$text", "$$$set", "$ref", "$counter", "$uuid",
    "a/b", "~", "0", "-", "é", "e\u{301}", "\u{0}", "title", "body",
  ]

  static func node(depth: Int = 3, using generator: inout SplitMix64) -> DocumentNode {
    switch generator.below(depth > 0 ? 10 : 6) {
    case 0: return .text(RandomNotes.text(using: &generator))
    case 1: return .counter(Int64(bitPattern: generator.next()) >> Int64(generator.below(60)))
    case 2:
      var members: Set<Value> = []
      for _ in 0..<generator.below(4) { members.insert(RandomNotes.value(using: &generator)) }
      return .set(members: members)
    case 3...5: return .value(RandomNotes.value(using: &generator))
    case 6...7:
      let count = generator.below(4)
      return .list((0..<count).map { _ in node(depth: depth - 1, using: &generator) })
    default: return map(depth: depth, using: &generator)
    }
  }

  static func map(depth: Int = 3, using generator: inout SplitMix64) -> DocumentNode {
    let count = generator.below(4)
    let keys = generator.shuffled(keys).prefix(count).sorted { left, right in
      left.utf8.count != right.utf8.count
        ? left.utf8.count < right.utf8.count : left.utf8.lexicographicallyPrecedes(right.utf8)
    }
    return .map(keys.map { .init(key: $0, node: node(depth: depth - 1, using: &generator)) })
  }
}
