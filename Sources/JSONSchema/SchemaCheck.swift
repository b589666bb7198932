import PeernoteJSON

/// Checks a JSON value against a schema that was made ready.
struct SchemaCheck {
  let program: SchemaProgram
  private(set) var violations: [Schema.Violation] = []
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
  private(set) var fault: Schema.Fault?

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
    fault = fault ?? program.fault(schema, reason)
    stepsLeft = min(stepsLeft, -1)
  }

  // MARK: Schemas

  /// Adds what is wrong with a value, and returns the parts of it that were evaluated if these are
  /// wanted.
  mutating func check(_ value: JSON, _ schema: Int, marking: Bool) -> EvaluatedParts {
    spend(Self.ruleSteps)
    guard depth < Self.depthLimit else {
      stop(at: 0, "checking it takes more than \(Self.depthLimit) schemas inside each other")
      return EvaluatedParts(areWanted: false)
    }
    depth += 1
    let resource = program.values[schema].resource ?? 0
    let isEntered = scope.last != resource
    if isEntered { scope.append(resource) }
    let rules = program.values[schema].rules ?? []
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
    evaluated.areAll = evaluated.areAll || parts.areAll
    if evaluated.places.isEmpty {
      evaluated.places = parts.places
    } else {
      evaluated.places.formUnion(parts.places)
    }
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
    _ value: JSON, to target: Int, instead: ((SchemaProgram.Resource) -> Int?)? = nil
  ) {
    spend(scope.count)
    var target = target
    if let instead {
      for resource in scope {
        guard let other = instead(program.resources[resource]) else { continue }
        target = other
        break
      }
    }
    spend(followed.count)
    if followed.contains(target) {
      return stop(at: target, "the schema refers to itself without end")
    }
    followed.append(target)
    apply(target, to: value)
    followed.removeLast()
  }
}

/// The members or elements of a value that a schema looked at (JSON Schema, core, section 7.7.1),
/// by their places.
struct EvaluatedParts {
  /// Whether anything asks for them; else none are kept.
  let areWanted: Bool
  var places: Set<Int> = []
  /// Whether these are all there are.
  var areAll = false

  mutating func insert(_ place: Int) { if areWanted { places.insert(place) } }

  func contains(_ place: Int) -> Bool { areAll || places.contains(place) }
}

// What several keywords share.

extension SchemaCheck {
  /// How many characters a string has; `nil` for another value.
  mutating func length(of value: JSON) -> Int? {
    guard let text = value.plain.string else { return nil }
    spend(text.utf8.count)
    return text.unicodeScalars.count
  }

  /// Whether a text matches a regular expression.
  mutating func matches(_ text: String, _ pattern: SchemaPattern) -> Bool {
    stepsLeft >= 0 && pattern.matches(text, steps: &stepsLeft)
  }

  /// What it takes to look up a name, besides its length.
  static let lookupSteps = 8

  /// Checks a member that no schema speaks of by name.
  mutating func checkOther(_ member: JSON.Member, _ schema: Int) {
    if program.values[schema].json.bool == false {
      spend(Self.lookupSteps)
      add("must not have the name \(quoted(member.name))")
    } else {
      descend(member.name, member.value, schema)
    }
  }

  mutating func requireNames(_ names: [String], in members: [JSON.Member]) {
    for name in names where goesOn && !has(name, members) {
      add("must have the name \(quoted(name))")
    }
  }

  /// Whether an object has a name; if no steps are left, nobody knows.
  mutating func has(_ name: String, _ members: [JSON.Member]) -> Bool {
    spend(members.count)
    return stepsLeft >= 0 && members.contains { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// What it takes to tell a value from others by its identity, and for each byte of that: what is
  /// in memory of many small values is many times as large as their text.
  private static let identitySteps = 64
  private static let identityByteSteps = 8

  /// What equal values share: numbers of one value are the same, and the order of members means
  /// nothing.
  mutating func identity(of value: JSON) -> [UInt8] {
    let identity = value.identity
    spend(Self.identitySteps + Self.identityByteSteps * identity.count)
    return identity
  }
}
