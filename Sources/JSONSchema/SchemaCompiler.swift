import PeernoteJSON

/// Makes a schema ready for checks, and refuses it if it is none that can be used.
struct SchemaCompiler {
  private(set) var program: SchemaProgram
  /// The values that names lead to.
  private var names: [Name: Int] = [:]
  /// The schemas that references lead to and that are to be read yet: where one reference leads to
  /// another, and so on, is no reason to go as deep.
  private var pending = [0]
  private var patterns: [[UInt8]: SchemaPattern] = [:]
  private var patternSize = 0
  /// How many more names may be compared, and parts of regular expressions read.
  private var stepsLeft: Int
  private let stepLimit: Int

  /// How a reference names a value, in UTF-8; a number is that of a resource.
  private enum Name: Hashable {
    case resource([UInt8])
    case anchor(Int, [UInt8])
    /// A pointer that was followed.
    case pointer(Int, [UInt8])
  }

  /// The most parts that all regular expressions have together, which are kept in memory.
  private static let patternSizeLimit = 1 << 20

  /// What is not ignored where `$ref` makes all beside it meaningless.
  private static let besideReference: Set = ["$ref", "definitions", "$defs"]

  /// Takes up what the documents name, then reads the first and every schema that references lead to.
  init(_ documents: [SchemaDocument], stepLimit: Int) throws(Schema.Fault) {
    program = SchemaProgram(documents.map(\.json))
    (self.stepLimit, stepsLeft) = (stepLimit, stepLimit)
    for (number, document) in documents.enumerated() {
      // Found here, since of other documents only what is referred to is read.
      guard document.json.members != nil || document.json.bool != nil else {
        throw noSchema(number)
      }
      let base = URIReference(document.uri).resolved(from: URIReference(""))
      // What says no draft is taken for the draft of the first.
      let draft = try declaredDraft(number) ?? program.resources.first?.draft ?? .latest
      try addSchemas(from: number, in: try addResource(base, draft, root: number))
    }
    while let schema = pending.popLast() { try read(schema) }
  }

  /// Reads a schema and those inside it, which are as deep as JSON can be.
  private mutating func read(_ schema: Int) throws(Schema.Fault) {
    if program.values[schema].rules != nil { return }
    program.values[schema].rules = []
    if let isAllowed = program.values[schema].json.bool {
      if !isAllowed {
        program.values[schema].rules = [Rule { check, _ in check.add("nothing may be here") }]
      }
      return
    }
    guard program.values[schema].json.members != nil else { throw noSchema(schema) }
    let draft = program.resource(of: schema)?.draft ?? .latest
    let standsAlone = draft.referencesStandAlone && self[schema, "$ref"] != nil
    var rules: [Rule] = []
    for (member, part) in program.members(of: schema) {
      guard let keyword = Keyword.all[member.name],
        !standsAlone || Self.besideReference.contains(member.name)
      else { continue }
      guard keyword.drafts.contains(draft) else {
        throw program.fault(
          part, "\(quoted(member.name)) is not a keyword of \(draft.name), which this schema is in")
      }
      let inner = try expect(
        keyword.shape.rawValue, schemas(in: part, keyword.shape), at: part)
      let use = Keyword.Use(
        schema: schema, draft: draft, part: part, value: member.value.plain, inner: inner)
      if let rule = try keyword.rule(&self, use) { rules.append(rule) }
      for schema in inner { try read(schema) }
    }
    program.values[schema].rules = rules.filter { !$0.isLast } + rules.filter(\.isLast)
  }

  /// The schemas in what a keyword takes; `nil` if it takes something else.
  private func schemas(in value: Int, _ shape: Keyword.Shape) -> [Int]? {
    let parts = program.values[value].parts
    switch (shape, program.values[value].json) {
    case (.none, _): return []
    case (.schemas, .array) where parts.isEmpty: return nil
    case (.schemas, .array), (.schemaOrSchemas, .array), (.namedSchemas, .object):
      return Array(parts)
    case (.schema, _), (.schemaOrSchemas, _): return [value]
    case (.dependencies, .object):
      return parts.filter { program.values[$0].json.elements == nil }
    case (.schemas, _), (.namedSchemas, _), (.dependencies, _): return nil
    }
  }

  // MARK: Parts

  /// The number of what a schema has for a keyword.
  subscript(_ schema: Int, _ keyword: String) -> Int? { program.part(of: schema, keyword) }

