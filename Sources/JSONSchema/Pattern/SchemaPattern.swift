/// A regular expression of a schema, which may match anywhere in a string.
///
/// The syntax is that of ECMA-262, over Unicode scalars, as JSON Schema asks for; look-around and
/// back references are refused, for which no matcher has bounds. All ways through the expression
/// are followed at once (Thompson, "Regular Expression Search Algorithm", CACM 11:6, 1968), so a
/// match takes O(n m) steps for n scalars and m instructions, whatever the expression is: the
/// standard library's `Regex` tries one way after the other, which can take exponential time.
package struct SchemaPattern: Sendable {
  /// Why a text is no expression that can be used.
  package struct Fault: Error, Hashable, Sendable {
    package var reason: String
  }

  /// One step of a way through the expression, which goes on with the next one unless it says how
  /// many further on.
  enum Instruction {
    /// Goes on behind a scalar of a set.
    case scalar(ScalarSet)
    case jump(Int)
    /// Goes on in both places.
    case split(Int)
    case start, end
    /// Goes on between a letter of a word and something else, or where that is not so.
    case boundary(Bool)
    case match
  }

  /// The most instructions, so that counts of counts don't multiply out.
  static let instructionLimit = 10_000

  private let instructions: [Instruction]

  /// Reads an expression: O(length + instructions); throws if it is none, or too large.
  package init(_ text: String) throws(Fault) {
    instructions = try PatternReader(text).instructions
  }

  /// How many parts it has, counted as often as they are repeated.
  var size: Int { instructions.count }

  /// The most steps that a match takes for each scalar of a text, and for its end.
  package var stepsPerScalar: Int {
    instructions.reduce(0) { steps, instruction in
      if case .scalar(let set) = instruction { steps + 1 + set.count } else { steps + 1 }
    }
  }

  /// Whether the expression matches somewhere in a text, `false` if nobody knows: then what is left of
  /// the steps that it may take is negative.
  package func matches(_ text: String, steps: inout Int) -> Bool {
    /// Where a way goes on behind the scalar before.
    var arrived: [Int] = []
    var ways: [Int] = []
    /// The last position in which each instruction was reached.
    var reached = [Int](repeating: -1, count: instructions.count)
    var previous: Unicode.Scalar?
    var scalars = text.unicodeScalars.makeIterator()
    var position = 0
    while true {
      let scalar = scalars.next()
      ways.append(0)
      ways += arrived
      arrived.removeAll(keepingCapacity: true)
      while let index = ways.popLast() {
        if reached[index] == position { continue }
        reached[index] = position
        steps -= 1
        if steps < 0 { return false }
        switch instructions[index] {
        case .match: return true
        case .jump(let distance): ways.append(index + distance)
        case .split(let distance):
          ways.append(index + distance)
          ways.append(index + 1)
        case .start: if previous == nil { ways.append(index + 1) }
        case .end: if scalar == nil { ways.append(index + 1) }
        case .boundary(let isWanted):
          let isBoundary = Self.isInWord(previous) != Self.isInWord(scalar)
          if isBoundary == isWanted { ways.append(index + 1) }
        case .scalar(let set):
          steps -= set.count
          if let scalar, set.contains(scalar) { arrived.append(index + 1) }
        }
      }
      if scalar == nil { return false }
      previous = scalar
      position += 1
    }
  }

  private static func isInWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ScalarSet.word.contains($0) } ?? false
  }
}

/// Some Unicode scalars.
final class ScalarSet: Sendable {
  private let ranges: [ClosedRange<Unicode.Scalar>]
  private let categories: Set<Unicode.GeneralCategory>
  private let sets: [ScalarSet]
  /// Whether it is what is in none of these.
  private let isNegated: Bool
  /// What it takes to look for a scalar.
  let count: Int

  init(
    ranges: [ClosedRange<Unicode.Scalar>] = [], categories: Set<Unicode.GeneralCategory> = [],
    sets: [ScalarSet] = [], isNegated: Bool = false
  ) {
    (self.ranges, self.categories, self.sets) = (ranges, categories, sets)
    self.isNegated = isNegated
    count = sets.reduce(1 + ranges.count + (categories.isEmpty ? 0 : 1)) { $0 + $1.count }
  }

  /// One scalar.
  convenience init(_ scalar: Unicode.Scalar) { self.init(ranges: [scalar...scalar]) }

  /// The digits of ASCII.
  static let digit = ScalarSet(ranges: ["0"..."9"])
  /// The letters and digits of ASCII, and the low line.
  static let word = ScalarSet(ranges: ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"])
  /// White space and ends of lines, as ECMA-262 has them.
  static let space = ScalarSet(ranges: [
    "\t"..."\r", " "..." ", "\u{A0}"..."\u{A0}", "\u{1680}"..."\u{1680}",
    "\u{2000}"..."\u{200A}", "\u{2028}"..."\u{2029}", "\u{202F}"..."\u{202F}",
    "\u{205F}"..."\u{205F}", "\u{3000}"..."\u{3000}", "\u{FEFF}"..."\u{FEFF}",
  ])
  /// All but ends of lines.
  static let anyOnLine = ScalarSet(
    ranges: ["\n"..."\n", "\r"..."\r", "\u{2028}"..."\u{2029}"], isNegated: true)

  /// All that is not in this set.
  var negated: ScalarSet {
    ScalarSet(ranges: ranges, categories: categories, sets: sets, isNegated: !isNegated)
  }

  /// Whether it holds a scalar: O(count).
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIn =
      ranges.contains { $0.contains(scalar) }
      || !categories.isEmpty && categories.contains(scalar.properties.generalCategory)
      || sets.contains { $0.contains(scalar) }
    return isIn != isNegated
  }

  /// The general categories by their short names, and groups of them by both of theirs.
  static let categories: [String: Set<Unicode.GeneralCategory>] = {
    let groups = [
      "L": "Letter", "M": "Mark", "N": "Number", "P": "Punctuation", "S": "Symbol",
      "Z": "Separator", "C": "Other",
    ]
    // The first letter is the name of the group.
    let categories: KeyValuePairs<String, Unicode.GeneralCategory> = [
      "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter,
      "Lm": .modifierLetter, "Lo": .otherLetter, "Mn": .nonspacingMark,
      "Mc": .spacingMark, "Me": .enclosingMark, "Nd": .decimalNumber,
      "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
      "Pd": .dashPunctuation, "Ps": .openPunctuation, "Pe": .closePunctuation,
      "Pi": .initialPunctuation, "Pf": .finalPunctuation, "Po": .otherPunctuation,
      "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol,
      "So": .otherSymbol, "Zs": .spaceSeparator, "Zl": .lineSeparator,
      "Zp": .paragraphSeparator, "Cc": .control, "Cf": .format, "Cs": .surrogate,
      "Co": .privateUse, "Cn": .unassigned,
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
