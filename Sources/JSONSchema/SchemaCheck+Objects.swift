import PeernoteJSON

extension SchemaCheck {
  /// What it takes to look up a name, besides its length.
  private static let lookupSteps = 8

  /// Checks a member by its name.
  ///
  /// - Returns: whether there was a schema for it.
  mutating func check(_ member: JSON.Member, _ rules: MemberRules) -> Bool {
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
  mutating func checkOther(_ member: JSON.Member, _ schema: Int) {
    if case .bool(false) = program.index.source.values[schema] {
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
}
