import PeernoteJSON

/// A keyword that is checked, or that says where schemas are.
struct Keyword: Sendable {
  typealias Fault = Schema.Fault
  typealias Reader = @Sendable (inout SchemaCompiler, Use) throws(Fault) -> Rule?

  /// Where the schemas are in what the keyword takes.
  enum Shape: String {
    case schema = "a schema"
    case schemas = "an array of schemas"
    case namedSchemas = "an object of schemas"
    /// One schema, or an array of them.
    case schemaOrSchemas
    /// Schemas or arrays of names, by names.
    case dependencies = "an object"
    case none
  }

  /// A keyword in a schema.
  struct Use {
    let schema: Int
    let draft: Draft
    /// What the keyword takes, which is the schema if it takes one.
    let part: Int
    let value: JSON
    /// The schemas in that, which are read later.
    let inner: [Int]
  }

  /// The drafts that have it.
  let drafts: ClosedRange<Draft>
  let shape: Shape
  /// What it demands; `nil` for nothing, or if another keyword takes care of it.
  let rule: Reader

  init(
    since first: Draft = .draft4, until last: Draft = .latest, holding shape: Shape = .none,
    _ rule: @escaping Reader = { _, _ in nil }
  ) {
    (drafts, self.shape, self.rule) = (first...last, shape, rule)
  }

