import Peernote

/// Checks a JSON value against a schema that was inspected.
struct SchemaCheck {
  let root: JSON
  private(set) var violations: [Schema.Violation] = []
  /// References followed since the last step into the value.
  private var references = 0
  private var patterns: [String: SchemaPattern] = [:]

  init(root: JSON) {
    self.root = root
  }

  /// The most references followed without a step into the value: a chain that is longer leads in
  /// a circle.
  private static let referenceLimit = 64

  /// Adds what is wrong with a value.
  mutating func check(_ value: JSON, _ schema: JSON, at path: JSONPointer) {
    guard case .object(let members) = schema else {
      if case .bool(false) = schema { add(path, "nothing may stand here") }
      return
    }
    for member in members {
      guard let keyword = Schema.Keyword(rawValue: member.name) else { continue }
      check(value, keyword, member.value, in: schema, at: path)
    }
  }

  private mutating func check(
    _ value: JSON, _ keyword: Schema.Keyword, _ argument: JSON, in schema: JSON,
    at path: JSONPointer
  ) {
    switch keyword {
    case .reference: follow(value, argument, at: path)
    case .type: checkType(value, argument, at: path)
    case .enum:
      if case .array(let allowed) = argument,
        !allowed.contains(where: { $0.identity == value.identity })
      {
        add(path, "must be one of \(allowed.map(\.shortText).joined(separator: ", "))")
      }
    case .const:
      if argument.identity != value.identity { add(path, "must be \(argument.shortText)") }
    case .properties, .patternProperties, .additionalProperties, .propertyNames, .required,
      .dependentRequired, .dependentSchemas, .minProperties, .maxProperties:
      if case .object(let members) = value {
        checkObject(members, value, keyword, argument, in: schema, at: path)
      }
    case .items, .prefixItems, .contains, .minItems, .maxItems, .uniqueItems:
      if case .array(let elements) = value {
        checkArray(elements, keyword, argument, in: schema, at: path)
      }
    case .minContains, .maxContains, .then, .else: break
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf:
      checkNumber(value, keyword, argument, at: path)
    case .minLength, .maxLength, .pattern:
      if case .string(let text) = value { checkString(text, keyword, argument, at: path) }
    case .allOf, .anyOf, .oneOf, .not, .if:
      checkCombination(value, keyword, argument, in: schema, at: path)
    }
  }

  mutating func add(_ path: JSONPointer, _ reason: String) {
    violations.append(Schema.Violation(path: path, reason: reason))
  }

  /// Whether a value is as a schema says.
  private mutating func isValid(_ value: JSON, _ schema: JSON, at path: JSONPointer) -> Bool {
    var check = self
    check.violations = []
    check.check(value, schema, at: path)
    return check.violations.isEmpty
  }

  /// Steps into a part of the value.
  mutating func descend(_ value: JSON, _ schema: JSON, at path: JSONPointer) {
    let outer = references
    references = 0
    check(value, schema, at: path)
    references = outer
  }

  private mutating func follow(_ value: JSON, _ argument: JSON, at path: JSONPointer) {
    guard case .string(let text) = argument, let place = JSONPointer(schemaReference: text),
      let target = root[place]
    else { return }
    guard references < Self.referenceLimit else {
      return add(path, "the schema refers to itself without end at \(text)")
    }
    references += 1
    check(value, target, at: path)
    references -= 1
  }

  // MARK: Any value

  private mutating func checkType(_ value: JSON, _ argument: JSON, at path: JSONPointer) {
    let names: [JSON] = if case .array(let names) = argument { names } else { [argument] }
    let types = names.compactMap { name -> SchemaType? in
      if case .string(let text) = name { SchemaType(rawValue: text) } else { nil }
    }
    if !types.contains(where: { $0.holds(value) }) {
      let wanted = types.map(\.rawValue).joined(separator: " or ")
      add(path, "must be of type \(wanted), not \(value.shortText)")
    }
  }

  private mutating func checkCombination(
    _ value: JSON, _ keyword: Schema.Keyword, _ argument: JSON, in schema: JSON,
    at path: JSONPointer
  ) {
    let schemas: [JSON] = if case .array(let schemas) = argument { schemas } else { [argument] }
    switch keyword {
    case .allOf:
      for schema in schemas { check(value, schema, at: path) }
    case .anyOf:
      if !schemas.contains(where: { isValid(value, $0, at: path) }) {
        add(path, "must be as at least one of \(schemas.count) schemas says")
      }
    case .oneOf:
      let count = schemas.count { isValid(value, $0, at: path) }
      if count != 1 {
        add(path, "must be as exactly one of \(schemas.count) schemas says, not \(count)")
      }
    case .not:
      if isValid(value, argument, at: path) { add(path, "must not be as it is") }
    case .if:
      let branch = isValid(value, argument, at: path) ? schema["then"] : schema["else"]
      if let branch { check(value, branch, at: path) }
    case .reference, .type, .enum, .const, .properties, .patternProperties,
      .additionalProperties, .propertyNames, .required, .dependentRequired, .dependentSchemas,
      .minProperties, .maxProperties, .items, .prefixItems, .contains, .minContains,
      .maxContains, .minItems, .maxItems, .uniqueItems, .minimum, .maximum, .exclusiveMinimum,
      .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern, .then, .else:
      preconditionFailure("these combine no schemas")
    }
  }

