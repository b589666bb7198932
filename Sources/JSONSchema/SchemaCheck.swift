import PeernoteJSON

/// Checks a JSON value against a schema that was made ready.
struct SchemaCheck {
  let program: SchemaProgram
  private var violations: [Schema.Violation] = []
  /// How many more steps the check may take; negative when they did not suffice.
  var stepsLeft: Int
  /// The place in the value where the check is.
  private var path: [String] = []
  /// The schemas that references led to since the last step into the value.
  private var followed: [Int] = []
  /// The resources that the check is inside of, outermost first.
  private var scope: [Int] = []
  /// How many schemas are inside each other where the check is, references followed.
  private var depth = 0
  /// Whether nobody wants to know more than whether there is a violation, and whether there is.
  private var isSilent = false
  private var hasViolation = false
  /// Why the check cannot be finished.
  private var fault: Schema.Fault?

  init(_ program: SchemaProgram, steps: Int) {
    self.program = program
    stepsLeft = steps
  }

  /// What a schema and each of its rules take, besides what they look at one by one, and what a
  /// violation takes.
  private static let ruleSteps = 16
  private static let violationSteps = 1024

  /// The most schemas inside each other, for each of which there are calls on the stack.
  private static let depthLimit = 1000

  /// What is wrong with a value.
  ///
  /// - Throws: ``Schema/Fault`` if that cannot be found out.
  mutating func violations(in value: JSON) throws(Schema.Fault) -> [Schema.Violation] {
    _ = check(value, 0, marking: false)
    if let fault { throw fault }
    return violations
  }

  // MARK: The state

  /// Whether there is a reason to look further.
  var goesOn: Bool { stepsLeft >= 0 && !(isSilent && hasViolation) }

  /// Takes account of some steps.
  mutating func spend(_ steps: Int) { stepsLeft -= steps }

  /// Adds a violation where the check is.
  mutating func add(_ reason: @autoclosure () -> String) {
    hasViolation = true
    if isSilent { return }
    spend(Self.violationSteps)
    violations.append(Schema.Violation(place: JSONPlace(path), reason: reason()))
  }

  private mutating func stop(at schema: Int, _ reason: String) {
    let (document, place) = program.source.place(of: schema)
    if fault == nil { fault = Schema.Fault(document: document, place: place, reason: reason) }
    stepsLeft = min(stepsLeft, -1)
  }

  // MARK: Schemas

  /// Adds what is wrong with a value.
  ///
  /// - Parameters:
  ///   - value: what is checked.
  ///   - schema: the number of the schema.
  ///   - marking: whether the parts of the value that were evaluated are wanted.
  /// - Returns: these; none if they are not wanted.
  mutating func check(_ value: JSON, _ schema: Int, marking: Bool) -> EvaluatedParts {
    spend(Self.ruleSteps)
    guard depth < Self.depthLimit else {
      stop(at: 0, "checking it takes more than \(Self.depthLimit) schemas inside each other")
      return EvaluatedParts()
    }
    depth += 1
    let resource = program.resources[schema]
    let isEntered = scope.last != resource
    if isEntered { scope.append(resource) }
    defer {
      depth -= 1
      if isEntered { scope.removeLast() }
    }
    let plain = value.plain
    let rules = program.rules[schema]
    var evaluated = EvaluatedParts()
    let marking = marking || rules.last?.isLast == true
    for rule in rules where goesOn {
      spend(Self.ruleSteps)
      if case .type(let types, wholeDoubles: false) = rule, case .integer = plain {
        checkType(value, types, wholeDoubles: false)
      } else {
        check(plain, rule, marking, &evaluated)
      }
    }
    return evaluated
  }

  private mutating func check(
    _ value: JSON, _ rule: Rule, _ marking: Bool, _ evaluated: inout EvaluatedParts
  ) {
    switch rule {
    case .never: add("nothing may be here")
    case .reference, .dynamicReference, .recursiveReference:
      follow(value, rule, marking, &evaluated)
    case .type(let types, let wholeDoubles):
      checkType(value, types, wholeDoubles: wholeDoubles)
    case .anyValue(let allowed): checkEnum(value, allowed)
    case .value(let wanted):
      if !areEqual(value, wanted) { add("must be \(wanted.shortText)") }
    case .atLeast(let least, let countable):
      if let count = count(countable, in: value), count < least {
        add("must have at least \(least) \(countable.rawValue)")
      }
    case .atMost(let most, let countable):
      if let count = count(countable, in: value), count > most {
        add("must have at most \(most) \(countable.rawValue)")
      }
    case .pattern(let number, let text):
      if case .string(let string) = value, !matches(string, number) {
        add("must match \(quoted(text))")
      }
    case .members, .names, .required, .dependentNames, .dependentSchemas, .unevaluatedMembers:
      if case .object(let members) = value {
        checkObject(members, value, rule, marking, &evaluated)
      }
    case .elements, .contains, .unique, .unevaluatedElements:
      if case .array(let elements) = value { checkArray(elements, rule, marking, &evaluated) }
    case .bound(let bound, let limit): checkBound(value, bound, limit)
    case .multiple(let unit, let shown):
      if let number = Decimal(value), !number.isMultiple(of: unit) {
        add("must be a multiple of \(shown.shortText)")
      }
    case .all, .any, .one, .not, .condition: combine(value, rule, marking, &evaluated)
    }
  }

