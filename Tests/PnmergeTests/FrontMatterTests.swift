import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Front matter and JSON come back as they were")
struct FrontMatterTests {
  private let host = MemoryHost()

  /// Front matter such as people have.
  private static let samples = [
    "title: Trip\naliases:\n  - Journey\n  - Voyage\n",
    "tags: work\n", "tags: [a, b]\n", "tags: [b, a, b]\n", "tags: []\n", "tags:\n",
    "tags:\n- b\n- a\n",
    "tags:\n  - 2024\n  - x\n", "tags:\n  - {name: x}\n", "title: 2024\n", "title: [a, b]\n",
    "title:\n  de: Reise\n  en: Trip\n", "priority: 3\n", "priority: urgent\n", "priority:\n",
    "created: 2024-01-05\n", "created: yesterday\n", "created: 2026-11-20T15:02:11+01:00\n",
    "date: 2024-01-05\nmodified: 2026-11-20T15:02:11+01:00\ntime: 12:30\n",
    "version: 1.10\nratio: 1e3\nhalf: .5\nquoted: \"1.10\"\nzip: 01234\n",
    "body: not the body\n", "$front-matter: what I wrote\n", "Body: x\nBODY: y\n",
    "$title: x\ntitle: y\n",
    "caf\u{E9}: 1\ncafe\u{301}: 2\n", "z: 1\na: 2\nm: 3\ntitle: last\n",
    "# a remark\ntitle: x # why\n\n# another\nz: 1\n\n# the last\n",
    "author:\n  name: Ada\n  links:\n    - url: http://x.org\n      kind: home\n    - url: y\n",
    "base: &b\n  x: 1\nother: *b\nmerged:\n  <<: *b\n  y: 2\n", "odd: !odd value\n",
    "list: [1, [2, 3], {a: b}]\nempty: {}\nnone: ~\n",
    "text: |\n  one\n\n  two\nfolded: >-\n  a\n  b\nz: 1\n",
    "'quoted key': 'it''s'\n\"other\": \"a\\tb\"\n", "title: x\r\ntags: [a]\r\n",
    "a: 'x\n\n  y'\nb: 2\n",
  ]

  private func markdown(_ frontMatter: String) -> String {
    let end = frontMatter.utf8.contains(0x0D) ? "\r\n" : "\n"
    return "---\(end)\(frontMatter)---\(end)# Text\n\n- [ ] one\n"
  }

