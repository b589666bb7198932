/// What an element of a list is made of, to tell how like two elements are.
///
/// A feature is a word, a number or another value together with the keys that lead to it; the index
/// in a list inside the element is no part of it. Features weigh what they tell: a long word more
/// than a short one, and that more than a truth value. Of a short string the pairs of neighbouring
/// letters count as well, so that a word is like the same word misspelt. In scripts without spaces
/// each letter is a word.
///
/// Hashes stand for the features: they are seeded anew in every process, and only whether two are
/// equal matters.
struct ElementFeatures {
  /// Features of one element that are looked at.
  private static let limit = 256
  /// The longest string, in scalars, whose pairs of letters count.
  private static let shortString = 24

  /// How often each feature occurs, up to ``limit`` in all.
  private(set) var weights: [Int: Int32] = [:]
  /// Whether there is anything that tells elements apart by itself: a word, or an identifier.
  private(set) var hasWords = false
  private var count = 0

  /// The features of what an element holds.
  init(of node: Node) {
    add(node, below: 0)
  }

  private mutating func add(_ node: Node, below path: Int) {
    guard count < Self.limit else { return }
    switch node {
    case .value(let value): add(value, below: path)
    case .text(let text): add(text, below: path)
    case .counter(let count): add(.integer(count), below: path)
    case .set(let members): members.forEach { add($0, below: path) }
    case .list(let nodes): nodes.forEach { add($0, below: Self.hash(path, 1)) }
    case .map(let entries):
      for entry in entries { add(entry.node, below: Self.hash(path, Value.string(entry.key))) }
    }
  }

  private mutating func add(_ value: Value, below path: Int) {
    let weight: Int32
    switch value {
    case .string(let text): return add(text, below: path)
    case .null, .bool: weight = 1
    case .integer, .double: weight = 3
    case .timestamp: weight = 4
    case .bytes: weight = 8
    case .uuid: weight = 16
    }
    if weight > 4 { hasWords = true }
    add(Self.hash(path, value), weight)
  }

  private mutating func add(_ text: String, below path: Int) {
    let scalars = text.unicodeScalars
    let isShort = scalars.count <= Self.shortString
    var word: [Unicode.Scalar] = []
    for scalar in scalars {
      guard count < Self.limit else { return }
      if scalar.properties.generalCategory == .otherLetter {
        add(word, isShort, below: path)
        word = []
        hasWords = true
        add(Self.hash(path, scalar), 3)
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.append(scalar)
      } else {
        add(word, isShort, below: path)
        word = []
      }
    }
    add(word, isShort, below: path)
  }

  private mutating func add(_ word: [Unicode.Scalar], _ isShort: Bool, below path: Int) {
    if word.isEmpty { return }
    hasWords = true
    add(Self.hash(path, word), Int32(2 + min(word.count, 8)))
    guard isShort else { return }
    let edge: Unicode.Scalar = " "
    for (first, second) in zip([edge] + word, word + [edge]) {
      add(Self.hash(path, [edge, first, second]), 1)
    }
  }

  private mutating func add(_ feature: Int, _ weight: Int32) {
    weights[feature, default: 0] += weight
    count += 1
  }

  private static func hash(_ path: Int, _ thing: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(thing)
    return hasher.finalize()
  }
}

/// How like two elements of lists are, where what many elements of a list have in common counts
/// less.
struct ElementSimilarity {
  /// Elements of a list that are looked at to learn what is common.
  private static let sampleSize = 256
  /// What a feature that only one element has is multiplied with.
  private static let unit: Int32 = 64

  /// In how many of the sampled elements a feature occurs.
  private var occurrences: [Int: Int32] = [:]

  /// Learns from a list.
  init(sampling count: Int, _ features: (Int) -> ElementFeatures) {
    let step = max(1, count / Self.sampleSize)
    for index in stride(from: 0, to: count, by: step) {
      for feature in features(index).weights.keys { occurrences[feature, default: 0] += 1 }
    }
  }

  /// What a feature tells that weighs so much.
  func weight(_ feature: Int, _ weight: Int32) -> Int {
    Int(weight) * Int(Self.unit) / Int(max(1, occurrences[feature] ?? 1))
  }

  /// What all features of an element tell.
  func total(_ element: ElementFeatures) -> Int {
    element.weights.reduce(0) { $0 + weight($1.key, $1.value) }
  }

  /// What the features of an element tell at least that is found again in a larger one.
  private static let leastTotal = 3 * Int(unit)
  /// How like a larger element is to one that it has all of, at least.
  private static let containing = 400

  /// The share of two elements' features that both have, in thousandths; more if one has all of the
  /// other, which says enough: much may be added to an element.
  func similarity(_ first: ElementFeatures, _ second: ElementFeatures) -> Int {
    let totals = (total(first), total(second))
    let all = totals.0 + totals.1
    if all == 0 { return 0 }
    let (small, large) =
      first.weights.count <= second.weights.count ? (first, second) : (second, first)
    let common = small.weights.reduce(0) { sum, entry in
      guard let other = large.weights[entry.key] else { return sum }
      return sum + weight(entry.key, min(entry.value, other))
    }
    let least = min(totals.0, totals.1)
    let isContained = common == least && least >= Self.leastTotal && small.hasWords
    return max(2000 * common / all, isContained ? Self.containing : 0)
  }
}