  /// The keywords by their names.
  ///
  /// Later drafts still describe `dependencies`, and nobody wants it ignored; `$defs` holds schemas
  /// for references in older ones, too.
  static let all: [String: Keyword] = [
    // Names are taken up before, and what holds schemas for references demands nothing.
    "$anchor": Keyword(since: .draft2019),
    "$dynamicAnchor": Keyword(since: .draft2020),
    "$recursiveAnchor": Keyword(since: .draft2019, until: .draft2019),
    "definitions": Keyword(holding: .namedSchemas),
    "$defs": Keyword(holding: .namedSchemas),

    "$ref": Keyword { compiler, use throws(Fault) in
      compiler.reference(to: try compiler.target(of: use).value, by: nil)
    },
    "$dynamicRef": Keyword(since: .draft2020) { compiler, use throws(Fault) in
      let (target, anchor) = try compiler.target(of: use)
      return compiler.reference(to: target, by: anchor)
    },
    "$recursiveRef": Keyword(since: .draft2019, until: .draft2019) { compiler, use throws(Fault) in
      try compiler.expect("\"#\"", use.value == "#" ? true : nil, at: use.part)
      return compiler.reference(to: try compiler.target(of: use).value, by: [])
    },

    "type": Keyword { compiler, use throws(Fault) in
      let known = ["null", "boolean", "integer", "number", "string", "array", "object"]
      let named = use.value.elements ?? [use.value]
      let types = named.compactMap(\.string).filter(known.contains)
      guard types.count == named.count else {
        throw compiler.program.fault(
          use.part, "a type is one of \(known.joined(separator: ", "))")
      }
      return Rule { check, value in
        // In draft 4 the number 1.0 is no integer.
        let value = use.draft > .draft4 ? value.plain : value
        let type = value.schemaType
        if types.contains(type) || type == "integer" && types.contains("number") { return }
        check.add("must be of type \(types.joined(separator: " or ")), not \(value.shortText)")
      }
    },
    "enum": Keyword { compiler, use throws(Fault) in
      let values = try compiler.expect("an array", use.value.elements, at: use.part)
      let isOne = equality(to: values)
      return Rule { check, value in
        if isOne(&check, value) { return }
        let rest = values.count - listLimit
        let end = rest > 0 ? ", or one of \(rest) other\(rest == 1 ? "" : "s")" : ""
        let named = values.prefix(listLimit).map(\.shortText).joined(separator: ", ")
        check.add("must be one of \(named)\(end)")
      }
    },
    "const": Keyword(since: .draft6) { _, use in
      let isEqual = equality(to: [use.value])
      return Rule { if !isEqual(&$0, $1) { $0.add("must be \(use.value.shortText)") } }
    },
    "minimum": bound(isLower: true, isExclusive: false),
    "maximum": bound(isLower: false, isExclusive: false),
    "exclusiveMinimum": bound(isLower: true, isExclusive: true),
    "exclusiveMaximum": bound(isLower: false, isExclusive: true),
    "multipleOf": Keyword { compiler, use throws(Fault) in
      let unit = use.value.compared(with: 0) == .greater ? Decimal(use.value) : nil
      let divisor = try compiler.expect("a number above zero", unit, at: use.part)
      return Rule { check, value in
        if let number = Decimal(value.plain), !number.isMultiple(of: divisor) {
          check.add("must be a multiple of \(use.value.shortText)")
        }
      }
    },
    "minLength": size("characters", isLeast: true) { $0.length(of: $1) },
    "maxLength": size("characters", isLeast: false) { $0.length(of: $1) },
    "pattern": Keyword { compiler, use throws(Fault) in
      let text = try compiler.expect("a regular expression", use.value.string, at: use.part)
      let pattern = try compiler.pattern(text, at: use.part)
      return Rule { check, value in
        if let string = value.plain.string, !check.matches(string, pattern) {
          check.add("must match \(quoted(text))")
        }
      }
    },

    "items": Keyword(holding: .schemaOrSchemas) { compiler, use throws(Fault) in
      if use.value.elements == nil {
        let first = use.draft < .draft2020 ? nil : compiler[use.schema, "prefixItems"]
        return .elements(
          first: first.map { Array(compiler.program.values[$0].parts) } ?? [], others: use.part)
      }
      guard use.draft < .draft2020 else {
        throw compiler.program.fault(
          use.part,
          "a schema is expected here; in \(use.draft.name) an array of schemas is prefixItems")
      }
      return .elements(first: use.inner, others: compiler[use.schema, "additionalItems"])
    },
    "prefixItems": Keyword(since: .draft2020, holding: .schemas) { compiler, use in
      compiler[use.schema, "items"] == nil ? .elements(first: use.inner, others: nil) : nil
    },
    "additionalItems": Keyword(until: .draft2019, holding: .schema),
    "unevaluatedItems": unevaluated(\.elements) { $0.descend(String($1), $2, $3) },
    "contains": Keyword(since: .draft6, holding: .schema) { compiler, use throws(Fault) in
      var (least, most): (Int, Int?) = (1, nil)
      if use.draft >= .draft2019 {
        if let part = compiler[use.schema, "minContains"] { least = try compiler.count(part) }
        if let part = compiler[use.schema, "maxContains"] { most = try compiler.count(part) }
      }
      return .array { [least, most] check, elements in
        var count = 0
        for (place, element) in elements.enumerated() where check.stepsLeft >= 0 {
          guard check.descend(String(place), { $0.isValid(element, use.part) }) else { continue }
          count += 1
          if use.draft >= .draft2020 { check.evaluated?.insert(place) }
        }
        if count < least {
          check.add("must hold at least \(least) elements that fit, not \(count)")
        }
        if let most, count > most {
          check.add("must hold at most \(most) elements that fit, not \(count)")
        }
      }
    },
    "minContains": Keyword(since: .draft2019, count),
    "maxContains": Keyword(since: .draft2019, count),
    "minItems": size("elements", isLeast: true) { $1.elements?.count },
    "maxItems": size("elements", isLeast: false) { $1.elements?.count },
    "uniqueItems": Keyword { compiler, use throws(Fault) in
      let isUnique = try compiler.expect("true or false", use.value.bool, at: use.part)
      if !isUnique { return nil }
      return .array { check, elements in
        var seen: Set<[UInt8]> = []
        for (index, element) in elements.enumerated() where check.goesOn {
          if seen.insert(check.identity(of: element)).inserted { continue }
          check.descend(String(index)) { $0.add("must not be in the array twice") }
        }
      }
    },

    "properties": Keyword(holding: .namedSchemas, members),
    "patternProperties": Keyword(holding: .namedSchemas, members),
    "additionalProperties": Keyword(holding: .schema, members),
    "unevaluatedProperties": unevaluated(\.members) { $0.checkOther($2, $3) },
    "propertyNames": Keyword(since: .draft6, holding: .schema) { _, use in
      .object { check, members in
        for member in members where check.goesOn {
          check.descend(member.name, .string(member.name), use.part)
        }
      }
    },
    "minProperties": size("names", isLeast: true) { $1.members?.count },
    "maxProperties": size("names", isLeast: false) { $1.members?.count },
    "required": Keyword { compiler, use throws(Fault) in
      let names = try compiler.names(use.part)
      return .object { $0.requireNames(names, in: $1) }
    },
    "dependentRequired": Keyword(since: .draft2019, dependencies),
    "dependentSchemas": Keyword(since: .draft2019, holding: .namedSchemas, dependencies),
    "dependencies": Keyword(holding: .dependencies, dependencies),

    "allOf": Keyword(holding: .schemas) { _, use in
      Rule { check, value in
        for schema in use.inner where check.goesOn { check.check(value, schema) }
      }
    },
    "anyOf": Keyword(holding: .schemas) { _, use in
      Rule { check, value in
        let limit = check.evaluated == nil ? 1 : use.inner.count
        let count = check.countValid(value, use.inner, upTo: limit)
        if count == 0 { check.add("must be as at least one of \(use.inner.count) schemas says") }
      }
    },
    "oneOf": Keyword(holding: .schemas) { _, use in
      Rule { check, value in
        let count = check.countValid(value, use.inner, upTo: use.inner.count)
        if count == 1 { return }
        check.add("must be as exactly one of \(use.inner.count) schemas says, not \(count)")
      }
    },
    "not": Keyword(holding: .schema) { _, use in
      Rule { check, value in
        // It may look at nothing, since it must not fit.
        let evaluated = check.evaluated
        check.evaluated = nil
        defer { check.evaluated = evaluated }
        if check.isValid(value, use.part) { check.add("must not be as it is") }
      }
    },
    "if": Keyword(since: .draft7, holding: .schema) { compiler, use in
      let (then, otherwise) = (compiler[use.schema, "then"], compiler[use.schema, "else"])
      return Rule { check, value in
        if then == nil, otherwise == nil, check.evaluated == nil { return }
        let branch = check.isValid(value, use.part) ? then : otherwise
        if let branch { check.check(value, branch) }
      }
    },
    "then": Keyword(since: .draft7, holding: .schema),
    "else": Keyword(since: .draft7, holding: .schema),
  ]

