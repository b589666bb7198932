import Peernote

/// Checks a JSON value against a schema that was inspected.
struct SchemaCheck {
  let root: JSON
  private(set) var violations: [Schema.Violation] = []
  /// References followed since the last step into the value.
  private var references = 0
  /// The expressions and the places of the schema that were looked up; `nil` for what is none.
  private var patterns: [String: SchemaPattern?] = [:]
  private var targets: [String: JSON?] = [:]
  /// How many more steps the check may take; negative when they did not suffice.
  private(set) var stepsLeft: Int

  init(root: JSON, stepLimit: Int) {
    self.root = root
    stepsLeft = stepLimit
  }

  /// What a keyword takes, besides what is looked at one by one, and what a violation takes.
  private static let keywordSteps = 16
  private static let violationSteps = 256

  /// The most references followed without a step into the value: a chain that is longer leads in
  /// a circle.
  private static let referenceLimit = 64

  /// Adds what is wrong with a value.
  mutating func check(_ value: JSON, _ schema: JSON, at path: JSONPointer) {
    spend(Self.keywordSteps)
    guard case .object(let members) = schema else {
      if case .bool(false) = schema { add(path, "nothing may stand here") }
      return
    }
    for member in members where stepsLeft >= 0 {
      spend(Self.keywordSteps)
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
      if case .array(let allowed) = argument, !isOne(of: allowed, value) {
        add(path, "must be one of \(allowed.map(\.shortText).joined(separator: ", "))")
      }
    case .const:
      if !isOne(of: [argument], value) { add(path, "must be \(argument.shortText)") }
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
    spend(Self.violationSteps)
    violations.append(Schema.Violation(path: path, reason: reason))
  }

  /// Takes account of some steps.
  mutating func spend(_ steps: Int) { stepsLeft -= steps }

  /// What an object has under a name; `nil` for another name or if this is no object.
  mutating func member(_ name: String, of object: JSON?) -> JSON? {
    guard case .object(let members)? = object else { return nil }
    spend(members.count)
    return object?[name]
  }

  /// Whether a value is as a schema says.
  private mutating func isValid(_ value: JSON, _ schema: JSON, at path: JSONPointer) -> Bool {
    let outer = violations
    violations = []
    check(value, schema, at: path)
    defer { violations = outer }
    return violations.isEmpty
  }

  private mutating func isOne(of allowed: [JSON], _ value: JSON) -> Bool {
    let wanted = value.identity
    spend(wanted.count)
    return allowed.contains { allowed in
      let identity = allowed.identity
      spend(identity.count)
      return identity == wanted
    }
  }

  /// Steps into a part of the value.
  mutating func descend(_ value: JSON, _ schema: JSON, at path: JSONPointer) {
    let outer = references
    references = 0
    check(value, schema, at: path)
    references = outer
  }

  private mutating func follow(_ value: JSON, _ argument: JSON, at path: JSONPointer) {
    guard case .string(let text) = argument, let target = target(text) else { return }
    guard references < Self.referenceLimit else {
      return add(path, "the schema refers to itself without end at \(text)")
    }
    references += 1
    check(value, target, at: path)
    references -= 1
  }

  /// What stands where a reference leads.
  private mutating func target(_ reference: String) -> JSON? {
    if let known = targets[reference] { return known }
    let place = JSONPointer(schemaReference: reference)
    let target = place.flatMap { place in
      place.tokens.reduce(JSON?(root)) { value, token in
        if case .array? = value { value?[JSONPointer([token])] } else { member(token, of: value) }
      }
    }
    targets[reference] = .some(target)
    return target
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
      for schema in schemas where stepsLeft >= 0 { check(value, schema, at: path) }
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
      let branch = member(isValid(value, argument, at: path) ? "then" : "else", of: schema)
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
      if case .integer(let number) = value.plainNumber,
        case .integer(let unit) = argument.plainNumber
      {
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
    switch (keyword, argument.plainNumber) {
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
    if patterns[pattern] == nil {
      patterns[pattern] = .some(try? SchemaPattern(pattern))
      spend(SchemaPattern.instructionLimit)
    }
    guard let pattern = patterns[pattern] ?? nil else { return false }
    return stepsLeft >= 0 && pattern.matches(text, steps: &stepsLeft)
  }

  // MARK: Arrays

  private mutating func checkArray(
    _ elements: [JSON], _ keyword: Schema.Keyword, _ argument: JSON, in schema: JSON,
    at path: JSONPointer
  ) {
    switch (keyword, argument.plainNumber) {
    case (.prefixItems, .array(let schemas)):
      for (index, pair) in zip(elements, schemas).enumerated() {
        descend(pair.0, pair.1, at: path.appending(String(index)))
      }
    case (.items, _):
      var first = 0
      if case .array(let prefix) = member("prefixItems", of: schema) { first = prefix.count }
      for (index, element) in elements.enumerated().dropFirst(first) where stepsLeft >= 0 {
        descend(element, argument, at: path.appending(String(index)))
      }
    case (.contains, _):
      var count: Int64 = 0
      for (index, element) in elements.enumerated()
      where isValid(element, argument, at: path.appending(String(index))) {
        count += 1
      }
      var (least, most): (Int64, Int64) = (1, .max)
      if case .integer(let bound) = member("minContains", of: schema)?.plainNumber {
        least = bound
      }
      if case .integer(let bound) = member("maxContains", of: schema)?.plainNumber {
        most = bound
      }
      if count < least { add(path, "must hold at least \(least) elements that fit, not \(count)") }
      if count > most { add(path, "must hold at most \(most) elements that fit, not \(count)") }
    case (.minItems, .integer(let count)):
      if elements.count < count { add(path, "must have at least \(count) elements") }
    case (.maxItems, .integer(let count)):
      if elements.count > count { add(path, "must have at most \(count) elements") }
    case (.uniqueItems, .bool(true)):
      var seen: Set<[UInt8]> = []
      for (index, element) in elements.enumerated() where stepsLeft >= 0 {
        let identity = element.identity
        spend(identity.count)
        if seen.insert(identity).inserted { continue }
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
    if case .integer(let left) = plainNumber, case .integer(let right) = other.plainNumber {
      return left < right ? .less : left > right ? .greater : .equal
    }
    guard let left = number, let right = other.number else { return nil }
    return left < right ? .less : left > right ? .greater : left == right ? .equal : nil
  }

  /// The value on a line, cut.
  var shortText: String {
    let text = String(decoding: encoded(), as: UTF8.self)
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
