import PnmergeCommands
import Testing

@Suite("The page of a comparison") struct DiffPageTests {
  private let host = MemoryHost()

  init() {
    host.makeMeeting()
    host.pnmerge("insert", "b", "/l/-", #"{"title":"</script><b>"}"#, "--author", "<i>")
  }

  @Test("of copies it says whose each change is")
  func copies() throws {
    let run = host.pnmerge("diff", "--html", "-", "a", "b")
    #expect(run.status == .different)
    for part in [
      "<del>1</del> <ins>2</ins>", "&lt;/script&gt;&lt;b&gt;", "<bdi>&lt;i&gt;, 20 Nov 14:02</bdi>",
      "Bring a <ins>red </ins>coat.", "<bdi>ada, 20 Nov 14:02</bdi>",
      "We meet at <del>noon</del><ins>two</ins> in the hall.",
    ] { #expect(run.output.contains(part), "\(part) in \(run.output)") }
    try PageMarkup(run.output).check()
    #expect(!run.output.contains("<script"))
    #expect(host.pnmerge("diff", "--html", "same.html", "a", "a").status == .done)
  }

  @Test("of two states, and of others, it shows the lines that differ")
  func states() throws {
    let first = host.pnmerge("log", "a").output.split(separator: "\n").last.map(String.init) ?? ""
    let change = first.split(separator: " ").last.map(String.init) ?? ""
    let past = host.pnmerge("diff", "--html", "past.html", "a", "--at", change)
    #expect(past.status == .different && past.output == "past.html: written\n", "\(past)")
    let page = String(decoding: try #require(host["past.html"]), as: UTF8.self)
    #expect(page.contains("<ins>red </ins>"), "\(page)")
    try PageMarkup(page).check()
    host.pnmerge("export", "b", "-o", "b.md")
    host.pnmerge("import", "b.md", "-o", "other")
    let plain = host.pnmerge("diff", "--html", "-", "a", "other").output
    #expect(plain.contains("<del>one</del><ins>two</ins>"), "\(plain)")
    try PageMarkup(plain).check()
    #expect(host.pnmerge("diff", "--html", "x", "--json", "a", "b").status == .usage)
    #expect(host.pnmerge("diff", "--html", "a", "a", "b").status == .cannotCreate)
  }

  @Test("of two folders it shows all notes that differ, and what only one has")
  func folders() throws {
    for folder in ["x", "y"] { try host.makeDirectory(FileName(folder), isPrivate: false) }
    for (name, copy) in [("a", "x/<i>.peernote"), ("b", "y/<i>.peernote")] { host.copy(name, copy) }
    host.pnmerge("new", "y/only.peernote", "--title", "O")
    host.pnmerge("new", "x/one.peernote", "--title", "One")
    host.copy("x/one.peernote", "y/one.peernote")
    let run = host.pnmerge("diff", "--html", "-", "x", "y")
    #expect(run.status == .different, "\(run)")
    for part in [
      "<h2><bdi>x/&lt;i&gt;.peernote</bdi></h2>", "<bdi>bob, 20 Nov 14:02</bdi>",
      "<h2>Only in y</h2>\n<p><bdi>y/only.peernote</bdi></p>", "<ins>red </ins>",
    ] { #expect(run.output.contains(part), "\(part) in \(run.output)") }
    #expect(!run.output.contains("one.peernote"))
    try PageMarkup(run.output).check()
    try host.makeDirectory(FileName("z"), isPrivate: false)
    host.copy("x/<i>.peernote", "z/<i>.peernote")
    host.copy("x/one.peernote", "z/one.peernote")
    #expect(host.pnmerge("diff", "--html", "same.html", "x", "z").status == .done)
    #expect(String(decoding: host["same.html"] ?? [], as: UTF8.self).contains("Nothing differs."))
    host["y/cut.peernote"] = (host["a"] ?? []).dropLast(9)
    let faulty = host.pnmerge("diff", "--html", "-", "x", "y")
    #expect(faulty.status == .damaged && faulty.output.contains("<h2>Could not be read</h2>"))
    #expect(faulty.errors.hasPrefix("pnmerge: y/cut.peernote: "), "\(faulty.errors)")
  }
}