  /// A test for values that are equal to one of some (JSON Schema, core, section 4.2.2); those of
  /// another type cost next to nothing.
  private static func equality(
    to values: [JSON]
  ) -> @Sendable (inout SchemaCheck, JSON) -> Bool {
    let types = Set(values.map(\.plain.schemaType))
    let identities = Set(values.map(\.identity))
    return { types.contains($1.plain.schemaType) && identities.contains($0.identity(of: $1)) }
  }

  /// How many of many allowed values a violation lists.
  private static let listLimit = 20

  /// What `properties`, `patternProperties` and `additionalProperties` say together, if the keyword
  /// is the first of them that a schema has.
  private static let members: Reader = { compiler, use throws(Fault) in
    let properties = compiler[use.schema, "properties"]
    let patternProperties = compiler[use.schema, "patternProperties"]
    let others = compiler[use.schema, "additionalProperties"]
    guard use.part == properties ?? patternProperties ?? others else { return nil }
    var named: [[UInt8]: Int] = [:]
    for (member, schema) in compiler.program.members(of: properties) {
      named[Array(member.name.utf8)] = schema
    }
    var patterns: [(pattern: SchemaPattern, schema: Int)] = []
    for (member, schema) in compiler.program.members(of: patternProperties) {
      patterns.append((try compiler.pattern(member.name, at: patternProperties ?? schema), schema))
    }
    return .object { [named, patterns] check, members in
      for (place, member) in members.enumerated() where check.goesOn {
        check.spend(SchemaCheck.lookupSteps + member.name.utf8.count)
        var isNamed = false
        if !named.isEmpty, let schema = named[Array(member.name.utf8)] {
          isNamed = true
          check.descend(member.name, member.value, schema)
        }
        for (pattern, schema) in patterns
        where check.goesOn && check.matches(member.name, pattern) {
          isNamed = true
          check.descend(member.name, member.value, schema)
        }
        if !isNamed, let others { check.checkOther(member, others) }
        if isNamed || others != nil { check.evaluated?.insert(place) }
      }
    }
  }

