import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/adopt.txt`.
@Suite("Joining documents that were made apart")
struct AdoptCommandTests {
  private let host = MemoryHost()

  private func import2(_ first: String, _ second: String) {
    host.setText("n.md", first)
    host.pnmerge("import", "n.md", "-o", "a", "--author", "desk")
    host.setText("n.md", second)
    host.pnmerge("import", "n.md", "-o", "b", "--author", "phone")
  }

  private func edit(_ file: String, _ body: String, by author: String) {
    host.setText("x", body)
    host.pnmerge("edit", file, "--body-file", "x", "--author", author)
  }

  @Test("one text with other line ends is the same text, and keeps those of the first document")
  func lineEnds() throws {
    import2("one\r\ntwo\r\n", "one\ntwo\n")
    edit("b", "zero\none\ntwo\n", by: "phone")
    host.copy("b", "c")
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(host.pnmerge("adopt", "c", "a").status == .done)
    for file in ["a", "c"] {
      #expect(try host.note(file)?.body == "zero\r\none\r\ntwo\r\n")
    }
    #expect(host["a"] == host["c"])
  }

  @Test("edits of two documents whose texts differ in a last line feed are joined")
  func editedLastLine() throws {
    import2("one\ntwo\nthree\n", "one\r\ntwo\r\nthree")
    edit("a", "one A\ntwo\nthree\n", by: "desk")
    edit("b", "one\r\ntwo\r\nthree B", by: "phone")
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(try host.note("a")?.body == "one A\ntwo\nthree B\n")
  }

  @Test("a last line with and without a line feed is one line", arguments: [true, false])
  func lastLine(isFirst: Bool) throws {
    let texts = ["one\ntwo\n", "one\ntwo"]
    import2(texts[isFirst ? 0 : 1], texts[isFirst ? 1 : 0])
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(try host.note("a")?.body == texts[isFirst ? 0 : 1])
  }

  @Test(
    "an export made right before its document was adopted can be imported after it",
    arguments: [["--with-version"], []])
  func exportedBefore(options: [String]) throws {
    import2("one\ntwo\n", "one\ntwo\n")
    edit("a", "one\ntwo\ndesk\n", by: "desk")
    edit("b", "phone\none\ntwo\n", by: "phone")
    host.pnmerge(["export", "b", "-o", "e.md"] + options)
    #expect(host.pnmerge("adopt", "b", "a").status == .done)
    let text = String(decoding: host["e.md"] ?? [], as: UTF8.self)
    host.setText("e.md", text.replacing("two\n", with: "two!\n"))
    let run = host.pnmerge("import", "e.md", "-o", "b")
    #expect(run.status == .done)
    #expect(
      run.output.contains(options.isEmpty ? "which e.md last held here" : "which e.md names"),
      "\(run)")
    #expect(try host.note("b")?.body == "phone\none\ntwo!\ndesk\n")
  }
}
