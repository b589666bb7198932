import Peernote

/// Checks that a JSON value is a schema which can be used, before anything is checked against it.
struct SchemaInspection {
  let root: JSON
  /// The places that references lead to and that have been looked at.
  private var seen: Set<JSONPointer> = []

  init(root: JSON) {
    self.root = root
  }

  mutating func inspect(_ schema: JSON, at place: JSONPointer) throws(Schema.Fault) {
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
    guard let schema = root[target] else {
      throw Schema.Fault(place: place, reason: "nothing stands at \(quoted(text))")
    }
    // A target may stand where nothing else looks.
    if seen.insert(target).inserted { try inspect(schema, at: target) }
  }

  private func inspectPattern(_ value: JSON, at place: JSONPointer) throws(Schema.Fault) {
    guard case .string(let pattern) = value else {
      throw Schema.Fault(place: place, reason: "a regular expression is expected here")
    }
    do throws(SchemaPattern.Fault) {
      _ = try SchemaPattern(pattern)
    } catch {
      throw Schema.Fault(place: place, reason: error.reason)
    }
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
