import PeernoteTestSupport
import PnmergeCommands
import Testing

/// An edit by path, or a merge, changes one thing inside of a key; what stands beside it keeps its form.
@Suite("Front matter keeps its form beside an edit")
struct FrontMatterPatchTests {
  private let host = MemoryHost()

  private func edited(_ frontMatter: String, _ commands: [String]...) -> String {
    host["n.peernote"] = nil
    host.setText("n.md", "---\n\(frontMatter)---\ntext\n")
    host.pnmerge("import", "n.md")
    for command in commands {
      let run = host.pnmerge([command[0], "n.peernote"] + command.dropFirst())
      #expect(run.status == .done, "\(run.errors)")
    }
    let text = host.pnmerge("cat", "n.peernote").output
    return String(text.dropFirst(4).prefix { _ in true }.split(separator: "---\n")[0])
  }

  private static let meta = """
    meta:
      date: 2024-01-02 # published
      at: 2024-01-02T03:04:05+02:00
      # the release
      version: 1.10
      n: 1
      zip: 01234

    """

  @Test("in a map each other key stays, with its remark and without quotes")
  func maps() {
    #expect(
      edited(Self.meta, ["set", "/meta/n", "2"])
        == Self.meta.replacing("  n: 1", with: "  n: 2"))
    #expect(
      edited(Self.meta, ["set", "/meta/version", "--string", "1.20"])
        == Self.meta.replacing("1.10", with: "1.20"))
    #expect(
      edited(Self.meta, ["set", "/meta/date", "--string", "2025-01-02"])
        == Self.meta.replacing("2024-01-02 #", with: "2025-01-02 #"))
    #expect(
      edited(Self.meta, ["remove", "/meta/at"])
        == Self.meta.replacing("  at: 2024-01-02T03:04:05+02:00\n", with: ""))
    #expect(
      edited(Self.meta, ["set", "/meta/new", "\"yes\""]) == Self.meta + "  new: \"yes\"\n")
  }

  @Test(
    "in lists, in brackets, and deeper",
    arguments: [
      (
        "dates: [2024-01-02, 2024-01-03] # both\n",
        ["insert", "/dates/-", "--string", "2024-01-04"],
        "dates: [2024-01-02, 2024-01-03, 2024-01-04] # both\n"
      ),
      (
        "dates:\n  - 2024-01-02 # first\n  - 2024-01-03\n",
        ["set", "/dates/1", "--string", "2024-02-03"],
        "dates:\n  - 2024-01-02 # first\n  - 2024-02-03\n"
      ),
      (
        "m: {date: 2024-01-02, \"q\": 'it''s, so', n: 1}\n", ["set", "/m/n", "2"],
        "m: {date: 2024-01-02, \"q\": 'it''s, so', n: 2}\n"
      ),
      (
        "who:\n- name: Ada # her\n  zip: 01234\n  tags: [a, b]\n- name: Bob\n",
        ["set", "/who/0/tags/1", "\"c,d\""],
        "who:\n- name: Ada # her\n  zip: 01234\n  tags: [a, \"c,d\"]\n- name: Bob\n"
      ),
      (
        "a:\n  b:\n    # deep\n    c: 1.10\n    d: x\n  e: 01\n", ["set", "/a/b/d", "\"y: z\""],
        "a:\n  b:\n    # deep\n    c: 1.10\n    d: \"y: z\"\n  e: 01\n"
      ),
      (
        "a:\n  'k': 1 # one\n  b: |\n    x\n\n    y\n", ["set", "/a/k", "2"],
        "a:\n  'k': 2 # one\n  b: |\n    x\n\n    y\n"
      ),
      (
        "k:\n  - x: \"1\" # x\n  - zip: 01234 # z\n  - {a: \"b\"} # l\n", ["set", "/k/2/num", "3"],
        "k:\n  - x: \"1\" # x\n  - zip: 01234 # z\n  - {a: \"b\", num: 3} # l\n"
      ),
      (
        "k:\n  - [1, \"2\"] # l\n  - y\n", ["insert", "/k/0/-", "3"],
        "k:\n  - [1, \"2\", 3] # l\n  - y\n"
      ),
      (
        "a:\n  b: # b\n    # own\n    c: 01 # c\n  d: 1\n", ["set", "/a/d", "2"],
        "a:\n  b: # b\n    # own\n    c: 01 # c\n  d: 2\n"
      ),
    ] as [(String, [String], String)])
  func others(frontMatter: String, command: [String], expected: String) {
    #expect(edited(frontMatter, command) == expected)
    // What was written is read as it was meant.
    host.pnmerge("export", "n.peernote", "-o", "o.md")
    #expect(host.pnmerge("import", "o.md", "-o", "n.peernote").output == "n.peernote: unchanged\n")
  }

  @Test("what cannot be edited line by line is written anew, and says the same")
  func anew() {
    let text = edited("a: &x\n  b: 1.10\n  c: 2\nd: *x\n", ["set", "/a/c", "3"])
    #expect(text.contains("b: \"1.10\"") && text.contains("c: 3"), "\(text)")
    #expect(host.pnmerge("cat", "n.peernote", "/d/c").output == "2\n")
  }

  @Test("two machines rename keys of one map; the remark of a third one stays")
  func merged() {
    host.setText("n.md", "---\nmap:\n  k1: one # keep me\n  k2: two\n---\ntext\n")
    host.pnmerge("import", "n.md")
    host.copy("n.peernote", "b")
    for (file, name) in [("n.peernote", "k2anna"), ("b", "k2bob")] {
      host.pnmerge("remove", file, "/map/k2", "--author", name)
      host.pnmerge("set", file, "/map/\(name)", "\"two\"", "--author", name)
    }
    host.pnmerge("merge", "n.peernote", "b")
    let text = host.pnmerge("cat", "n.peernote").output
    #expect(text.contains("  k1: one # keep me\n"), "\(text)")
    #expect(text.contains("k2anna: two") && text.contains("k2bob: two"), "\(text)")
    let body = host.pnmerge("cat", "n.peernote").output.replacing("text", with: "other")
    host.setText("e.md", body)
    host.pnmerge("edit", "n.peernote", "--markdown-file", "e.md")
    #expect(host.pnmerge("cat", "n.peernote").output == body)
  }
}
