/// How like two elements of lists are: the share of what the smaller one holds that the other one
/// holds, too, where what many elements of a list have in common counts less.
struct ElementSimilarity {
  /// Elements of a list that are looked at to learn what is common.
  private static let sampleSize = 256
  /// The rarity of what only one element has.
  private static let unit: Int64 = 1 << 20
  /// The least similarity of one element with itself edited, in thousandths.
  static let least = 500

  /// In how many of the sampled elements a feature occurs, in the list where it occurs more often.
  private var occurrences: [Int: Int] = [:]

  /// Learns from what the elements of two lists hold, those of the second after the others.
  ///
  /// O(f) for f features of the sampled elements.
  init(oldCount: Int, newCount: Int, _ content: (Int) -> DocumentNode) {
    let old = Self.occurrences(in: 0..<oldCount, content)
    let new = Self.occurrences(in: oldCount..<oldCount + newCount, content)
    occurrences = old.merging(new) { max($0, $1) }
  }

  private static func occurrences(
    in places: Range<Int>, _ content: (Int) -> DocumentNode
  ) -> [Int: Int] {
    var result: [Int: Int] = [:]
    let step = max(1, places.count / sampleSize)
    for place in stride(from: places.lowerBound, to: places.upperBound, by: step) {
      let found = Set(ElementFeatures(of: content(place)).parts.flatMap(\.features))
      for feature in found { result[feature, default: 0] += 1 }
    }
    return result
  }

  /// What each feature of an element tells: of a text the rarer words more, and all together as much
  /// as the rarest one.
  ///
  /// O(f) for f features.
  func weights(of element: ElementFeatures) -> [Int: Int64] {
    var result: [Int: Int64] = [:]
    for part in element.parts {
      let rarities = part.features.map { Self.unit / Int64(max(1, occurrences[$0] ?? 1)) }
      let whole = part.weight * (rarities.max() ?? 0)
      let total = rarities.reduce(0, +)
      for (feature, rarity) in zip(part.features, rarities) {
        result[feature, default: 0] += whole * rarity / max(1, total)
      }
    }
    return result
  }

  /// How like two elements are, in thousandths, by the weights of their features.
  static func share(_ first: [Int: Int64], _ second: [Int: Int64]) -> Int {
    let (small, large) = first.count <= second.count ? (first, second) : (second, first)
    let shared = small.reduce(0) { $0 + min($1.value, large[$1.key] ?? 0) }
    let total = min(first.values.reduce(0, +), second.values.reduce(0, +))
    return Int(1000 * shared / max(1, total))
  }
}
