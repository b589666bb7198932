import Peernote

/// Makes random calls of an editor that fit the content it shows.
struct EditorStepMaker {
  let root: OracleNode

  /// A call on a random container.
  func step(_ random: inout SplitMix64) -> EditorStep {
    let (path, node) = random.pick(containers(root, []))
    if path.count < 3, random.chance(15) { return replaceContent(node, path, &random) }
    switch node {
    case .map(let entries):
      return mapStep(entries.keys.sorted().map(\.string), path, &random)
    case .list(let elements):
      return listStep(elements.count, path, &random)
    case .text(let scalars):
      return textStep(scalars, path, &random)
    case .set(let values):
      let present = values.sorted { describe($0) < describe($1) }
      if !present.isEmpty, random.chance(40) {
        return .discard(random.pick(present), fromSetAt: path)
      }
      return .add(RandomContent.value(&random), toSetAt: path)
    case .counter:
      return .increment(random.pick([1, -1, 5, .max]), at: path)
    case .value:
      fatalError("a value is no container")
    }
  }

  private func replaceContent(
    _ node: OracleNode, _ path: [String], _ random: inout SplitMix64
  ) -> EditorStep {
    let changed = RandomNodes.changed(node.node, &random)
    if path.isEmpty {
      guard case .map = changed else {
        return .replaceContent(at: path, with: RandomNodes.map(depth: 2, &random))
      }
    }
    return .replaceContent(at: path, with: changed)
  }

  private func containers(_ node: OracleNode, _ path: [String]) -> [([String], OracleNode)] {
    switch node {
    case .value:
      []
    case .map(let entries):
      [(path, node)]
        + entries.sorted { $0.key < $1.key }.flatMap { containers($1, path + [$0.string]) }
    case .list(let elements):
      [(path, node)] + elements.enumerated().flatMap { containers($1, path + ["\($0)"]) }
    case .text, .set, .counter:
      [(path, node)]
    }
  }

  private func mapStep(
    _ keys: [String], _ path: [String], _ random: inout SplitMix64
  ) -> EditorStep {
    if !keys.isEmpty, random.chance(15) { return .remove(at: path + [random.pick(keys)]) }
    let key = random.pick(RandomContent.keys)
    if path.count < 3, random.chance(50) {
      return .putContainer(random.pick(ContainerKind.allCases), at: path + [key])
    }
    return .put(RandomContent.value(&random), at: path + [key])
  }

  private func listStep(
    _ count: Int, _ path: [String], _ random: inout SplitMix64
  ) -> EditorStep {
    let choice = random.weighted(count == 0 ? [1] : [4, 2, 3, 2])
    guard choice > 0 else {
      let empty: [DocumentNode] = [.map([]), .list([]), .text(""), .set([]), .counter(0)]
      let node: DocumentNode =
        path.count < 3 && random.chance(30)
        ? random.pick(empty) : .value(RandomContent.value(&random))
      let place = random.chance(20) ? "-" : "\(random.within(0...count))"
      return .insert(node, at: path + [place])
    }
    let element = path + ["\(random.below(count))"]
    switch choice {
    case 1: return .put(RandomContent.value(&random), at: element)
    case 2: return .move(from: element, to: path + ["\(random.below(count))"])
    default: return .remove(at: element)
    }
  }

  private func textStep(
    _ scalars: [Unicode.Scalar], _ path: [String], _ random: inout SplitMix64
  ) -> EditorStep {
    let start = random.within(0...scalars.count)
    let end = min(scalars.count, start + random.below(5))
    let words = ["one", "two ", "three\n", "\n", "e\u{301}", "\u{301}", "\u{1F469}\u{200D}", "日本"]
    let new = (0..<random.below(4)).map { _ in random.pick(words) }.joined()
    if random.chance(50) { return .spliceText(at: path, scalars: start..<end, with: new) }
    var replaced = scalars
    replaced.replaceSubrange(start..<end, with: new.unicodeScalars)
    if random.chance(30) {
      let other = random.within(0...replaced.count)
      replaced.insert(contentsOf: random.pick(words).unicodeScalars, at: other)
    }
    return .replaceText(at: path, with: String(String.UnicodeScalarView(replaced)))
  }
}
