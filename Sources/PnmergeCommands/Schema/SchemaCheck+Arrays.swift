import Peernote

extension SchemaCheck {
  /// Checks what a schema says about arrays.
  mutating func checkArray(
    _ elements: [JSON], _ keyword: Schema.Keyword, _ argument: JSON, in schema: JSON,
    at path: JSONPointer
  ) {
    switch (keyword, argument.plainNumber) {
    case (.prefixItems, .array(let schemas)):
      for (index, pair) in zip(elements, schemas).enumerated() where stepsLeft >= 0 {
        descend(pair.0, pair.1, at: path.appending(String(index)))
      }
    case (.items, _):
      var first = 0
      if case .array(let prefix) = member("prefixItems", of: schema) { first = prefix.count }
      for (index, element) in elements.enumerated().dropFirst(first) where stepsLeft >= 0 {
        descend(element, argument, at: path.appending(String(index)))
      }
    case (.contains, _):
      var count: Int64 = 0
      for (index, element) in elements.enumerated()
      where stepsLeft >= 0 && isValid(element, argument, at: path.appending(String(index))) {
        count += 1
      }
      var (least, most): (Int64, Int64) = (1, .max)
      if case .integer(let bound) = member("minContains", of: schema)?.plainNumber {
        least = bound
      }
      if case .integer(let bound) = member("maxContains", of: schema)?.plainNumber {
        most = bound
      }
      if count < least { add(path, "must hold at least \(least) elements that fit, not \(count)") }
      if count > most { add(path, "must hold at most \(most) elements that fit, not \(count)") }
    case (.minItems, .integer(let count)):
      if elements.count < count { add(path, "must have at least \(count) elements") }
    case (.maxItems, .integer(let count)):
      if elements.count > count { add(path, "must have at most \(count) elements") }
    case (.uniqueItems, .bool(true)):
      checkUnique(elements, at: path)
    case (_, _): break
    }
  }
}
