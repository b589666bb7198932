import PeernoteJSON

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
