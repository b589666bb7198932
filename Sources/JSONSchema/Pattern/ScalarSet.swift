/// Some Unicode scalars.
struct ScalarSet: Sendable {
  private enum Item {
    case range(ClosedRange<UInt32>)
    case category(Set<Unicode.GeneralCategory>)
    case set(ScalarSet)
  }

  private var items: [Item] = []
  /// Whether it is what is in no item.
  private var isNegated = false

  /// Nothing.
  init() {}

  /// One scalar.
  init(_ scalar: Unicode.Scalar) { items = [.range(scalar.value...scalar.value)] }

  /// Those of a general category, or of several that go by one name; `nil` for no known name.
  init?(category name: String) {
    guard let categories = Self.categories[name] else { return nil }
    items = [.category(categories)]
  }

  private init(_ ranges: [ClosedRange<UInt32>]) { items = ranges.map { .range($0) } }

  /// The digits of ASCII.
  static let digit = ScalarSet([0x30...0x39])
  /// The letters and digits of ASCII, and the low line.
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// White space and ends of lines, as ECMA-262 has them.
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// All but ends of lines.
  static let anyOnLine = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).negated

  /// All that is not in this set.
  var negated: ScalarSet {
    var result = self
    result.isNegated.toggle()
    return result
  }

  /// How many items there are, which is what it takes to look for a scalar.
  var count: Int {
    items.reduce(1) { count, item in
      if case .set(let set) = item { count + set.count } else { count + 1 }
    }
  }

  /// Adds scalars from one up to another.
  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
    items.append(.range(range.lowerBound.value...range.upperBound.value))
  }

  /// Adds the scalars of another set.
  mutating func insert(_ set: ScalarSet) { items.append(.set(set)) }

  /// Whether it holds a scalar.
  ///
  /// O(items).
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIn = items.contains { item in
      switch item {
      case .range(let range): range.contains(scalar.value)
      case .category(let categories): categories.contains(scalar.properties.generalCategory)
      case .set(let set): set.contains(scalar)
      }
    }
    return isIn != isNegated
  }

  /// The general categories by their short names, and groups of them by both of theirs.
  private static let categories: [String: Set<Unicode.GeneralCategory>] = {
    let groups = [
      "L": "Letter", "M": "Mark", "N": "Number", "P": "Punctuation", "S": "Symbol",
      "Z": "Separator", "C": "Other",
    ]
    // The first letter is the name of the group.
    let categories: [(String, Unicode.GeneralCategory)] = [
      ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
      ("Lm", .modifierLetter), ("Lo", .otherLetter), ("Mn", .nonspacingMark),
      ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
      ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
      ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation),
      ("Pi", .initialPunctuation), ("Pf", .finalPunctuation), ("Po", .otherPunctuation),
      ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
      ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
      ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate),
      ("Co", .privateUse), ("Cn", .unassigned),
    ]
    var result: [String: Set<Unicode.GeneralCategory>] = [:]
    for (name, category) in categories {
      let group = String(name.prefix(1))
      for name in [name, group, groups[group]].compactMap(\.self) {
        result[name, default: []].insert(category)
      }
    }
    return result
  }()
}
