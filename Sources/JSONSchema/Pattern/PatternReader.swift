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

  // MARK: Structure

  private mutating func readAlternatives() throws(SchemaPattern.Fault) -> [Instruction] {
    var part: [Instruction] = []
    var jumps: [Int] = []
    var alternative = try readSequence()
    while take("|") {
      append([.split(alternative.count + 2)] + alternative + [.jump(0)], to: &part)
      jumps.append(part.count - 1)
      alternative = try readSequence()
    }
    append(alternative, to: &part)
    for jump in jumps where !isTooLarge { part[jump] = .jump(part.count - jump) }
    return part
  }

  private mutating func readSequence() throws(SchemaPattern.Fault) -> [Instruction] {
    var part: [Instruction] = []
    while let next = rest.first, next != "|", next != ")" {
      append(try readRepeated(), to: &part)
    }
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
      part = scalar(of: try readEscape())
    case let scalar: part = self.scalar(of: ScalarSet(scalar))
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
    for _ in 0..<least { append(part, to: &result) }
    guard let most else {
      append([.split(part.count + 2)] + part + [.jump(-part.count - 1)], to: &result)
      return result
    }
    for left in (0..<most - least).reversed() {
      append([.split((left + 1) * (part.count + 1))] + part, to: &result)
    }
    return result
  }

  private mutating func readGroup() throws(SchemaPattern.Fault) -> [Instruction] {
    if take("?") {
      if take("=") || take("!") || take("<=") || take("<!") {
        throw Self.unsupported("looking ahead and behind")
      }
      if take("<") {
        guard let end = rest.firstIndex(of: ">"), end > rest.startIndex else {
          throw Self.malformed
        }
        rest = rest[(end + 1)...]
      } else if !take(":") {
        throw Self.malformed
      }
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
    guard take("{") else { return nil }
    if let least = readNumber() {
      if take("}") { return (least, least) }
      if take(",}") { return (least, nil) }
      if take(","), let most = readNumber(), take("}") {
        guard least <= most else { throw Self.malformed }
        return (least, most)
      }
    }
    // A brace that says no count stands for itself.
    rest = start
    return nil
  }

  /// A number; one that is larger than any program is as good as any such.
  private mutating func readNumber() -> Int? {
    var number: Int?
    while let digit = rest.first.flatMap({ Self.hexadecimalValue($0, below: 10) }) {
      rest.removeFirst()
      number = min((number ?? 0) * 10 + Int(digit), SchemaPattern.instructionLimit + 1)
    }
    return number
  }

  // MARK: Scalars

  /// Reads what stands after a backslash.
  private mutating func readEscape() throws(SchemaPattern.Fault) -> ScalarSet {
    guard let scalar = rest.popFirst() else { throw Self.malformed }
    switch scalar {
    case "d": return .digit
    case "D": return ScalarSet.digit.negated
    case "w": return .word
    case "W": return ScalarSet.word.negated
    case "s": return .space
    case "S": return ScalarSet.space.negated
    case "p": return try readCategory()
    case "P": return try readCategory().negated
    case "1"..."9", "k": throw Self.unsupported("back references")
    case _: return ScalarSet(try readEscapedScalar(scalar))
    }
  }

  private mutating func readCategory() throws(SchemaPattern.Fault) -> ScalarSet {
    guard take("{"), let end = rest.firstIndex(of: "}") else {
      throw Self.malformed
    }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: rest[..<end])
    rest = rest[(end + 1)...]
    guard let set = ScalarSet(category: String(name)) else {
      throw Self.unsupported("properties other than general categories")
    }
    return set
  }

  /// The scalar that an escape stands for, of which the first letter has been read.
  private mutating func readEscapedScalar(
    _ letter: Unicode.Scalar
  ) throws(SchemaPattern.Fault) -> Unicode.Scalar {
    switch letter {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "v": return "\u{B}"
    case "f": return "\u{C}"
    case "0": return "\0"
    case "x": return try readHexadecimal(digits: 2)
    case "u":
      guard take("{") else { return try readHexadecimal(digits: 4) }
      let count = rest.prefix { $0 != "}" }.count
      let scalar = try readHexadecimal(digits: count)
      guard take("}") else { throw Self.malformed }
      return scalar
    case "a"..."z", "A"..."Z", "1"..."9": throw Self.malformed
    case _: return letter
    }
  }

  private mutating func readHexadecimal(
    digits count: Int
  ) throws(SchemaPattern.Fault) -> Unicode.Scalar {
    guard count > 0, rest.count >= count else { throw Self.malformed }
    var value: UInt32 = 0
    for digit in rest.prefix(count) {
      guard let digit = Self.hexadecimalValue(digit, below: 16), value <= 0x10FFFF else {
        throw Self.malformed
      }
      value = value << 4 | digit
    }
    rest.removeFirst(count)
    // Two escapes can be the halves of one scalar, as in JSON.
    if 0xD800..<0xDC00 ~= value, count == 4, take("\\u") {
      let low = try readLowSurrogate()
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw Self.malformed }
    return scalar
  }

  private mutating func readLowSurrogate() throws(SchemaPattern.Fault) -> UInt32 {
    let digits = rest.prefix(4).compactMap { Self.hexadecimalValue($0, below: 16) }
    let value = digits.reduce(0) { $0 << 4 | $1 }
    guard digits.count == 4, 0xDC00..<0xE000 ~= value else { throw Self.malformed }
    rest.removeFirst(4)
    return value
  }

  private static func hexadecimalValue(_ scalar: Unicode.Scalar, below base: Int) -> UInt32? {
    guard scalar.isASCII, let value = Character(scalar).hexDigitValue, value < base else {
      return nil
    }
    return UInt32(value)
  }

  /// Reads what stands after an opening bracket, up to the closing one.
  private mutating func readClass() throws(SchemaPattern.Fault) -> ScalarSet {
    let isNegated = take("^")
    var set = ScalarSet()
    while !take("]") {
      guard let first = try readClassItem(&set) else { continue }
      guard rest.first == "-", rest.dropFirst().first != "]" else {
        set.insert(first...first)
        continue
      }
      rest.removeFirst()
      guard let last = try readClassItem(&set) else {
        // A hyphen before a set of its own stands for itself.
        set.insert(first...first)
        set.insert("-"..."-")
        continue
      }
      guard first <= last else { throw Self.malformed }
      set.insert(first...last)
    }
    return isNegated ? set.negated : set
  }

  /// Reads one scalar of a class; `nil` if it was a set of its own, which is added.
  private mutating func readClassItem(
    _ set: inout ScalarSet
  ) throws(SchemaPattern.Fault) -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { throw Self.malformed }
    guard scalar == "\\" else { return scalar }
    guard let letter = rest.first else { throw Self.malformed }
    switch letter {
    case "d", "D", "w", "W", "s", "S", "p", "P":
      set.insert(try readEscape())
      return nil
    case "b":
      rest.removeFirst()
      return "\u{8}"
    case _:
      rest.removeFirst()
      return try readEscapedScalar(letter)
    }
  }
}