  /// `contains` takes care of it.
  private static let count: Reader = { compiler, use throws(Fault) in
    _ = try compiler.count(use.part)
    return nil
  }

  /// What must be there beside some names: schemas that the whole object meets, or else further names.
  private static let dependencies: Reader = { compiler, use throws(Fault) in
    try compiler.expect("an object", use.value.members, at: use.part)
    let inner = Set(use.inner)
    var names: [(name: String, needed: [String])] = []
    var schemas: [(name: String, schema: Int)] = []
    for (member, part) in compiler.program.members(of: use.part) {
      if inner.contains(part) {
        schemas.append((member.name, part))
      } else {
        names.append((member.name, try compiler.names(part)))
      }
    }
    return .object { [names, schemas] check, members in
      for (name, needed) in names where check.goesOn && check.has(name, members) {
        check.requireNames(needed, in: members)
      }
      for (name, schema) in schemas where check.goesOn && check.has(name, members) {
        check.check(.object(members), schema)
      }
    }
  }

  /// A keyword for the parts of a value that no schema looked at, by their places.
  private static func unevaluated<Part>(
    _ parts: @escaping @Sendable (JSON) -> [Part]?,
    _ check: @escaping @Sendable (inout SchemaCheck, Int, Part, Int) -> Void
  ) -> Keyword {
    Keyword(since: .draft2019, holding: .schema) { _, use in
      Rule(isLast: true) { state, value in
        for (place, part) in (parts(value) ?? []).enumerated()
        where state.goesOn && state.evaluated?.insert(place).inserted == true {
          check(&state, place, part, use.part)
        }
      }
    }
  }

  /// A keyword for how many parts of a kind a value has at least, or at most.
  private static func size(
    _ parts: String, isLeast: Bool,
    _ count: @escaping @Sendable (inout SchemaCheck, JSON) -> Int?
  ) -> Keyword {
    Keyword { compiler, use throws(Fault) in
      let limit = try compiler.count(use.part)
      return Rule { check, value in
        guard let count = count(&check, value) else { return }
        if isLeast ? count < limit : count > limit {
          check.add("must have at \(isLeast ? "least" : "most") \(limit) \(parts)")
        }
      }
    }
  }

  private static func bound(isLower: Bool, isExclusive: Bool) -> Keyword {
    Keyword { compiler, use throws(Fault) in
      var isExclusive = isExclusive
      if use.draft == .draft4 {
        // There these say how the other two are meant.
        if isExclusive {
          try compiler.expect("true or false", use.value.bool, at: use.part)
          return nil
        }
        let other = compiler[use.schema, isLower ? "exclusiveMinimum" : "exclusiveMaximum"]
        isExclusive = other.flatMap { compiler.program.values[$0].json.bool } ?? false
      }
      let limit = use.value
      try compiler.expect("a number", limit.compared(with: 0), at: use.part)
      let words =
        isLower ? (isExclusive ? "more than" : "at least") : (isExclusive ? "less than" : "at most")
      return Rule { [isExclusive] check, value in
        guard let order = value.compared(with: limit) else { return }
        let isMet = order == .equal ? !isExclusive : (order == .greater) == isLower
        if !isMet { check.add("must be \(words) \(limit.shortText)") }
      }
    }
  }
}

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
    _ check: @escaping @Sendable (inout SchemaCheck, [JSON.Member]) -> Void
  ) -> Rule {
    Rule { if let members = $1.members { check(&$0, members) } }
  }

  /// A rule about arrays.
  static func array(
    _ check: @escaping @Sendable (inout SchemaCheck, [JSON]) -> Void
  ) -> Rule {
    Rule { if let elements = $1.elements { check(&$0, elements) } }
  }

  /// Schemas for the first elements, and one for all others.
  static func elements(first: [Int], others: Int?) -> Rule {
    .array { check, elements in
      for (place, element) in elements.enumerated() where check.goesOn {
        guard let schema = place < first.count ? first[place] : others else { break }
        check.descend(String(place), element, schema)
        check.evaluated?.insert(place)
      }
    }
  }
}
