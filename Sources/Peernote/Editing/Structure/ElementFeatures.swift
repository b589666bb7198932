/// What an element of a list is made of, to tell how like two elements are.
///
/// A feature is a word, a number or another value together with the keys that lead to it; the index
/// in a list inside the element is no part of it. Features weigh what they tell: a long word more
/// than a short one, and that more than a truth value. Of a short string the pairs of neighbouring
/// letters count as well, so that a word is like the same word misspelt. In scripts without spaces
/// each letter is a word. Of a row, as that of a matrix is, what stands at which index counts, too.
///
/// Hashes stand for the features: they are seeded anew in every process, and only whether two are
/// equal matters.
struct ElementFeatures {
  /// What kind of element it is.
  enum Form {
    case value, row, map
  }

  /// Features of one element that are looked at.
  private static let limit = 256
  /// The longest string, in scalars, whose pairs of letters count.
  private static let shortString = 24
  /// What a value in a row weighs more at its index.
  private static let placeWeight: Int32 = 2

  let shape: Form
  /// How often each feature occurs, up to ``limit`` in all.
  private(set) var weights: [Int: Int32] = [:]
  /// Whether there is anything that tells elements apart by itself: a word, or an identifier.
  private(set) var hasWords = false
  /// The features that are truth values or null.
  private(set) var flags: Set<Int> = []
  /// Of the integers and times right in the element, by a hash of where they stand, the features.
  private(set) var columns: [Int: Int] = [:]
  /// The members of a map, each by a hash of its key and what it holds, and whether that has words.
  private(set) var members: [Int: Bool] = [:]
  private var count = 0

  /// Whether it is a row with nothing but numbers, truth values and times.
  var isNumberRow: Bool { shape == .row && !hasWords }

  /// The features of what an element holds.
  init(of node: Node) {
    switch node {
    case .map(let entries):
      shape = .map
      for entry in entries {
        let path = Self.hash(0, Value.string(entry.key))
        let hadWords = hasWords
        hasWords = false
        add(entry.node, below: path)
        addColumn(entry.node, at: path)
        members[Self.hash(path, entry.node)] = hasWords
        if hadWords { hasWords = true }
      }
    case .list(let nodes):
      shape = .row
      for (index, node) in nodes.enumerated() where count < Self.limit {
        add(node, below: Self.hash(0, 1))
        addPlace(node, index)
      }
    case .value, .text, .counter, .set:
      shape = .value
      add(node, below: 0)
    }
  }

  /// Adds what stands at an index of a row.
  private mutating func addPlace(_ node: Node, _ index: Int) {
    guard case .value(let value) = node else { return }
    switch value {
    case .null, .bool, .integer, .double, .timestamp: break
    case .string, .bytes, .uuid: return
    }
    // Never the hash of what stands anywhere in a list.
    let path = Self.hash(0, ~index)
    weights[Self.hash(path, value), default: 0] += Self.placeWeight
    addColumn(node, at: path)
  }

  /// Notes an integer or a time that may tell the element apart from others.
  private mutating func addColumn(_ node: Node, at path: Int) {
    guard columns.count < Self.limit, case .value(let value) = node else { return }
    switch value {
    case .integer, .timestamp: columns[path] = Self.hash(path, value)
    case .null, .bool, .double, .string, .bytes, .uuid: return
    }
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
    let feature = Self.hash(path, value)
    if weight == 1 { flags.insert(feature) }
    add(feature, weight)
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
