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
  /// The members or elements of the value where the check is that a schema looked at so far (JSON
  /// Schema, core, section 7.7.1), by their places; `nil` if nothing asks for them.
  var evaluated: Set<Int>?
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

  /// Adds what is wrong with the value where the check is, and takes up what of it is looked at.
  mutating func check(_ value: JSON, _ schema: Int) {
    spend(Self.ruleSteps)
    guard depth < Self.depthLimit else {
      return stop(
        at: 0, "checking it takes more than \(Self.depthLimit) schemas inside each other")
    }
    depth += 1
    let resource = program.values[schema].resource ?? 0
    let isEntered = scope.last != resource
    if isEntered { scope.append(resource) }
    let rules = program.values[schema].rules ?? []
    var outer = evaluated
    evaluated = outer != nil || rules.last?.isLast == true ? [] : nil
    for rule in rules where goesOn {
      spend(Self.ruleSteps)
      rule.check(&self, value)
    }
    // Of what only had to fit and does not, nobody asks.
    if goesOn, let places = evaluated {
      spend(places.count)
      outer?.formUnion(places)
    }
    evaluated = outer
    if isEntered { scope.removeLast() }
    depth -= 1
  }

  /// Whether the value where the check is fits a schema.
  mutating func isValid(_ value: JSON, _ schema: Int) -> Bool {
    let outer = (isSilent, hasViolation)
    (isSilent, hasViolation) = (true, false)
    defer { (isSilent, hasViolation) = outer }
    check(value, schema)
    return !hasViolation
  }

  /// How many of some schemas a value meets.
  mutating func countValid(_ value: JSON, _ schemas: [Int], upTo limit: Int) -> Int {
    var count = 0
    for schema in schemas where stepsLeft >= 0 && count < limit {
      if isValid(value, schema) { count += 1 }
    }
    return count
  }

  /// Steps into a part of the value.
  mutating func descend<Result>(
    _ token: String, _ body: (inout SchemaCheck) -> Result
  ) -> Result {
    let outer = (followed, evaluated)
    (followed, evaluated) = ([], nil)
    path.append(token)
    defer {
      path.removeLast()
      (followed, evaluated) = outer
    }
    return body(&self)
  }

  /// Checks a part of the value.
  mutating func descend(_ token: String, _ value: JSON, _ schema: Int) {
    descend(token) { $0.check(value, schema) }
  }

  /// Checks a value by the schema that a reference leads to: what the outermost resource around has by
  /// the name of an anchor, if one is given and any has it, or else the target.
  mutating func follow(_ value: JSON, to target: Int, by anchor: [UInt8]?) {
    spend(scope.count + followed.count)
    let other = anchor.flatMap { anchor in
      scope.lazy.compactMap { [program] in program.resources[$0].dynamicAnchors[anchor] }.first
    }
    let target = other ?? target
    if followed.contains(target) {
      return stop(at: target, "the schema refers to itself without end")
    }
    followed.append(target)
    check(value, target)
    followed.removeLast()
  }
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
