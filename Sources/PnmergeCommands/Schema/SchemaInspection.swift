import Peernote

/// Checks that a JSON value is a schema which can be used, before anything is checked against it.
struct SchemaInspection {
  let root: JSON
  /// The places that references lead to.
  private var seen: Set<JSONPointer> = []
  /// Those that are to be looked at yet, and what stands there: where one reference leads to
  /// another, and so on, is no reason to go as deep.
  private var pending: [(schema: JSON, place: JSONPointer)] = []
  /// How many more steps the inspection may take.
  private var stepsLeft: Int
  private let stepLimit: Int

  init(root: JSON, stepLimit: Int) {
    self.root = root
    self.stepLimit = stepLimit
    stepsLeft = stepLimit
    pending = [(root, JSONPointer())]
  }

  /// Looks at the schema and at every place that a reference leads to.
  ///
  /// A step is a name that a reference is compared with, or a part of a regular expression.
  ///
  /// - Throws: ``Schema/Fault``, also if that takes more steps than the limit.
  mutating func inspect() throws(Schema.Fault) {
    while let (schema, place) = pending.popLast() { try inspect(schema, at: place) }
  }

  private mutating func spend(_ steps: Int, at place: JSONPointer) throws(Schema.Fault) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw Schema.Fault(place: place, reason: "looking at it takes more than \(stepLimit) steps")
    }
  }

  private mutating func inspect(_ schema: JSON, at place: JSONPointer) throws(Schema.Fault) {
    guard case .object(let members) = schema else {
      if case .bool = schema { return }
      throw Schema.Fault(place: place, reason: "a schema is an object, true or false")
    }
    for member in members {
      let place = place.appending(member.name)
      guard let keyword = Schema.Keyword(rawValue: member.name) else {
        if Schema.refusedKeywords.contains(member.name) {
          throw Schema.Fault(place: place, reason: "\(quoted(member.name)) is not supported")
        }
        if member.name == "$defs" || member.name == "definitions" {
          try inspectAll(member.value, at: place)
        }
        continue
      }
      try inspect(keyword, member.value, at: place)
    }
  }

  private mutating func inspect(
    _ keyword: Schema.Keyword, _ value: JSON, at place: JSONPointer
  ) throws(Schema.Fault) {
    switch keyword {
    case .reference:
      try inspectReference(value, at: place)
    case .properties, .dependentSchemas:
      try inspectAll(value, at: place)
    case .patternProperties:
      try inspectAll(value, at: place)
      if case .object(let members) = value {
        for member in members { try inspectPattern(.string(member.name), at: place) }
      }
    case .pattern:
      try inspectPattern(value, at: place)
    case .additionalProperties, .propertyNames, .items, .contains, .not, .if, .then, .else:
      try inspect(value, at: place)
    case .prefixItems, .allOf, .anyOf, .oneOf:
      guard case .array(let schemas) = value, !schemas.isEmpty else {
        throw Schema.Fault(place: place, reason: "an array of schemas is expected here")
      }
      for (index, schema) in schemas.enumerated() {
        try inspect(schema, at: place.appending(String(index)))
      }
    case .type:
      try inspectType(value, at: place)
    case .enum:
      guard case .array = value else {
        throw Schema.Fault(place: place, reason: "an array is expected here")
      }
    case .const: break
    case .required: try inspectNames(value, at: place)
    case .dependentRequired:
      guard case .object(let members) = value else {
        throw Schema.Fault(place: place, reason: "an object is expected here")
      }
      for member in members { try inspectNames(member.value, at: place.appending(member.name)) }
    case .minProperties, .maxProperties, .minItems, .maxItems, .minContains, .maxContains,
      .minLength, .maxLength:
      guard case .integer(let count) = value.canonical, count >= 0 else {
        throw Schema.Fault(place: place, reason: "a count is expected here")
      }
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
      guard value.number != nil else {
        throw Schema.Fault(place: place, reason: "a number is expected here")
      }
    case .multipleOf:
      guard let number = value.number, number > 0 else {
        throw Schema.Fault(place: place, reason: "a number above zero is expected here")
      }
    case .uniqueItems:
      guard case .bool = value else {
        throw Schema.Fault(place: place, reason: "true or false is expected here")
      }
    }
  }

  private mutating func inspectAll(_ value: JSON, at place: JSONPointer) throws(Schema.Fault) {
    guard case .object(let members) = value else {
      throw Schema.Fault(place: place, reason: "an object of schemas is expected here")
    }
    for member in members { try inspect(member.value, at: place.appending(member.name)) }
  }

  private mutating func inspectReference(
    _ value: JSON, at place: JSONPointer
  ) throws(Schema.Fault) {
    guard case .string(let text) = value, let target = JSONPointer(schemaReference: text) else {
      throw Schema.Fault(
        place: place, reason: "only references inside the schema are supported, such as #/$defs/a")
    }
    guard !seen.contains(target) else { return }
    var found: JSON? = root
    for token in target.tokens {
      if case .object(let members)? = found { try spend(members.count, at: place) }
      found = found?[JSONPointer([token])]
    }
    guard let found else {
      throw Schema.Fault(place: place, reason: "nothing stands at \(quoted(text))")
    }
    // A target may stand where nothing else looks.
    seen.insert(target)
    pending.append((found, target))
  }

  private mutating func inspectPattern(_ value: JSON, at place: JSONPointer) throws(Schema.Fault) {
    guard case .string(let pattern) = value else {
      throw Schema.Fault(place: place, reason: "a regular expression is expected here")
    }
    let size: Int
    do throws(SchemaPattern.Fault) {
      size = try SchemaPattern(pattern).size
    } catch {
      throw Schema.Fault(place: place, reason: error.reason)
    }
    try spend(size, at: place)
  }

  private func inspectNames(_ value: JSON, at place: JSONPointer) throws(Schema.Fault) {
    guard case .array(let names) = value,
      names.allSatisfy({ if case .string = $0 { true } else { false } })
    else { throw Schema.Fault(place: place, reason: "an array of names is expected here") }
  }

  private func inspectType(_ value: JSON, at place: JSONPointer) throws(Schema.Fault) {
    let names: [JSON] = if case .array(let names) = value { names } else { [value] }
    for name in names {
      guard case .string(let text) = name, SchemaType(rawValue: text) != nil else {
        let known = SchemaType.allCases.map(\.rawValue).joined(separator: ", ")
        throw Schema.Fault(place: place, reason: "a type is one of \(known)")
      }
    }
  }
}

/// The types that a schema can name.
enum SchemaType: String, CaseIterable {
  case null, boolean, integer, number, string, array, object

  /// Whether a value is of this type.
  func holds(_ value: JSON) -> Bool {
    switch (self, value.plainNumber) {
    case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .double), (.string, .string), (.array, .array), (.object, .object):
      true
    // A whole number beyond 64 bits.
    case (.integer, .double(let number)): number.isFinite && number == number.rounded()
    case (_, .null), (_, .bool), (_, .integer), (_, .double), (_, .string), (_, .array),
      (_, .object):
      false
    }
  }
}

extension JSONPointer {
  /// The path that a reference inside a schema names, such as `#/$defs/a`; `nil` for any other.
  init?(schemaReference text: String) {
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8.dropFirst())[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let pointer = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(pointer)
  }
}
