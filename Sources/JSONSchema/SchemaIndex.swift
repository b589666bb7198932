import PeernoteJSON

/// The names in some schemas, and where their references lead (JSON Schema, core, section 8.2).
struct SchemaIndex {
  /// A schema with a URI of its own, up to the next such schemas inside it.
  struct Resource {
    var base: URIReference
    var draft: Draft
    /// The number of its outermost value.
    var root: Int
    /// Values by the names that `$anchor` and `$dynamicAnchor` give them, in UTF-8.
    var anchors: [[UInt8]: Int] = [:]
    var dynamicAnchors: [[UInt8]: Int] = [:]
    /// Whether `$recursiveRef` leads to the outermost such resource.
    var isRecursive = false
  }

  let source: SchemaSource
  private(set) var resources: [Resource] = []
  /// The resource of each value that is known to be a schema; of others `nil`.
  private(set) var resourceNumbers: [Int?]
  private var resourcesByURI: [[UInt8]: Int] = [:]
  private var targets: [[UInt8]: Int] = [:]
  /// How many more names may be compared.
  private var stepsLeft: Int
  private let stepLimit: Int

  /// Takes up what the documents name.
  ///
  /// - Throws: ``Schema/Fault`` if a name is none, or stands twice.
  init(_ documents: [SchemaDocument], stepLimit: Int) throws(Schema.Fault) {
    source = SchemaSource(documents.map(\.json))
    (self.stepLimit, stepsLeft) = (stepLimit, stepLimit)
    resourceNumbers = Array(repeating: nil, count: source.values.count)
    for (number, document) in documents.enumerated() {
      // Found here, since of other documents only what is referred to is compiled.
      switch document.json {
      case .object, .bool: break
      case .null, .integer, .double, .string, .array:
        throw fault(number, "a schema is an object, true or false")
      }
      let base = URIReference(document.uri).resolved(from: URIReference(""))
      // What says no draft is taken for the draft of the first.
      let draft = try declaredDraft(number) ?? resources.first?.draft ?? .latest
      let resource = try addResource(base, draft, root: number)
      try addSchemas(from: number, in: resource)
    }
  }