  /// Whether a value is as a schema says, and which parts of it were evaluated if so.
  mutating func isValid(
    _ value: JSON, _ schema: Int, marking: Bool
  ) -> (Bool, EvaluatedParts) {
    let outer = (isSilent, hasViolation)
    (isSilent, hasViolation) = (true, false)
    let evaluated = check(value, schema, marking: marking)
    let isValid = !hasViolation
    (isSilent, hasViolation) = outer
    return (isValid, isValid ? evaluated : EvaluatedParts())
  }

  /// Steps into a part of the value.
  mutating func descend<Result>(
    _ token: String, _ body: (inout SchemaCheck) -> Result
  ) -> Result {
    let outer = followed
    followed = []
    path.append(token)
    defer {
      path.removeLast()
      followed = outer
    }
    return body(&self)
  }

  /// Checks a part of the value.
  mutating func descend(_ token: String, _ value: JSON, _ schema: Int) {
    descend(token) { _ = $0.check(value, schema, marking: false) }
  }

  // MARK: References

  private mutating func follow(
    _ value: JSON, _ rule: Rule, _ marking: Bool, _ evaluated: inout EvaluatedParts
  ) {
    guard let target = target(of: rule) else { return }
    spend(followed.count)
    if followed.contains(target) {
      return stop(at: target, "the schema refers to itself without end")
    }
    followed.append(target)
    merge(check(value, target, marking: marking), into: &evaluated)
    followed.removeLast()
  }

  /// Where a reference leads from where the check is.
  private mutating func target(of rule: Rule) -> Int? {
    spend(scope.count)
    switch rule {
    case .reference(let target): return target
    case .dynamicReference(let target, let anchor):
      return scope.lazy.compactMap { [program] in program.dynamicAnchors[$0][anchor] }.first
        ?? target
    case .recursiveReference(let target):
      return scope.lazy.compactMap { [program] in program.recursiveRoots[$0] }.first ?? target
    case _: return nil
    }
  }

  // MARK: Combinations

  private mutating func combine(
    _ value: JSON, _ rule: Rule, _ marking: Bool, _ evaluated: inout EvaluatedParts
  ) {
    switch rule {
    case .all(let schemas):
      for schema in schemas where goesOn {
        merge(check(value, schema, marking: marking), into: &evaluated)
      }
    case .any(let schemas):
      let limit = marking ? schemas.count : 1
      let count = countValid(value, schemas, upTo: limit, marking, &evaluated)
      if count == 0 { add("must be as at least one of \(schemas.count) schemas says") }
    case .one(let schemas):
      let count = countValid(value, schemas, upTo: schemas.count, marking, &evaluated)
      if count != 1 {
        add("must be as exactly one of \(schemas.count) schemas says, not \(count)")
      }
    case .not(let schema):
      if isValid(value, schema, marking: false).0 { add("must not be as it is") }
    case .condition(let schema, let then, let otherwise):
      if then == nil, otherwise == nil, !marking { return }
      let (isMet, parts) = isValid(value, schema, marking: marking)
      merge(parts, into: &evaluated)
      if let branch = isMet ? then : otherwise {
        merge(check(value, branch, marking: marking), into: &evaluated)
      }
    case _: break
    }
  }

  /// How many of some schemas a value meets.
  private mutating func countValid(
    _ value: JSON, _ schemas: [Int], upTo limit: Int, _ marking: Bool,
    _ evaluated: inout EvaluatedParts
  ) -> Int {
    var count = 0
    for schema in schemas where stepsLeft >= 0 && count < limit {
      let (isMet, parts) = isValid(value, schema, marking: marking)
      if isMet { count += 1 }
      merge(parts, into: &evaluated)
    }
    return count
  }
}
