import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Looking back, going back and hiding")
struct HistoryCommandTests {
  private let host = MemoryHost()

  private func document(_ file: String) throws -> Document {
    try Document(bytes: host[file] ?? [])
  }

  @Test("each line is named after the change that last wrote something in it")
  func blame() throws {
    host.setText("draft", "one\ntwo\n\nfour")
    host.pnmerge("new", "a", "--body-file", "draft", "--author", "ann", "--agent", "a1")
    host.copy("a", "b")
    host.setText("draft", "one\n2wo\n\nfour")
    host.pnmerge("edit", "a", "--body-file", "draft", "--author", "bob", "--agent", "b1")
    host.setText("draft", "one\ntwo\n\nfour more")
    host.pnmerge("edit", "b", "--body-file", "draft", "--author", "eve", "--agent", "e1")
    host.pnmerge("merge", "a", "b")
    #expect(
      host.pnmerge("blame", "a").output == """
        00000000000000a1.1  ann  20 Nov 14:02  1  one
        00000000000000b1.1  bob  20 Nov 14:02  2  2wo
        00000000000000a1.1  ann  20 Nov 14:02  3  \("")
        00000000000000e1.1  eve  20 Nov 14:02  4  four more

        """)
    let old = host.pnmerge("blame", "a", "--at", "00000000000000a1", "--json").output
    #expect(old.contains(#"{"line":2,"text":"two","change":"00000000000000a1.1","author":"ann""#))
    #expect(host.pnmerge("blame", "a", "/title").status == .usage)
    #expect(host.pnmerge("blame", "a", "/none").status == .usage)
  }

  @Test(
    "the passages of a text cover it, each by the change that inserted it",
    arguments: [1, 2, 3] as [UInt64])
  func origins(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var document = Document(id: UniqueID(high: 1, low: seed))
    let path = JSONPointer(["t"])
    var expected: [ChangeID] = []
    for number in 1...40 {
      let session = DocumentSession(
        agent: AgentID(rawValue: UInt64(generator.within(1...3))), author: "",
        time: Timestamp(milliseconds: Int64(number)))
      var edit: (range: Range<Int>, text: String) = (0..<0, "")
      let id = try document.change(by: session) { editor in
        if number == 1 { try editor.putContainer(.text, at: path) }
        let start = generator.within(0...expected.count)
        let end = generator.within(start...min(expected.count, start + 3))
        edit = (start..<end, String(repeating: "é", count: generator.within(1...4)))
        try editor.spliceText(at: path, scalars: edit.range, with: edit.text)
      }
      let change = try #require(id)
      expected.replaceSubrange(
        edit.range, with: Array(repeating: change, count: edit.text.unicodeScalars.count))
    }
    let origins = try #require(try document.origins(ofTextAt: path))
    #expect(origins.flatMap { Array(repeating: $0.change, count: $0.scalars.count) } == expected)
    #expect(origins.first?.scalars.lowerBound == 0)
    #expect(
      zip(origins, origins.dropFirst()).allSatisfy {
        $0.scalars.upperBound == $1.scalars.lowerBound
      })
    #expect(try document.origins(ofTextAt: JSONPointer()) == nil)
  }

  @Test("an old state comes forward, and what others changed survives")
  func restore() throws {
    host.setText("i.json", #"{"t":{"$text":"one two"},"l":[{"id":1},{"id":2}],"n":{"$counter":3}}"#)
    host.pnmerge("new", "a", "--json-file", "i.json", "--agent", "a1")
    let first = try document("a").root
    host.pnmerge("set", "a", "/t", "\"one\"")
    host.pnmerge("set", "a", "/l", #"[{"id":2},{"id":3}]"#)
    host.pnmerge("increment", "a", "/n")
    host.pnmerge("set", "a", "/new", "1")
    host.copy("a", "b")
    let run = host.pnmerge("restore", "a", "--at", "00000000000000a1", "-m", "back")
    #expect(run.output.hasPrefix("a: changed "), "\(run.errors)")
    #expect(try document("a").root == first)
    #expect(host.pnmerge("log", "a").output.contains("back"))
    #expect(host.pnmerge("restore", "a", "--at", "00000000000000a1").output == "a: unchanged\n")
    host.pnmerge("increment", "b", "/n", "--by", "10")
    host.pnmerge("set", "b", "/other", "\"x\"")
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("cat", "a", "/n").output == "13\n")
    #expect(host.pnmerge("cat", "a", "/other").output == "\"x\"\n")
    #expect(
      host.pnmerge("cat", "a", "/l", "--exact").output
        == "[\n  {\n    \"id\": 1\n  },\n  {\n    \"id\": 2\n  }\n]\n")
  }

  @Test("a part alone can be restored")
  func restorePart() throws {
    host.setText("i.json", #"{"a":[1],"b":"x"}"#)
    host.pnmerge("new", "a", "--json-file", "i.json", "--agent", "a1")
    host.pnmerge("set", "a", "/a", "[2]")
    host.pnmerge("set", "a", "/b", "\"y\"")
    host.pnmerge("set", "a", "/c", "1")
    #expect(
      host.pnmerge("restore", "a", "/a", "--at", "00000000000000a1").output == "a: changed /a/0\n")
    #expect(host.pnmerge("cat", "a", "/b").output == "\"y\"\n")
    #expect(
      host.pnmerge("restore", "a", "/c", "--at", "00000000000000a1").output == "a: changed /c\n")
    #expect(host.pnmerge("cat", "a", "/c").status == .different)
    #expect(host.pnmerge("restore", "a", "/c", "--at", "00000000000000a1").status == .usage)
    #expect(host.pnmerge("restore", "a", "--at", "ff").status == .usage)
    #expect(host.pnmerge("restore", "a").status == .usage)
  }
}