  /// Takes account of some steps.
  mutating func spend(_ steps: Int, at value: Int) throws(Schema.Fault) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw fault(value, "looking at it takes more than \(stepLimit) steps")
    }
  }

  /// What is wrong with a value, or with a member of it.
  func fault(_ value: Int, member name: String? = nil, _ reason: String) -> Schema.Fault {
    let (document, place) = source.place(of: value)
    return Schema.Fault(
      document: document, place: name.map { place.appending($0) } ?? place, reason: reason)
  }

  /// The resource of a schema.
  func resource(of value: Int) -> Resource? { resourceNumbers[value].map { resources[$0] } }

  // MARK: Names

  private mutating func addResource(
    _ base: URIReference, _ draft: Draft, root: Int
  ) throws(Schema.Fault) -> Int {
    resources.append(Resource(base: base, draft: draft, root: root))
    try name(resources.count - 1, base)
    return resources.count - 1
  }

  private mutating func name(_ resource: Int, _ uri: URIReference) throws(Schema.Fault) {
    let key = Array(uri.resource.utf8)
    if let other = resourcesByURI[key], other != resource {
      throw fault(
        resources[resource].root, "another schema has the name \(quoted(uri.resource)), too")
    }
    resourcesByURI[key] = resource
  }

  /// Takes up a schema and all those inside it that keywords lead to.
  private mutating func addSchemas(from root: Int, in resource: Int) throws(Schema.Fault) {
    var pending = [(root, resource)]
    while let (value, outer) = pending.popLast() {
      guard resourceNumbers[value] == nil else { continue }
      let resource = try self.resource(startingAt: value, in: outer)
      resourceNumbers[value] = resource
      try addAnchors(of: value, to: resource)
      for (member, part) in source.members(of: value) {
        guard let keyword = Keyword(rawValue: member.name),
          keyword.drafts.contains(resources[resource].draft)
        else { continue }
        for schema in schemas(in: part, keyword.shape) ?? [] { pending.append((schema, resource)) }
      }
    }
  }

  /// The schemas in what a keyword takes; `nil` if it takes something else.
  func schemas(in value: Int, _ shape: Keyword.Shape) -> [Int]? {
    switch (shape, source.values[value]) {
    case (.schemas, .array(let elements)) where elements.isEmpty: nil
    case (.schemas, .array), (.schemaOrSchemas, .array), (.namedSchemas, .object):
      Array(source.parts(of: value))
    case (.schema, _), (.schemaOrSchemas, _): [value]
    case (.dependencies, .object):
      source.parts(of: value).filter { if case .array = source.values[$0] { false } else { true } }
    case (.schemas, _), (.namedSchemas, _), (.dependencies, _): nil
    case (.none, _): []
    }
  }

  private func string(_ value: Int, _ name: String) throws(Schema.Fault) -> String? {
    guard let part = source.part(of: value, name) else { return nil }
    guard case .string(let text) = source.values[part] else {
      throw fault(part, "a string is expected here")
    }
    return text
  }

  /// The draft that a schema declares; `nil` if it declares none.
  private func declaredDraft(_ value: Int) throws(Schema.Fault) -> Draft? {
    guard let text = try string(value, "$schema") else { return nil }
    guard let draft = Draft(metaschema: text) else {
      let known = Draft.allCases.map(\.name).joined(separator: ", ")
      throw fault(
        value, member: "$schema", "\(quoted(text)) is not supported; supported are \(known)")
    }
    return draft
  }

  /// The resource that a schema belongs to, which may begin with it.
  private mutating func resource(
    startingAt value: Int, in outer: Int
  ) throws(Schema.Fault) -> Int {
    guard case .object = source.values[value] else { return outer }
    let declared = try declaredDraft(value)
    let draft = declared ?? resources[outer].draft
    let isRoot = resources[outer].root == value
    let isReference = draft.referencesStandAlone && source.part(of: value, "$ref") != nil
    guard !isReference, let text = try string(value, draft.identifier) else {
      if declared != nil, !isRoot {
        throw fault(value, member: "$schema", "this is allowed beside \(draft.identifier) only")
      }
      return outer
    }
    let reference = URIReference(text)
    if let fragment = reference.fragment, !fragment.isEmpty {
      guard draft <= .draft7, reference.resource.isEmpty else {
        throw fault(value, member: draft.identifier, "a URI without a fragment is expected here")
      }
      try add(anchor: fragment, to: outer, at: value, draft.identifier)
      return outer
    }
    let base = reference.resolved(from: resources[outer].base)
    guard isRoot else { return try addResource(base, draft, root: value) }
    resources[outer].base = base
    try name(outer, base)
    return outer
  }

  private mutating func addAnchors(of value: Int, to resource: Int) throws(Schema.Fault) {
    let draft = resources[resource].draft
    for keyword in [Keyword.anchor, .dynamicAnchor] where keyword.drafts.contains(draft) {
      guard let anchor = try string(value, keyword.rawValue) else { continue }
      try add(anchor: anchor, to: resource, at: value, keyword.rawValue)
      if keyword == .dynamicAnchor {
        resources[resource].dynamicAnchors[Array(anchor.utf8)] = value
      }
    }
    let keyword = Keyword.recursiveAnchor
    guard keyword.drafts.contains(draft), let part = source.part(of: value, keyword.rawValue)
    else { return }
    guard case .bool(let isRecursive) = source.values[part] else {
      throw fault(part, "true or false is expected here")
    }
    guard resources[resource].root == value else {
      throw fault(part, "this is allowed beside $id or at the root only")
    }
    resources[resource].isRecursive = isRecursive
  }

  private mutating func add(
    anchor: String, to resource: Int, at value: Int, _ keyword: String
  ) throws(Schema.Fault) {
    let key = Array(anchor.utf8)
    if let other = resources[resource].anchors[key], other != value {
      throw fault(value, member: keyword, "another schema has the name \(quoted(anchor)), too")
    }
    resources[resource].anchors[key] = value
  }

  // MARK: References

  /// Where a reference in a schema leads, and the anchor by which it does so, if any.
  mutating func target(
    of reference: Int, in schema: Int
  ) throws(Schema.Fault) -> (value: Int, anchor: [UInt8]?) {
    guard case .string(let text) = source.values[reference] else {
      throw fault(reference, "a reference is expected here, such as #/$defs/name")
    }
    let base = resource(of: schema)?.base ?? URIReference("")
    let uri = URIReference(text).resolved(from: base)
    guard let number = resourcesByURI[Array(uri.resource.utf8)] else {
      var fault = fault(
        reference, "\(quoted(uri.resource)) is none of the schemas that were given")
      fault.missingSchema = uri.resource
      throw fault
    }
    guard let fragment = uri.decodedFragment else {
      throw fault(reference, "a reference is expected here, such as #/$defs/name")
    }
    let isPointer = fragment.isEmpty || fragment.utf8.first == UInt8(ascii: "/")
    let anchor = isPointer ? nil : Array(fragment.utf8)
    let key = Array("\(number)#\(fragment)".utf8)
    if let known = targets[key] { return (known, anchor) }
    let target: Int?
    if let anchor {
      target = resources[number].anchors[anchor]
    } else {
      target = try follow(fragment, in: number, from: reference)
    }
    guard let target else { throw fault(reference, "there is nothing at \(quoted(text))") }
    targets[key] = target
    return (target, anchor)
  }

  /// What a JSON Pointer leads to.
  private mutating func follow(
    _ pointer: String, in resource: Int, from reference: Int
  ) throws(Schema.Fault) -> Int? {
    guard let place = JSONPlace(pointer) else { return nil }
    var value = resources[resource].root
    var innermost = resource
    for token in place.tokens {
      if case .object(let members) = source.values[value] {
        try spend(members.count, at: reference)
      }
      guard let part = source.part(of: value, token) else { return nil }
      value = part
      innermost = resourceNumbers[value] ?? innermost
    }
    // No keyword may have led here yet.
    try addSchemas(from: value, in: innermost)
    return value
  }
}

