import PeernoteEngine

/// What an element of a list is made of, to tell how like two elements are.
///
/// A feature is a value, or a word of a text, together with the keys that lead to it; the index in a
/// list inside the element is part of it only in a row, as that of a matrix is. Values weigh
/// the same, and texts more, however long they are: one that is written anew makes no other element.
/// Of a short text the pairs of neighbouring letters count as well, so that a word is like the same
/// word misspelt. In scripts without spaces each letter is a word.
///
/// Hashes stand for the features: they are seeded anew in every process, and only whether two are
/// equal matters.
struct ElementFeatures {
  /// Values and texts of one element that are looked at, and words of one text.
  private static let limit = 256
  /// The longest text, in scalars, whose pairs of letters count.
  private static let shortText = 24
  private static let valueWeight: Int64 = 1
  private static let textWeight: Int64 = 3

  /// A value, or the words of a text, and what they weigh together.
  private(set) var parts: [(features: [Int], weight: Int64)] = []
  /// Whether there is a text in it, or a string.
  private(set) var hasText = false
  let isMap: Bool
  private var count = 0

  /// The features of what an element holds, with what counts as equal made equal.
  init(of node: DocumentNode) {
    if case .map = node { isMap = true } else { isMap = false }
    if case .list(let nodes) = node {
      for (index, node) in nodes.enumerated() {
        // Never the hash of what stands under a key.
        if case .value(.string) = node { add(node, 0) } else { add(node, Self.hash(0, ~index)) }
      }
    } else {
      add(node, 0)
    }
  }

  private mutating func add(_ node: DocumentNode, _ path: Int) {
    if count >= Self.limit { return }
    switch node.form {
    case .value(.string(let text)): add(text, path)
    case .value(let value): add([Self.hash(path, value)], Self.valueWeight)
    case .list(let nodes): nodes.forEach { add($0, Self.hash(path, 1)) }
    case .map(let entries):
      for entry in entries { add(entry.node, Self.hash(path, Value.string(entry.key))) }
    }
  }

  private mutating func add(_ text: String, _ path: Int) {
    hasText = true
    var found = Self.words(of: text).prefix(Self.limit).map { Self.hash(path, $0) }
    if found.isEmpty { found = [Self.hash(path, text)] }
    add(found, Self.textWeight)
  }

  private mutating func add(_ features: [Int], _ weight: Int64) {
    parts.append((features, weight))
    count += features.count
  }

  private static func words(of text: String) -> [[Unicode.Scalar]] {
    let scalars = text.unicodeScalars
    var words: [[Unicode.Scalar]] = []
    var word: [Unicode.Scalar] = []
    func end() {
      if word.isEmpty { return }
      words.append(word)
      let edge: Unicode.Scalar = " "
      if scalars.count <= shortText {
        words += zip([edge] + word, word + [edge]).map { [edge, $0, $1] }
      }
      word = []
    }
    for scalar in scalars where words.count < limit {
      if scalar.properties.generalCategory == .otherLetter {
        end()
        words.append([scalar])
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.append(scalar)
      } else {
        end()
      }
    }
    end()
    return words
  }

  private static func hash(_ path: Int, _ thing: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(thing)
    return hasher.finalize()
  }
}

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
