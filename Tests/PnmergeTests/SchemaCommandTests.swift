import JSONSchema
import Peernote
import PeernoteFiles
import PeernoteJSON
import PnmergeCommands
import Testing

@Suite("Schemas at the command line")
struct SchemaCommandTests {
  private func json(_ text: String) throws -> JSON {
    try JSONReader.value(in: Array(text.utf8))
  }

  @Test("texts, sets, counters and times are checked in their plain form")
  func plainForm() throws {
    let content = try DocumentNode(
      exactJSON: json(#"{"t":{"$text":"abc"},"s":{"$set":[1,2]},"c":{"$counter":5}}"#))
    let schema = #"{"properties":{"t":{"maxLength":2},"s":{"maxItems":1},"c":{"maximum":4}}}"#
    #expect(try Schema(json(schema)).violations(in: content.json).count == 3)
  }

  @Test("an interface configuration: validate, set and merge keep to the schema")
  func configuration() throws {
    let host = MemoryHost()
    host.setText(
      "ui.schema.json",
      ##"{"$defs":{"element":{"type":"object","required":["type"],"properties":{"type":{"enum":["row","label","button"]},"parameters":{"type":"object"},"elements":{"type":"array","maxItems":3,"items":{"$ref":"#/$defs/element"}}}}},"$ref":"#/$defs/element"}"##
    )
    host.setText(
      "ui.json",
      #"{"type":"row","elements":[{"type":"label","parameters":{"text":"Hi"}},{"type":"button"}]}"#)
    host.pnmerge("new", "a", "--json-file", "ui.json")
    #expect(host.pnmerge("validate", "a", "--schema", "ui.schema.json").status == .done)
    let before = host["a"]
    let refused = host.pnmerge(
      "set", "a", "/elements/0/type", "--string", "slider", "--schema", "ui.schema.json")
    #expect(refused.status == .different)
    #expect(
      refused.errors == "pnmerge: a: would break the schema: /elements/0/type: must be one of "
        + "\"row\", \"label\", \"button\"; nothing was written\n")
    #expect(host["a"] == before)
    host.input = before ?? []
    let stream = host.pnmerge(
      "set", "-", "/elements/0/type", "--string", "slider", "--schema", "ui.schema.json")
    #expect(stream.status == .different && stream.output == "")
    // Each side adds one element, which is one too many together.
    host.copy("a", "b")
    host.pnmerge("insert", "a", "/elements/-", #"{"type":"label"}"#)
    host.pnmerge("insert", "b", "/elements/-", #"{"type":"row"}"#)
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    let faults = host.pnmerge("validate", "a", "--schema", "ui.schema.json")
    #expect(faults.status == .different)
    #expect(faults.output == "a: schema: /elements: must have at most 3 elements\n")
    #expect(
      host.pnmerge("validate", "a", "--schema", "ui.schema.json", "--json").output.contains(
        #""schema_violations":[{"path":"/elements","message":"must have at most 3 elements"}]"#))
    // What was broken before hinders nobody, and can be mended.
    #expect(
      host.pnmerge("set", "a", "/parameters", "{}", "--schema", "ui.schema.json").status == .done)
    #expect(
      host.pnmerge("remove", "a", "/elements/0").status == .done)
    #expect(host.pnmerge("validate", "a", "--schema", "ui.schema.json").status == .done)
    host.setText("bad.json", #"{"type":"int"}"#)
    #expect(host.pnmerge("validate", "a", "--schema", "bad.json").status == .unreadable)
    host.setText("n.json", #"{"type":"slider"}"#)
    #expect(host.pnmerge("import", "n.json", "--schema", "ui.schema.json").status == .different)
  }

  @Test("a schema refers to files that are named, and to no others")
  func references() throws {
    let host = MemoryHost()
    for directory in ["ui", "ui/parts"] { try host.makeDirectory(FileName(directory)) }
    host.setText("ui/main.json", #"{"properties":{"a":{"$ref":"parts/part one.json"}}}"#)
    host.setText("ui/parts/part one.json", #"{"$ref":"https://example.org/size#big"}"#)
    host.setText(
      "size.json",
      #"{"$id":"https://example.org/size","$defs":{"b":{"$anchor":"big","minimum":9}}}"#)
    host.setText("a.json", #"{"a":5}"#)
    host.pnmerge("new", "a", "--json-file", "a.json")
    let refused = host.pnmerge("validate", "a", "--schema", "ui/main.json")
    #expect(refused.status == .unreadable)
    #expect(
      refused.errors.hasPrefix("pnmerge: ui/main.json: is not a schema that can be used: at "))
    #expect(refused.errors.hasSuffix("; give its file with --schema-ref\n"))
    let all = [
      "--schema", "ui/main.json", "--schema-ref", "ui/parts/part one.json", "--schema-ref",
      "size.json",
    ]
    let checked = host.pnmerge(["validate", "a"] + all)
    #expect(checked.status == .different && checked.output == "a: schema: /a: must be at least 9\n")
    #expect(host.pnmerge(["set", "a", "/a", "10"] + all).status == .done)
    #expect(host.pnmerge(["set", "a", "/a", "1"] + all).status == .different)
    host.setText("size.json", "1")
    let broken = host.pnmerge(["validate", "a"] + all)
    #expect(
      broken.errors == "pnmerge: size.json: is not a schema that can be used: "
        + "a schema is an object, true or false\n")
    #expect(host.pnmerge("validate", "a", "--schema-ref", "size.json").status == .usage)
  }

  @Test("a violation at a name that differs by normalization from that of an old one is new")
  func normalization() throws {
    let host = MemoryHost()
    host.setText("s.json", #"{"additionalProperties":{"type":"integer"}}"#)
    host.setText("a.json", #"{"\u00e9":"x"}"#)
    host.pnmerge("new", "a", "--json-file", "a.json")
    #expect(host.pnmerge("set", "a", "/\u{e9}", "\"x\"", "--schema", "s.json").status == .done)
    #expect(
      host.pnmerge("set", "a", "/e\u{301}", "\"x\"", "--schema", "s.json").status == .different)
  }

  @Test("of a tracked file the JSON is checked that it holds")
  func tracked() throws {
    let host = MemoryHost()
    host.setText("s.json", #"{"properties":{"a":{"type":"string"}}}"#)
    try host.makeDirectory(FileName("n"))
    host.setText("n/x.json", "{\"a\":1}\n")
    host.setText("n/x.md", "a\n")
    host.pnmerge("track", "n")
    let run = host.pnmerge("validate", "--schema", "s.json", "n/x.json")
    #expect(run.status == .different && run.output.contains("schema: /a: must be"), "\(run)")
    let text = host.pnmerge("validate", "--schema", "s.json", "n/x.md")
    #expect(text.status == .usage && text.errors.contains("n/x.md: is no JSON"), "\(text)")
  }
}
