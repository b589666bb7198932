import Peernote
import PeernoteFuzzing
import PnmergeCommands
import Testing

@Suite("Errors say what, where and what next")
struct HelpfulErrorTests {
  private let host = MemoryHost()

  init() {
    host.setText(
      "a.json", #"{"l":[1,2,3],"m":{"k":"v"},"t":{"$text":"x"},"s":{"$set":["y"]},"n":1}"#)
    host.pnmerge("new", "a", "--json-file", "a.json")
    host.copy("a", "b")
  }

  @Test(
    "what cannot be done is answered with what can",
    arguments: [
      (["cat", "a", "/l/3"], "there is nothing at /l/3: /l has 3 elements, numbered from 0 to 2"),
      (["cat", "a", "/m/x/y"], "there is nothing at /m/x/y: /m has no \"x\""),
      (["cat", "a", "/t/0"], "there is nothing at /t/0: /t is a text, and holds nothing"),
      (
        ["remove", "a", "/l/7"], "there is nothing at /l/7: /l has 3 elements, numbered from 0 to 2"
      ),
      (["move", "a", "/l/7", "/l/0"], "there is nothing at /l/7: /l has 3 elements"),
      (
        ["cat", "a", "/l/01"],
        "there is nothing at /l/01: /l has 3 elements, numbered from 0 to 2; \"01\" is no such number"
      ),
      (
        ["cat", "a", "/l/-"],
        "there is nothing at /l/-: /l has 3 elements, numbered from 0 to 2; - is the place after its "
          + "end"
      ),
      (
        ["set", "a", "/l/3", "4"],
        "/l has 3 elements; 'insert' adds elements: pnmerge insert a /l/- VALUE; nothing"
      ),
      (
        ["set", "a", "/l/x", "4"],
        "/l has 3 elements, and \"x\" is no number of one; 'insert' adds elements: pnmerge insert"
      ),
      (
        ["set", "a", "/s/0", "\"z\""],
        "/s is a set, which 'insert' adds members to: pnmerge insert a /s/- VALUE; nothing"
      ),
      (
        ["insert", "a", "/l", "1"],
        "/l is a list; to add to its end: pnmerge insert a /l/- VALUE"
      ),
      (["insert", "a", "/m/j", "1"], "/m is a map, where 'set' adds a name: pnmerge set a /m/j"),
      (
        ["insert", "a", "/n/0", "1"],
        "there is nothing at /n/0: /n is a number, and holds nothing"
      ),
      (["increment", "a", "/n"], "/n is a number, not a counter; 'set --type counter' makes one"),
      (["cat", "a", "--at", "99"], "there is no change \"99\"; 'log' lists them"),
    ] as [([String], String)])
  func places(arguments: [String], message: String) {
    let before = host["a"]
    let run = host.pnmerge(arguments)
    #expect(run.status == (arguments[0] == "cat" && arguments.count == 3 ? .different : .usage))
    #expect(run.errors.hasPrefix("pnmerge: a: \(message)"), "\(run.errors)")
    #expect(host["a"] == before)
  }

  @Test(
    "an unknown command is answered with the nearest three",
    arguments: [
      ("stauts", "did you mean 'status', "), ("mrege", "did you mean 'merge', "),
      ("export2", "did you mean 'export', 'import' or "), ("frobnicate", "did you mean '"),
      ("foo", "did you mean '"), ("sl", "did you mean 'ls', "), ("meger", "did you mean 'merge', "),
      ("undp", "did you mean 'undo', "),
    ])
  func unknownCommand(word: String, answer: String) {
    let run = host.pnmerge(word)
    #expect(run.status == .usage)
    #expect(
      run.errors.hasPrefix("pnmerge: '\(word)' is neither a command nor a file; \(answer)"),
      "\(run.errors)")
    #expect(run.errors.count { $0 == "'" } == 10 && run.errors.count < 130, "\(run.errors)")
    #expect(run.errors.hasSuffix("? see 'pnmerge --help'\n"), "\(run.errors)")
  }

  @Test(
    "-h goes alone, so that no other option is lost in the help",
    arguments: [["cat", "-dash.peernote"], ["set", "-nh", "a", "/n", "1"], ["log", "-ph", "a"]])
  func bundles(arguments: [String]) {
    let run = host.pnmerge(arguments)
    #expect(run.status == .usage && run.errors.contains("is no option: -h goes alone"), "\(run)")
  }

