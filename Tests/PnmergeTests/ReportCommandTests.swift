import Peernote
import PnmergeCommands
import Testing

@Suite("Comparing, listing and checking")
struct ReportCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\ntwo\n")
    host.pnmerge(
      "new", "a", "--title", "T", "--body-file", "draft", "--author", "desk", "--agent", "aa")
    host.copy("a", "b")
    host.pnmerge("edit", "b", "--title", "U", "--author", "phone", "--agent", "bb", "-m", "why")
  }

  @Test("status tells each relation, and by its own status the worst")
  func status() throws {
    host.copy("a", "c")
    host.pnmerge("edit", "c", "--tag", "x")
    host.copy("a", "same")
    let id = try Document(bytes: try #require(host["a"])).id
    host.pnmerge("new", "other", "--title", "O")
    host.pnmerge("new", "twin", "--id", id.description)

    let run = host.pnmerge("status", "b", "a", "c", "b")
    #expect(run.status == .different)
    #expect(
      run.output == """
        a: behind b by 1 change
        c: diverged from b: 1 change only here, 1 only there
        b: same as b

        """)
    #expect(host.pnmerge("status", "a", "b").output == "b: ahead of a by 1 change\n")
    #expect(host.pnmerge("status", "a", "same").status == .done)
    #expect(host.pnmerge("status", "a", "other").status == .notSameDocument)
    #expect(host.pnmerge("status", "a", "twin", "b").status == .notSameDocument)
    #expect(
      host.pnmerge("status", "--json", "a", "b").output
        == #"{"schema":1,"file":"a","document":"\#(id)","copies":[{"file":"b","#
        + #""relation":"ahead","only_here":1,"only_there":0}]}"# + "\n")
  }

  @Test("diff shows what differs in the unified format, and nothing for equal content")
  func diff() {
    host.setText("draft", "one\n2\n")
    host.pnmerge("edit", "b", "--body-file", "draft")
    // Of other documents; copies are compared by who did what.
    host.pnmerge("export", "b", "-o", "b.json")
    host.pnmerge("import", "b.json", "-o", "other")
    let run = host.pnmerge("diff", "a", "other")
    #expect(run.status == .different)
    #expect(
      run.output == """
        --- a
        +++ other
        @@ -1,6 +1,6 @@
         ---
        -title: T
        +title: U
         created: 2026-11-20T14:02:12Z
         ---
         one
        -two
        +2

        """)
    host.copy("a", "same")
    #expect(host.pnmerge("diff", "a", "same").status == .done)
    #expect(host.pnmerge("diff", "a", "same").output == "")
    let colored = host.pnmerge("diff", "--color", "always", "a", "other").output
    #expect(colored.contains("\u{1B}[31m-title: T\u{1B}[0m\n"))
  }

  @Test("diff --json names the places")
  func diffJSON() {
    host.pnmerge("export", "b", "-o", "b.json")
    host.pnmerge("import", "b.json", "-o", "other")
    let run = host.pnmerge("diff", "--json", "a", "other")
    #expect(run.status == .different)
    #expect(
      run.output
        == #"{"schema":1,"same":false,"differences":[{"path":"/title","a":"T","b":"U"}]}"# + "\n")
    #expect(
      host.pnmerge("diff", "--json", "a", "a").output.hasPrefix(
        #"{"schema":1,"same":true,"differences":[]"#))
  }

  @Test("log lists changes, newest first, with a star at the heads")
  func log() throws {
    let run = host.pnmerge("log", "b")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0] == "* 20 Nov 14:02  phone  title  why  00000000000000bb.1")
    #expect(
      lines[1] == "  20 Nov 14:02  desk   body: 2 lines; tags; title; created  00000000000000aa.1")
    #expect(host.pnmerge("log", "--max-count", "1", "b").output.contains("\n") == true)
    #expect(host.pnmerge("log", "--max-count", "1", "b").output.count { $0 == "\n" } == 1)
    let json = host.pnmerge("log", "--json", "b").output
    #expect(json.contains(#""heads":["00000000000000bb.1"]"#))
    #expect(json.contains(#""parents":["00000000000000aa.1"],"time":"2026-11-20T14:02:13Z""#))
  }

  @Test("inspect shows identity, heads, sizes and counts")
  func inspect() throws {
    let document = try Document(bytes: try #require(host["b"]))
    let run = host.pnmerge("inspect", "b")
    for part in [
      "document", "\(document.id)\n", "title", "  U\n", "head", "  00000000000000bb.1\n", "changes",
      "  2\n", "deleted text",
    ] {
      #expect(run.output.contains(part), "\(part)")
    }
    #expect(
      host.pnmerge("inspect", "--changes", "b").output.contains("after 00000000000000aa.1\n"))
    let json = host.pnmerge("inspect", "--json", "b").output
    #expect(json.hasPrefix(#"{"schema":1,"document":"\#(document.id)","title":"U","#))
    #expect(json.contains(#""change_count":2"#))
  }

  @Test("inspect --diag shows any bytes")
  func diagnostics() {
    #expect(host.pnmerge("inspect", "--diag", "a").output.hasPrefix("55799("))
    host.setText("text", "Dear diary")
    let run = host.pnmerge("inspect", "--diag", "text")
    #expect(run.status == .done && !run.output.isEmpty)
    #expect(host.pnmerge("inspect", "--diag", "--json", "a").status == .usage)
  }

  @Test("validate passes what is sound and names what is not, file by file")
  func validate() {
    #expect(host.pnmerge("validate", "a", "b").output == "a: sound\nb: sound\n")
    #expect(host.pnmerge("validate", "--quick", "-q", "a").output == "")
    host["b"]?.removeLast(3)
    let run = host.pnmerge("validate", "a", "b")
    #expect(run.status == .damaged)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "a: sound" && lines[1].hasPrefix("b: byte "))
    #expect(lines.last == "b: to save what is intact: pnmerge repair b -o NEW-FILE")
    #expect(run.errors == "", "a fault is said once")
    let missing = host.pnmerge("validate", "b", "none", "a")
    #expect(missing.status == .unreadable && missing.errors.hasPrefix("pnmerge: none: "))
    let json = host.pnmerge("validate", "--json", "a", "b").output
    #expect(
      json.hasPrefix(#"{"schema":1,"files":[{"file":"a","status":0,"error":null,"findings":[]},"#))
  }

  @Test("validate goes on behind a fault, and says where each is")
  func validateInDepth() throws {
    var bytes = try #require(host["b"])
    // A letter of the shown title, and the checksum, which covers it.
    let title = try #require(bytes.firstRange(of: Array("title".utf8) + [0x61])).upperBound
    bytes[title] = UInt8(ascii: "V")
    host["b"] = bytes
    let run = host.pnmerge("validate", "b")
    #expect(run.status == .damaged)
    #expect(
      run.output == """
        b: byte \(bytes.count - 34): checksum: the checksum does not match: the file was changed \
        or damaged
        b: byte \(title - 1): view: the view does not agree with the log
        b: to save what is intact: pnmerge repair b -o NEW-FILE

        """)
    let json = host.pnmerge("validate", "--json", "b").output
    #expect(json.contains(#""section":"view","offset":\#(title - 1),"change":null,"#))
  }

  @Test("colours follow the option, NO_COLOR, TERM and the terminal")
  func colors() {
    func hasColor(_ arguments: String...) -> Bool {
      host.pnmerge((["log", "a"] + arguments).map { Array($0.utf8) }).output.contains("\u{1B}[")
    }
    #expect(!hasColor())
    host.terminals = [.output]
    #expect(!hasColor())
    host.variables["TERM"] = "xterm"
    #expect(hasColor())
    #expect(!hasColor("--color", "never"))
    host.variables["NO_COLOR"] = "1"
    #expect(!hasColor())
    #expect(hasColor("--color=always"))
  }
}
