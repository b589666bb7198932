import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/notes.txt`.
@Suite("Starting and printing notes")
struct NoteCommandTests {
  private let host = MemoryHost()

  @Test("new writes the note that it was told")
  func new() throws {
    host.setText("draft", "Hello\n")
    let run = host.pnmerge(
      "new", "a", "--title", "Weekly", "--tag", "b", "--tag", "a", "--priority", "high",
      "--body-file", "draft")
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("a: started document "))
    let note = try #require(try host.note("a"))
    #expect(note.title == "Weekly")
    #expect(note.body == "Hello\n")
    #expect(Set(note.tags) == ["a", "b"])
    #expect(note.priority == .high)
    #expect(note.created == host.now)
    #expect(host.entries[FileName("/work/a")]?.mode == 0o644)
  }

  @Test("equal identity, agent, author and time make equal files")
  func reproducible() {
    host.variables["SOURCE_DATE_EPOCH"] = "1795183331"
    let options = [
      "--id", "6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55", "--agent", "5f0c", "--author", "desk",
    ]
    for name in ["a", "b"] {
      #expect(host.pnmerge(["new", name] + options).status == .done)
    }
    #expect(host["a"] != nil && host["a"] == host["b"])
    let log = host.pnmerge("log", "a").output
    #expect(log == "* 20 Nov 14:02  desk  body; tags; created  0000000000005f0c.1\n")
    host.variables["SOURCE_DATE_EPOCH"] = "soon"
    #expect(host.pnmerge("new", "c").status == .usage)
  }

  @Test("the author is the option's, the variable's, git's or the login's, in this order")
  func authors() throws {
    func author(_ arguments: String...) throws -> String? {
      host["a"] = nil
      host.pnmerge(["new", "a"] + arguments)
      return try host["a"].flatMap { try Document(bytes: $0).changes.first?.author }
    }
    host.program = { arguments in
      let expected = ["git", "-C", "/work", "config", "--get", "user.name"].map { FileName($0) }
      return arguments == expected
        ? ProcessResult(status: 0, output: Array("Ada Git\n".utf8)) : ProcessResult(status: 1)
    }
    #expect(try author("--author", "option") == "option")
    #expect(try author() == "me")
    host.variables["PNMERGE_AUTHOR"] = nil
    #expect(try author() == "login")
    try host.makeDirectory(FileName("/work/.git"))
    #expect(try author() == "Ada Git")
    host.program = { _ in ProcessResult(status: 1) }
    #expect(try author() == "login")
  }

  @Test("cat prints a note as Markdown, as text, its body alone, or as JSON")
  func formats() {
    host.setText("draft", "Hello")
    host.pnmerge("new", "a", "--title", "Weekly", "--tag", "x", "--body-file", "draft")
    #expect(host.pnmerge("cat", "a").output.hasSuffix("---\nHello"))
    #expect(host.pnmerge("cat", "a").output.hasPrefix("---\ntitle: Weekly\ntags:\n  - x\n"))
    #expect(host.pnmerge("cat", "--format", "text", "a").output == "Weekly\n\nHello\n")
    #expect(host.pnmerge("cat", "--body", "a").output == "Hello")
    let json = host.pnmerge("cat", "--format", "json", "a").output
    #expect(json.contains("\"title\": \"Weekly\""))
    #expect(json.contains("\"tags\": [\n    \"x\"\n  ]"))
  }

  @Test("a terminal is shown escapes, a pipe gets the text as it is")
  func terminals() {
    host.setText("draft", "a\u{1B}[2Jb\tc\n")
    host.pnmerge("new", "a", "--body-file", "draft")
    #expect(host.pnmerge("cat", "--body", "a").output == "a\u{1B}[2Jb\tc\n")
    host.terminals = [.output]
    #expect(host.pnmerge("cat", "--body", "a").output == "a\\u{1b}[2Jb\tc\n")
  }

  @Test("a document passes through standard input and output")
  func streams() throws {
    host.pnmerge("new", "-", "--title", "T")
    let bytes = host.output
    #expect(try Document(bytes: bytes).root == Document(bytes: bytes).root)
    host.input = bytes
    #expect(host.pnmerge("cat", "-").output.contains("title: T"))
    #expect(host.pnmerge("edit", "-", "--title", "U").errors == "standard input: changed title\n")
    #expect(try Note(root: Document(bytes: host.output).root)?.title == "U")
    host.terminals = [.output]
    #expect(host.pnmerge("new", "-").status == .usage)
    #expect(host.names.isEmpty)
  }
}