/// All values in some JSON documents, numbered: first the documents, then what they hold, the parts
/// of one value in a row.
struct SchemaSource {
  private(set) var values: [JSON]
  /// What holds the value; itself for a document.
  private var parents: [Int]
  /// The number of the first part of a value.
  private var firstParts: [Int] = []

  /// Numbers the values.
  ///
  /// - Complexity: O(*n*) for *n* values.
  init(_ documents: [JSON]) {
    values = documents
    parents = Array(documents.indices)
    var next = 0
    while next < values.count {
      firstParts.append(values.count)
      switch values[next] {
      case .array(let elements): values += elements
      case .object(let members): values += members.map(\.value)
      case .null, .bool, .integer, .double, .string: break
      }
      parents += repeatElement(next, count: values.count - parents.count)
      next += 1
    }
  }

  /// The numbers of the parts of a value.
  func parts(of value: Int) -> Range<Int> {
    let first = firstParts[value]
    switch values[value] {
    case .array(let elements): return first..<first + elements.count
    case .object(let members): return first..<first + members.count
    case .null, .bool, .integer, .double, .string: return first..<first
    }
  }

  /// The names and numbers of the members of an object; none of any other value.
  func members(of value: Int) -> Zip2Sequence<[JSON.Member], Range<Int>> {
    guard case .object(let members) = values[value] else { return zip([], 0..<0) }
    return zip(members, parts(of: value))
  }

  /// The part that a token of a JSON Pointer names; `nil` if there is none.
  ///
  /// - Complexity: O(members of the object).
  func part(of value: Int, _ token: String) -> Int? {
    switch values[value] {
    case .object:
      return members(of: value).first { $0.0.name.utf8.elementsEqual(token.utf8) }?.1
    case .array(let elements):
      guard let index = JSONPlace.index(token), elements.indices.contains(index) else { return nil }
      return firstParts[value] + index
    case .null, .bool, .integer, .double, .string: return nil
    }
  }

  /// In which document a value is, and where there.
  func place(of value: Int) -> (document: Int, place: JSONPlace) {
    var tokens: [String] = []
    var value = value
    while parents[value] != value {
      let parent = parents[value]
      let index = value - firstParts[parent]
      if case .object(let members) = values[parent] {
        tokens.append(members[index].name)
      } else {
        tokens.append(String(index))
      }
      value = parent
    }
    return (value, JSONPlace(tokens.reversed()))
  }
}
