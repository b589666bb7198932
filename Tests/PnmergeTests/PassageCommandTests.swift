import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/passages.txt`.
@Suite("Contested passages by command")
struct PassageCommandTests {
  private let host = MemoryHost()

  /// Two copies that pay different sums on different lines.
  init() {
    host.setText(
      "i.json", #"{"body":{"$text":"Pay 12,000 euros.\nThen rest.\nSend 3 letters.\n"}}"#)
    host.pnmerge("new", "a", "--json-file", "i.json", "--agent", "a0")
    host.copy("a", "b")
    for (file, first, second) in [("a", "11,000", "4"), ("b", "9,500", "5")] {
      host.pnmerge(
        "set", file, "/body",
        "\"Pay \(first) euros.\\nThen rest.\\nSend \(second) letters.\\n\"", "--author",
        file == "a" ? "desk" : "phone", "--agent", "\(file)1")
    }
  }

  private var body: String { host.pnmerge("cat", "a", "/body", "--raw").output }

  @Test("an export that comes back edited says which readings it settles, and it alone")
  func comingBack() {
    host.pnmerge("merge", "a", "b")
    host.pnmerge("export", "a", "-o", "x.json", "--with-version")
    let text = String(decoding: host["x.json"] ?? [], as: UTF8.self)
      .replacing("Then rest", with: "Then sleep")
    host.setText("x.json", text)
    #expect(host.pnmerge("import", "x.json", "-o", "a").output == "a: changed /body\n")
    host.setText("x.json", text.replacing("5 letters", with: "6 letters"))
    let run = host.pnmerge("import", "x.json", "-o", "a")
    #expect(
      run.output.contains("  settled the conflict at /body:3: it also had \"4\" (desk, "),
      "\(run.output)")
    #expect(body == "Pay 9,500 euros.\nThen sleep.\nSend 6 letters.\n")
    #expect(!host.pnmerge("conflicts", "a").output.contains("/body:3"))
  }

  @Test("whatever shows the content shows readings, never what both wrote")
  func reading() {
    host.copy("a", "before")
    host.pnmerge("merge", "a", "b")
    for arguments in [
      ["diff", "before", "a"],
      ["diff", "a", "--at", "00000000000000a1.1"], ["log", "-p", "a"], ["blame", "a"],
      ["cat", "a"],
      ["cat", "--at", "00000000000000b1.1", "a"], ["merge", "-n", "-v", "before", "a"],
      ["status", "-v", "before", "b"], ["export", "a"], ["git", "textconv", "a"],
    ] {
      let run = host.pnmerge(arguments)
      #expect(!run.output.isEmpty, "\(arguments): \(run.errors)")
      for torn in ["11,0009,500", "9,50011,000", "45", "54"] {
        #expect(!run.output.replacing(/[0-9a-f]{16}/, with: "").contains(torn), "\(arguments)")
      }
    }
  }
}
