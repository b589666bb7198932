import Peernote
import PnmergeCommands
import Testing

/// More stands in `Fixtures/outputs/edits.txt`.
@Suite("Editing notes")
struct EditCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\ntwo\n")
    host.pnmerge("new", "a", "--title", "T", "--tag", "x", "--body-file", "draft")
  }

  private var litter: [String] {
    host.entries.keys.map(\.visible).filter { $0.hasPrefix("/tmp/") }
  }

  @Test("what the editor leaves becomes one change")
  func editor() throws {
    host.useEditor { $0.replacing("title: T", with: "title: U").replacing("two", with: "three") }
    #expect(host.pnmerge("edit", "a").output == "a: changed title and body\n")
    let note = try #require(try host.note("a"))
    #expect(note.title == "U")
    #expect(note.body == "one\nthree\n")
    #expect(litter.isEmpty)
    let log = host.pnmerge("log", "a").output
    #expect(log.count { $0 == "\n" } == 2)
  }

  @Test("VISUAL comes before EDITOR, and either may hold arguments")
  func editorCommand() {
    var seen: [FileName] = []
    host.variables["EDITOR"] = "other"
    host.variables["VISUAL"] = "ed --wait"
    host.program = { arguments in
      seen = arguments
      return ProcessResult(status: 0)
    }
    #expect(host.pnmerge("edit", "a").output == "a: unchanged\n")
    #expect(seen.dropLast().map(\.visible) == ["sh", "-c", "ed --wait \"$@\"", "ed --wait"])
    #expect(seen.last?.lastComponent == FileName("a.md"))
  }

  @Test("without an editor and a terminal the options are pointed out")
  func noEditor() {
    #expect(host.pnmerge("edit", "a").errors.contains("$EDITOR"))
    host.terminals = [.input]
    var program = ""
    host.program = { arguments in
      program = arguments[3].visible
      return ProcessResult(status: 0)
    }
    host.pnmerge("edit", "a")
    #expect(program == "vi")
  }

  @Test("a line feed that the editor adds at the end is no edit")
  func addedLineFeed() throws {
    host.setText("draft", "no end")
    host.pnmerge("edit", "a", "--body-file", "draft")
    host.useEditor { $0 + "\n" }
    #expect(host.pnmerge("edit", "a").output == "a: unchanged\n")
    host.useEditor { $0.replacing("no end", with: "an end") + "\n" }
    host.pnmerge("edit", "a")
    #expect(try host.note("a")?.body == "an end\n")
  }

  @Test("a text that is no note is kept, with its place named")
  func brokenText() throws {
    let before = host["a"]
    host.useEditor { "lost header\n" + $0 }
    let run = host.pnmerge("edit", "a")
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("pnmerge: a: line 1: "))
    #expect(run.errors.contains("your text is kept in /tmp/pnmerge-"))
    #expect(run.errors.count { $0 == "\n" } == 1)
    #expect(host["a"] == before)
    let kept = try #require(litter.first { $0.hasSuffix("/a.md") })
    let base = try Document(bytes: before ?? []).heads.map { " --base \($0)" }.joined()
    #expect(
      run.errors.hasSuffix("and then: pnmerge edit a\(base) --markdown-file \(kept)\n"),
      "\(run.errors)")
    #expect(host.entries[FileName(kept)]?.bytes.starts(with: Array("lost header".utf8)) == true)
  }

  @Test(
    "failing at whichever call, what was typed is in the note or kept, and nothing else is left")
  func everyFailure() throws {
    let undisturbed = EditCommandTests()
    undisturbed.host.useEditor { $0 + "typed\n" }
    for number in undisturbed.host.calls(of: { undisturbed.host.pnmerge("edit", "a") }) {
      let (host, place) = (EditCommandTests().host, "\(undisturbed.host.calls[number]) \(number)")
      var hasTyped = false
      host.useEditor {
        hasTyped = true
        return $0 + "typed\n"
      }
      host.failure = (number, HostError(.other, "fault"))
      let run = host.pnmerge("edit", "a")
      let drafts = host.entries.filter { $0.key.visible.hasPrefix("/tmp/") }
      let isKept = drafts.values.contains {
        String(decoding: $0.bytes, as: UTF8.self).hasSuffix("typed\n")
      }
      if run.status == .done {
        #expect(try host.note("a")?.body == "one\ntwo\ntyped\n", "\(place)")
        #expect(drafts.isEmpty || host.calls[number] == .remove, "\(place)")
      } else {
        #expect(run.errors.contains("your text is kept") == hasTyped, "\(place)")
        #expect(hasTyped ? isKept : drafts.isEmpty, "\(place)")
      }
    }
  }

  @Test("a text that cannot be read any more is kept")
  func unreadableText() throws {
    host.variables["EDITOR"] = "ed"
    host.program = { [host] arguments in
      let entry = arguments.last.flatMap { host.entries[$0] }
      entry?.bytes += Array("typed\n".utf8)
      entry?.mode = 0
      return ProcessResult(status: 0)
    }
    let run = host.pnmerge("edit", "a")
    #expect(run.status == .unreadable)
    let kept = try #require(litter.first { $0.hasSuffix("/a.md") })
    #expect(run.errors.hasSuffix("cannot read: permission denied; your text is kept in \(kept)\n"))
  }

  @Test("what an editor leaves beside the text when it fails is kept, and said to be")
  func editorFiles() throws {
    host.variables["EDITOR"] = "ed"
    host.program = { [host] arguments in
      let draft = arguments.last ?? FileName("")
      let copy = FileName(bytes: draft.bytes + Array(".swp".utf8))
      guard let open = try? host.createExclusively(copy) else { return ProcessResult(status: 1) }
      try? host.write(Array("typed".utf8)[...], to: open)
      host.close(open)
      return ProcessResult(status: 137)
    }
    let run = host.pnmerge("edit", "a")
    #expect(run.status == .ioError)
    let kept = try #require(litter.first { $0.hasSuffix("/a.md.swp") })
    let directory = FileName(kept).directory.visible
    #expect(run.errors.hasSuffix("nothing was written; your text is kept in \(directory)\n"))
  }

  @Test("texts that are kept do not stand in each other's way, nor in a later edit's")
  func keptTexts() throws {
    host.useEditor { "lost header\n" + $0 }
    for _ in 1...2 {
      #expect(host.pnmerge("edit", "a").errors.contains("is kept in /tmp/pnmerge-"))
    }
    #expect(litter.count { $0.hasSuffix("/a.md") } == 2)
    host.useEditor { $0.replacing("title: T", with: "title: U") }
    #expect(host.pnmerge("edit", "a").status == .done)
    #expect(litter.count { $0.hasSuffix("/a.md") } == 2)
  }

  @Test("the text is complete when the editor gets it, and gone when nobody hears what was done")
  func closedPipe() throws {
    host.isPipeClosed = true
    host.variables["VISUAL"] = ""
    host.variables["EDITOR"] = "ed"
    var isInUse: [Bool?] = []
    host.program = { [host] arguments in
      let entry = arguments.last.flatMap { host.entries[$0] }
      isInUse.append(entry?.isInUse)
      entry?.bytes = Array("---\ntitle: U\n---\n".utf8)
      return ProcessResult(status: arguments.contains(FileName("ed")) ? 0 : 127)
    }
    #expect(host.pnmerge("edit", "a").status == .done)
    #expect(isInUse == [false] && litter.isEmpty)
    #expect(try host.note("a")?.title == "U")
  }

  @Test("nobody is asked who does not see the question or cannot answer it")
  func noTerminal() {
    for terminals in [[.input], [.error, .output]] as [Set<StandardStream>] {
      host.terminals = terminals
      host.answers = ["y"]
      host.useEditor { "x" + $0 }
      let run = host.pnmerge("edit", "a")
      #expect(run.status == .usage && !run.errors.contains("Edit again?"))
      #expect(host.answers == ["y"])
    }
  }

  @Test("at a terminal a broken text can be corrected")
  func correction() throws {
    host.terminals = [.input, .error]
    host.answers = ["y"]
    var rounds = 0
    host.useEditor { text in
      rounds += 1
      return rounds == 1
        ? "x" + text : String(text.dropFirst()).replacing("title: T", with: "title: U")
    }
    #expect(host.pnmerge("edit", "a").status == .done)
    #expect(rounds == 2)
    #expect(try host.note("a")?.title == "U")
    #expect(litter.isEmpty)
  }

  @Test("an editor that fails leaves the note alone", arguments: [1, 130])
  func failingEditor(status: Int32) {
    let before = host["a"]
    host.useEditor(status: status) { $0 }
    #expect(host.pnmerge("edit", "a").status == (status == 130 ? .interrupted : .ioError))
    #expect(host["a"] == before)
    #expect(litter.isEmpty)
  }

  /// Edits the title while somebody edits something elsewhere.
  private func edit(meanwhile words: String...) -> MemoryHost.Run {
    let other = MemoryHost()
    other["a"] = host["a"]
    other.now = host.now
    other.pnmerge(["edit", "a", "--agent", "e1"] + words)
    host.useEditor { [host] text in
      host["a"] = other["a"]
      return text.replacing("title: T", with: "title: U")
    }
    return host.pnmerge("edit", "a", "--agent", "e2")
  }

  @Test("edits made elsewhere while the editor runs are kept")
  func concurrentEdit() throws {
    #expect(edit(meanwhile: "--tag", "elsewhere").output == "a: changed title\n")
    let changes = try Document(bytes: try #require(host["a"])).changes
    #expect(changes.count == 3)
    #expect(Set(changes.map(\.id.agent.rawValue)).isSuperset(of: [0xe1, 0xe2]))
  }

  @Test("what is contested by an edit made elsewhere while the editor runs is said")
  func contestedEdit() {
    let run = edit(meanwhile: "--title", "V")
    #expect(run.output.hasPrefix("a: changed title\na: 1 conflict (value)\n"), "\(run)")
  }
}
