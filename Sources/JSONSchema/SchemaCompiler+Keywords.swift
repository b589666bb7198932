import PeernoteJSON

extension SchemaCompiler {
  /// What a keyword demands, which is nothing if another keyword takes care of it.
  mutating func rules(
    for keyword: Keyword, _ part: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> [Rule] {
    switch keyword {
    case .reference: return [.reference(try target(part, in: schema).value)]
    case .dynamicReference: return [try dynamicReference(part, in: schema)]
    case .recursiveReference: return [try recursiveReference(part, in: schema)]
    case .definitions, .shortDefinitions:
      _ = try namedSchemas(part)
      return []
    // The index has these.
    case .anchor, .dynamicAnchor, .recursiveAnchor: return []
    case .type: return [try type(part, draft)]
    case .enum:
      guard case .array(let values) = value(part) else {
        throw index.fault(part, "an array is expected here")
      }
      return [.anyValue(values)]
    case .const: return [.value(value(part))]
    case .properties, .patternProperties, .additionalProperties, .propertyNames, .required,
      .dependentRequired, .dependentSchemas, .dependencies, .unevaluatedProperties:
      return try memberRules(for: keyword, part, in: schema)
    case .items, .prefixItems, .additionalItems, .contains, .minContains, .maxContains,
      .uniqueItems, .unevaluatedItems:
      return try elementRules(for: keyword, part, in: schema, draft)
    case .minProperties: return [.atLeast(try count(part), .members)]
    case .maxProperties: return [.atMost(try count(part), .members)]
    case .minItems: return [.atLeast(try count(part), .elements)]
    case .maxItems: return [.atMost(try count(part), .elements)]
    case .minLength: return [.atLeast(try count(part), .characters)]
    case .maxLength: return [.atMost(try count(part), .characters)]
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
      return try bound(keyword, part, in: schema, draft)
    case .multipleOf:
      guard let unit = Decimal(value(part)), unit.digits > 0, !value(part).isNegative else {
        throw index.fault(part, "a number above zero is expected here")
      }
      return [.multiple(of: unit, value(part))]
    case .pattern:
      guard case .string(let text) = value(part) else {
        throw index.fault(part, "a regular expression is expected here")
      }
      return [.pattern(try pattern(text, at: part), text)]
    case .allOf: return [.all(try schemas(part))]
    case .anyOf: return [.any(try schemas(part))]
    case .oneOf: return [.one(try schemas(part))]
    case .not: return [.not(try self.schema(part))]
    case .if:
      return [
        .condition(
          try self.schema(part), then: try self.schema(schema, .then),
          otherwise: try self.schema(schema, .else))
      ]
    case .then, .else:
      _ = try self.schema(part)
      return []
    }
  }

  // MARK: References

  private mutating func dynamicReference(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> Rule {
    let target = try target(part, in: schema)
    // By any other name it is an ordinary reference (core, section 8.2.3.2).
    guard let anchor = target.anchor,
      index.resource(of: target.value)?.dynamicAnchors[anchor] == target.value
    else { return .reference(target.value) }
    return .dynamicReference(target.value, anchor: anchor)
  }

  private mutating func recursiveReference(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> Rule {
    guard case .string("#") = value(part) else {
      throw index.fault(part, "\"#\" is expected here")
    }
    let target = try target(part, in: schema)
    guard let resource = index.resource(of: target.value), resource.isRecursive else {
      return .reference(target.value)
    }
    return .recursiveReference(target.value)
  }

  // MARK: Objects

  private mutating func memberRules(
    for keyword: Keyword, _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> [Rule] {
    switch keyword {
    case .properties: return [try membersRule(schema)]
    case .patternProperties:
      return self[schema, .properties] == nil ? [try membersRule(schema)] : []
    case .additionalProperties:
      let isDone = self[schema, .properties] != nil || self[schema, .patternProperties] != nil
      return isDone ? [] : [try membersRule(schema)]
    case .propertyNames: return [.names(try self.schema(part))]
    case .unevaluatedProperties: return [.unevaluatedMembers(try self.schema(part))]
    case .required: return [.required(try names(part))]
    case .dependentSchemas: return [.dependentSchemas(try namedSchemas(part))]
    case .dependentRequired, .dependencies:
      guard case .object = value(part) else {
        throw index.fault(part, "an object is expected here")
      }
      var names: [(name: String, needed: [String])] = []
      var schemas: [(name: String, schema: Int)] = []
      for (member, dependent) in index.source.members(of: part) {
        let isArray = if case .array = member.value { true } else { false }
        if isArray || keyword == .dependentRequired {
          names.append((member.name, try self.names(dependent)))
        } else {
          schemas.append((member.name, try self.schema(dependent)))
        }
      }
      return keyword == .dependentRequired
        ? [.dependentNames(names)] : [.dependentNames(names), .dependentSchemas(schemas)]
    case _: return []
    }
  }

  /// What `properties`, `patternProperties` and `additionalProperties` say together.
  private mutating func membersRule(_ schema: Int) throws(Schema.Fault) -> Rule {
    var rules = Rule.MemberRules()
    if let part = self[schema, .properties] {
      for (name, schema) in try namedSchemas(part) { rules.named[Array(name.utf8)] = schema }
    }
    if let part = self[schema, .patternProperties] {
      for (name, schema) in try namedSchemas(part) {
        rules.patterns.append((try pattern(name, at: part), schema))
      }
    }
    rules.others = try self.schema(schema, .additionalProperties)
    return .members(rules)
  }

  private func names(_ part: Int) throws(Schema.Fault) -> [String] {
    var names: [String] = []
    if case .array(let elements) = value(part) {
      for case .string(let name) in elements { names.append(name) }
      if names.count == elements.count { return names }
    }
    throw index.fault(part, "an array of names is expected here")
  }

  // MARK: Arrays

  private mutating func elementRules(
    for keyword: Keyword, _ part: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> [Rule] {
    switch keyword {
    case .items:
      if case .array(let schemas) = value(part) {
        guard draft < .draft2020 else {
          throw index.fault(
            part, "a schema is expected here; in \(draft.name) an array of schemas is prefixItems")
        }
        return [
          .elements(
            first: schemas.isEmpty ? [] : try self.schemas(part),
            others: try self.schema(schema, .additionalItems))
        ]
      }
      let first = draft < .draft2020 ? nil : self[schema, .prefixItems]
      return [
        .elements(
          first: try first.map { part throws(Schema.Fault) in try schemas(part) } ?? [],
          others: try self.schema(part))
      ]
    case .prefixItems:
      return self[schema, .items] == nil
        ? [.elements(first: try schemas(part), others: nil)] : []
    case .additionalItems:
      // It says nothing unless `items` is an array.
      _ = try self.schema(part)
      return []
    case .contains:
      let hasCounts = draft >= .draft2019
      let least = hasCounts ? self[schema, .minContains] : nil
      let most = hasCounts ? self[schema, .maxContains] : nil
      return [
        .contains(
          try self.schema(part),
          least: try least.map { part throws(Schema.Fault) in try count(part) } ?? 1,
          most: try most.map { part throws(Schema.Fault) in try count(part) },
          evaluates: draft >= .draft2020)
      ]
    case .minContains, .maxContains:
      _ = try count(part)
      return []
    case .uniqueItems:
      guard case .bool(let isUnique) = value(part) else {
        throw index.fault(part, "true or false is expected here")
      }
      return isUnique ? [.unique] : []
    case .unevaluatedItems: return [.unevaluatedElements(try self.schema(part))]
    case _: return []
    }
  }

  // MARK: Values

  private func type(_ part: Int, _ draft: Draft) throws(Schema.Fault) -> Rule {
    let names: [JSON] = if case .array(let names) = value(part) { names } else { [value(part)] }
    var types: [SchemaType] = []
    for name in names {
      guard case .string(let text) = name, let type = SchemaType(rawValue: text) else {
        let known = SchemaType.allCases.map(\.rawValue).joined(separator: ", ")
        throw index.fault(part, "a type is one of \(known)")
      }
      types.append(type)
    }
    return .type(types, wholeDoubles: draft > .draft4)
  }

  private func count(_ part: Int) throws(Schema.Fault) -> Int {
    guard case .integer(let count) = value(part), count >= 0 else {
      throw index.fault(part, "a count is expected here")
    }
    return Int(clamping: count)
  }

  private func bound(
    _ keyword: Keyword, _ part: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> [Rule] {
    let isLower = keyword == .minimum || keyword == .exclusiveMinimum
    var isExclusive = keyword == .exclusiveMinimum || keyword == .exclusiveMaximum
    if draft == .draft4 {
      // There these say how the other two are meant.
      if isExclusive {
        guard case .bool = value(part) else {
          throw index.fault(part, "true or false is expected here")
        }
        return []
      }
      let other = self[schema, isLower ? .exclusiveMinimum : .exclusiveMaximum]
      if let other, case .bool(true) = value(other) { isExclusive = true }
    }
    guard value(part).isNumber else { throw index.fault(part, "a number is expected here") }
    let bound: Rule.Bound =
      isLower
      ? (isExclusive ? .exclusiveMinimum : .minimum) : (isExclusive ? .exclusiveMaximum : .maximum)
    return [.bound(bound, value(part))]
  }
}
