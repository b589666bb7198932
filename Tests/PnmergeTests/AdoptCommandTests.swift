import Peernote
import PnmergeCommands
import Testing

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

  @Test("documents made of one text apart are joined, the same on both machines")
  func adopt() throws {
    import2("---\ntitle: T\n---\none\ntwo\n", "---\ntitle: T\n---\none\ntwo\n")
    let refused = host.pnmerge("merge", "a", "b")
    #expect(refused.status == .notSameDocument)
    #expect(refused.errors.contains("join them: pnmerge adopt a b;"))
    edit("a", "one\ntwo\nthree\n", by: "desk")
    edit("b", "zero\none\ntwo\n", by: "phone")
    host.pnmerge("edit", "b", "--tag", "new", "--author", "tablet")
    let id = try Document(bytes: host["a"] ?? []).id
    let created = try host.note("a")?.created
    let (first, second) = (host["a"], host["b"])
    let run = host.pnmerge("adopt", "a", "b")
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("a: adopted b; the document that goes on is (\"T\", "))
    #expect(host.pnmerge("adopt", "b", "a", "-n").status == .done)
    host.copy("a", "joined")
    host["a"] = first
    #expect(host.pnmerge("adopt", "b", "a").status == .done)
    #expect(host["b"] == host["joined"])
    // Then the file is another document's, of which nothing is to be redone.
    let joined = host["b"]
    #expect(!host.pnmerge("undo", "b").output.contains("--redo"))
    #expect(host["b"] == second)
    host["b"] = joined
    #expect(host.pnmerge("log", "b").output.contains("phone, tablet"))
    let note = try #require(try host.note("b"))
    #expect(note.body == "zero\none\ntwo\nthree\n")
    #expect(note.tags == ["new"])
    #expect(note.created == created)
    #expect(try Document(bytes: host["b"] ?? []).id == id)
    #expect(host.pnmerge("validate", "b").status == .done)
    // What the other document gets later can be brought in as well, and only that.
    host["b"] = second
    edit("b", "zero\none\ntwo!\n", by: "phone")
    #expect(host.pnmerge("adopt", "joined", "b").status == .done)
    #expect(try host.note("joined")?.body == "zero\none\ntwo!\nthree\n")
    #expect(host.pnmerge("adopt", "joined", "b").output == "joined: already has everything in b\n")
    #expect(host.pnmerge("adopt", "joined", "joined").status == .usage)
    #expect(host.pnmerge("undo", "joined").status == .done)
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

  @Test("a counter that both documents had from the start counts once")
  func counter() throws {
    host.setText("i.json", #"{"c":{"$counter":3},"m":{"d":{"$counter":1}}}"#)
    host.pnmerge("import", "i.json", "-o", "a")
    host.pnmerge("import", "i.json", "-o", "b")
    for file in ["a", "b"] {
      #expect(host.pnmerge("increment", file, "/c", "--by", "1").status == .done)
    }
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(host.pnmerge("cat", "a", "/c").output == "5\n")
    #expect(host.pnmerge("cat", "a", "/m/d").output == "1\n")
  }

  @Test("what is undecided in a document that does not go on is told when it is adopted")
  func conflicts() throws {
    import2("one\n", "one\n")
    host.copy("b", "c")
    host.pnmerge("edit", "b", "--title", "Bob", "--author", "bob")
    host.pnmerge("edit", "c", "--title", "Cyd", "--author", "cyd")
    host.pnmerge("merge", "c", "b")
    let run = host.pnmerge("adopt", "c", "a")
    #expect(run.status == .done)
    #expect(
      run.output.contains("/title is \"Bob\", not \"Cyd\"")
        || run.output.contains("/title is \"Cyd\", not \"Bob\""), "\(run)")
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

  @Test("what a document of the same text was given besides comes in, too")
  func fields() throws {
    import2("one\n", "one\n")
    host.pnmerge("edit", "b", "--title", "zwei", "--tag", "two")
    host.copy("b", "c")
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(host.pnmerge("adopt", "c", "a").status == .done)
    for file in ["a", "c"] {
      let note = try #require(try host.note(file))
      #expect(note.title == "zwei")
      #expect(note.tags == ["two"])
    }
    #expect(host["a"] == host["c"])
  }

  @Test("what is undecided once two documents are joined is told")
  func undecided() {
    import2("one\n", "one\n")
    host.pnmerge("edit", "a", "--title", "Desk")
    host.pnmerge("edit", "b", "--title", "Phone")
    let words = "\n  1 conflict (value)"
    #expect(host.pnmerge("adopt", "-n", "a", "b").output.contains("\(words)\n"))
    let said = host.pnmerge("adopt", "a", "b").output
    #expect(said.contains("\(words); to see it: pnmerge conflicts a\n"), "\(said)")
    #expect(host.pnmerge("conflicts", "a").status == .different)
    #expect(!host.pnmerge("adopt", "a", "b").output.contains("conflict"))
  }

  @Test(
    "a value that both had from the start, each another one, is told",
    arguments: ["one\n", "two\n"])
  func differing(text: String) throws {
    import2("---\ntitle: A\ntags: [x]\n---\none\n", "---\ntitle: B\ntags: [y]\n---\n" + text)
    let words = "\n  /title is \"A\", not \"B\"\n"
    #expect(host.pnmerge("adopt", "a", "b").output.contains(words))
    #expect(try host.note("a")?.title == "A")
    #expect(try Set(#require(try host.note("a")).tags) == ["x", "y"])
    #expect(
      host.pnmerge("adopt", "a", "b").output == "a: already has all else in b\n" + words.dropFirst()
    )
  }

  @Test("documents without a text in common are united")
  func other() throws {
    import2("one\ntwo\n", "three\n")
    host.pnmerge("edit", "b", "--tag", "x")
    #expect(host.pnmerge("adopt", "b", "a").status == .done)
    let note = try #require(try host.note("b"))
    #expect(note.body.contains("one\ntwo\n") && note.body.contains("three\n"))
    #expect(note.tags == ["x"])
    #expect(host.pnmerge("adopt", "-", "a").status == .usage)
  }

  @Test("edits of two copies of an empty document are joined, alike on both machines")
  func emptyCopies() throws {
    host.setText("i.json", "{}")
    host.pnmerge("new", "a", "--json-file", "i.json")
    host.copy("a", "b")
    host.pnmerge("set", "a", "/a", "1")
    host.pnmerge("set", "b", "/b", "2")
    let refused = host.pnmerge("merge", "a", "b")
    #expect(refused.status == .notSameDocument)
    #expect(
      refused.errors.hasSuffix(
        "to join what they hold, in both: pnmerge adopt a b && pnmerge adopt b a\n"))
    host.copy("b", "c")
    #expect(host.pnmerge("adopt", "c", "a").status == .done)
    #expect(host.pnmerge("adopt", "a", "b").status == .done)
    #expect(host.pnmerge("adopt", "b", "a").status == .done)
    #expect(host["a"] == host["c"] && host["a"] == host["b"])
    #expect(host.pnmerge("cat", "a", "/a").output == "1\n")
    #expect(host.pnmerge("cat", "a", "/b").output == "2\n")
    #expect(host.pnmerge("validate", "a").status == .done)
    let refusal = "is a copy of a already; to merge them: pnmerge merge a c"
    #expect(host.pnmerge("adopt", "a", "c").errors.contains(refusal))
  }
}