  /// A value that there must be in some place.
  @discardableResult
  func expect<Value>(
    _ what: String, _ value: Value?, at part: Int
  ) throws(Schema.Fault) -> Value {
    guard let value else { throw program.fault(part, "\(what) is expected here") }
    return value
  }

  private func string(_ value: Int, _ name: String) throws(Schema.Fault) -> String? {
    guard let part = self[value, name] else { return nil }
    return try expect("a string", program.values[part].json.string, at: part)
  }

  private func noSchema(_ value: Int) -> Schema.Fault {
    program.fault(value, "a schema is an object, true or false")
  }

  /// Takes account of some steps.
  private mutating func spend(_ steps: Int, at value: Int) throws(Schema.Fault) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw program.fault(value, "looking at it takes more than \(stepLimit) steps")
    }
  }

  /// Reads a regular expression; the same one only once.
  mutating func pattern(_ text: String, at part: Int) throws(Schema.Fault) -> SchemaPattern {
    let key = Array(text.utf8)
    if let known = patterns[key] { return known }
    let pattern: SchemaPattern
    do throws(SchemaPattern.Fault) {
      pattern = try SchemaPattern(text)
    } catch {
      throw program.fault(part, error.reason)
    }
    try spend(pattern.size, at: part)
    patternSize += pattern.size
    guard patternSize <= Self.patternSizeLimit else {
      throw program.fault(
        part, "the regular expressions have more than \(Self.patternSizeLimit) parts in all")
    }
    patterns[key] = pattern
    return pattern
  }
}

// Names, and where references lead (JSON Schema, core, section 8.2).

extension SchemaCompiler {
  private mutating func addResource(
    _ base: URIReference, _ draft: Draft, root: Int
  ) throws(Schema.Fault) -> Int {
    program.resources.append(SchemaProgram.Resource(base: base, draft: draft, root: root))
    try name(root, .resource(Array(base.resource.utf8)), base.resource)
    return program.resources.count - 1
  }

  /// Names a schema, by its keyword if that is no resource.
  private mutating func name(
    _ value: Int, _ name: Name, _ text: String, by keyword: String? = nil
  ) throws(Schema.Fault) {
    let known = names.updateValue(value, forKey: name)
    if let known, known != value {
      throw program.fault(
        value, member: keyword, "another schema has the name \(quoted(text)), too")
    }
  }

  /// Takes up a schema and all those inside it that keywords lead to.
  private mutating func addSchemas(from root: Int, in resource: Int) throws(Schema.Fault) {
    var pending = [(root, resource)]
    while let (value, outer) = pending.popLast() {
      guard program.values[value].resource == nil else { continue }
      let resource = try self.resource(startingAt: value, in: outer)
      program.values[value].resource = resource
      try addAnchors(of: value, to: resource)
      for (member, part) in program.members(of: value) {
        guard let keyword = Keyword.all[member.name],
          keyword.drafts.contains(program.resources[resource].draft)
        else { continue }
        for schema in schemas(in: part, keyword.shape) ?? [] { pending.append((schema, resource)) }
      }
    }
  }

  /// The draft that a schema declares; `nil` if it declares none.
  private func declaredDraft(_ value: Int) throws(Schema.Fault) -> Draft? {
    guard let text = try string(value, "$schema") else { return nil }
    if let draft = Draft(metaschema: text) { return draft }
    let known = Draft.allCases.map(\.name).joined(separator: ", ")
    throw program.fault(
      value, member: "$schema", "\(quoted(text)) is not supported; supported are \(known)")
  }

  /// The resource that a schema belongs to, which may begin with it.
  private mutating func resource(
    startingAt value: Int, in outer: Int
  ) throws(Schema.Fault) -> Int {
    let declared = try declaredDraft(value)
    let draft = declared ?? program.resources[outer].draft
    let isRoot = program.resources[outer].root == value
    let isReference = draft.referencesStandAlone && self[value, "$ref"] != nil
    guard !isReference, let text = try string(value, draft.identifier) else {
      if declared != nil, !isRoot {
        throw program.fault(
          value, member: "$schema", "this is allowed beside \(draft.identifier) only")
      }
      return outer
    }
    let reference = URIReference(text)
    if let fragment = reference.fragment, !fragment.isEmpty {
      guard draft <= .draft7, reference.resource.isEmpty else {
        throw program.fault(
          value, member: draft.identifier, "a URI without a fragment is expected here")
      }
      let name = Name.anchor(outer, Array(fragment.utf8))
      try self.name(value, name, fragment, by: draft.identifier)
      return outer
    }
    let base = reference.resolved(from: program.resources[outer].base)
    guard isRoot else { return try addResource(base, draft, root: value) }
    program.resources[outer].base = base
    try name(value, .resource(Array(base.resource.utf8)), base.resource)
    return outer
  }

