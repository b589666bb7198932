import JSONSchema
import PeernoteJSON

/// Schemas and their regular expressions, which people get from others as they get documents.
extension FuzzTarget {
  /// The most steps that are granted to one input.
  private static let schemaSteps = 1 << 20

  /// An expression and a text, with a NUL between.
  static func patternFaults(_ bytes: [UInt8]) -> [String] {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let expression = String(validating: parts[0], as: UTF8.self),
      let text = String(validating: parts[1], as: UTF8.self),
      let pattern = try? SchemaPattern(expression)
    else { return [] }
    var faults: [String] = []
    var steps = schemaSteps
    let isMatch = pattern.matches(text, steps: &steps)
    let taken = schemaSteps - steps
    if taken > pattern.stepsPerScalar * (text.unicodeScalars.count + 1) {
      faults.append("takes \(taken) steps, more than its parts and the text explain")
    }
    if steps < -pattern.stepsPerScalar { faults.append("goes on after its last step") }
    guard steps >= 0 else { return isMatch ? faults + ["a match that nobody looked for"] : faults }
    var few = taken - 1
    if pattern.matches(text, steps: &few), few < 0 {
      faults.append("a match though the steps did not suffice")
    }
    if few >= 0 { faults.append("takes fewer steps when there are fewer") }
    // In a group an expression is the same; what matches all of a text matches somewhere in it.
    for (wrapped, isSame) in [("(?:\(expression))", true), ("^(?:\(expression))$", false)] {
      guard let wrapped = try? SchemaPattern(wrapped) else { continue }
      var steps = 2 * schemaSteps
      let answer = wrapped.matches(text, steps: &steps)
      if steps >= 0, isSame ? answer != isMatch : answer && !isMatch {
        faults.append("another answer inside a group")
      }
    }
    return faults
  }

  /// A JSON array of a schema and of what is held against it.
  static func schemaFaults(_ bytes: [UInt8]) -> [String] {
    guard case .array(let parts)? = try? JSONReader.value(in: bytes), parts.count == 2,
      let schema = try? Schema(parts[0], stepLimit: schemaSteps)
    else { return [] }
    let content = parts[1]
    var steps = schemaSteps
    guard let found = try? schema.violations(in: content, steps: &steps) else { return [] }
    let taken = schemaSteps - steps
    // One thing more may have been looked at, or one expression read.
    let excess = 16 * bytes.count + 20_000
    if steps < -excess { return ["goes on after its last step: \(steps)"] }
    guard steps >= 0 else { return [] }
    var few = taken / 2
    _ = try? schema.violations(in: content, steps: &few)
    var faults: [String] = []
    if taken > 1, few >= 0 { faults.append("takes fewer steps when there are fewer") }
    if few < -excess { faults.append("goes on after half of its steps: \(few)") }
    return faults + combinationFaults(parts[0], found, content)
  }

  /// What `not` and `allOf` have to say of the same schema.
  private static func combinationFaults(
    _ schema: JSON, _ found: [Schema.Violation], _ content: JSON
  ) -> [String] {
    // References would lead to other places, and drafts count at the root.
    let text = String(decoding: schema.bytes(), as: UTF8.self)
    if text.contains("Ref\"") || text.contains("$ref") || text.contains("$schema") { return [] }
    var faults: [String] = []
    for (name, wrapped) in [("not", schema), ("allOf", .array([schema]))] {
      var steps = 2 * schemaSteps
      guard let outer = try? Schema([name: wrapped] as JSON),
        let said = try? outer.violations(in: content, steps: &steps), steps >= 0
      else { continue }
      let isRight = name == "not" ? said.isEmpty != found.isEmpty : said == found
      if !isRight { faults.append("\(name) of it says otherwise") }
    }
    return faults
  }

