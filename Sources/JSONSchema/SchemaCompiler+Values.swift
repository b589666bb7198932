import PeernoteJSON

// Keywords about types, counts, numbers and strings.

extension SchemaCompiler {
  func types(_ part: Int) throws(Schema.Fault) -> [SchemaType] {
    let names: [JSON] = if case .array(let names) = value(part) { names } else { [value(part)] }
    var types: [SchemaType] = []
    for name in names {
      guard case .string(let text) = name, let type = SchemaType(rawValue: text) else {
        let known = SchemaType.allCases.map(\.rawValue).joined(separator: ", ")
        throw index.fault(part, "a type is one of \(known)")
      }
      types.append(type)
    }
    return types
  }

  func count(_ part: Int) throws(Schema.Fault) -> Int {
    guard case .integer(let count) = value(part), count >= 0 else {
      throw index.fault(part, "a count is expected here")
    }
    return Int(clamping: count)
  }

  /// How many parts of a kind a value has at least, or at most.
  func size(_ part: Int, _ countable: Countable, isLeast: Bool) throws(Schema.Fault) -> Rule {
    let limit = try count(part)
    return Rule { check, value in
      guard let count = check.count(countable, in: value) else { return }
      if isLeast ? count < limit : count > limit {
        check.add("must have at \(isLeast ? "least" : "most") \(limit) \(countable.rawValue)")
      }
    }
  }

  func bound(
    _ keyword: Keyword, _ part: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule? {
    let isLower = keyword == .minimum || keyword == .exclusiveMinimum
    var isExclusive = keyword == .exclusiveMinimum || keyword == .exclusiveMaximum
    if draft == .draft4 {
      // There these say how the other two are meant.
      if isExclusive {
        guard case .bool = value(part) else {
          throw index.fault(part, "true or false is expected here")
        }
        return nil
      }
      let other = self[schema, isLower ? .exclusiveMinimum : .exclusiveMaximum]
      if let other, case .bool(true) = value(other) { isExclusive = true }
    }
    let limit = value(part)
    guard limit.isNumber else { throw index.fault(part, "a number is expected here") }
    let words =
      isLower ? (isExclusive ? "more than" : "at least") : (isExclusive ? "less than" : "at most")
    return Rule { [isExclusive] check, value in
      guard let order = value.compared(with: limit) else { return }
      let isMet = order == .equal ? !isExclusive : (order == .greater) == isLower
      if !isMet { check.add("must be \(words) \(limit.shortText)") }
    }
  }

  func multiple(_ part: Int) throws(Schema.Fault) -> Rule {
    let shown = value(part)
    guard let unit = Decimal(shown), unit.digits > 0, !shown.isNegative else {
      throw index.fault(part, "a number above zero is expected here")
    }
    return Rule { check, value in
      if let number = Decimal(value.plain), !number.isMultiple(of: unit) {
        check.add("must be a multiple of \(shown.shortText)")
      }
    }
  }

  mutating func pattern(_ part: Int) throws(Schema.Fault) -> Rule {
    guard case .string(let text) = value(part) else {
      throw index.fault(part, "a regular expression is expected here")
    }
    let pattern = try pattern(text, at: part)
    return Rule { check, value in
      if case .string(let string) = value.plain, !check.matches(string, pattern) {
        check.add("must match \(quoted(text))")
      }
    }
  }
}
