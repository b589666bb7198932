import PeernoteJSON

/// What a keyword demands of a value.
struct Rule: Sendable {
  /// Whether it looks at what other rules leave, and so comes last.
  let isLast: Bool
  /// Adds what is wrong with a value to a check.
  let check: @Sendable (inout SchemaCheck, JSON) -> Void

  init(isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, JSON) -> Void) {
    (self.isLast, self.check) = (isLast, check)
  }

  /// A rule about objects.
  static func object(
    isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, [JSON.Member]) -> Void
  ) -> Rule {
    Rule(isLast: isLast) { if case .object(let members) = $1 { check(&$0, members) } }
  }

  /// A rule about arrays.
  static func array(
    isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, [JSON]) -> Void
  ) -> Rule {
    Rule(isLast: isLast) { if case .array(let elements) = $1 { check(&$0, elements) } }
  }

  /// Nothing is allowed.
  static let never = Rule { check, _ in check.add("nothing may be here") }
}

/// The types that a schema can name.
enum SchemaType: String, CaseIterable {
  case null, boolean, integer, number, string, array, object

  /// Whether a value is of this type.
  func holds(_ value: JSON, wholeDoubles: Bool) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .double), (.string, .string), (.array, .array), (.object, .object):
      true
    // Beyond 64 bits there are no other integers.
    case (.integer, .double(let number)):
      number == number.rounded() && (wholeDoubles || number.magnitude >= 0x1p63)
    case (_, .null), (_, .bool), (_, .integer), (_, .double), (_, .string), (_, .array),
      (_, .object):
      false
    }
  }
}

/// What is counted, by the word for it.
enum Countable: String {
  case members = "names"
  case elements, characters
}

/// Which schemas the members of an object must meet.
struct MemberRules {
  /// By name, in UTF-8.
  var named: [[UInt8]: Int] = [:]
  var patterns: [(pattern: Int, schema: Int)] = []
  /// For all names that neither of these speaks of.
  var others: Int?
}

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
    guard limit.compared(with: 0) != nil else {
      throw index.fault(part, "a number is expected here")
    }
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
    guard let unit = Decimal(shown), shown.compared(with: 0) == .greater else {
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

// Keywords about arrays.

extension SchemaCompiler {
  func items(
    _ part: Int, _ inner: [Int], in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule {
    if case .array = value(part) {
      guard draft < .draft2020 else {
        throw index.fault(
          part, "a schema is expected here; in \(draft.name) an array of schemas is prefixItems")
      }
      return elements(first: inner, others: self[schema, .additionalItems])
    }
    let first = draft < .draft2020 ? nil : self[schema, .prefixItems]
    return elements(first: first.map { Array(index.source.parts(of: $0)) } ?? [], others: part)
  }

  /// Schemas for the first elements, and one for all others.
  func elements(first: [Int], others: Int?) -> Rule {
    .array { check, elements in
      for (place, element) in elements.enumerated() where check.goesOn {
        guard let schema = place < first.count ? first[place] : others else { break }
        check.descend(String(place), element, schema)
        check.evaluated.insert(place)
      }
    }
  }

  func contains(
    _ wanted: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule {
    let hasCounts = draft >= .draft2019
    let minimum = hasCounts ? self[schema, .minContains] : nil
    let maximum = hasCounts ? self[schema, .maxContains] : nil
    let least = try minimum.map { part throws(Schema.Fault) in try count(part) } ?? 1
    let most = try maximum.map { part throws(Schema.Fault) in try count(part) }
    return .array { check, elements in
      var count = 0
      for (place, element) in elements.enumerated() where check.stepsLeft >= 0 {
        let fits = check.descend(String(place)) { $0.isValid(element, wanted, marking: false) }
        guard fits else { continue }
        count += 1
        if draft >= .draft2020 { check.evaluated.insert(place) }
      }
      if count < least { check.add("must hold at least \(least) elements that fit, not \(count)") }
      if let most, count > most {
        check.add("must hold at most \(most) elements that fit, not \(count)")
      }
    }
  }

  func unevaluatedElements(_ schema: Int) -> Rule {
    .array(isLast: true) { check, elements in
      for (place, element) in elements.enumerated()
      where check.goesOn && !check.evaluated.contains(place) {
        check.descend(String(place), element, schema)
      }
      check.evaluated.insertAll()
    }
  }
}

// Keywords about objects.

extension SchemaCompiler {
  /// What `properties`, `patternProperties` and `additionalProperties` say together, if one of them
  /// is the first that a schema has.
  mutating func members(
    for keyword: Keyword, in schema: Int
  ) throws(Schema.Fault) -> Rule? {
    let together: [Keyword] = [.properties, .patternProperties, .additionalProperties]
    guard keyword == together.first(where: { self[schema, $0] != nil }) else { return nil }
    var rules = MemberRules()
    if let part = self[schema, .properties] {
      for (name, schema) in named(part) { rules.named[Array(name.utf8)] = schema }
    }
    if let part = self[schema, .patternProperties] {
      for (name, schema) in named(part) {
        rules.patterns.append((try pattern(name, at: part), schema))
      }
    }
    rules.others = self[schema, .additionalProperties]
    return .object { [rules] check, members in
      for (place, member) in members.enumerated() where check.goesOn {
        if check.check(member, rules) { check.evaluated.insert(place) }
      }
    }
  }

  func unevaluatedMembers(_ schema: Int) -> Rule {
    .object(isLast: true) { check, members in
      for (place, member) in members.enumerated()
      where check.goesOn && !check.evaluated.contains(place) {
        check.checkOther(member, schema)
      }
      check.evaluated.insertAll()
    }
  }

  /// What must be there beside some names: further names, or a schema that the whole object meets.
  func dependencies(_ part: Int, areNames: Bool) throws(Schema.Fault) -> Rule {
    guard case .object = value(part) else {
      throw index.fault(part, "an object is expected here")
    }
    var names: [(name: String, needed: [String])] = []
    var schemas: [(name: String, schema: Int)] = []
    for (member, dependent) in index.source.members(of: part) {
      let isArray = if case .array = member.value { true } else { false }
      if isArray || areNames {
        names.append((member.name, try self.names(dependent)))
      } else {
        schemas.append((member.name, dependent))
      }
    }
    let others = dependentSchemas(schemas)
    return .object { [names] check, members in
      for (name, needed) in names where check.goesOn && check.has(name, members) {
        check.requireNames(needed, in: members)
      }
      others.check(&check, .object(members))
    }
  }

  func dependentSchemas(_ dependents: [(name: String, schema: Int)]) -> Rule {
    .object { check, members in
      for (name, schema) in dependents where check.goesOn && check.has(name, members) {
        check.apply(schema, to: .object(members))
      }
    }
  }

  func names(_ part: Int) throws(Schema.Fault) -> [String] {
    var names: [String] = []
    if case .array(let elements) = value(part) {
      for case .string(let name) in elements { names.append(name) }
      if names.count == elements.count { return names }
    }
    throw index.fault(part, "an array of names is expected here")
  }
}
