import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `json-files.txt` and `plain.txt` of
/// `Fixtures/outputs`.
@Suite("Documents from and as JSON, Markdown and text")
struct JSONCommandTests {
  private let host = MemoryHost()

  private func exact(_ file: String) throws -> String {
    let json = try JSONReader.value(in: Array(host.pnmerge("cat", file, "--exact").output.utf8))
    return String(decoding: json.bytes(), as: UTF8.self)
  }

  @Test("a document nests as deep as the limit, and is refused beyond with the place")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    }
    host.setText("i.json", nested(64))
    #expect(host.pnmerge("new", "a", "--json-file", "i.json").status == .done)
    #expect(try exact("a") == nested(64))
    #expect(host.pnmerge("validate", "a").status == .done)
    host.setText("i.json", nested(65))
    let run = host.pnmerge("new", "b", "--json-file", "i.json")
    #expect(run.status == .usage)
    #expect(run.errors.contains("containers are nested deeper than the limit"))
    #expect(host["b"] == nil)
    host.setText("i.json", nested(129))
    #expect(host.pnmerge("new", "b", "--json-file", "i.json").errors.contains("column 641: nested"))
  }

  @Test("a document that is no note opens as JSON in the editor")
  func editor() throws {
    host.setText("i.json", #"{"l":[1,2],"t":{"$text":"x"}}"#)
    host.pnmerge("new", "a.x", "--json-file", "i.json")
    var shown = ""
    host.useEditor { text in
      shown = text
      return text.replacing("2", with: "3")
    }
    #expect(host.pnmerge("edit", "a.x").output == "a.x: changed /l/1\n")
    #expect(
      shown == "{\n  \"l\": [\n    1,\n    2\n  ],\n  \"t\": {\n    \"$text\": \"x\"\n  }\n}\n")
    #expect(try exact("a.x") == #"{"l":[1,3],"t":{"$text":"x"}}"#)
    host.useEditor { $0 }
    #expect(host.pnmerge("edit", "a.x").output == "a.x: unchanged\n")
    host.useEditor { $0 + "}" }
    let run = host.pnmerge("edit", "a.x")
    #expect(run.status == .usage)
    #expect(
      run.errors.hasPrefix("pnmerge: a.x: line 10, column 1: nothing may follow the value"),
      "\(run.errors)")
    #expect(run.errors.contains("your text is kept in /tmp/pnmerge-"))
    #expect(run.errors.contains("/a.json"))
  }

  @Test("an export comes back without a difference", arguments: Array(1...12) as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let root = RandomNodes.map(depth: 4, using: &generator)
    host["i.json"] = root.exactJSON.bytes()
    #expect(host.pnmerge("import", "i.json", "-o", "a").status == .done)
    #expect(try Document(bytes: host["a"] ?? []).root == root)
    #expect(host.pnmerge("export", "a", "-o", "o.json").output == "o.json: written\n")
    #expect(host.pnmerge("import", "o.json", "-o", "b").status == .done)
    #expect(try Document(bytes: host["b"] ?? []).root == root)
    #expect(host.pnmerge("import", "o.json", "-o", "a").output == "a: unchanged\n")
  }

  @Test("plain JSON comes back as it was", arguments: Array(1...12) as [UInt64])
  func plainRoundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let text = RandomNodes.map(depth: 4, using: &generator).json.bytes(indented: true)
    host["i.json"] = text
    #expect(host.pnmerge("import", "i.json", "--plain").output.hasPrefix("i.peernote: started"))
    let out = host.pnmerge("export", "--plain", "--format", "json", "i.peernote").output
    #expect(out == String(decoding: text, as: UTF8.self) + "\n")
    #expect(host.pnmerge("import", "i.json", "--plain").output == "i.peernote: unchanged\n")
  }

  @Test(
    "plain JSON of any document can be taken back into it", arguments: Array(1...12) as [UInt64])
  func plainUpdate(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let root = RandomNodes.map(depth: 2, using: &generator)
    host["i.json"] = root.exactJSON.bytes()
    host.pnmerge("import", "i.json", "-o", "a")
    host["p.json"] = Array(host.pnmerge("cat", "--format", "json", "a").output.utf8)
    host.pnmerge("import", "p.json", "-o", "a", "--plain")
    let found = try Document(bytes: host["a"] ?? []).root
    #expect(found.json.bytes() == root.json.bytes())
  }
}
