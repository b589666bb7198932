import Peernote
import PnmergeCommands
import Testing

@Suite("Small traps")
struct SmallTrapTests {
  private let host = MemoryHost()

  private func content(_ path: String = "/l") -> String {
    String(host.pnmerge("cat", "a", path).output.filter { !$0.isWhitespace })
  }

  private func head() throws -> String {
    try #require(try Document(bytes: host["a"] ?? []).heads.first).description
  }

  // MARK: restore

  @Test("an element is restored by its identity, not by its index")
  func restore() throws {
    host.setText("i.json", #"{"l":[{"t":"A"},{"t":"B"},{"t":"C"}],"k":1}"#)
    host.pnmerge("import", "i.json", "-o", "a")
    let old = try head()
    host.pnmerge("insert", "a", "/l/0", #"{"t":"New"}"#)
    host.pnmerge("set", "a", "/l/2/t", "\"b\"")
    #expect(host.pnmerge("restore", "a", "/l/1", "--at", old).output == "a: changed /l/2/t\n")
    #expect(content() == #"[{"t":"New"},{"t":"A"},{"t":"B"},{"t":"C"}]"#)
    // What was removed comes back where it was, the same element.
    host.copy("a", "b")
    host.pnmerge("set", "b", "/l/3/note", "1", "--author", "Y")
    host.pnmerge("remove", "a", "/l/3")
    #expect(host.pnmerge("restore", "a", "/l/2", "--at", old).output == "a: changed /l/3\n")
    #expect(content() == #"[{"t":"New"},{"t":"A"},{"t":"B"},{"t":"C"}]"#)
    host.pnmerge("move", "a", "/l/3", "/l/0")
    host.pnmerge("set", "a", "/l/0/t", "\"c\"")
    #expect(host.pnmerge("restore", "a", "/l/2/t", "--at", old).output == "a: changed /l/0/t\n")
    #expect(content() == #"[{"t":"C"},{"t":"New"},{"t":"A"},{"t":"B"}]"#)
    // What did not stand there then goes; an element of then does not.
    let before = host["a"]
    #expect(host.pnmerge("restore", "a", "/l/3", "--at", old).status == .usage)
    #expect(host["a"] == before)
    host.pnmerge("insert", "a", "/l/-", #"{"t":"Last"}"#)
    #expect(host.pnmerge("restore", "a", "/l/4", "--at", old).status == .done)
    #expect(content() == #"[{"t":"C"},{"t":"New"},{"t":"A"},{"t":"B"}]"#)
    host.pnmerge("remove", "a", "/k")
    #expect(host.pnmerge("restore", "a", "/k", "--at", old).output == "a: changed /k\n")
    #expect(content("/k") == "1")
    #expect(host.pnmerge("restore", "a", "/none", "--at", old).status == .usage)
    #expect(host.pnmerge("restore", "a", "--at", old).status == .done)
    #expect(content() == #"[{"t":"A"},{"t":"B"},{"t":"C"}]"#)
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  // MARK: Notes stay notes

  @Test(
    "a note is made no note by accident",
    arguments: [
      ["set", "a", "/title", "5"], ["set", "a", "/body", "x", "--string"],
      ["set", "a", "/priority", "\"urgent\""], ["remove", "a", "/body"],
      ["insert", "a", "/tags/-", "7"], ["set", "a", "/created", "\"now\"", "--string"],
      ["move", "a", "/body", "/text"], ["edit", "a", "--json-file", "j.json"],
    ])
  func note(arguments: [String]) {
    host.pnmerge("new", "a", "--title", "T", "--tag", "x")
    host.setText("j.json", #"{"title":7}"#)
    let before = host["a"]
    let run = host.pnmerge(arguments.map { Array($0.utf8) })
    #expect(run.status == .usage)
    #expect(run.errors.contains(" of a note is "), "\(run.errors)")
    #expect(run.errors.contains("--force"))
    #expect(
      run.errors.contains("and would be missing")
        == (["remove", "move", "edit"].contains(arguments[0])),
      "\(run.errors)")
    #expect(host["a"] == before)
    #expect(host.pnmerge((arguments + ["--force"]).map { Array($0.utf8) }).status == .done)
    #expect(host.pnmerge("edit", "a", "--tag", "y").status == .usage)
    // What is no note is nobody's to keep one.
    #expect(host.pnmerge("set", "a", "/title", "8").status == .done)
  }

  @Test("what belongs to a note and what is beside it can be set")
  func noteEdits() {
    host.pnmerge("new", "a", "--title", "T", "--tag", "x")
    for arguments in [
      ["set", "a", "/title", "\"U\""], ["remove", "a", "/title"],
      ["set", "a", "/priority", "\"low\""],
      ["set", "a", "/rating", "5"], ["set", "a", "/nested", #"{"x":[1]}"#],
      ["insert", "a", "/tags/-", "\"y\""], ["remove", "a", "/tags"],
    ] {
      #expect(host.pnmerge(arguments.map { Array($0.utf8) }).status == .done, "\(arguments)")
    }
    #expect(host.pnmerge("edit", "a", "--tag", "z").status == .done)
  }

  // MARK: Other traps

  @Test(
    "undo finds what was done to a file before it was renamed, and another got its old name",
    arguments: [false, true])
  func renamed(hasOther: Bool) {
    host.pnmerge("new", "a", "--title", "0")
    host.pnmerge("edit", "a", "--title", "1")
    let before = host["a"]
    host.pnmerge("edit", "a", "--title", "2")
    let after = host["a"]
    host.copy("a", "copy")
    // A copy beside the file has nothing to undo: that was not done to it.
    #expect(host.pnmerge("undo", "copy").status == .unreadable)
    host.copy("a", "new name")
    host["a"] = nil
    if hasOther { host.pnmerge("new", "a", "--title", "Other") }
    #expect(host.pnmerge("undo", "new name").status == .done)
    #expect(host["new name"] == before)
    #expect(host.pnmerge("undo", "--redo", "new name").status == .done)
    #expect(host["new name"] == after)
    #expect(host.pnmerge("undo", "new name").status == .done)
    #expect(host.pnmerge("undo", "new name").status == .done)
    #expect(host.pnmerge("undo", "new name").status == .unreadable)
  }

  @Test("the number of changes has a short name")
  func log() {
    host.pnmerge("new", "a", "--title", "0")
    for number in 1...4 { host.pnmerge("edit", "a", "--title", "\(number)") }
    #expect(host.pnmerge("log", "-n", "2", "a").output.count { $0 == "\n" } == 2)
    #expect(host.pnmerge("log", "-n", "-1", "a").status == .usage)
  }

  @Test("an output whose name tells an unknown form is refused")
  func unknownForm() {
    host.pnmerge("new", "a", "--title", "0")
    for name in ["a.html", "a.peernote", "x.y.docx"] {
      let run = host.pnmerge("export", "a", "-o", name)
      #expect(run.status == .usage)
      #expect(run.errors.contains("\(name): its name does not tell a known format"))
      #expect(host[name] == nil)
    }
    #expect(host.pnmerge("export", "a", "-o", "a.html", "--format", "text").status == .done)
    for name in ["plain", ".hidden", "x.markdown", "X.JSON"] {
      #expect(host.pnmerge("export", "a", "-o", name).status == .done)
    }
  }

  @Test("an empty value is one", arguments: ["new", "edit"])
  func emptyTitle(command: String) throws {
    if command == "edit" { host.pnmerge("new", "a", "--title", "T") }
    let run = host.pnmerge(command, "a", "--title=")
    #expect(run.status == .done, "\(run.errors)")
    #expect(try host.note("a")?.title == "")
  }

  @Test("at a terminal a raw value ends its line")
  func rawLine() {
    host.pnmerge("new", "a", "--title", "T")
    #expect(host.pnmerge("cat", "a", "/title", "-r").output == "T")
    host.terminals = [.output]
    #expect(host.pnmerge("cat", "a", "/title", "-r").output == "T\n")
    #expect(host.pnmerge("cat", "a", "/body", "-r").output == "\n")
  }

  // MARK: Questions

  private func twoTitles() {
    host.pnmerge("new", "a", "--title", "0", "--priority", "low")
    host.copy("a", "b")
    host.pnmerge("edit", "a", "--title", "A", "--priority", "normal")
    host.pnmerge("edit", "b", "--title", "B", "--priority", "high")
    host.terminals = [.input, .error]
  }

  @Test("leaving the editor as it came settles nothing")
  func untouched() {
    twoTitles()
    host.pnmerge("merge", "a", "b")
    host.useEditor { $0 }
    host.answers = ["e", "w", "y"]
    let run = host.pnmerge("resolve", "-i", "a")
    #expect(run.status == .different)
    #expect(run.output == "a: resolved 0 of 2; 2 left unresolved\n")
    #expect(run.errors.contains("Nothing was edited, and nothing is decided."))
    host.useEditor { String($0.dropLast()) + "C" }
    host.answers = ["e", "w", "y"]
    #expect(host.pnmerge("resolve", "-i", "a").output == "a: resolved 1 of 2; 1 left unresolved\n")
    #expect(host.pnmerge("cat", "a", "/title").output == "\"C\"\n")
  }

  @Test("what a merge leaves undecided is its status")
  func left() {
    twoTitles()
    host.answers = ["1", "w", "y"]
    let run = host.pnmerge("merge", "-i", "a", "b")
    #expect(run.status == .different)
    #expect(run.output.contains("resolved 1 of 2; 1 left unresolved"))
  }

  @Test("a file that cannot be imported takes no name from another one")
  func importedDirectory() throws {
    try host.makeDirectory(FileName("n"))
    host.setText("n/x.json", "")
    host.setText("n/x.md", "hello\n")
    let run = host.pnmerge("import", "n")
    #expect(run.status != .done && run.errors.hasPrefix("pnmerge: n/x.json: "), "\(run)")
    #expect(try host.note("n/x.peernote")?.body == "hello\n")
  }

  @Test("a directory that cannot be listed is said, and hides none of the others")
  func closedDirectory() throws {
    let host = MemoryHost()
    for name in ["n", "n/closed", "n/open"] {
      try host.makeDirectory(FileName(name), isPrivate: false)
    }
    host.pnmerge("new", "n/open/x.peernote", "--title", "Milk")
    host.entries[FileName("/work/n/closed")]?.mode = 0
    for words in [
      ["find", "Milk", "n"], ["conflicts", "n"], ["log", "n"], ["validate", "n"], ["ls", "n"],
    ] {
      let run = host.pnmerge(words)
      #expect(run.status == .unreadable, "\(words) \(run)")
      #expect(run.errors.hasSuffix("n/closed: cannot list: permission denied\n"), "\(run.errors)")
      #expect(
        run.output.contains("x.peernote") || words[0] == "conflicts" || words[0] == "validate",
        "\(words) \(run)")
    }
    #expect(host.pnmerge("validate", "n", "--json").output.contains("x.peernote"))
  }

  @Test("that a byte order mark is left out is said")
  func byteOrderMark() {
    let host = MemoryHost()
    host["a.md"] = [0xEF, 0xBB, 0xBF] + Array("---\ntitle: T\n---\nText\n".utf8)
    host["b.json"] = [0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8)
    host["c.md"] = [0xEF, 0xBB, 0xBF] + Array("Text\n".utf8)
    for file in ["a.md", "b.json"] {
      let run = host.pnmerge("import", file, "-o", "\(file).peernote")
      #expect(run.status == .done)
      #expect(
        run.errors.contains("\(file): the byte order mark at its start is left out"), "\(run)")
    }
    // In a text alone it stays, and comes back.
    let run = host.pnmerge("import", "c.md", "-o", "c.peernote")
    #expect(run.errors == "")
    host.pnmerge("export", "c.peernote", "-o", "d.md")
    #expect(host["d.md"] == host["c.md"])
  }
}
