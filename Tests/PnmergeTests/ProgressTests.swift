import Foundation
import PeernoteFiles
import PnmergeCommands
import Testing

/// How far the work is, at a terminal.
@Suite("Progress") struct ProgressTests {
  private let host = MemoryHost()
  private var errors: String { String(decoding: host.errors, as: UTF8.self) }

  /// A line as it is drawn.
  private func drawn(_ text: String) -> String { "\r\u{1B}[K\u{1B}[?7l\(text)\u{1B}[?7h" }
  private let cleared = "\r\u{1B}[K"

  init() {
    host.terminals = [.error]
    for name in ["a", "b", "c"] {
      if name == "a" {
        _ = host.pnmerge("new", "a", "--title", "Plan")
      } else {
        _ = host.pnmerge("merge", "-q", "-o", name, "a", "a")
      }
      host.errors = []
    }
  }

  @Test("a line is drawn after half a second, once, escaped, and cleared before anything else")
  func line() throws {
    let console = Console(host: host)
    console.progress("reading \u{1B}[31m")
    host.pass(milliseconds: 499)
    #expect(errors == "")
    host.pass(milliseconds: 1)
    #expect(errors == drawn("reading \\u{1b}[31m"))
    host.pass(milliseconds: 100)
    #expect(errors == drawn("reading \\u{1b}[31m"))
    // A step of what is counted says nothing of its own.
    console.step("reading a")
    host.pass(milliseconds: 100)
    #expect(errors == drawn("reading \\u{1b}[31m"))
    host.errors = []
    try console.printError("done")
    host.pass(milliseconds: 100)
    #expect(errors == cleared + "done\n")
    host.errors = []
    console.step("writing a")
    host.pass(milliseconds: 100)
    try console.flush()
    #expect(errors == drawn("writing a") + cleared)
  }

  @Test("quiet, elsewhere than at a terminal, and at one that can do nothing, there is none")
  func none() throws {
    for change: (Console, MemoryHost) -> Void in [
      { console, _ in console.isQuiet = true }, { _, host in host.terminals = [.output] },
      { _, host in host.variables["TERM"] = "dumb" },
    ] {
      let host = MemoryHost()
      host.terminals = [.error]
      let console = Console(host: host)
      change(console, host)
      console.progress("reading")
      console.step("reading")
      host.pass(milliseconds: 1000)
      try console.flush()
      #expect(host.errors == [])
    }
  }

  /// What a command says of its progress if each reading of a file takes a second.
  private func progress(_ words: String...) -> [String] {
    host.errors = []
    host.witness = { [host] call in
      if call == .read || call == .rename || call == .synchronize { host.pass(milliseconds: 1000) }
    }
    defer { host.witness = { _ in } }
    _ = host.pnmerge(words)
    #expect(!errors.hasSuffix("\u{1B}[?7h"), "nothing is left at the terminal: \(words)")
    return errors.components(separatedBy: "\u{1B}[?7l").dropFirst().map {
      $0.components(separatedBy: "\u{1B}[?7h")[0]
    }
  }

  @Test("whatever takes long says what it is at")
  func commands() throws {
    let log = host.pnmerge("log", "--json", "a").output
    let version = try #require(log.firstMatch(of: /"id": ?"([^"]+)"/)?.1).description
    try host.makeDirectory(FileName("notes"), isPrivate: false)
    try host.makeDirectory(FileName("other"), isPrivate: false)
    for name in ["one", "two"] { host.pnmerge("new", "notes/\(name).peernote", "--title", name) }
    #expect(progress("cat", "a") == ["reading a"])
    #expect(progress("cat", "-q", "a") == [])
    #expect(progress("validate", "a", "b").last == "checking 2 of 2: b")
    #expect(progress("merge", "a", "b", "c").contains("reading copy 2 of 2: c"))
    #expect(progress("set", "a", "/title", "\"x\"").contains("writing a"))
    #expect(progress("merge", "b", "a").contains("writing b"))
    #expect(progress("redact", "a").contains("reading a"))
    #expect(progress("restore", "a", "--at", version).contains("reading a"))
    #expect(progress("repair", "a", "b", "-o", "y").contains("reading copy 2 of 2: b"))
    #expect(progress("export", "a", "-o", "a.md").contains("reading a"))
    #expect(progress("import", "a.md", "-o", "z").contains("looking at 1 of 1: a.md"))
    #expect(progress("find", "Plan", "a", "b").contains("looking at 2 of 2: b"))
    #expect(progress("conflicts", "a", "b").contains("looking at 2 of 2: b"))
    #expect(progress("log", "-p", "a").contains("reading a"))
    #expect(progress("ls", "notes").contains("reading 2: notes/two.peernote"))
    #expect(progress("sync", "notes", "other").contains("looking at note 2 of 2"))
  }

