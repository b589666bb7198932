package import Peernote

/// A JSON Schema (draft 2020-12) that documents are checked against, in their plain JSON form.
///
/// Supported are all keywords of the core, applicator and validation vocabularies that
/// ``Keyword`` lists; pnmerge(1), "SCHEMAS". Annotations such as `title` and `format`, and keywords
/// that nobody has defined, say nothing about validity and are ignored, as the specification
/// asks. Keywords that it defines and this checker doesn't know are refused, so that nothing
/// passes that the schema forbids.
package struct Schema: Sendable {
  /// Why something is no schema that can be used.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the schema.
    package var place: JSONPointer
    package var reason: String

    package var description: String {
      place.tokens.isEmpty ? reason : "at \(place): \(reason)"
    }
  }

  /// A place that is not as the schema says.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Where in the document.
    package var path: JSONPointer
    /// What must be there, as a clause.
    package var reason: String

    package var description: String {
      "\(path.words): \(reason)"
    }
  }

  /// The keywords that are checked.
  enum Keyword: String, CaseIterable {
    case reference = "$ref"
    case type, `enum`, const
    case properties, patternProperties, additionalProperties, propertyNames
    case required, dependentRequired, dependentSchemas, minProperties, maxProperties
    case items, prefixItems, contains, minContains, maxContains, minItems, maxItems, uniqueItems
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case minLength, maxLength, pattern
    case allOf, anyOf, oneOf, not
    case `if`, then, `else`
  }

  /// Keywords of the specification that are not supported.
  static let refusedKeywords: Set<String> = [
    "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$anchor",
    "unevaluatedItems", "unevaluatedProperties", "additionalItems", "dependencies",
  ]

  let root: JSON

  /// Takes a JSON value for a schema.
  ///
  /// - Throws: ``Fault`` if it is none that can be used, or to find that out takes more steps than
  ///   a limit.
  package init(_ json: JSON, stepLimit: Int = stepLimit) throws(Fault) {
    root = json
    var inspection = SchemaInspection(root: json, stepLimit: stepLimit)
    try inspection.inspect()
  }

  /// The most steps that a check takes, a few seconds' worth: a schema can ask for more than anybody
  /// can wait for.
  package static let stepLimit = 1 << 28

  /// The places where a content is not as the schema says, in the order of the content.
  ///
  /// - Throws: ``Fault`` if that takes more steps than a limit, or goes too deep.
  package func violations(
    in content: Node, stepLimit: Int = stepLimit
  ) throws(Fault) -> [Violation] {
    var steps = stepLimit
    let violations = try violations(in: content, steps: &steps)
    guard steps >= 0 else {
      throw Fault(
        place: JSONPointer(), reason: "checking it takes more than \(stepLimit) steps")
    }
    return violations
  }

  /// The same within a number of steps.
  ///
  /// A step is a part of the schema or of the content that is looked at, or one of matching a
  /// regular expression.
  ///
  /// - Parameters:
  ///   - content: what is checked.
  ///   - steps: how many steps it may take; then what is left of them, which is negative if they
  ///     did not suffice, by no more than the schema and the content are long.
  /// - Returns: the violations; some of them, or some that are none, if the steps did not suffice.
  /// - Throws: ``Fault`` if it goes too deep.
  package func violations(in content: Node, steps: inout Int) throws(Fault) -> [Violation] {
    var check = SchemaCheck(root: root, stepLimit: steps)
    check.check(content.json, root, at: JSONPointer())
    steps = check.stepsLeft
    if check.isTooDeep {
      throw Fault(
        place: JSONPointer(),
        reason: "checking it takes more than \(SchemaCheck.depthLimit) schemas inside each other")
    }
    return check.violations
  }
}

extension JSON {
  /// What an object has under a name; `nil` for another name or if this is no object.
  subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// What stands at a path below this value; `nil` if nothing does.
  subscript(_ path: JSONPointer) -> JSON? {
    var value = self
    for token in path.tokens {
      switch value {
      case .object:
        guard let child = value[token] else { return nil }
        value = child
      case .array(let elements):
        guard let index = Int(token), elements.indices.contains(index) else { return nil }
        value = elements[index]
      case .null, .bool, .integer, .double, .string: return nil
      }
    }
    return value
  }

  /// The value in a form that equal values share: numbers of one value are the same, members are
  /// in order.
  var canonical: JSON {
    switch self {
    case .null, .bool, .integer, .string: return self
    case .double: return plainNumber
    case .array(let elements): return .array(elements.map(\.canonical))
    case .object(let members):
      return .object(
        members.map { Member(name: $0.name, value: $0.value.canonical) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
  }

  /// The value, as an integer if it is a double that is one.
  var plainNumber: JSON {
    guard case .double(let value) = self else { return self }
    return Int64(exactly: value).map { .integer($0) } ?? self
  }

  /// What tells the value from all that are not equal to it (JSON Schema, core, section 4.2.2).
  var identity: [UInt8] { canonical.encoded() }

  /// The value as a double; `nil` if it is no number.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
