import Peernote

/// Checks a JSON value against a schema that was inspected.
struct SchemaCheck {
  let root: JSON
  private(set) var violations: [Schema.Violation] = []
  /// References followed since the last step into the value.
  private var references = 0
  /// How many schemas stand inside each other where the check is, references followed.
  private var depth = 0
  private(set) var isTooDeep = false
  private var patterns = PatternCache()
  /// The places of the schema that were looked up; `nil` for what is none.
  private var targets: [String: JSON?] = [:]
  /// How many more steps the check may take; negative when they did not suffice.
  private(set) var stepsLeft: Int

  init(root: JSON, stepLimit: Int) {
    self.root = root
    stepsLeft = stepLimit
  }

  /// What a keyword takes, besides what is looked at one by one, and what a violation takes.
  private static let keywordSteps = 16
  private static let violationSteps = 1024

  /// The most references followed without a step into the value: a chain that is longer leads in
  /// a circle.
  private static let referenceLimit = 64

  /// The most schemas inside each other, for each of which there is a call on the stack.
  static let depthLimit = 1000

  /// Adds what is wrong with a value.
  mutating func check(_ value: JSON, _ schema: JSON, at path: JSONPointer) {
    spend(Self.keywordSteps)
    guard depth < Self.depthLimit else {
      isTooDeep = true
      return stop()
    }
    depth += 1
    defer { depth -= 1 }
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
      if case .array(let allowed) = argument { checkEnum(value, allowed, at: path) }
    case .const:
      if !areEqual(value, argument) { add(path, "must be \(argument.shortText)") }
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

  /// Ends the check, as when no steps are left.
  private mutating func stop() { stepsLeft = min(stepsLeft, -1) }

  /// What an object has under a name; `nil` for another name, if this is no object, or if nobody
  /// knows since no steps are left.
  mutating func member(_ name: String, of object: JSON?) -> JSON? {
    guard case .object(let members)? = object else { return nil }
    spend(members.count)
    if stepsLeft < 0 { return nil }
    return object?[name]
  }

  /// Whether a value is as a schema says.
  mutating func isValid(_ value: JSON, _ schema: JSON, at path: JSONPointer) -> Bool {
    let outer = violations
    violations = []
    check(value, schema, at: path)
    defer { violations = outer }
    return violations.isEmpty
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
      if !schemas.contains(where: { stepsLeft < 0 || isValid(value, $0, at: path) }) {
        add(path, "must be as at least one of \(schemas.count) schemas says")
      }
    case .oneOf:
      let count = schemas.count { stepsLeft >= 0 && isValid(value, $0, at: path) }
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
      spend(text.utf8.count)
      if text.unicodeScalars.count < count { add(path, "must have at least \(count) characters") }
    case (.maxLength, .integer(let count)):
      spend(text.utf8.count)
      if text.unicodeScalars.count > count { add(path, "must have at most \(count) characters") }
    case (.pattern, .string(let pattern)):
      if !matches(text, pattern) { add(path, "must match \(quoted(pattern))") }
    case (_, _): break
    }
  }

  mutating func matches(_ text: String, _ pattern: String) -> Bool {
    guard stepsLeft >= 0, let pattern = patterns.pattern(pattern, steps: &stepsLeft) else {
      return false
    }
    return pattern.matches(text, steps: &stepsLeft)
  }
}