  /// Expressions and texts to start from.
  static let patternSeeds = [
    "^(a|b(c|d{2})*)+e$\0abcddcae", "(a+)+$\0aaaaaaaaaaaaaaaa!", "^[^a-c\\d\\s-]{1,3}?$\0xyz",
    "\\bcat\\B|^$\0concat", "^\\p{L}+\\P{Nd}\\p{Letter}*$\0äЖ7!", "\\ud83c\\udf89|\\u{1F389}\0🎉",
    "^(?:ab){2,}(?<n>c)?\\.\\x41$\0ababc.A", "(((){99}){99}){99}\0", "[\\]\\b\\w]\0]",
    ".{0}a{3\0aaa",
  ].map { Array($0.utf8) }

  /// Schemas and contents to start from.
  static let schemaSeeds = [
    #"[{"type":["string","null"],"minLength":2,"maxLength":3,"pattern":"^[a-z]+$"},"ab"]"#,
    #"[{"properties":{"a":{"type":"integer"}},"patternProperties":{"^x":{"minimum":1}},"#
      + #""additionalProperties":false,"propertyNames":{"maxLength":2},"required":["a"],"#
      + #""minProperties":1,"maxProperties":2},{"a":1,"x":0}]"#,
    #"[{"prefixItems":[{"const":1}],"items":{"enum":["a",2.5]},"contains":{"type":"number"},"#
      + #""minContains":1,"maxContains":2,"uniqueItems":true,"minItems":1,"maxItems":9},[1,"a"]]"#,
    #"[{"allOf":[{"minimum":1}],"anyOf":[{"maximum":2},true],"oneOf":[{"multipleOf":0.1}],"#
      + #""not":{"exclusiveMaximum":1},"if":{"exclusiveMinimum":1},"then":false,"else":{}},1]"#,
    ##"[{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"},"##
      + #"{"next":{}}]"#,
    #"[{"dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"required":["c"]}}},{"a":1}]"#,
    ##"[{"$id":"a:b","$anchor":"x","$defs":{"y":{"$id":"c","$dynamicAnchor":"z"}},"anyOf":[{"##
      + ##""$ref":"c#z"},{"$dynamicRef":"#z"}],"unevaluatedProperties":false},{"a":1}]"##,
    ##"[{"$schema":"http://json-schema.org/draft-04/schema#","id":"a","items":[{"id":"#b"}],"##
      + #""additionalItems":{"minimum":1,"exclusiveMinimum":true},"dependencies":{"a":["b"]}},[1]]"#,
    ##"[{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"##
      + ##""contains":{"$recursiveRef":"#"},"unevaluatedItems":{"type":"null"}},[[null]]]"##,
  ].map { Array($0.utf8) }

  /// What matters in an expression.
  static let patternWords = [
    "(", ")", "(?:", "(?<a>", "|", "*", "+", "?", "{2}", "{1,}", "{0,99}", "[", "]", "[^", "-", "^",
    "$", ".", "\\d", "\\W", "\\s", "\\b", "\\B", "\\p{Lu}", "\\P{L}", "\\x41", "\\u{", "\\ud83c",
    "\\udf89", "\\", "\0", "a", "é", "🎉", "\n",
  ]

  /// What matters in a schema.
  static let schemaWords =
    [
      "[", "]", "{", "}", ",", ":", "\"", "true", "false", "null", "1", "-0.5", "1e300", "0.1",
      "9223372036854775807", "\"#\"", "\"#/$defs/a\"", "\"(a*)*b\"", "\"integer\"", "\"object\"",
    ] + keywords.map { "\"\($0)\":" }

  private static let keywords = [
    "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef",
    "$recursiveAnchor", "$defs", "dependencies", "additionalItems", "unevaluatedProperties",
    "unevaluatedItems", "type", "enum", "const", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas",
    "minProperties", "maxProperties", "items", "prefixItems", "contains", "minContains",
    "maxContains", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "allOf", "anyOf",
    "oneOf", "not", "if", "then", "else",
  ]
}
