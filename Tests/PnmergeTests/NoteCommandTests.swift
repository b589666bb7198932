import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `notes.txt` and `plain.txt` of
/// `Fixtures/outputs`.
@Suite("Starting and printing notes")
struct NoteCommandTests {
  private let host = MemoryHost()

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

  @Test("a terminal is shown escapes, a pipe gets the text as it is")
  func terminals() {
    host.setText("draft", "a\u{1B}[2Jb\tc\n")
    host.pnmerge("new", "a", "--body-file", "draft")
    #expect(host.pnmerge("cat", "--body", "a").output == "a\u{1B}[2Jb\tc\n")
    host.terminals = [.output]
    #expect(host.pnmerge("cat", "--body", "a").output == "a\\u{1b}[2Jb\tc\n")
    #expect(host.pnmerge("new", "-").status == .usage)
  }

  @Test("at a terminal a raw value ends its line")
  func rawLine() {
    host.pnmerge("new", "a", "--title", "T")
    #expect(host.pnmerge("cat", "a", "/title", "-r").output == "T")
    host.terminals = [.output]
    #expect(host.pnmerge("cat", "a", "/title", "-r").output == "T\n")
    #expect(host.pnmerge("cat", "a", "/body", "-r").output == "\n")
  }
}
