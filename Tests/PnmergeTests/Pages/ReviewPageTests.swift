import Foundation
import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("The page of a review") struct ReviewPageTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  /// What is no text for a page, or would be something else in it.
  private static let hostile = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=x>",
    "' onfocus='x", "&lt;b&gt;", "\u{202E}txet\u{202C}", "a\u{2028}b", "\u{1B}[31m\u{7}\u{0}",
    "<!--", "]]>", "</textarea><h1>", "\\u003c", "\r\n\n\ttail",
  ]

  @Test("says what comes in, what is to be decided with all choices, and who wrote the text")
  func content() throws {
    let run = host.pnmerge("review", "--html", "p.html", "a", "b")
    #expect(run.status == .done && run.output == "p.html: written\n", "\(run)")
    let page = String(decoding: try #require(host["p.html"]), as: UTF8.self)
    for part in [
      "2 places are to be decided", "Would come in", "Changed on both sides",
      "<legend>1 <bdi>body</bdi>",
      "Mine, ada, 20 Nov 14:02", "Theirs, bob, 20 Nov 14:02", "Both, as merged",
      #"value="before""#, "l, &quot;Row&quot;, n", "<del><bdi>1</bdi></del> became",
      "The text as merged, and who wrote it", "<svg ", "pnmerge review --apply decisions.json a b",
    ] { #expect(page.contains(part), "\(part)") }
    try PageMarkup(page).check()
    #expect(host.pnmerge("merge", "-n", "--html", "q.html", "a", "b").status == .done)
    let body = { (page: String) in page.components(separatedBy: "<h2 id=\"decide\">").last }
    #expect(body(String(decoding: host["q.html"] ?? [], as: UTF8.self)) == body(page))
  }

  @Test("replaces an older page, and nothing else; writes no document")
  func writing() {
    let documents = [host["a"], host["b"]]
    host.pnmerge("review", "--html", "p.html", "a", "b")
    #expect(host.pnmerge("review", "--html", "p.html", "b", "a").status == .done)
    host.setText("mine.html", "<!DOCTYPE html><p>mine")
    for file in ["mine.html", "a"] {
      let before = host[file]
      let run = host.pnmerge("merge", "-n", "--html", file, "a", "b")
      #expect(run.status == .cannotCreate && host[file] == before)
      #expect(run.errors.hasPrefix("pnmerge: \(file): exists and is not a page of pnmerge; "))
    }
    #expect([host["a"], host["b"]] == documents)
    for words in [
      ["merge", "--html", "x", "a", "b"], ["merge", "-n", "-i", "--html", "x", "a", "b"],
      ["review", "--html", "x", "--plain", "a", "b"],
    ] { #expect(host.pnmerge(words).status == .usage && host["x"] == nil) }
  }

  @Test("what is left out of all copies is said, and left out again when it is decided")
  func without() throws {
    host.pnmerge("set", "b", "/bad", "1", "--author", "eve", "--agent", "e")
    host.pnmerge("merge", "-q", "-o", "c", "b", "b")
    let agent = "000000000000000e"
    for words in [["merge", "-n"], ["review"]] {
      let run = host.pnmerge(words + ["--html", "p.html", "--without", agent, "a", "b"])
      #expect(run.status == .done, "\(run)")
      let page = String(decoding: try #require(host["p.html"]), as: UTF8.self)
      #expect(page.contains("the changes of \(agent) are left out of all copies"))
      #expect(page.contains("pnmerge review --apply decisions.json --without \(agent) a b"))
      #expect(!page.contains("<bdi>eve") && page.contains("2 places are to be decided"))
      try PageMarkup(page).check()
    }
    let alone = host.pnmerge("merge", "-n", "--html", "p.html", "--without", agent, "b")
    #expect(alone.status == .done, "\(alone)")
    host.terminals = [.input, .error]
    host.answers = []
    #expect(host.pnmerge("merge", "-i", "--without", agent, "b").status == .done)
    #expect(host.pnmerge("get", "b", "/bad").status == .different)
  }

  @Test("what has no page is refused with a line that says what to do instead")
  func refusals() throws {
    host.pnmerge("export", "a", "-o", "x.automerge", "--format", "automerge")
    host.copy("x.automerge", "y.automerge")
    try host.makeDirectory(FileName("d"), isPrivate: false)
    for (words, part) in [
      (["merge", "-n", "--html", "p", "x.automerge", "y.automerge"], "'pnmerge import'"),
      (["review", "--html", "p", "a", "y.automerge"], "pnmerge import y.automerge"),
      (["log", "--html", "p", "x.automerge"], "pnmerge import x.automerge"),
      (["merge", "-n", "--html", "p", "d", "d"], "pnmerge diff --html"),
      (["review", "--html", "p", "d", "d"], "pnmerge diff --html"),
      (["review", "--html", "p", "a", "d"], "give files"),
      (["log", "--html", "p", "d"], "give a document in it"),
    ] {
      let run = host.pnmerge(words)
      #expect(run.status != .done && run.errors.contains(part), "\(words) \(run)")
      #expect(run.errors.split(separator: "\n").count == 1 && host["p"] == nil)
    }
    #expect(host.pnmerge("diff", "--html", "p", "x.automerge", "y.automerge").status == .done)
  }

  @Test("whatever a document says is text on the page, and no markup")
  func hostileContent() throws {
    for (index, text) in Self.hostile.enumerated() {
      let json = String(decoding: Node.value(.string(text)).exactJSON.encoded(), as: UTF8.self)
      for (file, author) in [("a", "ada"), ("b", text.filter { $0 != "\0" })] {
        let value = "{\"title\":\(json),\(json):{\"$text\":\(json)},\"\(file)\":\(index)}"
        host.pnmerge("set", file, "/l/0", value, "--author", author)
        host.pnmerge("set", file, "/t\(index)", "{\"$text\":\(json)}", "--author", author)
        host.pnmerge("set", file, "/t\(index)", "--text", "--", text + file, "--author", author)
      }
    }
    host.pnmerge("insert", "b", "/l/-", "{\"title\":\"<b>\"}", "--author", "<i>")
    let page = host.pnmerge("review", "--html", "-", "a", "b").output
    try PageMarkup(page).check()
    #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;"))
    #expect(page.contains("\\u{202e}txet\\u{202c}") && page.contains("a\\u{2028}b"))
    for scalar in page.unicodeScalars {
      #expect(scalar == "\n" || scalar == "\t" || scalar.value >= 32)
    }
    #expect(!page.contains("\u{202E}") && !page.contains("\u{2028}"))
  }

  @Test("of a megabyte it stays under five, and says what it leaves out")
  func size() throws {
    // Each character takes five bytes of a page or more.
    let line = String(repeating: "'\"<&>", count: 25)
    let lines = (0..<3100).map { "\(line) \($0)" }
    func write(_ name: String, _ title: String, edited: Int) {
      let text = lines.enumerated().map { $0.offset % 997 == edited ? title : $0.element }
      host["new.json"] = Node.map([
        .init(key: "body", node: .text(text.joined(separator: "\n"))),
        .init(
          key: "set",
          node: .map(
            (0..<500).map { .init(key: "\($0)", node: .value(.string("<\(title) \($0) \(line)"))) })
        ),
        .init(
          key: title,
          node: .map((0..<800).map { .init(key: "'\(line)\($0)", node: .value(.integer(1))) })),
      ]).exactJSON.encoded()
      let words =
        host[name] == nil
        ? ["import", "new.json", "-o", name] : ["edit", name, "--json-file", "new.json"]
      #expect(host.pnmerge(words).status == .done)
    }
    write("c", "first", edited: 5)
    host.copy("c", "d")
    write("c", "second", edited: 17)
    write("d", "third", edited: 29)
    let run = host.pnmerge("review", "--html", "-", "c", "d")
    #expect(run.output.utf8.count < 5_000_000, "\(run.output.utf8.count)")
    for part in [
      "to decide left out of this page", "more places left out of this page",
      "of this text left out of this page",
    ] {
      let isSaid = run.output.contains(part)
      #expect(isSaid, "\(part)")
    }
  }
}
