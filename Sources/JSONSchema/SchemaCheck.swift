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
  /// The parts of the value where the check is that a schema looked at so far.
  var evaluated = EvaluatedParts(areWanted: false)
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
    let (document, place) = program.index.source.place(of: schema)
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
  /// - Returns: these.
  private mutating func check(_ value: JSON, _ schema: Int, marking: Bool) -> EvaluatedParts {
    spend(Self.ruleSteps)
    guard depth < Self.depthLimit else {
      stop(at: 0, "checking it takes more than \(Self.depthLimit) schemas inside each other")
      return EvaluatedParts(areWanted: false)
    }
    depth += 1
    let resource = program.index.resourceNumbers[schema] ?? -1
    let isEntered = scope.last != resource
    if isEntered { scope.append(resource) }
    let rules = program.rules[schema]
    let outer = evaluated
    evaluated = EvaluatedParts(areWanted: marking || rules.last?.isLast == true)
    defer {
      depth -= 1
      if isEntered { scope.removeLast() }
      evaluated = outer
    }
    for rule in rules where goesOn {
      spend(Self.ruleSteps)
      rule.check(&self, value)
    }
    return evaluated
  }

  /// Checks the value where the check is by another schema, too.
  mutating func apply(_ schema: Int, to value: JSON) {
    merge(check(value, schema, marking: evaluated.areWanted))
  }

  /// Takes up what another schema looked at.
  private mutating func merge(_ parts: EvaluatedParts) {
    spend(parts.places.count)
    evaluated.formUnion(parts)
  }

  /// Whether a value is as a schema says; then what that looked at is taken up if it is wanted.
  mutating func isValid(_ value: JSON, _ schema: Int, marking: Bool) -> Bool {
    let outer = (isSilent, hasViolation)
    (isSilent, hasViolation) = (true, false)
    let parts = check(value, schema, marking: marking && evaluated.areWanted)
    let isValid = !hasViolation
    (isSilent, hasViolation) = outer
    if marking, isValid { merge(parts) }
    return isValid
  }

  /// How many of some schemas a value meets.
  mutating func countValid(_ value: JSON, _ schemas: [Int], upTo limit: Int) -> Int {
    var count = 0
    for schema in schemas where stepsLeft >= 0 && count < limit {
      if isValid(value, schema, marking: true) { count += 1 }
    }
    return count
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

  /// Checks a value by the schema that a reference leads to: the first one that a resource around
  /// has instead, from the outermost one on, or else its own.
  mutating func follow(
    _ value: JSON, to target: Int, instead: ((SchemaIndex.Resource) -> Int?)? = nil
  ) {
    spend(scope.count)
    let other = instead.flatMap { [program, scope] instead in
      scope.lazy.compactMap { instead(program.index.resources[$0]) }.first
    }
    let target = other ?? target
    spend(followed.count)
    if followed.contains(target) {
      return stop(at: target, "the schema refers to itself without end")
    }
    followed.append(target)
    apply(target, to: value)
    followed.removeLast()
  }
}
