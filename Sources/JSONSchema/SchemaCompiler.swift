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
    return SchemaProgram(rules: rules, patterns: patterns, index: index)
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
        guard let inner = index.schemas(in: part, keyword.shape) else {
          throw index.fault(part, "\(keyword.shape.rawValue) is expected here")
        }
        if let rule = try rule(for: keyword, part, inner, in: schema, draft) { result.append(rule) }
        for schema in inner { try read(schema) }
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

  /// The schemas in an object, by their names.
  func named(_ part: Int) -> [(name: String, schema: Int)] {
    index.source.members(of: part).map { ($0.name, $1) }
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
