import Peernote
import PnmergeCommands
import Testing

@Suite("Directories as operands")
struct FolderCommandTests {
  private let host = MemoryHost()

  init() throws {
    for folder in ["a", "a/sub", "b"] { try host.makeDirectory(FileName(folder)) }
    host.setText("body", "Take the night train.\nPack the TENT.\n")
    host.pnmerge("new", "a/trip.peernote", "--title", "Trip", "--tag", "x", "--body-file", "body")
    host.variables["PNMERGE_AUTHOR"] = "you"
    host.pnmerge("new", "a/sub/plan.peernote", "--title", "Äpfel", "--tag", "a", "--tag", "b")
    host.setText("a/readme.txt", "the tent")
  }

  @Test("ls lists title, tags, time, author and conflicts, in the order that is asked for")
  func listing() {
    host.copy("a/trip.peernote", "other.peernote")
    host.pnmerge("set", "other.peernote", "/title", #""Tour""#)
    host.pnmerge("set", "a/trip.peernote", "/title", #""Journey""#)
    host.pnmerge("merge", "a/trip.peernote", "other.peernote")
    let lines = host.pnmerge("ls", "a").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("a/sub/plan.peernote  Äpfel  [a, b]  "), "\(lines)")
    #expect(lines[1].hasPrefix("a/trip.peernote      Journey  [x]  "))
    #expect(lines[1].hasSuffix(" you  1 conflict"))
    func files(_ order: String) -> [String] {
      host.pnmerge("ls", "--sort", order, "a").output.split(separator: "\n").map {
        String($0.prefix { $0 != " " })
      }
    }
    let (trip, plan) = ("a/trip.peernote", "a/sub/plan.peernote")
    #expect(files("title") == [trip, plan] && files("changed") == [trip, plan])
    #expect(files("conflicts") == [trip, plan] && files("name") == [plan, trip])
    host.pnmerge("delete", trip)
    #expect(files("name") == [plan])
    let json = host.pnmerge("ls", "--json", "a").output
    #expect(json.contains(#""title":"Äpfel","tags":["a","b"]"#) && json.contains(#""conflicts":0"#))
  }

  @Test("ls opens nothing that stayed as it was")
  func reading() {
    host.pnmerge("ls", "a")
    let before = host.calls.count
    host.pnmerge("ls", "a")
    #expect(Array(host.calls[before...]) == [.read])
  }

  @Test("ls and find leave out notes with other tags, of another priority, or older ones")
  func filters() {
    func files(_ options: String...) -> [String] {
      host.pnmerge(["ls"] + options + ["a"]).output.split(separator: "\n").map {
        String($0.prefix { $0 != " " })
      }
    }
    let (trip, plan) = ("a/trip.peernote", "a/sub/plan.peernote")
    host.pnmerge("edit", trip, "--priority", "high")
    host.pass(seconds: 60)
    let time = host.now.iso8601
    host.pnmerge("edit", plan, "--title", "Plan")
    #expect(files("--tag", "x") == [trip] && files("--tag", "a", "--tag", "b") == [plan])
    #expect(files("--tag", "a", "--tag", "x") == [] && files("--priority", "low") == [])
    #expect(files("--priority", "high") == [trip] && files("--since", time) == [plan])
    #expect(files("--since", "1970-01-01") == [plan, trip] && files("--since", "9999-01-01") == [])
    #expect(host.pnmerge("ls", "--since", "yesterday", "a").status == .usage)
    #expect(host.pnmerge("ls", "--tag", "x", trip).output.hasPrefix("\(trip)  Trip  [x]  high  "))
    let json = host.pnmerge("ls", "--json", "a").output
    #expect(json.contains(#""priority":"high""#) && json.contains(#""priority":null"#), "\(json)")
    // Tracked files say theirs in the front matter.
    let note = "a/sub/n.md"
    host.save(note, "---\ntitle: N\ntags: [x]\npriority: high\n---\nTent.\n")
    host.pnmerge("track", note)
    #expect(files("--tag", "x", "--priority", "high") == [note, trip])
    #expect(
      host.pnmerge("find", "--tag", "x", "tent", "a").output
        == "\(note):6: Tent.\n\(trip):2: Pack the TENT.\n")
    #expect(host.pnmerge("find", "--priority", "low", "tent", "a").status == .different)
    #expect(host.pnmerge("find", "--tag", "x", "tent", "-").status == .usage)
  }

