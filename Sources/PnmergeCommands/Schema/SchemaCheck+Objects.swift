import Peernote

extension SchemaCheck {
  /// Checks what a schema says about objects.
  mutating func checkObject(
    _ members: [JSON.Member], _ value: JSON, _ keyword: Schema.Keyword, _ argument: JSON,
    in schema: JSON, at path: JSONPointer
  ) {
    switch (keyword, argument.plainNumber) {
    case (.properties, .object):
      for member in members where stepsLeft >= 0 {
        guard let wanted = self.member(member.name, of: argument) else { continue }
        descend(member.value, wanted, at: path.appending(member.name))
      }
    case (.patternProperties, .object(let patterns)):
      for member in members where stepsLeft >= 0 {
        for pattern in patterns where stepsLeft >= 0 && matches(member.name, pattern.name) {
          descend(member.value, pattern.value, at: path.appending(member.name))
        }
      }
    case (.additionalProperties, _):
      for member in members where stepsLeft >= 0 && !isNamed(member.name, in: schema) {
        if case .bool(false) = argument {
          add(path, "must not have the name \(quoted(member.name))")
        } else {
          descend(member.value, argument, at: path.appending(member.name))
        }
      }
    case (.propertyNames, _):
      for member in members where stepsLeft >= 0 {
        descend(.string(member.name), argument, at: path.appending(member.name))
      }
    case (.required, .array(let names)):
      requireNames(names, in: value, at: path)
    case (.dependentRequired, .object(let dependents)):
      for dependent in dependents
      where stepsLeft >= 0 && member(dependent.name, of: value) != nil {
        if case .array(let names) = dependent.value { requireNames(names, in: value, at: path) }
      }
    case (.dependentSchemas, .object(let dependents)):
      for dependent in dependents
      where stepsLeft >= 0 && member(dependent.name, of: value) != nil {
        check(value, dependent.value, at: path)
      }
    case (.minProperties, .integer(let count)):
      if members.count < count { add(path, "must have at least \(count) names") }
    case (.maxProperties, .integer(let count)):
      if members.count > count { add(path, "must have at most \(count) names") }
    case (_, _): break
    }
  }

  private mutating func requireNames(_ names: [JSON], in value: JSON, at path: JSONPointer) {
    for case .string(let name) in names
    where stepsLeft >= 0 && member(name, of: value) == nil {
      add(path, "must have the name \(quoted(name))")
    }
  }

  /// Whether `properties` or `patternProperties` speak of a name.
  private mutating func isNamed(_ name: String, in schema: JSON) -> Bool {
    if member(name, of: member("properties", of: schema)) != nil { return true }
    guard case .object(let patterns)? = member("patternProperties", of: schema) else {
      return false
    }
    return patterns.contains { matches(name, $0.name) }
  }
}
