import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// More stands in `front-matter.txt` and `front-matter-edits.txt` of `Fixtures/outputs`.
@Suite("Front matter comes back as it was")
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
    "$title: x\ntitle: y\n", "$priority: 3\ntitle: T\n", "priority:\n$priority: 1\ntitle: T\n",
    "$body: y\n", "title: T\ncreated: # when I began\n", "created: ~\n",
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
    // What is printed is no edit.
    host.setText("c.md", after)
    let edit = host.pnmerge("edit", "n.peernote", "--markdown-file", "c.md")
    #expect(edit.output == "n.peernote: unchanged\n")
    #expect(host.pnmerge("import", "c.md", "-o", "n.peernote").output == edit.output)
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

  @Test("a key without a value hides no field that stands aside for it")
  func nullTitle() {
    host.setText("n.md", markdown("title: # none\n"))
    host.pnmerge("import", "n.md")
    host.pnmerge("set", "n.peernote", "/$title", "[\"a\"]")
    let shown = host.pnmerge("cat", "n.peernote").output
    #expect(shown.hasPrefix("---\ntitle:\n  - a\n---\n"), "\(shown)")
    host.setText("c.md", shown)
    let edit = host.pnmerge("edit", "n.peernote", "--markdown-file", "c.md")
    #expect(edit.output == "n.peernote: unchanged\n")
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
}
