import JSONSchema
import Peernote
import PeernoteFiles
import PeernoteJSON
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `schema.txt` and `plain.txt` of
/// `Fixtures/outputs`.
@Suite("Schemas at the command line")
struct SchemaCommandTests {
  private func json(_ text: String) throws -> JSON {
    try JSONReader.value(in: Array(text.utf8))
  }

  @Test("texts, sets, counters and times are checked in their plain form")
  func plainForm() throws {
    let content = try DocumentNode(
      json(#"{"t":{"$text":"abc"},"s":{"$set":[1,2]},"c":{"$counter":5}}"#), as: .exact)
    let schema = #"{"properties":{"t":{"maxLength":2},"s":{"maxItems":1},"c":{"maximum":4}}}"#
    #expect(try Schema(json(schema)).violations(in: content.json).count == 3)
  }
}
