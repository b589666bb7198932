import Foundation
import JSONSchema
import PeernoteJSON
import PeernoteTestSupport
import Testing

/// The cases in `Fixtures/schemas`, and those in the file that `PEERNOTE_SCHEMA_CASES` names, such
/// as `Tests/Tools/schema_cases.py` makes.
@Suite("Cases of JSON Schema")
struct SchemaCaseTests {
  private static func cases(_ file: URL) throws -> [JSON] {
    guard case .array(let cases) = try JSONReader.value(in: Array(Data(contentsOf: file))) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return cases
  }

  @Test("each case has the verdicts that it names")
  func fixtures() throws {
    let cases = try Self.cases(Repository.path("Fixtures/schemas/cases.json"))
    #expect(cases.count > 50)
    for testCase in cases { try check(testCase) }
  }

  @Test(
    "each case of another program has its verdicts",
    .enabled(if: ProcessInfo.processInfo.environment["PEERNOTE_SCHEMA_CASES"] != nil))
  func others() throws {
    let file = ProcessInfo.processInfo.environment["PEERNOTE_SCHEMA_CASES"] ?? ""
    for testCase in try Self.cases(URL(fileURLWithPath: file)) { try check(testCase) }
  }

  private func check(_ testCase: JSON) throws {
    let name = String(decoding: testCase.bytes().prefix(2000), as: UTF8.self)
    let definition = try #require(testCase["schema"])
    var others: [SchemaDocument] = []
    if case .array(let documents)? = testCase["others"] {
      for document in documents {
        others.append(
          SchemaDocument(uri: document.text("uri") ?? "", json: try #require(document["schema"])))
      }
    }
    let schema: Schema
    do {
      schema = try Schema(definition, uri: testCase.text("uri") ?? "", others: others)
    } catch {
      #expect(testCase.text("refused") == error.description, "\(name)")
      return
    }
    if let refusal = testCase.text("refusedCheck") {
      let fault = #expect(throws: Schema.Fault.self) { try schema.violations(in: .null) }
      #expect(fault?.description == refusal)
      return
    }
    guard case .array(let tests)? = testCase["tests"] else {
      Issue.record("not refused: \(name)")
      return
    }
    for test in tests {
      let data = try #require(test["data"])
      let isValid: Bool
      do {
        isValid = try schema.violations(in: data).isEmpty
      } catch {
        // Another program may not come to the circle.
        let isCircle = error.reason == "the schema refers to itself without end"
        #expect(isCircle && testCase["refused"] == nil && testCase["others"] != nil, "\(name)")
        continue
      }
      let shown = String(decoding: data.bytes(), as: UTF8.self)
      #expect(.bool(isValid) == test["valid"], "\(shown) in \(name)")
    }
  }
}

extension JSON {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}
