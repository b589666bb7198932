import JSONSchema
import Peernote
import PeernoteFiles
import PeernoteJSON
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/schema.txt`.
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

  @Test("what would break a schema is not written to standard output")
  func stream() {
    let host = MemoryHost()
    host.setText("s.json", #"{"properties":{"a":{"type":"integer"}}}"#)
    host.setText("a.json", #"{"a":1}"#)
    host.pnmerge("new", "a", "--json-file", "a.json")
    host.input = host["a"] ?? []
    let run = host.pnmerge("set", "-", "/a", "--string", "x", "--schema", "s.json")
    #expect(run.status == .different && run.output == "")
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
}