  @Test(
    "a value that does not fit is refused with a reason, and with what would fit",
    arguments: [
      (["increment", "a", "/n", "--by", "1.5"], "an integer of 64 bits is expected"),
      (["log", "a", "-n", "-1"], "an integer from 0 is expected"),
      (["resolve", "a", "/n", "--line", "x"], "a line is expected, or a line and a column"),
      (["merge", "--without", "zz", "a", "b"], "an agent such as 5f0c21ab9d3e4477 is expected"),
      (["merge", "-o", "", "a", "b"], "for '-o <file>': it is empty; see"),
      (["find", "--since", "2026-02-30", "x"], "there is no such day or time; give a day"),
      (
        ["set", "a", "/n", "--type", "date", "1"], ": there are json, string, text, integer, double"
      ),
      (
        ["integrate", "emacs"],
        "the value 'emacs' is invalid for '<editor>': there is only vim; see"
      ),
      (["cat", "--rwa", "a"], "unknown option '--rwa'"),
      (["--json", "merge", "a", "b"], "stand behind it: pnmerge merge --json\n"),
      (["edit", "a", "--title", "T", "--plain"], "--plain and --identity exclude"),
      (["import", "a.md", "--text-at", "/x"], "is not read as JSON, which --text-at"),
      (["git"], "no command given; the commands are git install, git uninstall"),
    ] as [([String], String)])
  func values(arguments: [String], reason: String) {
    host.setText("a.md", "x\n")
    let run = host.pnmerge(arguments)
    #expect(run.status == .usage && run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.count { $0 == "\n" } == 1 && run.output.isEmpty, "\(run)")
  }

  @Test("a value that is no text is refused because of that", arguments: ["--title", "--author"])
  func noText(option: String) {
    let arguments = ["edit", "a", option].map { Array($0.utf8) } + [[0xE9]]
    let run = host.pnmerge(arguments)
    #expect(run.status == .usage && run.errors.contains(": it is not UTF-8; see"), "\(run.errors)")
  }