  @Test("any front matter is taken, and comes back to the byte", arguments: samples)
  func roundTrip(frontMatter: String) throws {
    host.setText("n.md", markdown(frontMatter))
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .done, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(host.pnmerge("export", "n.peernote", "-o", "o.md").status == .done)
    #expect(host["o.md"] == host["n.md"], "\(host.pnmerge("cat", "n.peernote").output)")
    #expect(host.pnmerge("import", "n.md").output == "n.peernote: unchanged\n")
    #expect(host.pnmerge("import", "o.md", "-o", "n.peernote").output == "n.peernote: unchanged\n")
    #expect(host.pnmerge("validate", "n.peernote").status == .done)
    // An edit by an option leaves the rest of it alone.
    host.pnmerge("edit", "n.peernote", "--tag", "added")
    let before = frontMatter.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("tags") }
    let after = host.pnmerge("cat", "n.peernote").output
    for line in before where !line.hasPrefix(" ") && !line.hasPrefix("-") {
      #expect(after.contains(line), "\(line)")
    }
    #expect(after.contains("added"))
  }

  @Test("a form that cannot be kept is said to be lost, and nothing else is")
  func lost() throws {
    host.setText("n.md", "---\n{title: x, list: [1, 2]}\n---\ntext\n")
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .done)
    #expect(
      run.errors
        == "pnmerge: warning: n.md: what the front matter says is kept, but not its form\n")
    #expect(
      host.pnmerge("cat", "n.peernote", "/list").output.filter { !$0.isWhitespace } == "[1,2]")
    #expect(host.pnmerge("cat", "n.peernote", "/title", "-r").output == "x")
  }

  @Test("three dots end front matter, too, and what is added stands before them")
  func documentEnd() {
    host.setText("n.md", "---\ntitle: Trip\n...\n---\nbody\n")
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .done && run.errors.isEmpty, "\(run.errors)")
    #expect(host.pnmerge("cat", "n.peernote", "/title", "-r").output == "Trip")
    #expect(host.pnmerge("cat", "--body", "n.peernote").output == "---\nbody\n")
    host.pnmerge("set", "n.peernote", "/rating", "5")
    host.pnmerge("export", "n.peernote", "-o", "o.md", "--with-version")
    #expect(host.pnmerge("import", "o.md", "-o", "n.peernote").output == "n.peernote: unchanged\n")
    let text = "---\ntitle: Trip\nrating: 5\n...\n---\nbody\n"
    #expect(host.pnmerge("cat", "n.peernote").output == text)
    // With a space behind them they stand within, and only what the keys say is kept.
    host.setText("s.md", "---\ntitle: Trip\n... \n---\nbody\n")
    #expect(host.pnmerge("import", "s.md").errors.contains("but not its form"))
    host.pnmerge("set", "s.peernote", "/rating", "5")
    #expect(host.pnmerge("cat", "s.peernote").output == "---\ntitle: Trip\nrating: 5\n---\nbody\n")
  }

  /// Files that begin with a line of hyphens: with empty front matter, with other ends of it, and with
  /// a thematic break.
  private static let beginnings = [
    "---\n---\n", "---\n---\ntext\n", "---\r\n---\r\ntext\r\n", "---\n\n---\ntext\n",
    "---\n# a remark\n---\ntext\n", "---\n...\ntext\n", "---\n# a remark\n...\ntext\n",
    "---\ntitle: x\n...\ntext\n", "---\r\ntags: [a, b]\r\n...\r\ntext\r\n",
    "---\n", "---\nSome prose\n", "---\nNote: no line ends this\n", "---\nSome prose\n---\nmore\n",
    "---\n- a\n- b: c\n---\nmore\n", "---\n\nSome prose: here, and: there\n\n---\nmore\n",
    "---\n10:30 tea: x: y\nhttp://a.b\n---\ntext\n", "---\r\n\r\nprose\r\n---\r\nx\r\n",
    "---\n---\n---\ntitle: in the body\n---\nx\n", "---\n---\n---\ntitle: [a\n---\nx\n",
    "---\n---\n---\nprose\n---\nx\n", "---\n---\n---\n---\nx\n",
  ]

  @Test("whatever follows a line of hyphens comes back to the byte", arguments: beginnings)
  func beginning(text: String) {
    host.setText("n.md", text)
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .done && run.errors.isEmpty, "\(run.errors)")
    func exported(_ document: String = "n.peernote") -> String {
      host.pnmerge("export", document, "--format", "markdown").output
    }
    #expect(exported() == text)
    host.setText("o.md", exported())
    for file in ["n.md", "o.md"] {
      #expect(
        host.pnmerge("import", file, "-o", "n.peernote").output == "n.peernote: unchanged\n")
    }
    // Edited, with the version and without.
    host.copy("n.peernote", "c")
    host.pnmerge("export", "c", "-o", "v.md", "--with-version")
    #expect(host.pnmerge("import", "v.md", "-o", "c").output == "c: unchanged\n")
    host.setText("v.md", String(decoding: host["v.md"] ?? [], as: UTF8.self) + "more\n")
    #expect(host.pnmerge("import", "v.md", "-o", "c").output == "c: changed body\n")
    #expect(exported("c") == text + "more\n")
    host.setText("n.md", text + "more\n")
    #expect(host.pnmerge("import", "n.md").output == "n.peernote: changed body\n")
    #expect(exported() == text + "more\n")
    #expect(host.pnmerge("edit", "n.peernote", "--markdown-file", "n.md").status == .done)
    #expect(exported() == text + "more\n")
    #expect(host.pnmerge("validate", "n.peernote").status == .done)
  }

  @Test(
    "a tracked file that begins so is kept as it is, with a line that says the version and without",
    arguments: beginnings, [false, true])
  func trackedBeginning(text: String, isMarked: Bool) {
    host.setText("t.md", text)
    #expect(
      host.pnmerge(isMarked ? ["track", "--marker", "t.md"] : ["track", "t.md"]).status == .done)
    let shown = String(decoding: host["t.md"] ?? [], as: UTF8.self)
    #expect(shown.contains("peernote-version: ") == isMarked)
    host.setText("t.md", shown + "more\n")
    host.pnmerge("tidy", ".")
    let history = ".peernote/t.md.peernote"
    #expect(host.pnmerge("export", history, "--format", "text").output == text + "more\n")
    // Never within what is no front matter, and with the line ends of the file.
    if isMarked, text.contains("prose") {
      let end = text.contains("\r\n") ? "\r\n" : "\n"
      #expect(shown.hasPrefix("---\(end)peernote-version: "), "\(shown)")
    }
  }

  @Test(
    "front matter with a mistake is refused with its line, and never taken for text",
    arguments: [
      ("title: [a\n", 3), ("title [a\nfoo: b\n", 2), ("title:foo\n", 2), ("a: 1\na: 2\n", 3),
      ("\n# a remark\n\"title\": \"x\n", 5), ("{title: x\n", 3), ("- a\ntitle: x\n", 2),
    ])
  func mistaken(frontMatter: String, line: Int) {
    host.setText("n.md", "---\n\(frontMatter)---\nbody\n")
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .unreadable)
    #expect(run.errors.hasPrefix("pnmerge: n.md: line \(line): "), "\(run.errors)")
    #expect(
      run.errors.hasSuffix("; mend it, or give --format text to take the whole file for the body\n")
    )
    #expect(host["n.peernote"] == nil)
    // What it advises.
    #expect(host.pnmerge("import", "n.md", "--format", "text").status == .done)
    #expect(
      host.pnmerge("cat", "--body", "n.peernote").output == "---\n\(frontMatter)---\nbody\n")
  }

  @Test(
    "a note with front matter is not replaced by a file that lost the end of it",
    arguments: ["---\ntitle: T\nbody\n", "---\ntitle\n---\nbody\n"])
  func lostEnd(text: String) {
    host.setText("n.md", "---\ntitle: T\n---\nbody\n")
    host.pnmerge("import", "n.md")
    let before = host["n.peernote"]
    host.setText("n.md", text)
    for arguments in [["import", "n.md"], ["edit", "n.peernote", "--markdown-file", "n.md"]] {
      let run = host.pnmerge(arguments)
      #expect(run.status == .unreadable, "\(run.output)")
      #expect(run.errors.hasPrefix("pnmerge: n.md: line "), "\(run.errors)")
      #expect(host["n.peernote"] == before)
    }
  }

  @Test("Markdown without front matter comes back without any")
  func plain() throws {
    for body in ["# Text\n", "", "no line feed", "a\r\nb\r\n"] {
      host.setText("p.md", body)
      host["p.peernote"] = nil
      #expect(host.pnmerge("import", "p.md").status == .done)
      #expect(host.pnmerge("export", "p.peernote", "--format", "markdown").output == body)
      #expect(host.pnmerge("import", "p.md").output == "p.peernote: unchanged\n")
    }
    host.pnmerge("edit", "p.peernote", "--title", "T")
    #expect(host.pnmerge("cat", "p.peernote").output == "---\ntitle: T\n---\na\r\nb\r\n")
  }

  @Test("a changed key is written anew in its place, and a removed one goes")
  func changes() throws {
    host.setText(
      "n.md",
      markdown("# first\nz: 1 # one\n\n# the version\nversion: 1.10\ntitle: x\nq: [a,  b]\n"))
    host.pnmerge("import", "n.md")
    host.copy("n.peernote", "b")
    host.pnmerge("set", "n.peernote", "/z", "2")
    host.pnmerge("remove", "b", "/title")
    host.pnmerge("set", "b", "/new", "true")
    host.pnmerge("merge", "n.peernote", "b")
    #expect(
      host.pnmerge("cat", "n.peernote").output
        == markdown("# first\nz: 2 # one\n\n# the version\nversion: 1.10\nq: [a,  b]\nnew: true\n"))
  }

  @Test(
    "what meant an anchor that went is written anew, and all else as it came",
    arguments: [
      (["set", "n.peernote", "/home/0", "\"rome\""], "home:\n  - rome\n  - bergen\n"),
      (["remove", "n.peernote", "/home"], ""),
    ])
  func anchors(arguments: [String], home: String) throws {
    host.setText(
      "n.md", markdown("home: &a [oslo, bergen]\nwork: *a\nq: &b [a,  b]\nr: *b # remark\n"))
    host.pnmerge("import", "n.md")
    #expect(host.pnmerge(arguments).status == .done)
    let text = host.pnmerge("cat", "n.peernote").output
    let work = "work:\n  - oslo\n  - bergen\n"
    #expect(text.hasPrefix("---\n\(home)\(work)q: &b [a,  b]\n"), "\(text)")
    host.setText("out.md", text)
    let again = host.pnmerge("edit", "n.peernote", "--markdown-file", "out.md")
    #expect(again.status == .done, "\(again)")
    #expect(host.pnmerge("cat", "n.peernote").output == text)
  }

  @Test("what two edits make unreadable together is written anew, and all else as it came")
  func unreadableTogether() {
    host.setText(
      "n.md",
      markdown(
        "# how to reach me\nurl: https://x.y  # the good one\nhome: &a [oslo]\nwork: *a\nz: 0012 # zeros\n"
      ))
    host.pnmerge("import", "n.md", "-o", "a")
    host.copy("a", "b")
    let text = String(decoding: host["n.md"] ?? [], as: UTF8.self)
    host.setText(
      "x.md",
      text.replacing("&a [oslo]", with: "[bergen]").replacing("work: *a", with: "work: [oslo]"))
    host.pnmerge("edit", "a", "--markdown-file", "x.md")
    host.setText("x.md", text.replacing("work: *a", with: "work: *a\nalso: *a"))
    host.pnmerge("edit", "b", "--markdown-file", "x.md", "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let merged = host.pnmerge("cat", "a").output
    #expect(merged.contains("# how to reach me\nurl: https://x.y  # the good one\n"), "\(merged)")
    #expect(merged.contains("z: 0012 # zeros\n"), "\(merged)")
    #expect(merged.contains("also:\n  - oslo\n"), "\(merged)")
    #expect(!merged.contains("created"), "\(merged)")
    host.setText("x.md", merged)
    #expect(host.pnmerge("edit", "a", "--markdown-file", "x.md").status == .done)
    #expect(host.pnmerge("cat", "a").output == merged)
  }

  @Test("edits of the front matter on both sides merge")
  func merging() {
    host.setText("n.md", markdown("aliases:\n  - one\n  - two\nlinks:\n  home: x\n"))
    host.pnmerge("import", "n.md", "-o", "a")
    host.copy("a", "b")
    host.setText("x.md", markdown("aliases:\n  - zero\n  - one\n  - two\nlinks:\n  home: x\n"))
    host.pnmerge("edit", "a", "--markdown-file", "x.md")
    host.setText("x.md", markdown("aliases:\n  - one\n  - two\nlinks:\n  home: x\n  work: y\n"))
    host.pnmerge("edit", "b", "--markdown-file", "x.md", "--author", "Y")
    host.pnmerge("merge", "a", "b")
    #expect(
      host.pnmerge("cat", "a").output
        == markdown("aliases:\n  - zero\n  - one\n  - two\nlinks:\n  home: x\n  work: y\n"))
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("a remark that one side writes behind a value stays where the other side changes that")
  func newRemark() {
    host.setText("n.md", markdown("status: draft\nurl: 'a # b'  # see\n"))
    host.pnmerge("import", "n.md", "-o", "a")
    host.copy("a", "b")
    host.pnmerge("set", "a", "/status", #""final""#)
    host.pnmerge("set", "a", "/url", #""c # d""#)
    host.setText("x.md", markdown("status: draft   # waiting for Anna\nurl: 'a # b'  # see\n"))
    host.pnmerge("edit", "b", "--markdown-file", "x.md")
    host.pnmerge("merge", "a", "b")
    #expect(
      host.pnmerge("cat", "a").output
        == markdown("status: final   # waiting for Anna\nurl: \"c # d\"  # see\n"))
  }

  @Test("of an edited list the other elements keep their lines, with their remarks")
  func elements() {
    let list =
      "people:  # who comes\n- 'Ann'   # boss\n\n# from Rome\n- Bob\n- {name: Cyn}  # new\n# the end\n"
    host.setText("n.md", markdown("z: 1\n\(list)tags:\n  - b  # first\n  - a\n"))
    host.pnmerge("import", "n.md", "-o", "a")
    host.pnmerge("insert", "a", "/people/1", "\"Dan\"")
    host.pnmerge("remove", "a", "/people/2")
    host.pnmerge("edit", "a", "--tag", "c")
    #expect(
      host.pnmerge("cat", "a").output
        == markdown(
          "z: 1\npeople:  # who comes\n- 'Ann'   # boss\n- Dan\n\n# from Rome\n- {name: Cyn}  # new\n"
            + "# the end\ntags:\n  - b  # first\n  - a\n  - c\n"))
  }

  @Test(
    "where both sides add one element, the remarks of the others stay, before and after it is settled"
  )
  func sameElement() {
    let start = "people:\n  - Ann   # boss\n  - Bob\n"
    for (mine, theirs) in [("", ""), ("  # by A", "  # by B")] {
      host.setText("n.md", markdown(start))
      for name in ["a", "b"] { host[name] = nil }
      host.pnmerge("import", "n.md", "-o", "a")
      host.copy("a", "b")
      for (name, remark) in [("a", mine), ("b", theirs)] {
        host.setText("x.md", markdown(start + "  - Zoe\(remark)\n"))
        host.pnmerge("edit", name, "--markdown-file", "x.md", "--author", name)
      }
      host.pnmerge("merge", "a", "b")
      let merged = host.pnmerge("cat", "a").output
      #expect(merged.contains("  - Ann   # boss\n"), "\(merged)")
      host.pnmerge("resolve", "a", "--all", "--take", "mine")
      #expect(host.pnmerge("cat", "a").output == markdown(start + "  - Zoe\(mine)\n"))
    }
  }

  @Test("a line that one side moves and the other one edits stands there once, with all remarks")
  func movedAndEdited() {
    let people = "people: [Ann, Bob]\n"
    let start = "---\n# house rules\ntitle: Trip   # the title\ndue: 2026-01-02\n"
    host.setText("n.md", start + people + "---\ntext\n")
    host.pnmerge("import", "n.md", "-o", "a")
    host.copy("a", "b")
    host.setText("m.md", start.replacing("due", with: people + "due") + "---\ntext\n")
    host.pnmerge("edit", "a", "--markdown-file", "m.md")
    host.setText("e.md", start + people.replacing("Bob", with: "Bob, Cyn") + "---\ntext\n")
    host.pnmerge("edit", "b", "--markdown-file", "e.md")
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    let text = host.pnmerge("cat", "a").output
    #expect(text.contains("# house rules\ntitle: Trip   # the title\n"), "\(text)")
    #expect(text.split(separator: "\n").count { $0.hasPrefix("people:") } == 1, "\(text)")
    #expect(text.contains("people: [Ann, Bob, Cyn]\n"), "\(text)")
    host.setText("n.md", text + "more\n")
    #expect(host.pnmerge("import", "n.md", "-o", "a").status == .done)
    #expect(host.pnmerge("cat", "a").output == text + "more\n")
  }

  @Test("a key of the profile that holds something else stands beside it, and loses nothing")
  func aside() throws {
    host.setText("n.md", markdown("title: [a, b]\nbody: inner\npriority: urgent\n"))
    host.pnmerge("import", "n.md")
    #expect(host.pnmerge("cat", "n.peernote", "/$body").output == "\"inner\"\n")
    #expect(host.pnmerge("cat", "n.peernote", "/$priority").output == "\"urgent\"\n")
    let note = try #require(try host.note("n.peernote"))
    #expect(note.title == nil && note.body == "# Text\n\n- [ ] one\n")
    host.pnmerge("edit", "n.peernote", "--title", "T")
    let text = host.pnmerge("cat", "n.peernote").output
    host["n.md"] = Array(text.utf8)
    #expect(host.pnmerge("import", "n.md", "-o", "again").status == .done)
    #expect(host.pnmerge("cat", "again", "/title", "-r").output == "T")
    #expect(
      host.pnmerge("cat", "again", "/$title").output.filter { !$0.isWhitespace } == #"["a","b"]"#)
  }

  @Test("aliases cannot make much of little")
  func bomb() {
    var lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"]
    for number in 1...9 {
      let aliases = Array(repeating: "*a\(number - 1)", count: 8).joined(separator: ", ")
      lines.append("a\(number): &a\(number) [\(aliases)]")
    }
    host.setText("n.md", markdown(lines.joined(separator: "\n") + "\n"))
    let run = host.pnmerge("import", "n.md")
    #expect(run.status == .unreadable)
    #expect(run.errors.contains("there are more than"))
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    host.setText("n.md", markdown("a: \(deep)\n"))
    #expect(host.pnmerge("import", "n.md").errors.contains("nested deeper"))
  }

  @Test("JSON comes back in the order in which it came in")
  func json() throws {
    let text = """
      {
        "zebra": 1,
        "apple": {
          "y": [
            {
              "second": 2,
              "first": 1
            }
          ],
          "x": null
        },
        "caf\u{E9}": 1,
        "cafe\u{301}": 2,
        "body": "text"
      }

      """
    host.setText("i.json", text)
    #expect(host.pnmerge("import", "i.json").status == .done)
    #expect(host.pnmerge("export", "i.peernote", "-o", "o.json").status == .done)
    #expect(host["o.json"] == Array(text.utf8))
    #expect(host.pnmerge("import", "i.json").output == "i.peernote: unchanged\n")
    // What comes later follows.
    host.pnmerge("set", "i.peernote", "/a", "0")
    let found = host.pnmerge("export", "i.peernote", "--format", "json").output
    #expect(found == text.replacing("\"text\"\n}", with: "\"text\",\n  \"a\": 0\n}"))
  }
}