  @Test("a review, what it asks behind other commands, and tidying up do, too")
  func reviews() throws {
    host.pnmerge("set", "b", "/title", "\"B\"")
    host.pnmerge("set", "c", "/title", "\"C\"")
    let page = progress("review", "--html", "p.html", "a", "b", "c")
    #expect(page.contains("reading copy 2 of 2: c"), "\(page)")
    #expect(progress("conflicts", "--all", "a", "b").last == "looking at 2 of 2: b")
    host.terminals = [.input, .error]
    host.answers = ["q"]
    #expect(progress("review", "--plain", "b", "c").contains("looking for conflicts"))
    host.answers = ["q"]
    #expect(progress("merge", "-i", "b", "c").contains("looking for conflicts"))
    host.pnmerge("merge", "-q", "b", "c")
    host.answers = ["q"]
    #expect(progress("resolve", "-i", "b").contains("reading b"))
    try host.makeDirectory(FileName("notes"), isPrivate: false)
    for name in ["b", "a"] { host.copy(name, "notes/\(name).peernote") }
    host.copy("a", "notes/b (conflicted copy).peernote")
    host.answers = []
    let tidying = progress("tidy", "notes")
    #expect(tidying.contains { $0.hasPrefix("looking at note ") }, "\(tidying)")
  }

  @Test("git resolve says which file it is at")
  func gitResolve() throws {
    // A file that is no document comes last, so that no line about one follows; then git waits
    // until the line was drawn.
    let run = try GitSandbox().sh(
      """
      repository r
      echo 1 > z; save start
      git checkout -qb theirs; body 's/four/FOUR/'; echo 2 > z; save theirs
      git checkout -q main; body 's/two/TWO/'; echo 3 > z; save ours
      PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
      git=$(command -v git); mkdir "$T/bin"
      cat > "$T/bin/git" <<EOF
      #!/bin/sh
      case " \\$* " in *" add "*)
        for i in \\$(seq 600); do grep -q 'merging 2 of 2: z' "$T/out" && break; sleep 0.1; done
      esac
      exec $git "\\$@"
      EOF
      chmod +x "$T/bin/git"; export PATH="$T/bin:$PATH" TERM=xterm; : > "$T/out"
      script -qfec "'$P' git resolve" "$T/out" > /dev/null < /dev/null
      grep -c 'merging 2 of 2: z' "$T/out"; git status --short
      """)
    #expect(run.output.hasPrefix("1\n") && run.output.contains("UU z"), "\(run)")
    #expect(!run.output.contains("UU n.peernote"))
  }

  @Test("the program says at a real terminal what it waits for, and clears it")
  func program() throws {
    let run = try Program().sh(
      """
      pnmerge new -q a --title Plan; mkfifo pipe; exec 3<>pipe
      script -qfec "'$P' cat --format json - < pipe" out > /dev/null 3>&- < /dev/null &
      for i in $(seq 1200); do grep -q 'reading' out 2> /dev/null && break; sleep 0.05; done
      cat a >&3; exec 3>&-; wait
      grep -v '^Script ' out | tr '\\033\\r' '^~'
      """)
    let text = run.output
    #expect(text.hasPrefix("~^[K^[?7lreading standard input^[?7h~^[K{~\n"), "\(text)")
    #expect(text.contains("Plan"))
  }
}