  @Test("that a file is waited for is said, unless all is to be quiet")
  func lockedFile() throws {
    let file = try #require(host.entries[FileName("/work/a")])
    for isQuiet in [false, true] {
      host.locked = [file.inode]
      let run = host.pnmerge(["set", "a", "/n", "2"] + (isQuiet ? ["-q"] : []))
      let waiting =
        "pnmerge: a: waiting for another process, which has locked it, for at most 20 s\n"
      #expect(run.status == .tryAgain)
      #expect(
        run.errors == (isQuiet ? "" : waiting)
          + "pnmerge: a: is locked by another process; try again\n")
    }
  }

  @Test("what is to be a file, a directory or JSON, and is not, is called what it is")
  func kinds() throws {
    try host.makeDirectory(FileName("d"), isPrivate: false)
    host.setText("text", "hello\n")
    for (arguments, status, message) in [
      (["edit", "a", "--body-file", "d"], .unreadable, "d: is a directory, not a file\n"),
      (["delete", "d"], .unreadable, "d: is a directory; name the documents in it to delete\n"),
      (["sync", "-", "d"], .usage, "standard input is no directory; give names of directories\n"),
      (
        ["diff", "a", "d"], .usage,
        "a: is a file, and d is a directory; give files only, or directories\n"
      ),
      (
        ["merge", "a", "d"], .usage,
        "a: is not a directory, and is not merged with one; give folders only, or "
          + "documents\n"
      ),
      (
        ["new", "c", "--json-file", "text"], .unreadable,
        "text: line 1, column 1: a value is expected here; this is read as JSON\n"
      ),
    ] as [([String], ExitStatus, String)] {
      let run = host.pnmerge(arguments)
      #expect(run.status == status, "\(arguments)")
      #expect(run.errors == "pnmerge: " + message, "\(arguments)")
    }
  }

  @Test("a repair of a sound file of a newer format advises nothing that loses its history")
  func newerFormat() throws {
    var bytes = try #require(host["a"])
    // The version stands behind the tags, the head of the array and a zero.
    #expect(bytes[10] == 1)
    bytes[10] = 2
    host["n"] = resealed(bytes)
    let run = host.pnmerge("repair", "n", "-o", "r")
    #expect(run.status == .newerFormat && host["r"] == nil, "\(run)")
    #expect(run.errors.contains("need not be damaged: install a newer pnmerge"), "\(run)")
  }

  @Test("text is to be imported where it is validated or repaired, too")
  func texts() {
    host.setText("text", "hello\n")
    #expect(host.pnmerge("validate", "text").output.contains("to make a document of it"))
    #expect(host.pnmerge("repair", "text", "-o", "r").output.contains("pnmerge import text"))
    host["empty"] = []
    #expect(!host.pnmerge("validate", "empty").output.contains("import"))
  }

  @Test("an empty directory hides none of the other files, and says that it is one")
  func emptyDirectories() throws {
    try host.makeDirectory(FileName("d"), isPrivate: false)
    host.setText("text", "hello\n")
    let run = host.pnmerge("validate", "text", "a", "d")
    #expect(run.status == .unreadable && run.errors.contains("d: holds no documents"), "\(run)")
    #expect(run.output.contains("a: sound") && run.output.contains("text: is text"), "\(run)")
    #expect(host.pnmerge("import", "d").output == "d: holds no files to import\n")
  }

  @Test("text in another encoding is refused with the place of the first byte that is wrong")
  func encodings() {
    host["latin"] = Array("one\ncaf".utf8) + [0xE9, 0x0A]
    let run = host.pnmerge("import", "latin", "--format", "text")
    #expect(run.errors.contains("is not UTF-8 text (line 2, byte 4)"), "\(run)")
  }

  @Test("-n of log may have its number right behind it")
  func joinedNumber() {
    host.pnmerge("set", "a", "/n", "2")
    let run = host.pnmerge("log", "-n1", "a")
    #expect(run.status == .done && run.output.count { $0 == "\n" } == 1, "\(run)")
  }

  @Test("so is one of git's")
  func unknownGitCommand() {
    #expect(
      host.pnmerge("git", "instal").errors
        == "pnmerge: 'git instal' is not a command; did you mean 'git install'?\n")
    #expect(
      host.pnmerge("git", "push").errors
        == "pnmerge: 'git push' is not a command; the commands are git install, git uninstall, "
        + "git status and git resolve\n")
    #expect(host.pnmerge("git", "--help").status == .done)
  }

  @Test("the short form into a file that is not there says that, as merge does")
  func shortForm() {
    let run = host.pnmerge("none.peernote", "a")
    #expect(
      run.status == .unreadable && run.errors == host.pnmerge("merge", "none.peernote", "a").errors)
    #expect(run.errors.hasSuffix("for a new copy: cp a none.peernote\n"), "\(run.errors)")
    #expect(host.pnmerge("none.peernote").errors.contains("'none.peernote' is neither a command"))
  }

  @Test("a document needs no import")
  func importedDocument() {
    for (arguments, next) in [
      ([], "to merge it into another copy: pnmerge merge COPY a"),
      (["-o", "b"], "to merge it: pnmerge merge b a"),
      (["-o", "c d"], "for a copy of it: cp a 'c d'"),
    ] as [([String], String)] {
      let run = host.pnmerge(["import", "a"] + arguments)
      #expect(run.status == .usage)
      #expect(run.errors == "pnmerge: a: is a peernote document already; \(next)\n")
    }
  }

  @Test("a file in the place of a directory is called one", arguments: [["tidy"], ["sync", "."]])
  func fileForDirectory(command: [String]) {
    let run = host.pnmerge(command + ["a"])
    #expect(run.status == .unreadable)
    #expect(
      run.errors
        == "pnmerge: a: is a file, not a directory; give the directory that it is in\n")
  }

  @Test("status says what to do with another document")
  func otherDocument() {
    host.pnmerge("new", "other")
    #expect(
      host.pnmerge("status", "a", "other").output.hasSuffix(
        "; if both were made of one text, join them: pnmerge adopt a other; "
          + "to compare them: pnmerge diff a other\n"))
  }

  @Test("text is to be imported, a damaged document repaired")
  func files() {
    host.setText("notes on é.md", String(repeating: "日本é🎉", count: 200))
    let text = host.pnmerge("redact", "notes on é.md")
    #expect(text.status == .damaged)
    #expect(
      text.errors == "pnmerge: notes on é.md: is text, not a peernote document; "
        + "to make a document of it: pnmerge import 'notes on é.md'\n")
    #expect(host.pnmerge("import", "notes on é.md").status == .done)
    host["a"]?.removeLast(3)
    let damaged = host.pnmerge("merge", "b", "a")
    #expect(damaged.status == .damaged)
    #expect(
      damaged.errors.hasSuffix("; to save what is intact: pnmerge repair a -o NEW-FILE\n"),
      "\(damaged.errors)")
    host["binary"] = [0, 1, 2, 0xFF]
    #expect(!host.pnmerge("cat", "binary").errors.contains("pnmerge import"))
  }

  @Test("a file that is not there yet gets its first copy by cp")
  func missing() {
    let run = host.pnmerge("merge", "new copy", "a")
    #expect(run.status == .unreadable)
    #expect(
      run.errors == "pnmerge: new copy: there is no such file to merge into; "
        + "for a new copy: cp a 'new copy'\n")
    #expect(host["new copy"] == nil)
  }

  @Test("--take lists what can be taken, a place without a conflict where there are some")
  func conflicts() {
    host.pnmerge("set", "a", "/n", "2", "--agent", "a1")
    host.pnmerge("set", "b", "/n", "3", "--agent", "b1")
    host.pnmerge("merge", "a", "b")
    let take = host.pnmerge("resolve", "a", "/n", "--take", "77")
    #expect(take.status == .usage)
    #expect(
      take.errors.contains(
        "no side is called \"77\" at /n; --take can be kept, mine, theirs, "
          + "00000000000000b1.1 (me, 3), 00000000000000a1.1 (me, 2)"), "\(take.errors)")
    #expect(
      host.pnmerge("resolve", "a", "/m", "--take", "kept").errors
        == "pnmerge: a: there is no conflict at /m; there is one at /n\n")
  }

  @Test("the help groups the commands")
  func groups() {
    let help = host.pnmerge("--help").output
    var rest = help[...]
    for title in ["DOCUMENT", "MERGING", "HISTORY", "GIT", "CHECKING"] {
      let place = rest.firstRange(of: "\n\(title) SUBCOMMANDS:\n")
      #expect(place != nil, "\(title) in \(help)")
      if let place { rest = rest[place.upperBound...] }
    }
  }
}
