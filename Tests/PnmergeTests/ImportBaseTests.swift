import Peernote
import PnmergeCommands
import Testing

@Suite("Content that comes back")
struct ImportBaseTests {
  let host = MemoryHost()

  init() {
    host.setText("draft", "milk\neggs\nbread\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "desk")
  }

  func body(_ file: String = "a") -> String {
    host.pnmerge("cat", "--body", file).output
  }

  /// The name of the newest change of a document.
  func head(_ file: String = "a") throws -> String {
    try #require(try Document(bytes: host[file] ?? []).heads.first).description
  }

  func edit(_ file: String, _ old: String, _ new: String) {
    let text = String(decoding: host[file] ?? [], as: UTF8.self)
    #expect(text.contains(old), "\(text)")
    host.setText(file, text.replacing(old, with: new))
  }

  /// A phone adds a line to the document.
  func addAtPhone() {
    host.copy("a", "phone")
    host.setText("new", body().replacing("eggs\n", with: "eggs\nham\n"))
    host.pnmerge("edit", "phone", "--body-file", "new", "--author", "phone")
    #expect(host.pnmerge("merge", "a", "phone").status == .done)
  }

  @Test(
    "an export that was edited keeps what came in since", arguments: ["a.md", "a.txt", "a.json"])
  func remembered(file: String) throws {
    #expect(host.pnmerge("export", "a", "-o", file).status == .done)
    let base = try head()
    addAtPhone()
    edit(file, "bread", "bread rolls")
    let run = host.pnmerge("import", file, "-o", "a")
    #expect(body() == "milk\neggs\nham\nbread rolls\n")
    let changed = file == "a.json" ? "/body" : "body"
    #expect(
      run.output.hasPrefix("a: changed \(changed), as an edit of \(base) ("), "\(run.output)")
    #expect(run.output.contains("), which \(file) last held here\n"))
    #expect(run.output.contains("  to make it read like \(file) instead: pnmerge edit a --"))
    // Once more, and edited further: what was taken in is not taken in again.
    #expect(host.pnmerge("import", file, "-o", "a").output.hasPrefix("a: unchanged"))
    edit(file, "milk", "oat milk")
    #expect(host.pnmerge("import", file, "-o", "a").status == .done)
    #expect(body() == "oat milk\neggs\nham\nbread rolls\n")
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test(
    "line ends that an editor changed throughout are no edit, either way",
    arguments: ["a.md", "a.txt"], [true, false])
  func lineEnds(file: String, isMarked: Bool) throws {
    if isMarked, file == "a.txt" { return }
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge(["export", "a", "-o", file] + mark)
    addAtPhone()
    edit(file, "\n", "\r\n")
    #expect(host.pnmerge("import", file, "-o", "a").output.hasPrefix("a: unchanged"))
    edit(file, "bread", "bread rolls")
    #expect(host.pnmerge("import", file, "-o", "a").status == .done)
    #expect(body() == "milk\neggs\nham\nbread rolls\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    #expect(host.pnmerge("import", file, "-o", "a").output.hasPrefix("a: unchanged"))
    // A document whose lines end so is not changed by an editor that knows line feeds only.
    host.setText("w.txt", "one\r\ntwo\r\n")
    host.pnmerge("import", "w.txt", "-o", "w")
    host.setText("w.txt", "one\ntwo\nthree\n")
    host.pnmerge("import", "w.txt", "-o", "w")
    #expect(body("w") == "one\r\ntwo\r\nthree\r\n")
    // Where they differ within a text, that is the text.
    host.setText("m.txt", "one\ntwo\n")
    host.pnmerge("import", "m.txt", "-o", "m")
    host.setText("m.txt", "one\ntwo\r\n")
    host.pnmerge("import", "m.txt", "-o", "m")
    #expect(body("m") == "one\ntwo\r\n")
  }

  @Test("what an export lost is deleted, and only that")
  func deletion() throws {
    addAtPhone()
    host.pnmerge("export", "a", "-o", "a.md")
    host.setText("new", body() + "jam\n")
    host.pnmerge("edit", "a", "--body-file", "new")
    edit("a.md", "milk\n", "")
    #expect(host.pnmerge("import", "a.md", "-o", "a").status == .done)
    #expect(body() == "eggs\nham\nbread\njam\n")
  }

  @Test("an export says its version, wherever it is taken in", arguments: ["md", "json"])
  func marked(suffix: String) throws {
    let file = "a.\(suffix)"
    #expect(host.pnmerge("export", "a", "-o", file, "--with-version").status == .done)
    let base = try head()
    let id = try Document(bytes: host["a"] ?? []).id
    #expect(String(decoding: host[file] ?? [], as: UTF8.self).contains("\(id) \(base)"))
    addAtPhone()
    // Another machine has no memory of what was exported.
    let state = host.entries.keys.filter { $0.visible.contains("/exports/") }
    #expect(!state.isEmpty)
    for entry in state { host.entries[entry] = nil }
    edit(file, "milk", "oat milk")
    let run = host.pnmerge("import", file, "-o", "a")
    #expect(run.output.contains("as an edit of \(base) ("), "\(run.output) \(run.errors)")
    #expect(run.output.contains("), which \(file) names\n"))
    #expect(body() == "oat milk\neggs\nham\nbread\n")
    #expect(host.pnmerge("cat", "a", "").output.contains("version") == false)
    edit(file, "bread", "bread rolls")
    #expect(host.pnmerge("import", file, "-o", "a").status == .done)
    #expect(body() == "oat milk\neggs\nham\nbread rolls\n")
    // As a document of its own it is one, without the mark.
    let start = host.pnmerge("import", file, "-o", "b")
    #expect(start.status == .done)
    #expect(start.errors.contains(", and starts another one, which cannot be merged with it"))
    #expect(host.pnmerge("cat", "b", "").output.contains("version") == false)
    #expect(host.pnmerge("import", file, "-o", "b").output == "b: unchanged\n")
  }

  @Test("in a marked file a deletion is one, though an older version is nearer")
  func markedDeletion() {
    addAtPhone()
    host.pnmerge("export", "a", "-o", "a.md", "--with-version")
    edit("a.md", "ham\n", "")
    edit("a.md", "milk", "oat milk")
    host.pnmerge("import", "a.md", "-o", "a")
    #expect(body() == "oat milk\neggs\nbread\n")
  }

  @Test("the time at which a note was started stays, whatever form comes in")
  func startOfNote() throws {
    let created = try #require(try host.note("a")?.created)
    host.setText("k.json", #"{"title":"M","body":"hello"}"#)
    #expect(host.pnmerge("import", "k.json", "-o", "a").status == .done)
    #expect(try host.note("a")?.title == "M")
    #expect(try host.note("a")?.created == created)
    #expect(host.pnmerge("import", "k.json", "-o", "a").output == "a: unchanged\n")
  }

  @Test("a marked file of another document, or of a version that is not here, is refused")
  func wrongMark() throws {
    host.copy("a", "old")
    addAtPhone()
    host.pnmerge("export", "a", "-o", "a.md", "--with-version")
    host.pnmerge("new", "b", "--title", "Other")
    let before = (host["b"], host["old"])
    var run = host.pnmerge("import", "a.md", "-o", "b")
    #expect(run.status == .notSameDocument)
    #expect(run.errors.hasPrefix("pnmerge: a.md was exported from another document ("))
    run = host.pnmerge("import", "a.md", "-o", "old")
    #expect(run.status == .notSameDocument)
    #expect(run.errors.contains("merge the copy that has it first, or give --base"))
    #expect((host["b"], host["old"]) == before)
    #expect(host.pnmerge("import", "a.md", "-o", "old", "--base", try head("old")).status == .done)
    #expect(body("old") == "milk\neggs\nham\nbread\n")
  }

  @Test("without a mark and a memory the nearest version is the base, and is named")
  func nearest() throws {
    let base = try head()
    host.setText("b.md", host.pnmerge("cat", "a").output)
    addAtPhone()
    edit("b.md", "bread", "bread rolls")
    let run = host.pnmerge("import", "b.md", "-o", "a")
    #expect(body() == "milk\neggs\nham\nbread rolls\n")
    #expect(run.output.contains("as an edit of \(base) ("), "\(run.output)")
    #expect(run.output.contains("), the version nearest to b.md\n"))
    #expect(
      run.output.contains(
        "  to make it read like b.md instead: pnmerge edit a --markdown-file b.md\n"))
    #expect(host.pnmerge("edit", "a", "--markdown-file", "b.md").output == "a: changed body\n")
    #expect(body() == "milk\neggs\nbread rolls\n")
  }

  @Test("the nearest of many versions is found")
  func nearestOfMany() throws {
    var exports: [(name: String, text: String)] = []
    for round in 0..<80 {
      host.setText("new", body() + "line \(round) of the long list\n")
      host.pnmerge("edit", "a", "--body-file", "new", "--no-backup")
      exports.append((try head(), body()))
    }
    for round in [3, 78] {
      host.copy("a", "b")
      host.setText("x.txt", "first\n" + exports[round].text)
      let run = host.pnmerge("import", "x.txt", "-o", "b")
      #expect(run.output.contains("as an edit of \(exports[round].name) ("), "\(run.output)")
      #expect(body("b") == "first\n" + body())
    }
  }

  @Test("of several versions from which as little is taken away, the latest is the base")
  func present() {
    addAtPhone()
    host.setText("b.txt", body().replacing("milk", with: "oat milk"))
    #expect(host.pnmerge("import", "b.txt", "-o", "a").output == "a: changed body\n")
    #expect(body() == "oat milk\neggs\nham\nbread\n")
    // What may have been written anew, or added beside what came in, is added.
    host.copy("a", "c")
    host.setText("new", body() + "jam\n")
    host.pnmerge("edit", "c", "--body-file", "new")
    host.setText("d.txt", body("c").replacing("jam", with: "plum jam"))
    #expect(host.pnmerge("import", "d.txt", "-o", "c").output.contains("nearest to d.txt"))
    let lines = body("c").split(separator: "\n")
    #expect(Set(lines) == ["oat milk", "eggs", "ham", "bread", "jam", "plum jam"])
    #expect(lines.count == 6)
  }

  @Test(
    "exactly an old version changes nothing, and that is said", arguments: ["md", "txt", "json"])
  func oldVersion(suffix: String) throws {
    let base = try head()
    let file = "b.\(suffix)"
    host.pnmerge("export", "a", "-o", file)
    for entry in host.entries.keys where entry.visible.contains("/exports/") {
      host.entries[entry] = nil
    }
    addAtPhone()
    let before = host["a"]
    let run = host.pnmerge("import", file, "-o", "a")
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("a: unchanged; \(file) is the version of \(base) ("))
    #expect(run.output.contains("to bring that version back: pnmerge restore a --at \(base)\n"))
    #expect(host["a"] == before)
  }

