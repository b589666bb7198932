import JSONSchema
import PeernoteJSON
import Testing

@Suite("JSON Schema")
struct SchemaTests {
  private func json(_ text: String) throws -> JSON {
    try JSONReader.value(in: Array(text.utf8))
  }

  private func violations(_ schema: String, _ value: String) throws -> [String] {
    try Schema(json(schema)).violations(in: json(value)).map(\.description)
  }

  @Test(
    "each keyword lets pass what it allows and names what it does not",
    arguments: [
      (#"{"type":"integer"}"#, ["1", "1.0", "-3"], ["1.5", "\"1\"", "null", "[]"]),
      (#"{"type":["string","null"]}"#, ["\"x\"", "null"], ["1", "{}"]),
      (#"{"type":"number"}"#, ["1", "1.5"], ["true"]),
      (#"{"type":"boolean"}"#, ["true"], ["0"]), (#"{"type":"object"}"#, ["{}"], ["[]"]),
      (#"{"type":"array"}"#, ["[]"], ["{}"]),
      (
        #"{"enum":[1,"a",null,[1.0]]}"#, ["1", "1.0", "\"a\"", "null", "[1]"],
        ["2", "\"b\"", "[2]"]
      ),
      (#"{"const":{"a":1,"b":2}}"#, [#"{"b":2.0,"a":1}"#], [#"{"a":1}"#, "1"]),
      (
        #"{"const":{"a":"xy","b":[1,{"c":null}]}}"#, [#"{"b":[1.0,{"c":null}],"a":"xy"}"#],
        [
          #"{"a":"yx","b":[1,{"c":null}]}"#, #"{"a":"xy","b":[1,{"c":false}]}"#,
          #"{"a":"xy","d":[1,{"c":null}]}"#, #"{"a":"xy","b":[1]}"#,
        ]
      ),
      (#"{"const":{"b":2,"a":1}}"#, [#"{"a":1,"b":2}"#], [#"{"a":2,"b":1}"#, #"{"a":1}"#]),
      (#"{"enum":[0.5,true]}"#, ["0.5", "true"], ["0.25", "false", "1"]),
      (
        #"{"properties":{"a":{"type":"string"}}}"#, ["{}", #"{"a":"x","b":1}"#, "1"], [#"{"a":1}"#]
      ),
      (#"{"properties":{"a":true},"additionalProperties":false}"#, [#"{"a":1}"#], [#"{"b":1}"#]),
      (
        #"{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"type":"string"}}"#,
        [#"{"x1":1,"y":"a"}"#], [#"{"x1":"a"}"#, #"{"y":1}"#]
      ),
      (#"{"propertyNames":{"maxLength":2}}"#, [#"{"ab":1}"#], [#"{"abc":1}"#]),
      (#"{"required":["a","b"]}"#, [#"{"a":1,"b":null}"#, "[]"], [#"{"a":1}"#]),
      (#"{"dependentRequired":{"a":["b"]}}"#, [#"{"b":1}"#, #"{"a":1,"b":1}"#], [#"{"a":1}"#]),
      (#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, ["{}"], [#"{"a":1}"#]),
      (#"{"minProperties":1,"maxProperties":2}"#, [#"{"a":1}"#], ["{}", #"{"a":1,"b":1,"c":1}"#]),
      (#"{"items":{"type":"integer"}}"#, ["[]", "[1,2]"], ["[1,\"a\"]"]),
      (
        #"{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#, ["[1,\"a\"]", "[1]"],
        ["[\"a\"]", "[1,2]"]
      ),
      (
        #"{"contains":{"const":1},"minContains":2,"maxContains":3}"#, ["[1,1,2]"],
        ["[1]", "[1,1,1,1]", "[]"]
      ),
      (#"{"contains":{"const":1}}"#, ["[0,1]"], ["[]", "[0]"]),
      (#"{"minItems":1,"maxItems":2}"#, ["[1]"], ["[]", "[1,2,3]"]),
      (
        #"{"uniqueItems":true}"#, ["[1,2,\"1\"]", "[{\"a\":1},{\"a\":2}]"],
        ["[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#]
      ),
      (
        #"{"minimum":1,"maximum":3}"#, ["1", "3", "2.5", "\"x\""],
        ["0", "3.5", "-9223372036854775808"]
      ),
      (#"{"exclusiveMinimum":1,"exclusiveMaximum":3}"#, ["2"], ["1", "3"]),
      (#"{"maximum":9007199254740992}"#, ["9007199254740992"], ["9007199254740993"]),
      (#"{"multipleOf":3}"#, ["9", "-3", "0", "6.0"], ["10", "1.5"]),
      (#"{"multipleOf":0.1}"#, ["0.3", "1", "1.1"], ["0.25"]),
      (#"{"minLength":2,"maxLength":3}"#, ["\"ab\"", "\"日本語\"", "\"🎉🎉\""], ["\"a\"", "\"abcd\""]),
      (#"{"pattern":"^[a-z]+$"}"#, ["\"abc\"", "1"], ["\"aBc\"", "\"\""]),
      (#"{"pattern":"b"}"#, ["\"abc\""], ["\"ac\""]),
      (#"{"allOf":[{"minimum":1},{"maximum":2}]}"#, ["1"], ["0", "3"]),
      (#"{"anyOf":[{"type":"string"},{"minimum":2}]}"#, ["\"a\"", "2"], ["1"]),
      (#"{"oneOf":[{"minimum":1},{"maximum":2}]}"#, ["0", "3"], ["1"]),
      (#"{"not":{"type":"string"}}"#, ["1"], ["\"a\""]),
      (
        #"{"if":{"properties":{"t":{"const":1}},"required":["t"]},"then":{"required":["a"]},"else":{"required":["b"]}}"#,
        [#"{"t":1,"a":1}"#, #"{"b":1}"#], [#"{"t":1,"b":1}"#, #"{"a":1}"#]
      ),
      (##"{"$defs":{"p":{"type":"integer"}},"$ref":"#/$defs/p"}"##, ["1"], ["\"a\""]),
      (
        ##"{"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}"##,
        [#"{"v":1,"next":{"v":2}}"#], [#"{"v":1,"next":{}}"#]
      ),
      (##"{"$defs":{"a/b c":{"const":1}},"$ref":"#/$defs/a~1b%20c"}"##, ["1"], ["2"]),
      ("true", ["1"], []), ("false", [], ["1"]), ("{}", ["1"], []),
      (#"{"title":1,"format":"date","$comment":2,"x-mine":[],"default":0,"$id":"a"}"#, ["1"], []),
    ] as [(String, [String], [String])])
  func keywords(schema: String, valid: [String], invalid: [String]) throws {
    for value in valid {
      #expect(try violations(schema, value) == [], "\(value)")
    }
    for value in invalid {
      #expect(try !violations(schema, value).isEmpty, "\(value)")
    }
  }

  @Test("violations name the place and what must be there")
  func messages() throws {
    let schema = #"{"properties":{"a":{"items":{"minimum":1,"type":"integer"}}},"required":["b"]}"#
    #expect(
      try violations(schema, #"{"a":[1,0,"x"]}"#) == [
        "/a/1: must be at least 1", #"/a/2: must be of type integer, not "x""#,
        #"the whole document: must have the name "b""#,
      ])
  }

  @Test(
    "what is no usable schema is refused with its place",
    arguments: [
      ("1", "a schema is an object, true or false"),
      (
        #"{"type":"int"}"#,
        "at /type: a type is one of null, boolean, integer, number, string, array, object"
      ),
      (#"{"properties":{"a":1}}"#, "at /properties/a: a schema is an object, true or false"),
      (#"{"properties":[]}"#, "at /properties: an object of schemas is expected here"),
      (#"{"required":"a"}"#, "at /required: an array of names is expected here"),
      (#"{"pattern":"("}"#, "at /pattern: a regular expression is expected here"),
      (#"{"minimum":"1"}"#, "at /minimum: a number is expected here"),
      (#"{"minItems":-1}"#, "at /minItems: a count is expected here"),
      (#"{"multipleOf":0}"#, "at /multipleOf: a number above zero is expected here"),
      (
        #"{"$ref":"other.json"}"#,
        "at /$ref: \"other.json\" is none of the schemas that were given"
      ),
      (##"{"$ref":"#/$defs/a"}"##, "at /$ref: there is nothing at \"#/$defs/a\""),
      (#"{"allOf":[]}"#, "at /allOf: an array of schemas is expected here"),
      (
        #"{"pattern":"(?=a)b"}"#,
        "at /pattern: looking ahead and behind are not supported in regular expressions"
      ),
      (
        #"{"patternProperties":{"((a{99}){99}){99}":true}}"#,
        "at /patternProperties: the regular expression has more than 10000 parts, counted as "
          + "often as they are repeated"
      ),
    ])
  func faults(text: String, expected: String) throws {
    let json = try json(text)
    let fault = #expect(throws: Schema.Fault.self) { try Schema(json) }
    #expect(fault?.description == expected)
  }

  @Test(
    "a schema that asks for too much is refused, not waited for", .timeLimit(.minutes(30)),
    arguments: [
      // Every reference leads to two.
      "{\"$defs\":{"
        + (0..<60).map {
          ##""d\##($0)":{"allOf":[{"$ref":"#/$defs/d\##($0 + 1)"},{"$ref":"#/$defs/d\##($0 + 1)"}]}"##
        }.joined(separator: ",") + ##","d60":true},"$ref":"#/$defs/d0"}"##,
      // Every one of many is looked for among as many.
      #"{"properties":{"x":{"enum":["# + (0..<500).map { "\($0)" }.joined(separator: ",")
        + #"]}},"patternProperties":{".":{"allOf":["#
        + Array(repeating: #"{"pattern":"(.*.*)*b"}"#, count: 200).joined(separator: ",")
        + "]}}}",
    ])
  func dear(schema: String) throws {
    let text = String(repeating: "a", count: 300)
    let content = try json(#"{"x":"\#(text)","y":"\#(text)"}"#)
    let schema = try Schema(json(schema))
    let fault = #expect(throws: Schema.Fault.self) {
      try schema.violations(in: content, stepLimit: 1 << 17)
    }
    #expect(fault?.reason == "checking it takes more than 131072 steps")
  }

  @Test(
    "a check ends as soon as its steps are used up, whatever there is many of",
    arguments: [
      #"{"required":[NAMES]}"#, #"{"dependentRequired":{"n0":[NAMES]}}"#,
      #"{"properties":{OBJECTS}}"#, #"{"properties":{OBJECTS},"additionalProperties":false}"#,
      #"{"additionalProperties":false,"patternProperties":{OBJECTS}}"#,
      #"{"dependentSchemas":{OBJECTS}}"#, #"{"propertyNames":{"enum":[NAMES]}}"#,
      #"{"allOf":[MEMBERS{"type":"null"}]}"#, #"{"anyOf":[MEMBERS{"type":"null"}]}"#,
      #"{"properties":{"list":{"items":{"enum":[NAMES]}}}}"#,
      #"{"properties":{"list":{"prefixItems":[CONSTANTS]}}}"#,
      #"{"properties":{"list":{"uniqueItems":true}}}"#,
      #"{"properties":{"list":{"contains":{"enum":[NAMES]}}}}"#,
      #"{"properties":{"text":{"allOf":[LENGTHS]}}}"#,
    ])
  func manyOfEverything(schema: String) throws {
    let numbers = 0..<300
    func list(_ item: (Int) -> String) -> String { numbers.map(item).joined(separator: ",") }
    let text = String(repeating: "x", count: 2000)
    let schema = schema.replacing("NAMES", with: list { "\"m\($0)\"" })
      .replacing("OBJECTS", with: list { "\"m\($0)\":true" })
      .replacing("MEMBERS", with: list { _ in #"{"const":1}"# } + ",")
      .replacing("CONSTANTS", with: list { _ in #"{"not":{"enum":["a","b"]}}"# })
      .replacing("LENGTHS", with: list { _ in #"{"minLength":1,"maxLength":9999}"# })
    let content = try json(
      "{" + list { "\"n\($0)\":\($0)" }
        + ",\"list\":[\(list { "\"n\($0)\"" })],\"text\":\"\(text)\"}")
    let program = try Schema(json(schema))
    var steps = 1 << 30
    _ = try program.violations(in: content, steps: &steps)
    let taken = (1 << 30) - steps
    var few = 1000
    _ = try program.violations(in: content, steps: &few)
    #expect((-20_000..<0).contains(few) && taken > 2 * (1000 - few), "\(few) left of \(taken)")
  }

  @Test(
    "comparing takes steps for each byte of a value, if one of its type is allowed",
    arguments: [
      (#"{"properties":{"x":{"enum":[true,0]}}}"#, "[NAMES]", 1024),
      (#"{"properties":{"x":{"enum":[NAMES]}}}"#, #""n9999""#, 1024),
      (#"{"properties":{"x":{"const":[NAMES]}}}"#, "[NAMES]", 300 * 8 * 8),
      (#"{"properties":{"x":{"const":{MEMBERS}}}}"#, "{MEMBERS}", 300 * 10 * 8),
    ])
  func comparisons(schema: String, value: String, least: Int) throws {
    func filled(_ text: String) throws -> JSON {
      let names = (0..<300).map { "\"n\(1000 + $0)\"" }
      return try json(
        text.replacing("NAMES", with: names.joined(separator: ","))
          .replacing("MEMBERS", with: names.map { $0 + ":1" }.joined(separator: ",")))
    }
    var steps = 1 << 20
    _ = try Schema(filled(schema)).violations(in: filled("{\"x\":\(value)}"), steps: &steps)
    let taken = (1 << 20) - steps
    #expect(taken >= least && taken < 2 * least, "\(taken)")
  }

  @Test("of many allowed values some are listed, and the others counted")
  func longList() throws {
    for (count, end) in [
      (20, "19"), (21, "19, or one of 1 other"), (5000, "19, or one of 4980 others"),
    ] {
      let values = (0..<count).map { "\($0)" }
      let schema = try Schema(json("{\"enum\":[\(values.joined(separator: ","))]}"))
      let violations = try schema.violations(in: json("{}"))
      let expected = "must be one of " + values.prefix(19).joined(separator: ", ") + ", " + end
      #expect(violations.map(\.reason) == [expected])
    }
  }

  @Test("references that lead to references are followed however many there are")
  func chain() throws {
    let links = (1...20_000).map { ##"{"$ref":"#/allOf/\##($0)"}"## }.joined(separator: ",")
    _ = try Schema(json(#"{"allOf":[\#(links),true]}"#))
    let text = #"{"allOf":[\#(links),1]}"#
    let broken = try json(text)
    #expect(throws: Schema.Fault.self) { try Schema(broken) }
  }

  @Test("references in a schema that takes too long to look at are refused")
  func dearReferences() throws {
    let names = (0..<200).map { ##""d\##($0)":{"$ref":"#/$defs/d\##(max($0, 1) - 1)"}"## }
    let schemas = [
      #"{"$defs":{\#(names.joined(separator: ","))}}"#, #"{"allOf":[{"pattern":"a{9999}"}]}"#,
    ]
    for schema in try schemas.map(json) {
      _ = try Schema(schema, stepLimit: 50_000)
      let fault = #expect(throws: Schema.Fault.self) { try Schema(schema, stepLimit: 5_000) }
      #expect(fault?.reason == "looking at it takes more than 5000 steps")
    }
  }

  @Test("schemas too many inside each other are refused", arguments: ["allOf", "not"])
  func depth(keyword: String) throws {
    func nested(_ inner: String, count: Int) -> String {
      let (open, close) = keyword == "not" ? ("{\"not\":", "}") : ("{\"allOf\":[", "]}")
      return String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }
    let chain = (0..<50).map { number in
      #""d\#(number)":"# + nested(##"{"$ref":"#/$defs/d\##(number + 1)"}"##, count: 50)
    }
    let text = ##"{"$defs":{\##(chain.joined(separator: ",")),"d50":true},"$ref":"#/$defs/d0"}"##
    let schema = try Schema(json(text))
    let fault = #expect(throws: Schema.Fault.self) { try schema.violations(in: .null) }
    #expect(fault?.reason == "checking it takes more than 1000 schemas inside each other")
  }

  @Test("of a value that is shown in a message, however large, the beginning is shown")
  func cutValues() throws {
    let long = String(repeating: "x", count: 100_000)
    let marks = String(repeating: "\u{301}", count: 100_000)
    for (value, start) in [
      (#"["\#(long)"]"#, #"["xxx"#), ("\"a\(marks)\"", "\""), (#"{"\#(long)":1}"#, #"{"xxx"#),
      ("[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]", "[[],[],"),
    ] {
      let found = try violations(#"{"type":"null"}"#, value)
      let said = found.first ?? ""
      #expect(said.contains(", not \(start)") && said.hasSuffix("…") && said.utf8.count < 500)
    }
    let exact = "\"" + String(repeating: "y", count: 38) + "\""
    #expect(try violations(#"{"type":"null"}"#, exact).first?.hasSuffix(exact) == true)
  }
}