  @Test("import of a directory leaves alone what a link leads to, and says so")
  func importBesideLink() {
    host.setText("b/trip.md", "New.\n")
    host.link("b/trip.peernote", to: "/work/a/trip.peernote")
    let before = host["a/trip.peernote"]
    let run = host.pnmerge("import", "b")
    #expect(
      run.errors.hasPrefix(
        "pnmerge: b/trip.md: was left alone, since b/trip.peernote is a symbolic link"), "\(run)")
    #expect(run.status == .cannotCreate && host["a/trip.peernote"] == before)
  }

  @Test("find prints the lines that have a text, in upper or lower case")
  func finding() {
    #expect(
      host.pnmerge("find", "tent", "a").output == "a/trip.peernote:2: Pack the TENT.\n")
    #expect(host.pnmerge("find", "äPFEL", "a").output == "a/sub/plan.peernote: Äpfel\n")
    #expect(host.pnmerge("find", "trip", "a/trip.peernote").output == "a/trip.peernote: Trip\n")
    #expect(host.pnmerge("find", "tents", "a").status == .different)
    #expect(host.pnmerge("find", "", "a").status == .usage)
    host.copy("a/trip.peernote", "here.peernote")
    #expect(host.pnmerge("find", "night").output.contains("here.peernote:1: Take the night train."))
    #expect(
      host.pnmerge("find", "--json", "tent", "a").output.contains(
        #"{"file":"a/trip.peernote","path":"/body","line":2,"value":"Pack the TENT."}"#))
  }

  @Test("conflicts, log and validate take directories and many files")
  func many() {
    #expect(host.pnmerge("conflicts", "a").output == "no conflicts\n")
    let log = host.pnmerge("log", "a").output.split(separator: "\n")
    #expect(log.count == 2 && log[0].contains("  (a/sub/plan.peernote)  "))
    #expect(host.pnmerge("log", "--max-count", "1", "a").output.split(separator: "\n").count == 1)
    let json = host.pnmerge("log", "--json", "a", "a/trip.peernote").output
    #expect(json.contains(#""changes":[{"file":"a/"#))
    #expect(
      host.pnmerge("validate", "a").output
        == "a/sub/plan.peernote: sound\na/trip.peernote: sound\n")
    host.copy("a/trip.peernote", "other.peernote")
    host.pnmerge("set", "other.peernote", "/title", #""Tour""#)
    host.pnmerge("set", "a/trip.peernote", "/title", #""Journey""#)
    host.pnmerge("merge", "a/trip.peernote", "other.peernote")
    let run = host.pnmerge("conflicts", "a")
    #expect(run.status == .different && run.output.hasPrefix("a/trip.peernote: /title\n"))
    #expect(
      host.pnmerge("conflicts", "--json", "a").output.hasPrefix(
        #"{"schema":1,"files":[{"file":"a/trip.peernote","conflicts":["#))
    // A damaged file hides none of the others.
    host["a/bad.peernote"] = [1, 2, 3]
    let damaged = host.pnmerge("conflicts", "a")
    #expect(damaged.status == .damaged && damaged.output.hasPrefix("a/trip.peernote: /title\n"))
    let unreadable = host.pnmerge("conflicts", "--json", "a/bad.peernote", "a/none.peernote")
    #expect(unreadable.status == .unreadable && unreadable.output.isEmpty, "\(unreadable)")
    // What to do next is said as of a single file.
    host["a/bad.peernote"] = (host["a/trip.peernote"] ?? []).dropLast(9)
    for words in [["ls", "a"], ["sync", "-n", "a", "b"]] {
      let run = host.pnmerge(words.map { Array($0.utf8) })
      #expect(run.errors.hasPrefix("pnmerge: a/bad.peernote: "), "\(run.errors)")
      #expect(run.errors.contains("pnmerge repair a/bad.peernote -o NEW-FILE\n"), "\(run.errors)")
    }
  }

  @Test("status and diff compare the notes of two folders, wherever they are")
  func comparing() throws {
    #expect(host.pnmerge("status", "a").output == "2 documents, 0 with something to do\n")
    host.pnmerge("sync", "a", "b")
    #expect(host.pnmerge("status", "a", "b").output == "2 notes the same in b\n")
    #expect(host.pnmerge("diff", "a", "b").status == .done)
    #expect(
      host.pnmerge("diff", "--json", "a", "b").output
        == #"{"schema":1,"same":true,"files":[],"only_in_a":[],"only_in_b":[],"failures":[]}"#
        + "\n")
    host.pnmerge("set", "b/trip.peernote", "/title", #""Tour""#)
    try host.rename(
      FileName("b/trip.peernote"), to: FileName("b/tour.peernote"), replacing: false)
    host.pnmerge("new", "b/new.peernote")
    let run = host.pnmerge("status", "a", "b")
    #expect(
      run.output == """
        b/tour.peernote: ahead of a/trip.peernote by 1 change
        b/new.peernote: not in a
        1 note the same in b

        """)
    #expect(run.status == .different)
    let diff = host.pnmerge("diff", "a", "b")
    #expect(diff.output.hasPrefix("--- a/trip.peernote\n+++ b/tour.peernote\t"), "\(diff.output)")
    #expect(diff.output.contains("only here: b/new.peernote") && diff.status == .different)
    #expect(
      host.pnmerge("status", "--json", "a", "b").output
        == #"{"schema":1,"folder":"a","folders":[{"folder":"b","same":1,"notes":[{"file":"#
        + #""b/tour.peernote","relation":"ahead","only_here":1,"only_there":0,"#
        + #""with":"a/trip.peernote"}],"only_here":["b/new.peernote"],"only_there":[],"#
        + #""conflicts":[],"untracked":[]}],"failures":[]}"# + "\n")
    let report = host.pnmerge("diff", "--json", "a", "b")
    #expect(report.status == .different)
    #expect(
      report.output.hasPrefix(
        #"{"schema":1,"same":false,"files":[{"a":"a/trip.peernote","b":"b/tour.peernote","#
          + #""same":false,"differences":[{"path":"/title","#), "\(report.output)")
    #expect(
      report.output.hasSuffix(
        #"],"only_in_a":[],"only_in_b":["b/new.peernote"],"failures":[]}"# + "\n"))
    host.copy("a/trip.peernote", "a/trip.variant-1a2f.peernote")
    host.pnmerge("delete", "a/sub/plan.peernote")
    #expect(
      host.pnmerge("status", "a").output == """
        a/sub/plan.peernote: marked as deleted
        a/trip.variant-1a2f.peernote: a conflict copy
        3 documents, 2 with something to do

        """)
    #expect(
      host.pnmerge("status", "--json", "a").output
        == #"{"schema":1,"folder":"a","documents":3,"tracked":0,"work":[{"file":"#
        + #""a/sub/plan.peernote","tasks":[{"what":"deleted"}]},{"file":"#
        + #""a/trip.variant-1a2f.peernote","tasks":[{"what":"conflict-copy"}]}],"#
        + #""untracked":[],"failures":[]}"#
        + "\n")
  }

  @Test("status names files that are one document and differ")
  func differingCopies() throws {
    host.copy("a/trip.peernote", "a/sub/tour.peernote")
    #expect(host.pnmerge("status", "a").output == "3 documents, 0 with something to do\n")
    host.pnmerge("set", "a/trip.peernote", "/title", #""Journey""#)
    let run = host.pnmerge("status", "a")
    #expect(run.status == .different)
    #expect(
      run.output == """
        a/sub/tour.peernote: is the same document as a/trip.peernote, and differs; to make them \
        one: pnmerge tidy --match=id a
        3 documents, 1 with something to do

        """)
    #expect(
      host.pnmerge("status", "--json", "a").output.contains(
        #"[{"what":"other-copy","with":"a/trip.peernote"}]"#))
    #expect(host.pnmerge("tidy", "--match=id", "a").status == .done)
    #expect(host.pnmerge("status", "a").output == "2 documents, 0 with something to do\n")
  }

  @Test("import takes what it can of a directory, and says what it left")
  func importing() throws {
    try host.makeDirectory(FileName("m"))
    try host.makeDirectory(FileName("m/.obsidian"))
    try host.makeDirectory(FileName("m/sub"))
    host.setText("m/a.md", "# One\n")
    host.setText("m/sub/b.txt", "two\n")
    host.setText("m/c.json", #"{"x":1}"#)
    host.setText("m/bad.md", "---\ntitle: [\n---\n")
    host.setText("m/a.txt", "the same name\n")
    host.setText("m/a.sync-conflict-20261101-101010-ABCDEFG.md", "# Uno\n")
    host.setText("m/picture.png", "none")
    host.setText("m/.obsidian/app.json", "{}")
    let run = host.pnmerge("import", "m")
    #expect(run.status == .cannotCreate)
    #expect(run.errors.contains("m/bad.md: ") && run.errors.contains("m/a.txt: m/a.peernote was"))
    #expect(run.errors.contains("ABCDEFG.md: is a conflict copy of m/a.md, and was left alone"))
    let made = host.entries.keys.filter { $0.visible.hasPrefix("/work/m/") }.map(\.visible)
      .filter { $0.hasSuffix(".peernote") }.sorted()
    #expect(made == ["a", "c", "sub/b"].map { "/work/m/\($0).peernote" })
    #expect(host.pnmerge("import", "-o", "x", "m").status == .usage)
  }

  @Test("merge of folders writes to the first alone")
  func merging() {
    host.pnmerge("sync", "a", "b")
    host.pnmerge("set", "a/trip.peernote", "/title", #""Here""#)
    host.pnmerge("set", "b/trip.peernote", "/priority", #""high""#)
    host.pnmerge("new", "b/new.peernote")
    host.pnmerge("new", "a/own.peernote")
    let before = host["b/trip.peernote"]
    #expect(host.pnmerge("merge", "a", "b").output == "4 notes: 1 merged, 1 copied\n")
    #expect(host["b/trip.peernote"] == before && host["b/own.peernote"] == nil)
    #expect(host.pnmerge("cat", "a/trip.peernote", "/priority").output == "\"high\"\n")
    #expect(host["a/new.peernote"] == host["b/new.peernote"])
    #expect(host.pnmerge("merge", "a", "b").output == "4 notes, nothing to do\n")
    #expect(host.pnmerge("a", "b").output == "4 notes, nothing to do\n")
    #expect(host.pnmerge("merge", "a", "b/trip.peernote").status == .usage)
    #expect(host.pnmerge("merge", "-o", "c", "a", "b").status == .usage)
  }
}