  @Test("an import that changes nothing makes no change, whatever a note knows besides")
  func idle() throws {
    host.setText("n.md", "---\ntitle: N\n---\none\n")
    #expect(host.pnmerge("import", "n.md").status == .done)
    let created = try #require(try host.note("n.peernote")?.created)
    let before = host["n.peernote"]
    for _ in 0..<2 {
      #expect(host.pnmerge("import", "n.md").output == "n.peernote: unchanged\n")
      #expect(host["n.peernote"] == before)
    }
    edit("n.md", "one", "two")
    #expect(host.pnmerge("import", "n.md").output == "n.peernote: changed body\n")
    #expect(try host.note("n.peernote")?.created == created)
    #expect(host.pnmerge("import", "n.md").output == "n.peernote: unchanged\n")
    // Whoever takes out what an export told means it.
    host.pnmerge("export", "a", "-o", "o.md")
    let text = String(decoding: host["o.md"] ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    host.setText("o.md", lines.filter { !$0.hasPrefix("created") }.joined(separator: "\n"))
    #expect(
      host.pnmerge("import", "o.md", "-o", "a").output == "a: changed created\n")
    #expect(try host.note("a")?.created == nil)
  }

  @Test("a base that is named is taken, for every way in")
  func named() throws {
    let base = try head()
    addAtPhone()
    host.setText("t", "milk\neggs\nbread\njam\n")
    host.setText("m", "---\ntitle: T\n---\nmilk\neggs\nbread\njam\n")
    host.setText("j", #"{"body":{"$text":"milk\neggs\nbread\njam\n"},"title":"T"}"#)
    let wanted = "milk\neggs\nham\nbread\njam\n"
    for arguments in [
      ["edit", "b", "--body-file", "t"], ["edit", "b", "--markdown-file", "m"],
      ["edit", "b", "--json-file", "j"], ["set", "b", "/body", "--text", "--value-file", "t"],
      ["import", "t", "-o", "b", "--format", "text"],
    ] {
      host.copy("a", "b")
      let run = host.pnmerge(arguments + ["--base", base])
      #expect(run.status == .done, "\(run.errors)")
      #expect(body("b") == wanted, "\(arguments)")
      // Without it the document reads so now.
      if arguments[0] == "import" { continue }
      host.copy("a", "b")
      host.pnmerge(arguments)
      #expect(body("b") == "milk\neggs\nbread\njam\n", "\(arguments)")
    }
  }

  @Test("an insertion at a place of an earlier version goes beside what stood there")
  func insertion() throws {
    host.pnmerge("set", "a", "/steps", #"["cut", "boil"]"#)
    let base = try head()
    host.pnmerge("insert", "a", "/steps/0", #""wash""#)
    let run = host.pnmerge("insert", "a", "/steps/1", #""salt""#, "--base", base)
    #expect(run.output == "a: inserted at /steps/1\n", "\(run.errors)")
    #expect(
      host.pnmerge("cat", "a", "/steps").output.filter { !$0.isWhitespace }
        == #"["wash","cut","salt","boil"]"#)
  }

  @Test("what is set at a place of an earlier version is named where that stands now")
  func placeNow() throws {
    host.pnmerge("set", "a", "/l", #"[{"t":"A"},{"t":"B"}]"#)
    let base = try head()
    host.pnmerge("insert", "a", "/l/0", #"{"t":"New"}"#)
    let cases = [
      ("/l/1/done", "/l/2/done"), ("/l/1/t", "/l/2/t"), ("/l/0", "/l/1"), ("/l/-", "/l/-"),
      ("/title", "/title"),
    ]
    for (path, now) in cases {
      host.copy("a", "b")
      let value = path == "/l/0" ? #"{"t":"A","x":1}"# : #""v""#
      let dry = host.pnmerge("set", "b", path, value, "--base", base, "-n")
      #expect(dry.output == "b: would set \(now)\n", "\(dry.errors)")
      let run = host.pnmerge("set", "b", path, value, "--base", base)
      #expect(run.output == "b: set \(now)\n", "\(run.errors)")
    }
    // Where it is gone, that place is said.
    host.copy("a", "b")
    host.pnmerge("remove", "b", "/l/2")
    #expect(host.pnmerge("set", "b", "/l/1/done", "true", "--base", base).status == .done)
    #expect(host.pnmerge("validate", "b").status == .done)
  }

  @Test("what an edit of an old version and later changes decided is said")
  func decided() throws {
    let base = try head()
    host.pnmerge("edit", "a", "--title", "U", "--author", "phone")
    let run = host.pnmerge("edit", "a", "--title", "V", "--base", base)
    #expect(run.output.hasPrefix("a: changed title\na: 1 conflict (value)\n  /title"))
    #expect(run.output.contains("also had \"U\" (phone, "))
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  @Test("a value that was contested and is written anew is said to be settled")
  func settled() throws {
    host.copy("a", "b")
    host.pnmerge("edit", "a", "--title", "U", "--author", "phone")
    host.pnmerge("edit", "b", "--title", "V")
    host.pnmerge("merge", "a", "b")
    host.copy("a", "c")
    for arguments in [["edit", "a", "--title", "W"], ["set", "c", "/title", "\"W\""]] {
      let run = host.pnmerge(arguments)
      #expect(
        run.output.contains("\n  settled the conflict at /title: it also had "),
        "\(run.output)")
    }
  }

  @Test("a base that cannot be is refused, and nothing is written")
  func wrongBase() {
    host.setText("t", "x\n")
    let before = host["a"]
    for arguments in [
      ["edit", "a", "--body-file", "t", "--base", "zz"], ["edit", "a", "--base", "0"],
      ["import", "t", "t", "--base", "0"], ["set", "a", "/title", "1", "--base", ""],
      ["export", "a", "--with-version", "--format", "text"],
    ] {
      #expect(host.pnmerge(arguments).status == .usage, "\(arguments)")
    }
    #expect(
      host.pnmerge("import", "draft", "--format", "text", "-o", "none", "--base", "0").status
        == .unreadable)
    #expect(host["a"] == before)
    host.pnmerge("set", "a", "/peernote-version", "\"mine\"")
    let run = host.pnmerge("export", "a", "--with-version")
    #expect(run.status == .usage)
    #expect(run.errors.contains("has something of its own at /peernote-version"))
  }

  @Test("a key that only looks like the mark is a field")
  func noMark() throws {
    host.setText("n.md", "---\npeernote-version: 3\n---\none\n")
    host.pnmerge("import", "n.md")
    #expect(host.pnmerge("cat", "n.peernote", "/peernote-version").output == "3\n")
  }

  @Test("the memory of exports is bounded, and none of it is needed")
  func memory() {
    for number in 0..<120 {
      host.pnmerge("export", "a", "-o", "x\(number) y%.txt")
    }
    let store = host.entries.first { $0.key.visible.contains("/exports/") }
    #expect(store?.value.bytes.count { $0 == UInt8(ascii: "\n") } == 100)
    store?.value.bytes = Array("exported %zz 1.1\nwhat is this\n\u{0}".utf8)
    #expect(host.pnmerge("import", "x119 y%.txt", "-o", "a").output == "a: unchanged\n")
    for name in ["HOME", "XDG_STATE_HOME"] { host.variables[name] = nil }
    let run = host.pnmerge("export", "a", "-o", "y.txt")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("pnmerge: warning: cannot remember which version y.txt holds: "))
  }

  @Test("an older export that somebody wrote over a newer one is an edit of the older version")
  func overwritten() throws {
    host.copy("a", "old")
    host.setText("longer", "milk\neggs\nbread\njam\n")
    host.pnmerge("edit", "a", "--body-file", "longer", "--author", "ann")
    host.pnmerge("export", "a", "-o", "v.md", "--with-version")
    // On another machine, which knows nothing of this one's exports.
    let state = host.variables["XDG_STATE_HOME"]
    host.variables["XDG_STATE_HOME"] = "/elsewhere"
    host.pnmerge("export", "old", "-o", "v.md", "--with-version", "--force")
    host.variables["XDG_STATE_HOME"] = state
    edit("v.md", "title: T", "title: Journey")
    let run = host.pnmerge("import", "v.md", "-o", "a")
    #expect(run.output.contains("changed title, as an edit of "), "\(run.output)\(run.errors)")
    #expect(body() == "milk\neggs\nbread\njam\n")
    #expect(host.pnmerge("cat", "a", "/title").output == "\"Journey\"\n")
  }

  @Test("what was taken in from a file is deleted when it goes there, whatever else was edited")
  func deletedAgain() {
    host.setText("n.md", "milk\neggs\nbread\n")
    host.pnmerge("import", "n.md")
    host.setText("n.md", "milk\neggs\nham\nbread\n")
    host.pnmerge("import", "n.md")
    host.setText("n.md", "milk\neggs\nbread rolls\n")
    #expect(host.pnmerge("import", "n.md").output == "n.peernote: changed body\n")
    #expect(body("n.peernote") == "milk\neggs\nbread rolls\n")
    // Nor is an export that names its version taken for what the file held before.
    host.pnmerge("export", "a", "-o", "m.md")
    addAtPhone()
    host.pnmerge("export", "a", "-o", "m.md", "--with-version", "--force")
    edit("m.md", "ham\n", "")
    edit("m.md", "bread", "bread rolls")
    #expect(host.pnmerge("import", "m.md", "-o", "a").status == .done)
    #expect(body() == "milk\neggs\nbread rolls\n")
  }

  @Test("no version is nearer that would bring a line or an element in twice, or back")
  func twice() throws {
    host.setText("draft", "buy milk\norder bread for the party\nfetch wine\n")
    host.pnmerge("new", "n", "--body-file", "draft")
    host.setText(
      "draft", "buy milk\norder eggs for the party\norder bread for the party\nfetch wine\n")
    host.pnmerge("edit", "n", "--body-file", "draft")
    host.pnmerge("set", "n", "/todo", #"["buy milk", "order bread for the party", "fetch wine"]"#)
    host.pnmerge("insert", "n", "/todo/1", #""order eggs for the party""#)
    for file in ["n.md", "n.json"] {
      host.copy("n", "m")
      host.pnmerge("export", "m", "-o", file)
      let lines = String(decoding: host[file] ?? [], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      if file == "n.md" {
        host.setText(file, lines.filter { !$0.contains("bread") }.joined(separator: "\n"))
      } else {
        let kept = lines.filter { !$0.contains("\"order bread") }.joined(separator: "\n")
        host.setText(file, kept.replacing("party\\norder bread for the party", with: "party"))
      }
      let run = host.pnmerge("import", file, "-o", "m")
      #expect(run.status == .done, "\(run.errors)")
      #expect(body("m") == "buy milk\norder eggs for the party\nfetch wine\n", "\(run.output)")
      if file == "n.json" {
        #expect(
          host.pnmerge("cat", "m", "/todo").output.filter { !$0.isWhitespace }
            == #"["buymilk","ordereggsfortheparty","fetchwine"]"#, "\(run.output)")
      }
    }
    // An element that was removed since the export, of which two others were swapped.
    host.setText(
      "l.json",
      #"{"l": [{"id": "milk", "text": "buy two bottles of milk"}, {"id": "bread", "text": "#
        + #""order bread"}, {"id": "wine", "text": "fetch the wine"}]}"#)
    host.pnmerge("new", "l", "--json-file", "l.json")
    host.pnmerge("export", "l", "-o", "o.json", "--with-version")
    host.pnmerge("remove", "l", "/l/2")
    let text = String(decoding: host["o.json"] ?? [], as: UTF8.self)
    host.setText(
      "o.json",
      text.replacing("milk", with: "?").replacing("bread", with: "milk")
        .replacing("?", with: "bread").replacing("buy two bottles of bread", with: "order bread")
        .replacing("order milk", with: "buy two bottles of milk"))
    let run = host.pnmerge("import", "o.json", "-o", "l")
    #expect(run.status == .done, "\(run.errors)")
    #expect(!host.pnmerge("cat", "l", "").output.contains("wine"), "\(run.output)")
  }

  @Test("after undo the memory of what is gone does no harm")
  func undone() {
    host.pnmerge("edit", "a", "--title", "U")
    host.pnmerge("export", "a", "-o", "a.md")
    host.pnmerge("undo", "a")
    edit("a.md", "milk", "oat milk")
    let said = host.pnmerge("import", "a.md", "-o", "a").output
    #expect(said.hasPrefix("a: changed title and body\n  the version that a.md last held"))
  }
}
