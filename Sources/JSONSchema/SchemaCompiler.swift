import PeernoteJSON

/// Makes a schema ready for checks, and refuses it if it is none that can be used.
struct SchemaCompiler {
  var index: SchemaIndex
  private var rules: [[Rule]]
  private var isKnown: [Bool]
  /// The schemas that references lead to and that are to be read yet: where one reference leads to
  /// another, and so on, is no reason to go as deep.
  private var pending = [0]
  private var patterns: [SchemaPattern] = []
  private var patternNumbers: [[UInt8]: Int] = [:]
  private var patternSize = 0

  /// The most parts that all regular expressions have together, which are kept in memory.
  private static let patternSizeLimit = 1 << 20

  /// What is not ignored where `$ref` makes all beside it meaningless.
  private static let besideReference: Set<Keyword> = [
    .reference, .definitions, .shortDefinitions,
  ]

  init(index: SchemaIndex) {
    self.index = index
    rules = Array(repeating: [], count: index.source.values.count)
    isKnown = Array(repeating: false, count: rules.count)
  }

  /// Reads the first document and every schema that references lead to.
  ///
  /// - Throws: ``Schema/Fault`` with the first place that is wrong.
  mutating func program() throws(Schema.Fault) -> SchemaProgram {
    while let schema = pending.popLast() { try read(schema) }
    return SchemaProgram(
      rules: rules,
      resources: rules.indices.map { index.resourceNumbers[$0] ?? -1 }, patterns: patterns,
      dynamicAnchors: index.resources.map(\.dynamicAnchors),
      recursiveRoots: index.resources.map { $0.isRecursive ? $0.root : nil },
      source: index.source)
  }

  /// Reads a schema and those inside it, which are as deep as JSON can be.
  private mutating func read(_ schema: Int) throws(Schema.Fault) {
    if isKnown[schema] { return }
    isKnown[schema] = true
    switch index.source.values[schema] {
    case .bool(let isAllowed):
      if !isAllowed { rules[schema] = [.never] }
    case .object:
      var result: [Rule] = []
      let draft = index.resource(of: schema)?.draft ?? .latest
      let standsAlone = draft.referencesStandAlone && self[schema, .reference] != nil
      for (member, part) in index.source.members(of: schema) {
        guard let keyword = Keyword(rawValue: member.name) else { continue }
        guard !standsAlone || Self.besideReference.contains(keyword) else { continue }
        guard keyword.drafts.contains(draft) else {
          throw index.fault(
            part,
            "\(quoted(member.name)) is not a keyword of \(draft.name), which this schema is in")
        }
        if let rule = try rule(for: keyword, part, in: schema, draft) { result.append(rule) }
      }
      rules[schema] = result.filter { !$0.isLast } + result.filter(\.isLast)
    case .null, .integer, .double, .string, .array:
      throw index.fault(schema, "a schema is an object, true or false")
    }
  }

  /// The number of what a schema has for a keyword.
  subscript(_ schema: Int, _ keyword: Keyword) -> Int? {
    index.source.part(of: schema, keyword.rawValue)
  }

  func value(_ number: Int) -> JSON { index.source.values[number].plain }

  // MARK: Schemas

  /// Reads the schema that a keyword takes.
  mutating func schema(_ part: Int) throws(Schema.Fault) -> Int {
    try read(part)
    return part
  }

  mutating func schema(_ schema: Int, _ keyword: Keyword) throws(Schema.Fault) -> Int? {
    guard let part = self[schema, keyword] else { return nil }
    return try self.schema(part)
  }

  /// Reads the schemas in an array, of which there is at least one.
  mutating func schemas(_ part: Int) throws(Schema.Fault) -> [Int] {
    let schemas = Array(index.source.parts(of: part))
    guard case .array = value(part), !schemas.isEmpty else {
      throw index.fault(part, "an array of schemas is expected here")
    }
    for schema in schemas { try read(schema) }
    return schemas
  }

  /// Reads the schemas in an object.
  mutating func namedSchemas(
    _ part: Int
  ) throws(Schema.Fault) -> [(name: String, schema: Int)] {
    guard case .object = value(part) else {
      throw index.fault(part, "an object of schemas is expected here")
    }
    var result: [(name: String, schema: Int)] = []
    for (member, schema) in index.source.members(of: part) {
      try read(schema)
      result.append((member.name, schema))
    }
    return result
  }

  /// Where a reference leads, which is read later.
  mutating func target(
    _ part: Int, in schema: Int
  ) throws(Schema.Fault) -> (value: Int, anchor: [UInt8]?) {
    let target = try index.target(of: part, in: schema)
    if !isKnown[target.value] { pending.append(target.value) }
    return target
  }

  /// Reads a regular expression; the same one only once.
  mutating func pattern(_ text: String, at part: Int) throws(Schema.Fault) -> Int {
    if let known = patternNumbers[Array(text.utf8)] { return known }
    let pattern: SchemaPattern
    do throws(SchemaPattern.Fault) {
      pattern = try SchemaPattern(text)
    } catch {
      throw index.fault(part, error.reason)
    }
    try index.spend(pattern.size, at: part)
    patternSize += pattern.size
    guard patternSize <= Self.patternSizeLimit else {
      throw index.fault(
        part, "the regular expressions have more than \(Self.patternSizeLimit) parts in all")
    }
    patterns.append(pattern)
    patternNumbers[Array(text.utf8)] = patterns.count - 1
    return patterns.count - 1
  }
}
