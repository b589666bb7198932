import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/review.txt`.
@Suite("A review at the terminal") struct ReviewDialogTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func review(_ words: String..., answers: [String]) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(["review"] + words)
  }

  private func get(_ path: String) -> String { host.pnmerge("cat", "a", path).output }

  @Test("in whole words, without numbers and colours, for screen readers")
  func plain() {
    host.variables["TERM"] = "xterm"
    let coloured = review("-n", "a", "b", answers: ["q"])
    #expect(coloured.errors.contains("\u{1B}["), "\(coloured)")
    host.variables["NO_COLOR"] = "1"
    #expect(!review("-n", "a", "b", answers: ["q"]).errors.contains("\u{1B}"))
    host.variables["NO_COLOR"] = nil
    let run = review("--plain", "a", "b", answers: ["bob", "before", "yes"])
    #expect(run.status == .done && !run.errors.contains("\u{1B}"), "\(run)")
    #expect(run.errors.contains("bob, mine, both, before, edit, skip, back, write, quit, help: "))
    #expect(run.errors.contains("  ada, 20 Nov 14:02, mine:\n"))
    #expect(get("/title") == "\"T\"\n")
  }

  @Test("what comes in is what the reader's own copy lacks, each person's lines by themselves")
  func incoming() throws {
    func write(_ copy: String, _ author: String, _ text: String) {
      host.pnmerge("set", copy, "/body", "\"\(text)\"", "--author", author)
    }
    host.pnmerge("new", "s", "--title", "T", "--author", "eve")
    write("s", "eve", "one two three\\nlast\\n")
    host.copy("s", "t")
    host.copy("s", "u")
    write("s", "anna", "one ANNA three\\nlast\\nby anna\\n")
    write("t", "ben", "one BEN three\\nlast\\nby ben\\n")
    write("u", "cleo", "one two three\\nlast\\nby cleo\\n")
    let list = review("-n", "s", "t", "u", answers: ["q"]).errors.split(separator: "\n")
      .filter { $0.contains("  added ") }
    #expect(list.count == 2, "\(list)")
    for (name, other) in [("ben", "cleo"), ("cleo", "ben")] {
      let line = try #require(
        list.first { $0.contains("added \"by \(name)\" (\(name), ") }, "\(list)")
      let number = try #require(line.split(separator: " ").first)
      host.copy("s", name)
      let run = review(name, "t", "u", answers: ["d \(number)", "m", "y"])
      #expect(run.status == .done, "\(run)")
      let body = host.pnmerge("cat", name, "/body").output
      #expect(body.hasPrefix("\"one ANNA three\\nlast\\n"), "\(body)")
      #expect(body.contains("\\nby anna\\n") && body.contains("\\nby \(other)\\n"), "\(body)")
      #expect(!body.contains(name), "\(body)")
    }
  }

  @Test("an interrupt writes nothing, and keeps the answers for the next time")
  func interrupted() {
    let before = host["a"]
    let nothing = review("a", "b", answers: ["\u{3}"])
    #expect(nothing.status == .interrupted && nothing.output == "a: nothing was written\n")
    host.useEditor { $0 + "!" }
    let run = review("a", "b", answers: ["e", "d 3", "\u{3}"])
    #expect(run.status == .interrupted && host["a"] == before, "\(run)")
    #expect(run.output == "a: nothing was written; 2 answers kept for the next time\n")
    let kept = host.entries.filter {
      $0.key.visible.contains("/reviews/") && $0.value.kind == .regular
    }
    #expect(kept.count == 1 && kept.values.allSatisfy { $0.mode == 0o600 }, "\(kept.keys)")
    let next = review("a", "b", answers: ["ada", "y"])
    #expect(next.errors.hasPrefix("2 answers of last time are taken up; undo takes them back.\n"))
    #expect(next.status == .done && get("/title") == "\"U\"\n", "\(next)")
    #expect(get("/body") == "\"We meet at two! in the hall.\\n\\nBring a red coat.\\n\"\n")
    #expect(get("/l/0/n") == "1\n")
    #expect(
      !host.entries.keys.contains {
        $0.visible.contains("/reviews/") && $0.visible.hasSuffix(".json")
      })
  }

  @Test("the editor opens one file with before, each person's and the result, and reads it back")
  func editors() {
    var seen = ""
    host.useEditor { text in
      seen = text
      return text + "-thirty"
    }
    let run = review("a", "b", answers: ["e", "all mine", "y"])
    #expect(run.status == .done, "\(run)")
    for part in [
      "\n  before:\nWe meet at noon in the hall.\n",
      "  1  bob, 20 Nov 14:02, shown unless decided:\nWe meet at two in the hall.\n",
      "It stands between \"We meet at \" and \" in the hall.\".\n",
      "\n========================================\ntwo",
    ] { #expect(seen.contains(part), "\(part) in \(seen)") }
    #expect(get("/body").contains("We meet at two-thirty in the hall."))
    #expect(host.entries.keys.allSatisfy { !$0.visible.hasPrefix("/tmp/") })
  }

  @Test("an editor that is left without a change, or fails, or loses the line, decides nothing")
  func failingEditors() {
    host.useEditor { $0 }
    let unchanged = review("a", "b", answers: ["e", "q"])
    #expect(unchanged.errors.contains("Nothing was edited, and nothing is decided."))
    host.useEditor(status: 1) { $0 + "W" }
    let failed = review("a", "b", answers: ["e", "q"])
    #expect(failed.errors.contains("the editor ended with status 1"))
    #expect(failed.errors.contains("nothing is decided."), "\(failed.errors)")
    host.useEditor { _ in "W" }
    let lost = review("a", "b", answers: ["e", "n", "q"])
    #expect(lost.errors.contains("is missing, below which the text begins"), "\(lost.errors)")
    #expect(get("/title") == "\"U\"\n")
  }

  @Test("all of a long text is shown in a pager")
  func pager() {
    var shown = ""
    host.variables["PAGER"] = "pg"
    host.program = { [unowned host] arguments in
      shown = String(
        decoding: arguments.last.flatMap { host.entries[$0]?.bytes } ?? [], as: UTF8.self)
      return ProcessResult(status: 0)
    }
    let run = review("a", "b", answers: ["v", "q"])
    #expect(run.status == .different, "\(run)")
    #expect(shown.contains("before:\n     We meet at noon in the hall.\n"), "\(shown)")
    #expect(shown.contains("  We meet at [-noon-]{+two+} in the hall.\n"))
  }
}
