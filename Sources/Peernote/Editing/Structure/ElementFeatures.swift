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