  private mutating func addAnchors(of value: Int, to resource: Int) throws(Schema.Fault) {
    let draft = program.resources[resource].draft
    for keyword in ["$anchor", "$dynamicAnchor"]
    where Keyword.all[keyword]?.drafts.contains(draft) == true {
      guard let anchor = try string(value, keyword) else { continue }
      let key = Array(anchor.utf8)
      try name(value, .anchor(resource, key), anchor, by: keyword)
      if keyword == "$dynamicAnchor" { program.resources[resource].dynamicAnchors[key] = value }
    }
    guard draft == .draft2019, let part = self[value, "$recursiveAnchor"] else { return }
    let isRecursive = try expect("true or false", program.values[part].json.bool, at: part)
    guard program.resources[resource].root == value else {
      throw program.fault(part, "this is allowed beside $id or at the root only")
    }
    program.resources[resource].dynamicAnchors[[]] = isRecursive ? value : nil
  }

  // MARK: References

  /// Where a reference leads, which is read later, and the anchor by which it does so, if any.
  mutating func target(
    of use: Keyword.Use
  ) throws(Schema.Fault) -> (value: Int, anchor: [UInt8]?) {
    guard let text = program.values[use.part].json.string else { throw noReference(use.part) }
    let base = program.resource(of: use.schema)?.base ?? URIReference("")
    let uri = URIReference(text).resolved(from: base)
    guard let root = names[.resource(Array(uri.resource.utf8))],
      let number = program.values[root].resource
    else {
      var fault = program.fault(
        use.part, "\(quoted(uri.resource)) is none of the schemas that were given")
      fault.missingSchema = uri.resource
      throw fault
    }
    guard let fragment = uri.decodedFragment else { throw noReference(use.part) }
    let bytes = Array(fragment.utf8)
    let isPointer = bytes.isEmpty || bytes.first == UInt8(ascii: "/")
    let name = isPointer ? Name.pointer(number, bytes) : .anchor(number, bytes)
    if isPointer, names[name] == nil {
      names[name] = try follow(fragment, in: number, from: use.part)
    }
    guard let target = names[name] else {
      throw program.fault(use.part, "there is nothing at \(quoted(text))")
    }
    if program.values[target].rules == nil { pending.append(target) }
    return (target, isPointer ? nil : bytes)
  }

  private func noReference(_ part: Int) -> Schema.Fault {
    program.fault(part, "a reference is expected here, such as #/$defs/name")
  }

  /// What a JSON Pointer leads to.
  private mutating func follow(
    _ pointer: String, in resource: Int, from reference: Int
  ) throws(Schema.Fault) -> Int? {
    guard let place = JSONPlace(pointer) else { return nil }
    var value = program.resources[resource].root
    var innermost = resource
    for token in place.tokens {
      try spend(program.values[value].json.members?.count ?? 0, at: reference)
      guard let part = self[value, token] else { return nil }
      value = part
      innermost = program.values[value].resource ?? innermost
    }
    // No keyword may have led here yet.
    try addSchemas(from: value, in: innermost)
    return value
  }
}

// What several keywords share.

extension SchemaCompiler {
  typealias Use = Keyword.Use

  /// `anchor` is the name by which the resources around may have something else.
  func reference(to target: Int, by anchor: [UInt8]?) -> Rule {
    let anchors = program.resource(of: target)?.dynamicAnchors ?? [:]
    let anchor = anchor.flatMap { anchors[$0] == target ? $0 : nil }
    return Rule { $0.follow($1, to: target, by: anchor) }
  }

  func count(_ part: Int) throws(Schema.Fault) -> Int {
    guard case .integer(let count) = program.values[part].json.plain, count >= 0 else {
      throw program.fault(part, "a count is expected here")
    }
    return Int(clamping: count)
  }

  func names(_ part: Int) throws(Schema.Fault) -> [String] {
    let elements = program.values[part].json.elements
    let names = elements?.compactMap(\.string)
    return try expect(
      "an array of names", names?.count == elements?.count ? names : nil, at: part)
  }
}
