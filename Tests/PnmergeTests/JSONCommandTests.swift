import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Documents from and as JSON, Markdown and text")
struct JSONCommandTests {
  private let host = MemoryHost()

  private func exact(_ file: String) throws -> String {
    let json = try JSONReader.value(in: Array(host.pnmerge("cat", file, "--exact").output.utf8))
    return String(decoding: json.bytes(), as: UTF8.self)
  }

  @Test("a document starts with what JSON says")
  func starting() throws {
    host.setText("i.json", #"{"items":[{"d":"x","t":"y"}],"n":1.5,"$ref":"z","s":{"$set":[1]}}"#)
    let run = host.pnmerge("new", "a", "--json-file", "i.json", "--text-at", "/items/*/d")
    #expect(run.output.hasPrefix("a: started document "), "\(run.errors)")
    #expect(
      try exact("a")
        == #"{"items":[{"d":{"$text":"x"},"t":"y"}],"n":1.5,"$ref":"z","s":{"$set":[1]}}"#)
    let misplaced = host.pnmerge("new", "c", "--json-file", "i.json", "--text-at", "/items/d")
    #expect(misplaced.errors == "pnmerge: warning: --text-at /items/d: there is no string\n")
    #expect(host.pnmerge("new", "b", "--json-file", "i.json", "--plain").status == .done)
    #expect(try exact("b").contains(#""s":{"$$set":[1]}"#))
    #expect(host.pnmerge("validate", "a", "b").status == .done)
  }

  @Test(
    "numbers of a list are of the type that they had, wherever they stand now",
    arguments: [
      ("[1.5,1]", "[1,1.5]"), ("[1.5,true,1,true]", "[1,1.5,true,true]"), ("[1.5,2]", "[2]"),
      ("[2.5,3.5,7]", "[7,3.5]"), ("[1.5,2.5]", "[2.5,1]"),
    ])
  func movedNumbers(old: String, new: String) throws {
    host.setText("i.json", "{\"l\":\(old)}")
    host.pnmerge("new", "a", "--json-file", "i.json")
    host.setText("i.json", "{\"l\":\(new)}")
    host.pnmerge("edit", "a", "--json-file", "i.json")
    // Where all have fractions, so has a new one.
    let expected = old == "[1.5,2.5]" ? "[2.5,1.0]" : new
    #expect(try exact("a") == "{\"l\":\(expected)}")
  }

  @Test(
    "JSON that is no document is refused with its place",
    arguments: [
      ("[1]", "a document is an object, as in {\"title\": …}"),
      (#"{"$text":"x"}"#, "a document is an object, as in {\"title\": …}"),
      ("{\"a\":1,\n\"a\":2}", "line 2, column 1: the name \"a\" stands twice in one object"),
      (#"{"a":[{"$uuid":1}]}"#, "at /a/0: \"$uuid\" must be followed by a UUID such as"),
    ])
  func refusals(text: String, message: String) {
    host.setText("i.json", text)
    host.pnmerge("new", "b")
    for arguments in [
      ["new", "a", "--json-file", "i.json"], ["edit", "b", "--json-file", "i.json"],
      ["import", "i.json"],
    ] {
      let run = host.pnmerge(arguments.map { Array($0.utf8) })
      #expect(run.status == .unreadable)
      #expect(
        run.errors.hasPrefix("pnmerge: i.json: \(message)"), "\(run.errors)")
    }
    #expect(host["a"] == nil)
  }

  @Test(
    "numbers that are rounded are said once, with the place of the first",
    arguments: [
      ["new", "a", "--json-file", "i.json"], ["import", "i.json", "-o", "a"],
      ["edit", "b", "--json-file", "i.json"], ["set", "b", "/x", "--value-file", "i.json"],
    ])
  func rounding(arguments: [String]) throws {
    host.setText("empty.json", "{}")
    host.pnmerge("new", "b", "--json-file", "empty.json")
    host.setText("i.json", #"{"a":0.1,"b":2.00000000000000000001}"#)
    #expect(
      host.pnmerge(arguments).errors
        == "pnmerge: warning: i.json: the number 2.00000000000000000001 at line 1, column 14 has "
        + "more digits than are kept, and is read as 2.0; a string keeps them all\n")
    let run = host.pnmerge("set", "b", "/pi", "[3.14159265358979323846, 0.30000000000000000000001]")
    #expect(
      run.errors
        == "pnmerge: warning: 2 numbers have more digits than are kept: 3.14159265358979323846 at "
        + "line 1, column 2, is read as 3.141592653589793; a string keeps them all\n")
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

  @Test("what JSON says differently becomes one change, types staying what they are")
  func editing() throws {
    host.setText(
      "i.json", #"{"t":{"$text":"one two"},"n":{"$counter":1},"l":[{"id":1,"x":{"$text":"a"}}]}"#)
    host.pnmerge("new", "a", "--json-file", "i.json")
    host.setText("i.json", #"{"t":"one 2","n":4,"l":[{"id":2,"x":"b"},{"id":1,"x":"a"}],"z":null}"#)
    let run = host.pnmerge("edit", "a", "--json-file", "i.json")
    #expect(run.output.hasPrefix("a: changed "), "\(run.errors)")
    #expect(
      try exact("a")
        == #"{"t":{"$text":"one 2"},"n":{"$counter":4},"l":[{"id":2,"x":{"$text":"b"}},"#
        + #"{"id":1,"x":{"$text":"a"}}],"z":null}"#)
    #expect(host.pnmerge("edit", "a", "--json-file", "i.json").output == "a: unchanged\n")
    #expect(host.pnmerge("log", "a").output.count { $0 == "\n" } == 2)
  }

  @Test(
    "elements are told apart by the keys that are named",
    arguments: [
      ["edit", "a", "--json-file", "new.json"], ["import", "new.json", "-o", "a"],
      ["set", "a", "/l", "--value-file", "list.json"],
    ])
  func identity(arguments: [String]) throws {
    let list = #"[{"sku":"B","n":7},{"sku":"A","n":8}]"#
    host.setText("i.json", #"{"l":[{"sku":"A","n":1},{"sku":"B","n":2}]}"#)
    host.setText("list.json", list)
    host.setText("new.json", "{\"l\":\(list)}")
    host.pnmerge("new", "a", "--json-file", "i.json")
    host.copy("a", "b")
    host.pnmerge("set", "b", "/l/0/note", "\"ripe\"")
    let run = host.pnmerge(
      (arguments + ["--identity", "id", "--identity", "sku"]).map { Array($0.utf8) })
    #expect(run.status == .done, "\(run.errors)")
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    #expect(try exact("a") == #"{"l":[{"sku":"B","n":7},{"sku":"A","n":8,"note":"ripe"}]}"#)
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

  @Test("notes go out and in as Markdown and text")
  func notes() throws {
    host.setText("draft", "one\n")
    host.pnmerge("new", "a.peernote", "--title", "T", "--tag", "x", "--body-file", "draft")
    let markdown = host.pnmerge("cat", "a.peernote").output
    #expect(host.pnmerge("export", "a.peernote").output == markdown)
    #expect(host.pnmerge("export", "a.peernote", "-o", "a.md").status == .done)
    #expect(host["a.md"] == Array(markdown.utf8))
    #expect(host.pnmerge("export", "a.peernote", "-o", "a.txt").status == .done)
    #expect(host["a.txt"] == Array("one\n".utf8))
    #expect(host.pnmerge("export", "a.peernote", "-o", "a.md").status == .cannotCreate)
    host.setText("a.md", markdown.replacing("title: T", with: "title: U"))
    #expect(host.pnmerge("import", "a.md").output == "a.peernote: changed title\n")
    host.setText("a.txt", "two\n")
    #expect(host.pnmerge("import", "a.txt").output.hasPrefix("a.peernote: changed body, as an"))
    #expect(try host.note("a.peernote")?.title == "U")
    host.setText("b.md", "# No front matter\n")
    #expect(host.pnmerge("import", "b.md", "a.txt").status == .done)
    #expect(try host.note("b.peernote")?.body == "# No front matter\n")
    #expect(try host.note("b.peernote")?.created != nil)
    #expect(host.pnmerge("import", "draft").status == .usage)
    #expect(host.pnmerge("import", "draft", "--format", "text").status == .done)
    #expect(host.pnmerge("export", "a.peernote", "-o", "a.md", "--force").status == .done)
  }

  @Test("an export never takes the place of a document, damaged or not, nor by way of a link")
  func exportOverDocument() {
    host.pnmerge("new", "a", "--title", "T")
    host["cut"] = (host["a"] ?? []).dropLast(20)
    host.link("link", to: "a")
    let before = host["a"]
    for file in ["a", "link", "cut"] {
      let run = host.pnmerge("export", "a", "-o", file, "--force")
      #expect(run.status == .cannotCreate)
      #expect(
        run.errors == "pnmerge: \(file): is a peernote document, which --force does not replace; "
          + "nothing was written\n")
    }
    #expect(host["a"] == before)
  }

  @Test("standard input and output work, too")
  func streams() throws {
    host.input = Array(#"{"a":1}"#.utf8)
    host.pnmerge("import", "-", "--format", "json", "-o", "-")
    host["a"] = host.output
    #expect(try exact("a") == #"{"a":1}"#)
    #expect(host.pnmerge("import", "-", "--format", "json").status == .usage)
    host.input = host["a"] ?? []
    #expect(host.pnmerge("export", "-").output == "{\n  \"a\": 1\n}\n")
    #expect(host.pnmerge("export", "a", "--format", "markdown").status == .usage)
  }
}