  // MARK: Numbers and strings

  private mutating func checkNumber(
    _ value: JSON, _ keyword: Schema.Keyword, _ argument: JSON, at path: JSONPointer
  ) {
    guard let number = value.number, let limit = argument.number else { return }
    let order = value.compared(with: argument)
    switch keyword {
    case .minimum where order == .less: add(path, "must be at least \(argument.shortText)")
    case .maximum where order == .greater: add(path, "must be at most \(argument.shortText)")
    case .exclusiveMinimum where order != .greater:
      add(path, "must be more than \(argument.shortText)")
    case .exclusiveMaximum where order != .less:
      add(path, "must be less than \(argument.shortText)")
    case .multipleOf:
      let isMultiple: Bool
      if case .integer(let number) = value.canonical, case .integer(let unit) = argument.canonical {
        isMultiple = number % unit == 0
      } else {
        // 0.3 is a multiple of 0.1, though not of the doubles nearest to these.
        let quotient = number / limit
        isMultiple = abs(quotient - quotient.rounded()) <= 2 * quotient.ulp
      }
      if !isMultiple { add(path, "must be a multiple of \(argument.shortText)") }
    case _: break
    }
  }

  private mutating func checkString(
    _ text: String, _ keyword: Schema.Keyword, _ argument: JSON, at path: JSONPointer
  ) {
    switch (keyword, argument.canonical) {
    case (.minLength, .integer(let count)):
      if text.unicodeScalars.count < count { add(path, "must have at least \(count) characters") }
    case (.maxLength, .integer(let count)):
      if text.unicodeScalars.count > count { add(path, "must have at most \(count) characters") }
    case (.pattern, .string(let pattern)):
      if !matches(text, pattern) { add(path, "must match \(quoted(pattern))") }
    case (_, _): break
    }
  }

  mutating func matches(_ text: String, _ pattern: String) -> Bool {
    if patterns[pattern] == nil { patterns[pattern] = SchemaPattern(pattern) }
    return patterns[pattern]?.matches(text) ?? false
  }

  // MARK: Arrays

  private mutating func checkArray(
    _ elements: [JSON], _ keyword: Schema.Keyword, _ argument: JSON, in schema: JSON,
    at path: JSONPointer
  ) {
    switch (keyword, argument.canonical) {
    case (.prefixItems, .array(let schemas)):
      for (index, pair) in zip(elements, schemas).enumerated() {
        descend(pair.0, pair.1, at: path.appending(String(index)))
      }
    case (.items, _):
      let first = if case .array(let prefix) = schema["prefixItems"] { prefix.count } else { 0 }
      for (index, element) in elements.enumerated().dropFirst(first) {
        descend(element, argument, at: path.appending(String(index)))
      }
    case (.contains, _):
      var count: Int64 = 0
      for (index, element) in elements.enumerated()
      where isValid(element, argument, at: path.appending(String(index))) {
        count += 1
      }
      var (least, most): (Int64, Int64) = (1, .max)
      if case .integer(let bound) = schema["minContains"]?.canonical { least = bound }
      if case .integer(let bound) = schema["maxContains"]?.canonical { most = bound }
      if count < least { add(path, "must hold at least \(least) elements that fit, not \(count)") }
      if count > most { add(path, "must hold at most \(most) elements that fit, not \(count)") }
    case (.minItems, .integer(let count)):
      if elements.count < count { add(path, "must have at least \(count) elements") }
    case (.maxItems, .integer(let count)):
      if elements.count > count { add(path, "must have at most \(count) elements") }
    case (.uniqueItems, .bool(true)):
      var seen: Set<[UInt8]> = []
      for (index, element) in elements.enumerated() where !seen.insert(element.identity).inserted {
        add(path.appending(String(index)), "must not stand twice in the array")
      }
    case (_, _): break
    }
  }
}

extension JSON {
  enum Order {
    case less, equal, greater
  }

  /// How two numbers compare, integers exactly; `nil` if one is no number.
  func compared(with other: JSON) -> Order? {
    if case .integer(let left) = canonical, case .integer(let right) = other.canonical {
      return left < right ? .less : left > right ? .greater : .equal
    }
    guard let left = number, let right = other.number else { return nil }
    return left < right ? .less : left > right ? .greater : left == right ? .equal : nil
  }

  /// The value on a line, cut.
  var shortText: String {
    let text = visibleText(String(decoding: encoded(), as: UTF8.self))
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
