package import Peernote

/// Random content of documents, and random changes of it.
package enum RandomNodes {
  /// Content at most so deep.
  package static func node(depth: Int, _ random: inout SplitMix64) -> DocumentNode {
    switch depth == 0 ? random.below(4) : random.below(8) {
    case 0, 1: return .value(RandomContent.value(&random))
    case 2: return .text(text(&random))
    case 3: return random.chance(50) ? .counter(Int64(random.below(9)) - 4) : set(&random)
    case 4, 5: return map(depth: depth, &random)
    default:
      return .list((0..<random.below(6)).map { _ in node(depth: depth - 1, &random) })
    }
  }

  /// A map at most so deep.
  package static func map(depth: Int, _ random: inout SplitMix64) -> DocumentNode {
    var entries: [String: DocumentNode] = [:]
    for _ in 0..<random.below(4) {
      entries[random.pick(RandomContent.keys)] = node(depth: depth - 1, &random)
    }
    if random.chance(40) { entries["id"] = .value(.integer(Int64(random.below(6)))) }
    return map(entries)
  }

  /// Content that some edits lead to from other content.
  package static func changed(_ node: DocumentNode, _ random: inout SplitMix64) -> DocumentNode {
    if random.chance(5) { return self.node(depth: 2, &random) }
    switch node {
    case .value(let value):
      return random.chance(70) ? .value(value) : .value(RandomContent.value(&random))
    case .text(let text):
      let scalars = text.unicodeScalars
      let cut = scalars.index(scalars.startIndex, offsetBy: random.within(0...scalars.count))
      return .text(String(scalars[..<cut]) + self.text(&random) + String(scalars[cut...]))
    case .counter(let count):
      return .counter(count &+ Int64(random.below(3)))
    case .set(let members):
      var members = Set(members.filter { _ in random.chance(80) })
      if random.chance(30) { members.insert(RandomContent.value(&random)) }
      return .set(members: members)
    case .map(let entries):
      var changed: [String: DocumentNode] = [:]
      for entry in entries where random.chance(90) {
        changed[entry.key] =
          entry.key == "id" ? entry.node : self.changed(entry.node, &random)
      }
      return map(changed)
    case .list(let nodes):
      var changed = nodes.filter { _ in random.chance(85) }.map { self.changed($0, &random) }
      if !changed.isEmpty, random.chance(50) {
        let element = changed.remove(at: random.below(changed.count))
        changed.insert(element, at: random.within(0...changed.count))
      }
      if random.chance(30) { changed = random.shuffled(changed) }
      if random.chance(40) {
        changed.insert(self.node(depth: 1, &random), at: random.within(0...changed.count))
      }
      return .list(changed)
    }
  }

  private static func map(_ entries: [String: DocumentNode]) -> DocumentNode {
    .map(
      entries.map { DocumentNode.MapEntry(key: $0.key, node: $0.value) }.sorted { left, right in
        let (first, second) = (left.key.utf8, right.key.utf8)
        return first.count == second.count
          ? first.lexicographicallyPrecedes(second) : first.count < second.count
      })
  }

  private static func set(_ random: inout SplitMix64) -> DocumentNode {
    .set(members: Set((0..<random.below(4)).map { _ in RandomContent.value(&random) }))
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let words = ["one ", "two\n", "three", "", "e\u{301}", "日本"]
    return (0..<random.below(4)).map { _ in random.pick(words) }.joined()
  }
}
