/// Reads a regular expression in the syntax of ECMA-262, part by part into instructions.
///
/// They say how far away a match goes on, so that those of a part can stand anywhere, and as often
/// as it is repeated.
struct PatternReader {
  private typealias Instruction = SchemaPattern.Instruction

  private var rest: ArraySlice<Unicode.Scalar>
  /// How many groups stand around what is read.
  private var depth = 0
  /// The sets that instructions name by their numbers.
  private(set) var sets: [ScalarSet] = []
  /// Whether there would be more instructions than there may be; then none are made.
  private var isTooLarge = false

  /// The most groups in groups.
  private static let depthLimit = 100

  init(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
  }

  /// Reads all of the expression.
  ///
  /// O(length + instructions).
  ///
  /// - Throws: ``SchemaPattern/Fault`` if it is none, needs what is not supported, or is too large.
  mutating func read() throws(SchemaPattern.Fault) -> [SchemaPattern.Instruction] {
    var instructions = try readAlternatives()
    // What ends a group where there is none.
    guard rest.isEmpty else { throw Self.malformed }
    append([.match], to: &instructions)
    guard !isTooLarge else {
      throw SchemaPattern.Fault(
        reason: "the regular expression has more than \(SchemaPattern.instructionLimit) parts, "
          + "counted as often as they are repeated")
    }
    return instructions
  }

  /// Appends further instructions to those of a part, unless they are too many.
  private mutating func append(_ more: [Instruction], to part: inout [Instruction]) {
    if part.count + more.count > SchemaPattern.instructionLimit { isTooLarge = true }
    if isTooLarge { part = [] } else { part += more }
  }

  private static let malformed = SchemaPattern.Fault(
    reason: "a regular expression is expected here")

  private static func unsupported(_ what: String) -> SchemaPattern.Fault {
    SchemaPattern.Fault(reason: "\(what) are not supported in regular expressions")
  }

