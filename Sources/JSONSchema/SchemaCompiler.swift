import PeernoteJSON

/// Makes a schema ready for checks, and refuses it if it is none that can be used.
struct SchemaCompiler {
  var index: SchemaIndex
  private var rules: [[Rule]]
  private var isKnown: [Bool]
  /// The schemas that references lead to and that are to be read yet: where one reference leads to
  /// another, and so on, is no reason to go as deep.
  private var pending = [0]
  private var patterns: [SchemaPattern] = []
  private var patternNumbers: [[UInt8]: Int] = [:]
  private var patternSize = 0

  /// The most parts that all regular expressions have together, which are kept in memory.
  private static let patternSizeLimit = 1 << 20

  /// What is not ignored where `$ref` makes all beside it meaningless.
  private static let besideReference: Set<Keyword> = [
    .reference, .definitions, .shortDefinitions,
  ]

  init(index: SchemaIndex) {
    self.index = index
    rules = Array(repeating: [], count: index.source.values.count)
    isKnown = Array(repeating: false, count: rules.count)
  }

  /// Reads the first document and every schema that references lead to.
  ///
  /// - Throws: ``Schema/Fault`` with the first place that is wrong.
  mutating func program() throws(Schema.Fault) -> SchemaProgram {
    while let schema = pending.popLast() { try read(schema) }
    return SchemaProgram(rules: rules, patterns: patterns, index: index)
  }

  /// Reads a schema and those inside it, which are as deep as JSON can be.
  private mutating func read(_ schema: Int) throws(Schema.Fault) {
    if isKnown[schema] { return }
    isKnown[schema] = true
    switch index.source.values[schema] {
    case .bool(let isAllowed):
      if !isAllowed { rules[schema] = [.never] }
    case .object:
      var result: [Rule] = []
      let draft = index.resource(of: schema)?.draft ?? .latest
      let standsAlone = draft.referencesStandAlone && self[schema, .reference] != nil
      for (member, part) in index.source.members(of: schema) {
        guard let keyword = Keyword(rawValue: member.name) else { continue }
        guard !standsAlone || Self.besideReference.contains(keyword) else { continue }
        guard keyword.drafts.contains(draft) else {
          throw index.fault(
            part,
            "\(quoted(member.name)) is not a keyword of \(draft.name), which this schema is in")
        }
        guard let inner = index.schemas(in: part, keyword.shape) else {
          throw index.fault(part, "\(keyword.shape.rawValue) is expected here")
        }
        if let rule = try rule(for: keyword, part, inner, in: schema, draft) { result.append(rule) }
        for schema in inner { try read(schema) }
      }
      rules[schema] = result.filter { !$0.isLast } + result.filter(\.isLast)
    case .null, .integer, .double, .string, .array:
      throw index.fault(schema, "a schema is an object, true or false")
    }
  }

  /// The number of what a schema has for a keyword.
  subscript(_ schema: Int, _ keyword: Keyword) -> Int? {
    index.source.part(of: schema, keyword.rawValue)
  }

  func value(_ number: Int) -> JSON { index.source.values[number].plain }

  /// The schemas in an object, by their names.
  func named(_ part: Int) -> [(name: String, schema: Int)] {
    index.source.members(of: part).map { ($0.name, $1) }
  }

