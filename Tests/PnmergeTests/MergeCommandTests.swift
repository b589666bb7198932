import Peernote
import PnmergeCommands
import Testing

@Suite("Merging copies")
struct MergeCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\n\ntwo\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "me")
    host.copy("a", "b")
    host.copy("a", "c")
    host.pnmerge("edit", "a", "--title", "Desk", "--author", "desk", "--agent", "d")
    host.pnmerge("edit", "b", "--title", "Phone", "--author", "phone", "--agent", "e")
    host.pnmerge("edit", "c", "--tag", "laptop", "--author", "laptop", "--agent", "f")
  }

  @Test("a merge that brings sections of another program says so, in both directions")
  func furtherSections() throws {
    var extended = try DocumentFile(try #require(host["a"]))
    extended.unknownSections = [.init(number: 200, content: [0xF6])]
    host["d"] = extended.bytes()
    let whole = host["d"]
    let trial = host.pnmerge("merge", "--dry-run", "a", "d")
    #expect(trial.output.hasPrefix("a: would take over optional sections in d; no new changes\n"))
    let run = host.pnmerge("merge", "a", "d")
    #expect(run.output.hasPrefix("a: took over optional sections in d; no new changes\n"))
    #expect(host["a"] == whole)
    #expect(host.pnmerge("merge", "d", "a").output.hasPrefix("d: same as a"))
    #expect(host["d"] == whole)
  }

  @Test("a merge says what it did, and what it decided, with author and time")
  func report() throws {
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.status == .done)
    #expect(
      run.output == """
        a: merged 1 copy: 1 change by phone; 1 conflict (value)
          /title    kept "Phone" (phone, 20 Nov 14:02), also had "Desk" (desk, 20 Nov 14:02)
          to settle: pnmerge resolve -i a
          to go back: pnmerge undo a

        """)
    #expect(try host.note("a")?.title == "Phone")
    #expect(host.names == ["a", "b", "c", "draft"])
  }

  @Test("a merge of several copies says how things stand in the end")
  func reportOfSeveral() throws {
    // Whoever makes the third copy has seen both titles and settled for another one.
    host.copy("a", "d")
    host.pnmerge("merge", "-q", "d", "b")
    host.pnmerge("edit", "d", "--title", "Both", "--author", "me", "--agent", "a1")
    let run = host.pnmerge("merge", "-o", "e", "a", "b", "d")
    #expect(run.output.hasPrefix("e: merged a and 2 copies: 2 changes by 2 authors ("))
    #expect(!run.output.contains("kept"), "\(run.output)")
    #expect(try host.note("e")?.title == "Both")
    // What is undecided is told of by its place in the end.
    host.setText("i.json", #"{"list":["x"]}"#)
    host.pnmerge("new", "l", "--json-file", "i.json")
    for copy in ["m", "n", "o"] { host.copy("l", copy) }
    host.pnmerge("set", "m", "/list/0", "\"one\"", "--agent", "b1")
    host.pnmerge("set", "n", "/list/0", "\"two\"", "--agent", "b2")
    host.pnmerge("insert", "o", "/list/0", "0", "--agent", "b3")
    let list = host.pnmerge("merge", "-o", "p", "m", "n", "o").output
    #expect(list.contains("  /list/1    kept \"two\"") && !list.contains("/list/0"), "\(list)")
  }

  @Test("a value of several lines is shown on one, escaped once")
  func escapedValues() {
    host.pnmerge("set", "a", "/title", #""one\ntwo\u001b[31m \"q\" \\n""#, "--agent", "a1")
    host.pnmerge("set", "b", "/title", "\"U\"", "--agent", "b1")
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.output.contains(#"also had "one\ntwo\u{1b}[31m \"q\" \\n" ("#), "\(run.output)")
  }

  @Test("a report is short, however many scalars a character has and however many values compete")
  func shortReport() {
    let marks = "e" + String(repeating: "\u{301}", count: 20_000)
    host.pnmerge("set", "a", "/title", "\"\(marks)\"", "--agent", "a1")
    var copies: [String] = []
    for number in 0..<30 {
      let copy = "copy\(number)"
      copies.append(copy)
      host.copy("b", copy)
      host.pnmerge("set", copy, "/title", "\"\(marks)\(number)\"", "--agent", "c\(number)")
    }
    let run = host.pnmerge((["merge", "a"] + copies).map { Array($0.utf8) })
    #expect(run.output.utf8.count < 30_000, "\(run.output.utf8.count)")
    #expect(run.output.contains(", and 20 more\n"), "\(run.output)")
  }

  @Test("the short form is the same")
  func shortForm() {
    host.copy("a", "a2")
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("a2", "b").status == .done)
    #expect(host["a"] == host["a2"])
  }

  @Test("copies merged in any order and grouping are the same bytes")
  func orders() throws {
    let names = ["a", "b", "c"]
    var results: Set<[UInt8]> = []
    for first in names {
      for second in names where second != first {
        for third in names where third != first && third != second {
          #expect(host.pnmerge("merge", "-o", "out", first, second, third).status == .done)
          results.insert(try #require(host["out"]))
          host["out"] = nil
          host.pnmerge("merge", "-o", "part", second, third)
          host.pnmerge("merge", "-o", "out", first, "part")
          results.insert(try #require(host["out"]))
          host["out"] = nil
          host["part"] = nil
        }
      }
    }
    #expect(results.count == 1)
  }

  @Test("merging again writes nothing")
  func again() throws {
    host.pnmerge("merge", "a", "b", "c")
    let before = try host.identity(of: FileName("a"), followingLinks: true)
    let run = host.pnmerge("merge", "a", "b", "c")
    #expect(run.output == "a: already has everything in b and c\n")
    #expect(host.pnmerge("merge", "a", "a").output == "a: same as a\n")
    #expect(try host.identity(of: FileName("a"), followingLinks: true) == before)
  }

  @Test("a copy that only ran ahead is caught up with")
  func fastForward() {
    host.copy("a", "ahead")
    host.pnmerge("edit", "ahead", "--priority", "high", "--author", "x")
    let run = host.pnmerge("merge", "a", "ahead")
    #expect(run.output.hasPrefix("a: caught up with 1 copy: 1 change by x\n"))
    #expect(host["a"] == host["ahead"])
  }

  @Test("whoever catches up with what others merged hears what they left contested")
  func arrived() {
    host.copy("b", "merged")
    host.pnmerge("merge", "merged", "a")
    let run = host.pnmerge("merge", "a", "merged")
    let words = "  of what others merged: 1 conflict (value); to see it: pnmerge conflicts a\n"
    #expect(run.status == .done && run.output.contains(words), "\(run)")
    host.pnmerge("resolve", "merged", "--all", "--take", "mine")
    #expect(!host.pnmerge("merge", "a", "merged").output.contains("of what others"))
    let json = host.pnmerge("merge", "--json", "b", "a").output
    #expect(!json.contains("arrived") && json.contains("fast-forward"), "\(json)")
    host.copy("c", "whole")
    host.pnmerge("set", "c", "/title", #""One""#, "--author", "y")
    host.pnmerge("set", "whole", "/title", #""Two""#, "--author", "z")
    host.copy("c", "other")
    host.pnmerge("merge", "whole", "other")
    let more = host.pnmerge("merge", "--json", "c", "whole").output
    #expect(more.contains(#""conflicts":[],"arrived":[{"path":"/title""#), "\(more)")
  }

  @Test("JSON has the documented shape")
  func json() throws {
    let id = try Document(bytes: try #require(host["a"])).id
    let run = host.pnmerge("merge", "--json", "a", "b", "c")
    let start =
      #"{"schema":1,"result":"merged","written":true,"output":"a","document":"\#(id)","#
      + #""copies":[{"file":"b","new_changes":1,"authors":["phone"],"redactions":[]},"#
      + #"{"file":"c","new_changes":1,"authors":["laptop"],"redactions":[]}],"#
      + #""conflicts":[{"path":"/title","#
      + #""kind":"register","tier":"contested","what":"set on both sides","kept":{"value":"Phone","author":"phone","time":"2026-11-20T14:02:14Z","#
    #expect(run.output.hasPrefix(start))
    #expect(run.output.hasSuffix("}]}\n"))
    #expect(run.output.count { $0 == "\n" } == 1)
    #expect(
      host.pnmerge("merge", "--json", "a", "b").output.hasPrefix(
        #"{"schema":1,"result":"behind","written":false,"#))
  }

  @Test("--strict tells by its status that something was decided; the result is written")
  func strict() throws {
    #expect(host.pnmerge("merge", "--strict", "-n", "a", "b").status == .different)
    #expect(host.pnmerge("merge", "--strict", "a", "c").status == .done)
    #expect(host.pnmerge("merge", "--strict", "a", "b").status == .different)
    #expect(try host.note("a")?.title == "Phone")
  }

  @Test("a dry run reports and writes nothing")
  func dryRun() {
    let before = host["a"]
    let run = host.pnmerge("merge", "--dry-run", "a", "b")
    #expect(run.output.hasPrefix("a: would merge 1 copy: 1 change by phone; 1 conflict (value)\n"))
    #expect(!run.output.contains("undo"))
    #expect(host["a"] == before)
    let json = host.pnmerge("merge", "-n", "--json", "-o", "out", "a", "b").output
    #expect(json.contains(#""written":false,"output":"out""#))
    #expect(host["out"] == nil)
  }

  @Test("quiet is quiet, verbose names each copy")
  func verbosity() {
    #expect(host.pnmerge("merge", "-q", "a", "b").output == "")
    #expect(host.pnmerge("merge", "-v", "a", "c").output.contains("\n  c: 1 change by laptop\n"))
  }

  @Test("different documents and unrelated histories are refused with status 3")
  func strangers() throws {
    host.pnmerge("new", "other", "--title", "Retro")
    let before = host["a"]
    let run = host.pnmerge("merge", "a", "b", "other")
    #expect(run.status == .notSameDocument)
    let (id, otherID) = (
      try Document(bytes: try #require(before)).id,
      try Document(bytes: try #require(host["other"])).id
    )
    #expect(
      run.errors == "pnmerge: other is a different document (\"Retro\", "
        + "\(otherID.description.prefix(4))…), not a copy of a (\"Phone\", "
        + "\(id.description.prefix(4))…); nothing was written; to compare them: "
        + "pnmerge diff a other\n"
        || run.errors.contains("(\"Retro\", \(otherID.description.prefix(4))…)"))
    host.pnmerge("new", "twin", "--id", id.description)
    #expect(host.pnmerge("merge", "a", "twin").status == .notSameDocument)
    #expect(host.pnmerge("merge", "a", "twin").errors.contains("no history in common"))
    #expect(host["a"] == before)
  }

  @Test("one change with two contents is status 6")
  func forked() {
    host.copy("a", "x")
    host.copy("a", "y")
    host.pnmerge("edit", "x", "--title", "X", "--agent", "f0")
    host.pnmerge("edit", "y", "--title", "Y", "--agent", "f0")
    let before = host["x"]
    let run = host.pnmerge("merge", "x", "y")
    #expect(run.status == .forkedHistory)
    #expect(run.errors.contains("00000000000000f0.1"))
    #expect(host["x"] == before)
  }

  @Test("a fork among several copies names those that disagree")
  func forkedAmongSeveral() {
    for name in ["w", "x", "y", "z"] { host.copy("a", name) }
    host.pnmerge("edit", "x", "--title", "X", "--agent", "f0")
    host.copy("x", "v")
    host.pnmerge("edit", "y", "--title", "Y", "--agent", "f0")
    let run = host.pnmerge("merge", "w", "x", "z", "v", "y")
    #expect(run.status == .forkedHistory)
    #expect(
      run.errors.hasPrefix(
        "pnmerge: y disagrees with x and v on change 00000000000000f0.1, which differs in its "),
      "\(run.errors)")
    #expect(run.errors.count { $0 == "\n" } == 1)
  }

  @Test("optional sections are listed, held to a limit, and dropped by repair")
  func sectionLimit() throws {
    func extended(_ number: UInt64, _ size: Int) throws -> [UInt8] {
      var file = try DocumentFile(try #require(host["a"]))
      // A byte string, whose head takes five bytes.
      let count = size - 5
      let head = [0x5A] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      file.unknownSections = [
        .init(number: number, content: head + [UInt8](repeating: 7, count: count))
      ]
      return file.bytes()
    }
    let limit = 1 << 20
    let plain = host["a"]
    host["x"] = try extended(130, limit)
    host["y"] = try extended(131, 70_000)
    host["z"] = try extended(130, limit + 1)
    let listed = host.pnmerge("inspect", "x").output
    #expect(listed.contains("optional section 130  1048576 bytes at "), "\(listed)")
    #expect(host.pnmerge("cat", "x").status == .done)
    #expect(host.pnmerge("cat", "z").status == .damaged)
    let refused = host.pnmerge("merge", "a", "z")
    #expect(refused.status == .damaged && refused.errors.hasPrefix("pnmerge: z: byte "))
    #expect(host["a"] == plain)
    // Each is within the limit, both together are not.
    #expect(host.pnmerge("merge", "x", "y").status == .damaged)
    for (index, name) in ["x", "z"].enumerated() {
      let run = host.pnmerge("repair", "--without-sections", name, "-o", "r\(index)")
      #expect(run.status == .done, "\(run)")
      #expect(host["r\(index)"] == plain)
    }
    #expect(host.pnmerge("merge", "r0", "y").status == .done)
    #expect(host.pnmerge("repair", "y", "-o", "kept").status == .done)
    #expect(host["kept"] == host["y"])
  }

  @Test("a damaged copy stops the merge before anything is written")
  func damaged() {
    let before = host["a"]
    host["b"]?.removeLast(5)
    let run = host.pnmerge("merge", "a", "c", "b")
    #expect(run.status == .damaged)
    #expect(run.errors.hasPrefix("pnmerge: b: "))
    #expect(host["a"] == before)
  }

  @Test("an output that would lose something, or is something else, is not overwritten")
  func outputs() {
    host.setText("text", "Dear diary")
    host.pnmerge("new", "other")
    for (name, word) in [("c", "1 change"), ("text", "no readable document"), ("other", "another")]
    {
      let before = host[name]
      let run = host.pnmerge("merge", "-o", name, "a", "b")
      #expect(run.status == .cannotCreate, "\(name)")
      #expect(run.errors.contains(word), "\(run.errors)")
      #expect(host[name] == before)
    }
    // One that is ahead, and one of the same name that never had anything in common.
    host.copy("a", "ahead")
    host.pnmerge("merge", "-q", "ahead", "b")
    host.pnmerge("edit", "ahead", "--tag", "x")
    let id = (try? Document(bytes: host["a"] ?? []))?.id.description ?? ""
    host.pnmerge("new", "twin", "--id", id)
    for (name, word) in [("ahead", "1 change that"), ("twin", "another document")] {
      let before = host[name]
      let run = host.pnmerge("merge", "-o", name, "a", "b")
      #expect(run.status == .cannotCreate && run.errors.contains(word), "\(run.errors)")
      #expect(host[name] == before)
    }
    #expect(host.pnmerge("merge", "-o", "b", "a", "b").status == .done)
    #expect(host.pnmerge("undo", "b").status == .done)
  }

  @Test("standard input is read once, whatever is made of it")
  func standardInput() throws {
    #expect(host.pnmerge("merge", "-", "-").status == .usage)
    host.input = try #require(host["b"])
    var isDone = false
    host.witness = { [host] call in
      guard call == .synchronize, !isDone else { return }
      isDone = true
      host.input = []
      host.entries[FileName("/work/a")]?.bytes = host["c"] ?? []
    }
    #expect(host.pnmerge("merge", "a", "-").status == .done)
    let note = try host.note("a")
    #expect(note?.title == "Phone" && note?.tags == ["laptop"])
  }

  @Test("that nothing was kept or written is said")
  func nothingKept() {
    #expect(!host.pnmerge("merge", "--no-backup", "-o", "b", "a", "b").output.contains("undo"))
    #expect(!host.pnmerge("merge", "--no-backup", "a", "c").output.contains("undo"))
    host.terminals = []
    let run = host.pnmerge("merge", "-n", "--json", "-o", "-", "a", "b")
    #expect(run.output == "" && run.errors.contains(#""written":false"#))
  }

  @Test("the result goes to standard output, the report to standard error")
  func standardOutput() throws {
    let run = host.pnmerge("merge", "-o", "-", "a", "b")
    let bytes = host.output
    #expect(run.errors.hasPrefix("standard output: merged a and 1 copy: 1 change by phone"))
    host.pnmerge("merge", "a", "b")
    #expect(host["a"] == bytes)
    host.input = try #require(host["c"])
    host.pnmerge("merge", "a", "-")
    #expect(try host.note("a")?.tags == ["laptop"])
  }

  @Test("what became of a place with a long name stands apart from it")
  func longPlaces() {
    let name = String(repeating: "k", count: 60)
    for (file, value) in [("a", "1"), ("b", "2")] { host.pnmerge("set", file, "/\(name)", value) }
    #expect(host.pnmerge("merge", "a", "b").output.contains("  /\(name)  kept 2 ("))
  }

  @Test("where old bytes cannot be kept the merge is done all the same, with a warning")
  func noBackupPlace() throws {
    host.variables["XDG_STATE_HOME"] = "/nowhere"
    host.entries[FileName("/")]?.mode = 0o555
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("pnmerge: warning: cannot keep the old bytes for undo: "))
    #expect(!run.output.contains("to go back"))
    let elsewhere = host.pnmerge("merge", "-o", "old", "b", "c")
    #expect(elsewhere.status == .done && !elsewhere.output.contains("to go back"))
    #expect(try host.note("a")?.title == "Phone")
    #expect(host.pnmerge("merge", "--no-backup", "a", "c").errors == "")
  }
}