  /// Takes some scalars if they come next.
  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  /// Takes the scalars that come next and are of some kind.
  private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return String(String.UnicodeScalarView(taken))
  }

  // MARK: Structure

  private mutating func readAlternatives() throws(SchemaPattern.Fault) -> [Instruction] {
    var part: [Instruction] = []
    var jumps: [Int] = []
    var alternative: [Instruction] = []
    while let next = rest.first, next != ")" {
      guard take("|") else {
        append(try readRepeated(), to: &alternative)
        continue
      }
      append([.split(alternative.count + 2)] + alternative + [.jump(0)], to: &part)
      jumps.append(part.count - 1)
      alternative = []
    }
    append(alternative, to: &part)
    for jump in jumps where !isTooLarge { part[jump] = .jump(part.count - jump) }
    return part
  }

  private mutating func readRepeated() throws(SchemaPattern.Fault) -> [Instruction] {
    let wasTooLarge = isTooLarge
    let part: [Instruction]
    switch rest.removeFirst() {
    case "^": return [.start]
    case "$": return [.end]
    case "(": part = try readGroup()
    case "[": part = scalar(of: try readClass())
    case ".": part = scalar(of: .anyOnLine)
    case "*", "+", "?": throw Self.malformed
    case "\\":
      if take("b") { return [.boundary(true)] }
      if take("B") { return [.boundary(false)] }
      if let next = rest.first, next == "k" || "1"..."9" ~= next {
        throw Self.unsupported("back references")
      }
      if let set = try readSet() {
        part = scalar(of: set)
      } else {
        part = scalar(of: ScalarSet(try readEscapedScalar()))
      }
    case let first: part = scalar(of: ScalarSet(first))
    }
    guard let (least, most) = try readCount() else { return part }
    // Whether as few as possible are taken makes no difference to whether there is a match.
    _ = take("?")
    if most == 0 { isTooLarge = wasTooLarge }
    return repeated(part, least: least, most: most)
  }

  private mutating func scalar(of set: ScalarSet) -> [Instruction] {
    sets.append(set)
    return [.scalar(sets.count - 1)]
  }

  /// A part as often as in a range; `nil` for without end.
  private mutating func repeated(
    _ part: [Instruction], least: Int, most: Int?
  ) -> [Instruction] {
    // However often nothing is repeated, it stays nothing.
    if part.isEmpty, least > 0 { return [] }
    var result: [Instruction] = []
    for _ in 0..<least where !isTooLarge { append(part, to: &result) }
    guard let most else {
      append([.split(part.count + 2)] + part + [.jump(-part.count - 1)], to: &result)
      return result
    }
    for left in (0..<most - least).reversed() where !isTooLarge {
      append([.split((left + 1) * (part.count + 1))] + part, to: &result)
    }
    return result
  }

  private mutating func readGroup() throws(SchemaPattern.Fault) -> [Instruction] {
    if take("?=") || take("?!") || take("?<=") || take("?<!") {
      throw Self.unsupported("looking ahead and behind")
    }
    if take("?<") {
      let name = take { $0 != ">" }
      guard !name.isEmpty, take(">") else { throw Self.malformed }
    } else if !take("?:"), rest.first == "?" {
      throw Self.malformed
    }
    depth += 1
    guard depth <= Self.depthLimit else { throw Self.unsupported("groups nested that deep") }
    let part = try readAlternatives()
    depth -= 1
    guard take(")") else { throw Self.malformed }
    return part
  }

  /// How often the part before may stand there; `nil` if nothing says so.
  private mutating func readCount() throws(SchemaPattern.Fault) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = rest
    if take("{"), let least = readNumber() {
      let most = take(",") ? readNumber() : least
      if take("}") {
        guard least <= most ?? least else { throw Self.malformed }
        return (least, most)
      }
    }
    // A brace that says no count stands for itself.
    rest = start
    return nil
  }

  /// A number; one that is larger than any program is as good as any such.
  private mutating func readNumber() -> Int? {
    let digits = take { "0"..."9" ~= $0 }
    return digits.isEmpty ? nil : min(Int(digits) ?? .max, SchemaPattern.instructionLimit + 1)
  }

  // MARK: Scalars

  /// Reads what stands after an opening bracket, up to the closing one.
  private mutating func readClass() throws(SchemaPattern.Fault) -> ScalarSet {
    let isNegated = take("^")
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var sets: [ScalarSet] = []
    while !take("]") {
      guard let first = try readClassItem(&sets) else { continue }
      guard rest.first == "-", rest.dropFirst().first != "]" else {
        ranges.append(first...first)
        continue
      }
      rest.removeFirst()
      if let last = try readClassItem(&sets) {
        guard first <= last else { throw Self.malformed }
        ranges.append(first...last)
      } else {
        // A hyphen before a set of its own stands for itself.
        ranges += [first...first, "-"..."-"]
      }
    }
    return ScalarSet(ranges: ranges, sets: sets, isNegated: isNegated)
  }

  /// Reads one scalar of a class; `nil` if it was a set of its own, which is added.
  private mutating func readClassItem(
    _ sets: inout [ScalarSet]
  ) throws(SchemaPattern.Fault) -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { throw Self.malformed }
    guard scalar == "\\" else { return scalar }
    if take("b") { return "\u{8}" }
    guard let set = try readSet() else { return try readEscapedScalar() }
    sets.append(set)
    return nil
  }

  /// Reads what stands after a backslash if it stands for a set.
  private mutating func readSet() throws(SchemaPattern.Fault) -> ScalarSet? {
    let start = rest
    switch rest.popFirst() {
    case "d": return .digit
    case "D": return ScalarSet.digit.negated
    case "w": return .word
    case "W": return ScalarSet.word.negated
    case "s": return .space
    case "S": return ScalarSet.space.negated
    case "p": return try readCategory()
    case "P": return try readCategory().negated
    case _:
      rest = start
      return nil
    }
  }

  /// Reads what stands after a backslash and is no set.
  private mutating func readEscapedScalar() throws(SchemaPattern.Fault) -> Unicode.Scalar {
    guard let letter = rest.popFirst() else { throw Self.malformed }
    switch letter {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "v": return "\u{B}"
    case "f": return "\u{C}"
    case "0": return "\0"
    case "x", "u":
      guard let scalar = Unicode.Scalar(try readNumber(after: letter)) else { throw Self.malformed }
      return scalar
    case "a"..."z", "A"..."Z", "1"..."9": throw Self.malformed
    case _: return letter
    }
  }

  private mutating func readCategory() throws(SchemaPattern.Fault) -> ScalarSet {
    guard take("{") else { throw Self.malformed }
    let name = take { $0 != "}" }
    guard take("}") else { throw Self.malformed }
    guard let categories = ScalarSet.categories[name] else {
      throw Self.unsupported("properties other than general categories")
    }
    return ScalarSet(categories: categories)
  }

  /// The number of a scalar that stands after `x` or `u`.
  private mutating func readNumber(
    after letter: Unicode.Scalar
  ) throws(SchemaPattern.Fault) -> UInt32 {
    if letter == "x" { return try readHexadecimal(digits: 2) }
    if take("{") {
      let value = try readHexadecimal(digits: rest.prefix { $0 != "}" }.count)
      guard take("}") else { throw Self.malformed }
      return value
    }
    let value = try readHexadecimal(digits: 4)
    // Two escapes can be the halves of one scalar, as in JSON.
    guard 0xD800..<0xDC00 ~= value, take("\\u") else { return value }
    let low = try readHexadecimal(digits: 4)
    guard 0xDC00..<0xE000 ~= low else { throw Self.malformed }
    return 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func readHexadecimal(digits count: Int) throws(SchemaPattern.Fault) -> UInt32 {
    let digits = rest.prefix(count)
    rest = rest.dropFirst(count)
    guard digits.count == count, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw Self.malformed }
    return value
  }
}
