import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/notes.txt`.
@Suite("Small traps")
struct SmallTrapTests {
  private let host = MemoryHost()

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
