/// Reads a regular expression in the syntax of ECMA-262, part by part into instructions, which say how
/// far away a match goes on: those of a part can stand anywhere, and as often as it is repeated.
struct PatternReader {
  private(set) var instructions: [SchemaPattern.Instruction] = []
  private var rest: ArraySlice<Unicode.Scalar>
  /// How many groups stand around what is read.
  private var depth = 0

  /// The most groups in groups.
  private static let depthLimit = 100

  /// Reads all of an expression; throws if it is none, needs what is not supported, or is too large.
  init(_ text: String) throws(SchemaPattern.Fault) {
    rest = Array(text.unicodeScalars)[...]
    try readAlternatives()
    // What ends a group where there is none.
    guard rest.isEmpty else { throw Self.malformed }
    append([.match])
    guard !isTooLarge else {
      throw SchemaPattern.Fault(
        reason: "the regular expression has more than \(SchemaPattern.instructionLimit) parts, "
          + "counted as often as they are repeated")
    }
  }

  /// Whether there are more instructions than there may be: then no more are made.
  private var isTooLarge: Bool { instructions.count > SchemaPattern.instructionLimit }

  private mutating func append(_ more: [SchemaPattern.Instruction]) {
    if !isTooLarge { instructions += more }
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

  private mutating func readAlternatives() throws(SchemaPattern.Fault) {
    var start = instructions.count
    var jumps: [Int] = []
    while let next = rest.first, next != ")" {
      guard take("|") else {
        try readRepeated()
        continue
      }
      instructions.insert(.split(instructions.count - start + 2), at: start)
      instructions.append(.jump(0))
      jumps.append(instructions.count - 1)
      start = instructions.count
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count - jump) }
  }

  private mutating func readRepeated() throws(SchemaPattern.Fault) {
    let start = instructions.count
    switch rest.removeFirst() {
    case "^": return append([.start])
    case "$": return append([.end])
    case "(": try readGroup()
    case "[": append([.scalar(try readClass())])
    case ".": append([.scalar(.anyOnLine)])
    case "*", "+", "?": throw Self.malformed
    case "\\":
      if take("b") { return append([.boundary(true)]) }
      if take("B") { return append([.boundary(false)]) }
      if let next = rest.first, next == "k" || "1"..."9" ~= next {
        throw Self.unsupported("back references")
      }
      if let set = try readSet() {
        append([.scalar(set)])
      } else {
        append([.scalar(ScalarSet(try readEscapedScalar()))])
      }
    case let scalar: append([.scalar(ScalarSet(scalar))])
    }
    guard let (least, most) = try readCount() else { return }
    // Whether as few as possible are taken makes no difference to whether there is a match.
    _ = take("?")
    repeatPart(from: start, least: least, most: most)
  }

  /// Has the last instructions as often as in a range; `nil` for without end.
  private mutating func repeatPart(from start: Int, least: Int, most: Int?) {
    let part = Array(instructions[start...])
    // However often nothing is repeated, it stays nothing.
    if part.isEmpty, least > 0 { return }
    instructions.removeLast(part.count)
    for _ in 0..<least where !isTooLarge { append(part) }
    guard let most else {
      return append([.split(part.count + 2)] + part + [.jump(-part.count - 1)])
    }
    for left in (0..<most - least).reversed() where !isTooLarge {
      append([.split((left + 1) * (part.count + 1))] + part)
    }
  }

  private mutating func readGroup() throws(SchemaPattern.Fault) {
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
    try readAlternatives()
    depth -= 1
    guard take(")") else { throw Self.malformed }
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
