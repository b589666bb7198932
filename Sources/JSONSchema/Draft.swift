/// An edition of JSON Schema, which says what the keywords of a schema mean.
enum Draft: Int, CaseIterable, Comparable {
  case draft4, draft6, draft7, draft2019, draft2020

  /// The draft of schemas that don't name theirs.
  static let latest = Draft.draft2020

  /// How people name it.
  var name: String {
    switch self {
    case .draft4: "draft-04"
    case .draft6: "draft-06"
    case .draft7: "draft-07"
    case .draft2019: "draft 2019-09"
    case .draft2020: "draft 2020-12"
    }
  }

  /// The draft that a `$schema` names; `nil` for another meta-schema.
  init?(metaschema text: String) {
    let end = text.hasSuffix("#") ? text.utf8.count - 1 : text.utf8.count
    let name = text.utf8.prefix(end)
    for draft in Draft.allCases {
      for scheme in ["http", "https"]
      where name.elementsEqual("\(scheme)://json-schema.org/\(draft.path)/schema".utf8) {
        self = draft
        return
      }
    }
    return nil
  }

  private var path: String {
    switch self {
    case .draft4, .draft6, .draft7: name
    case .draft2019: "draft/2019-09"
    case .draft2020: "draft/2020-12"
    }
  }

  static func < (left: Draft, right: Draft) -> Bool { left.rawValue < right.rawValue }

  /// The keyword that names a schema.
  var identifier: String { self == .draft4 ? "id" : "$id" }

  /// Whether `$ref` makes all that stands beside it meaningless.
  var referencesStandAlone: Bool { self <= .draft7 }
}

/// The keywords that are checked, or that say where schemas are.
enum Keyword: String, CaseIterable {
  case reference = "$ref"
  case dynamicReference = "$dynamicRef"
  case recursiveReference = "$recursiveRef"
  case anchor = "$anchor"
  case dynamicAnchor = "$dynamicAnchor"
  case recursiveAnchor = "$recursiveAnchor"
  case definitions
  case shortDefinitions = "$defs"
  case type, `enum`, const
  case properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties
  case required, dependentRequired, dependentSchemas, dependencies, minProperties, maxProperties
  case items, prefixItems, additionalItems, unevaluatedItems
  case contains, minContains, maxContains, minItems, maxItems, uniqueItems
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern
  case allOf, anyOf, oneOf, not
  case `if`, then, `else`

  /// The drafts that have the keyword.
  ///
  /// Later drafts still describe `dependencies`, and nobody wants it ignored; `$defs` holds schemas
  /// for references in older ones, too.
  var drafts: ClosedRange<Draft> {
    switch self {
    case .const, .contains, .propertyNames: .draft6 ... .latest
    case .if, .then, .else: .draft7 ... .latest
    case .anchor, .dependentRequired, .dependentSchemas, .minContains, .maxContains,
      .unevaluatedItems, .unevaluatedProperties:
      .draft2019 ... .latest
    case .recursiveReference, .recursiveAnchor: .draft2019 ... .draft2019
    case .dynamicReference, .dynamicAnchor, .prefixItems: .draft2020 ... .latest
    case .additionalItems: .draft4 ... .draft2019
    case _: .draft4 ... .latest
    }
  }

  /// Where the schemas are in what the keyword takes.
  enum Shape: String {
    case schema = "a schema"
    case schemas = "an array of schemas"
    case namedSchemas = "an object of schemas"
    /// One schema, or an array of them.
    case schemaOrSchemas
    /// Schemas or arrays of names, by names.
    case dependencies = "an object"
    case none
  }

  var shape: Shape {
    switch self {
    case .additionalProperties, .propertyNames, .unevaluatedProperties, .additionalItems,
      .unevaluatedItems, .contains, .not, .if, .then, .else:
      .schema
    case .prefixItems, .allOf, .anyOf, .oneOf: .schemas
    case .items: .schemaOrSchemas
    case .definitions, .shortDefinitions, .properties, .patternProperties, .dependentSchemas:
      .namedSchemas
    case .dependencies: .dependencies
    case _: .none
    }
  }
}