  /// Where a reference leads, which is read later.
  mutating func target(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> (value: Int, anchor: [UInt8]?) {
    let target = try index.target(of: part, in: schema)
    if !isKnown[target.value] { pending.append(target.value) }
    return target
  }

  /// Reads a regular expression; the same one only once.
  mutating func pattern(_ text: String, at part: Int) throws(Schema.Fault) -> Int {
    if let known = patternNumbers[Array(text.utf8)] { return known }
    let pattern: SchemaPattern
    do throws(SchemaPattern.Fault) {
      pattern = try SchemaPattern(text)
    } catch {
      throw index.fault(part, error.reason)
    }
    try index.spend(pattern.size, at: part)
    patternSize += pattern.size
    guard patternSize <= Self.patternSizeLimit else {
      throw index.fault(
        part, "the regular expressions have more than \(Self.patternSizeLimit) parts in all")
    }
    patterns.append(pattern)
    patternNumbers[Array(text.utf8)] = patterns.count - 1
    return patterns.count - 1
  }
}

extension SchemaCompiler {
  /// What a keyword demands; `nil` for nothing, or if another keyword takes care of it.
  ///
  /// `part` is what it takes, which is the schema if it takes one. `inner` are the schemas in that,
  /// which are read later.
  mutating func rule(
    for keyword: Keyword, _ part: Int, _ inner: [Int], in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule? {
    switch keyword {
    case .reference:
      let target = try target(part, in: schema).value
      return Rule { $0.follow($1, to: target) }
    case .dynamicReference: return try dynamicReference(part, in: schema)
    case .recursiveReference: return try recursiveReference(part, in: schema)
    // The index has the anchors. The others are for references, and for `items` and `if`.
    case .anchor, .dynamicAnchor, .recursiveAnchor, .definitions, .shortDefinitions,
      .additionalItems, .then, .else:
      return nil
    case .type:
      let types = try types(part)
      return Rule { $0.checkType($1, types, wholeDoubles: draft > .draft4) }
    case .enum:
      guard case .array(let values) = value(part) else {
        throw index.fault(part, "an array is expected here")
      }
      return Rule { $0.checkEnum($1, values) }
    case .const:
      let wanted = value(part)
      return Rule { if !$0.areEqual($1, wanted) { $0.add("must be \(wanted.shortText)") } }
    case .properties, .patternProperties, .additionalProperties:
      return try members(for: keyword, in: schema)
    case .propertyNames:
      return .object { check, members in
        for member in members where check.goesOn {
          check.descend(member.name, .string(member.name), part)
        }
      }
    case .unevaluatedProperties: return unevaluatedMembers(part)
    case .required:
      let names = try names(part)
      return .object { $0.requireNames(names, in: $1) }
    case .dependentSchemas: return dependentSchemas(named(part))
    case .dependentRequired: return try dependencies(part, areNames: true)
    case .dependencies: return try dependencies(part, areNames: false)
    case .items: return try items(part, inner, in: schema, draft)
    case .prefixItems:
      return self[schema, .items] == nil ? elements(first: inner, others: nil) : nil
    case .contains: return try contains(part, in: schema, draft)
    case .minContains, .maxContains:
      _ = try count(part)
      return nil
    case .uniqueItems:
      guard case .bool(let isUnique) = value(part) else {
        throw index.fault(part, "true or false is expected here")
      }
      return isUnique ? .array { $0.checkUnique($1) } : nil
    case .unevaluatedItems: return unevaluatedElements(part)
    case .minProperties: return try size(part, .members, isLeast: true)
    case .maxProperties: return try size(part, .members, isLeast: false)
    case .minItems: return try size(part, .elements, isLeast: true)
    case .maxItems: return try size(part, .elements, isLeast: false)
    case .minLength: return try size(part, .characters, isLeast: true)
    case .maxLength: return try size(part, .characters, isLeast: false)
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
      return try bound(keyword, part, in: schema, draft)
    case .multipleOf: return try multiple(part)
    case .pattern: return try pattern(part)
    case .allOf:
      return Rule { check, value in
        for schema in inner where check.goesOn { check.apply(schema, to: value) }
      }
    case .anyOf:
      return Rule { check, value in
        let limit = check.evaluated.areWanted ? inner.count : 1
        let count = check.countValid(value, inner, upTo: limit)
        if count == 0 { check.add("must be as at least one of \(inner.count) schemas says") }
      }
    case .oneOf:
      return Rule { check, value in
        let count = check.countValid(value, inner, upTo: inner.count)
        if count != 1 {
          check.add("must be as exactly one of \(inner.count) schemas says, not \(count)")
        }
      }
    case .not:
      return Rule { if $0.isValid($1, part, marking: false) { $0.add("must not be as it is") } }
    case .if:
      let (then, otherwise) = (self[schema, .then], self[schema, .else])
      return Rule { check, value in
        if then == nil, otherwise == nil, !check.evaluated.areWanted { return }
        let isMet = check.isValid(value, part, marking: true)
        if let branch = isMet ? then : otherwise { check.apply(branch, to: value) }
      }
    }
  }

  // MARK: References

  private mutating func dynamicReference(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> Rule {
    let (target, anchor) = try target(part, in: schema)
    // By any other name it is an ordinary reference (core, section 8.2.3.2).
    guard let anchor, index.resource(of: target)?.dynamicAnchors[anchor] == target else {
      return Rule { $0.follow($1, to: target) }
    }
    return Rule { $0.follow($1, to: target) { $0.dynamicAnchors[anchor] } }
  }

  private mutating func recursiveReference(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> Rule {
    guard case .string("#") = value(part) else {
      throw index.fault(part, "\"#\" is expected here")
    }
    let target = try target(part, in: schema).value
    guard index.resource(of: target)?.isRecursive ?? false else {
      return Rule { $0.follow($1, to: target) }
    }
    return Rule { $0.follow($1, to: target) { $0.isRecursive ? $0.root : nil } }
  }
}
