import PeernoteJSON

extension SchemaCompiler {
  /// What a keyword demands; `nil` for nothing, or if another keyword takes care of it.
  mutating func rule(
    for keyword: Keyword, _ part: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule? {
    switch keyword {
    case .reference:
      let target = try target(part, in: schema).value
      return Rule { $0.follow($1, to: target) }
    case .dynamicReference: return try dynamicReference(part, in: schema)
    case .recursiveReference: return try recursiveReference(part, in: schema)
    case .definitions, .shortDefinitions:
      _ = try namedSchemas(part)
      return nil
    // The index has these.
    case .anchor, .dynamicAnchor, .recursiveAnchor: return nil
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
      let names = try self.schema(part)
      return .object { check, members in
        for member in members where check.goesOn {
          check.descend(member.name, .string(member.name), names)
        }
      }
    case .unevaluatedProperties: return unevaluatedMembers(try self.schema(part))
    case .required:
      let names = try names(part)
      return .object { $0.requireNames(names, in: $1) }
    case .dependentSchemas: return dependentSchemas(try namedSchemas(part))
    case .dependentRequired: return try dependencies(part, areNames: true)
    case .dependencies: return try dependencies(part, areNames: false)
    case .items: return try items(part, in: schema, draft)
    case .prefixItems:
      return self[schema, .items] == nil ? elements(first: try schemas(part), others: nil) : nil
    case .additionalItems:
      // It says nothing unless `items` is an array.
      _ = try self.schema(part)
      return nil
    case .contains: return try contains(part, in: schema, draft)
    case .minContains, .maxContains:
      _ = try count(part)
      return nil
    case .uniqueItems:
      guard case .bool(let isUnique) = value(part) else {
        throw index.fault(part, "true or false is expected here")
      }
      return isUnique ? .array { $0.checkUnique($1) } : nil
    case .unevaluatedItems: return unevaluatedElements(try self.schema(part))
    case .minProperties: return try atLeast(part, .members)
    case .maxProperties: return try atMost(part, .members)
    case .minItems: return try atLeast(part, .elements)
    case .maxItems: return try atMost(part, .elements)
    case .minLength: return try atLeast(part, .characters)
    case .maxLength: return try atMost(part, .characters)
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
      return try bound(keyword, part, in: schema, draft)
    case .multipleOf: return try multiple(part)
    case .pattern: return try pattern(part)
    case .allOf:
      let schemas = try schemas(part)
      return Rule { check, value in
        for schema in schemas where check.goesOn { check.apply(schema, to: value) }
      }
    case .anyOf:
      let schemas = try schemas(part)
      return Rule { check, value in
        let limit = check.evaluated.areWanted ? schemas.count : 1
        let count = check.countValid(value, schemas, upTo: limit)
        if count == 0 { check.add("must be as at least one of \(schemas.count) schemas says") }
      }
    case .oneOf:
      let schemas = try schemas(part)
      return Rule { check, value in
        let count = check.countValid(value, schemas, upTo: schemas.count)
        if count != 1 {
          check.add("must be as exactly one of \(schemas.count) schemas says, not \(count)")
        }
      }
    case .not:
      let other = try self.schema(part)
      return Rule { if $0.isValid($1, other, marking: false) { $0.add("must not be as it is") } }
    case .if: return try condition(part, in: schema)
    case .then, .else:
      _ = try self.schema(part)
      return nil
    }
  }

  private mutating func condition(_ part: Int, in schema: Int) throws(Schema.Fault) -> Rule {
    let condition = try self.schema(part)
    let then = try self.schema(schema, .then)
    let otherwise = try self.schema(schema, .else)
    return Rule { check, value in
      if then == nil, otherwise == nil, !check.evaluated.areWanted { return }
      let isMet = check.isValid(value, condition, marking: true)
      if let branch = isMet ? then : otherwise { check.apply(branch, to: value) }
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
    return Rule { $0.follow($1, to: target) { $0.dynamicAnchors[$1][anchor] } }
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
    return Rule { $0.follow($1, to: target) { $0.recursiveRoots[$1] } }
  }
}
