import PeernoteJSON

extension SchemaCheck {
  /// What it takes to look up a name, besides its length.
  private static let lookupSteps = 8

  /// Checks what a schema says about objects.
  mutating func checkObject(
    _ members: [JSON.Member], _ value: JSON, _ rule: Rule, _ marking: Bool,
    _ evaluated: inout EvaluatedParts
  ) {
    switch rule {
    case .members(let rules):
      for (place, member) in members.enumerated() where goesOn {
        if check(member, rules), marking { evaluated.insert(place) }
      }
    case .names(let schema):
      for member in members where goesOn { descend(member.name, .string(member.name), schema) }
    case .required(let names): requireNames(names, in: members)
    case .dependentNames(let dependents):
      for (name, needed) in dependents where goesOn && has(name, members) {
        requireNames(needed, in: members)
      }
    case .dependentSchemas(let dependents):
      for (name, schema) in dependents where goesOn && has(name, members) {
        merge(check(value, schema, marking: marking), into: &evaluated)
      }
    case .unevaluatedMembers(let schema):
      for (place, member) in members.enumerated() where goesOn && !evaluated.contains(place) {
        checkOther(member, schema)
      }
      evaluated.insertAll()
    case _: break
    }
  }

  /// Checks a member by its name.
  ///
  /// - Returns: whether there was a schema for it.
  private mutating func check(_ member: JSON.Member, _ rules: Rule.MemberRules) -> Bool {
    spend(Self.lookupSteps + member.name.utf8.count)
    var isNamed = false
    if !rules.named.isEmpty, let schema = rules.named[Array(member.name.utf8)] {
      isNamed = true
      descend(member.name, member.value, schema)
    }
    for (pattern, schema) in rules.patterns where goesOn && matches(member.name, pattern) {
      isNamed = true
      descend(member.name, member.value, schema)
    }
    if isNamed { return true }
    guard let schema = rules.others else { return false }
    checkOther(member, schema)
    return true
  }

  /// Checks a member that no schema speaks of by name.
  private mutating func checkOther(_ member: JSON.Member, _ schema: Int) {
    if case .never? = program.rules[schema].first {
      spend(Self.lookupSteps)
      add("must not have the name \(quoted(member.name))")
    } else {
      descend(member.name, member.value, schema)
    }
  }

  private mutating func requireNames(_ names: [String], in members: [JSON.Member]) {
    for name in names where goesOn && !has(name, members) {
      add("must have the name \(quoted(name))")
    }
  }

  /// Whether an object has a name; if no steps are left, nobody knows.
  private mutating func has(_ name: String, _ members: [JSON.Member]) -> Bool {
    spend(members.count)
    return stepsLeft >= 0 && members.contains { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
