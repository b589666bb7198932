/// A part of a regular expression.
indirect enum PatternPart {
  case scalar(ScalarSet)
  case sequence([PatternPart])
  case alternatives([PatternPart])
  /// As often as in a range; `nil` for without end.
  case repeated(PatternPart, least: Int, most: Int?)
  case start, end
  case boundary(Bool)
}

/// The instructions that a regular expression comes to.
struct PatternProgram {
  private(set) var instructions: [SchemaPattern.Instruction] = []
  private(set) var sets: [ScalarSet] = []

  /// Appends one instruction.
  ///
  /// - Throws: ``SchemaPattern/Fault`` if there are too many.
  mutating func emit(_ instruction: SchemaPattern.Instruction) throws(SchemaPattern.Fault) {
    guard instructions.count < SchemaPattern.instructionLimit else {
      throw SchemaPattern.Fault(
        reason: "the regular expression has more than \(SchemaPattern.instructionLimit) parts, "
          + "counted as often as they are repeated")
    }
    instructions.append(instruction)
  }

  /// Appends a part of an expression.
  ///
  /// O(instructions).
  ///
  /// - Throws: ``SchemaPattern/Fault`` if there are too many.
  mutating func append(_ part: PatternPart) throws(SchemaPattern.Fault) {
    switch part {
    case .scalar(let set):
      sets.append(set)
      try emit(.scalar(sets.count - 1))
    case .sequence(let parts):
      for part in parts { try append(part) }
    case .alternatives(let parts):
      try appendAlternatives(parts)
    case .repeated(let part, let least, let most):
      try append(part, least: least, most: most)
    case .start: try emit(.start)
    case .end: try emit(.end)
    case .boundary(let isWanted): try emit(.boundary(isWanted))
    }
  }

  private mutating func appendAlternatives(
    _ parts: [PatternPart]
  ) throws(SchemaPattern.Fault) {
    var ends: [Int] = []
    for part in parts.dropLast() {
      let split = instructions.count
      try emit(.split(split + 1, 0))
      try append(part)
      ends.append(instructions.count)
      try emit(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    if let last = parts.last { try append(last) }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func append(
    _ part: PatternPart, least: Int, most: Int?
  ) throws(SchemaPattern.Fault) {
    for _ in 0..<least {
      let start = instructions.count
      try append(part)
      // However often nothing is repeated, it stays nothing.
      if instructions.count == start { return }
    }
    guard let most else {
      let split = instructions.count
      try emit(.split(split + 1, 0))
      try append(part)
      try emit(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(instructions.count)
      try emit(.split(instructions.count + 1, 0))
      try append(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}
