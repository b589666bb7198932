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

  @Test(
    "is the document: who did what where it stands, all choices at the sentence, people's names")
  func content() throws {
    let run = host.pnmerge("review", "--html", "p.html", "a", "b")
    #expect(run.status == .done && run.output == "p.html: written\n", "\(run)")
    let page = String(decoding: try #require(host["p.html"]), as: UTF8.self)
    for part in [
      "2 conflicts, 2 changes nobody contests", "<bdi>ada</bdi>'s (2)",
      "We meet at <del>noon</del><ins>two</ins> in the hall.",
      "We meet at <span class=\"res\" id=\"r", "Bring a <ins>red </ins>coat.",
      "<bdi>ada, 20 Nov 14:02</bdi> <label", "<bdi>bob, 20 Nov 14:02</bdi></b>",
      #"value="before""#, #"value="both""#, "<del>1</del> <ins>2</ins>",
      "pnmerge review --apply decisions.json a b",
    ] { #expect(page.contains(part), "\(part) in \(page)") }
    #expect(!page.contains("mine") && !page.contains("theirs"))
    try PageMarkup(page).check()
  }

  @Test("of two copies at once each says what it did itself")
  func people() throws {
    host.copy("a", "c")
    host.pnmerge(
      "set", "c", "/body", "\"We meet at one in the hall.\\n\\nBring a red coat.\\nAnd tea.\\n\"",
      "--author", "cleo")
    let page = host.pnmerge("review", "--html", "-", "a", "b", "c").output
    let tea = try #require(page.components(separatedBy: "<ins>And tea.").first)
    let place = try #require(tea.components(separatedBy: "class=\"change\"").last)
    #expect(place.contains("<bdi>cleo, ") && !place.contains("bob"), "\(place)")
    try PageMarkup(page).check()
  }

  @Test("lines of two people that stand beside each other are places of their own")
  func neighbours() throws {
    host.pnmerge("new", "s", "--title", "T", "--author", "eve")
    host.pnmerge("set", "s", "/body", "\"last\\n\"", "--author", "eve")
    host.copy("s", "t")
    for (copy, author) in [("s", "ada"), ("t", "bob")] {
      host.pnmerge(
        "set", copy, "/body", "\"last\\nby \(author)\\n\"", "--author", author)
    }
    let page = host.pnmerge("review", "--html", "-", "s", "t").output
    let places = page.components(separatedBy: "class=\"change\"").dropFirst()
    #expect(places.count == 2, "\(page)")
    for author in ["ada", "bob"] {
      let own = try #require(places.first { $0.contains("<ins>by \(author)\n</ins>") })
      #expect(own.contains("<bdi>\(author), ") && own.contains("value=\"before\""), "\(own)")
    }
    try PageMarkup(page).check()
  }

  @Test("what stands right beside a contested passage says who wrote it")
  func beside() throws {
    host.pnmerge(
      "set", "a", "/body", "\"New. We meet at one in the hall.\\n\\nBring a red coat.\\n\"",
      "--author",
      "ada")
    let page = host.pnmerge("review", "--html", "-", "a", "b").output
    let change = try #require(
      page.firstMatch(
        of: #/class="change"(?:(?!class="change").)*?New\. <\/ins>/#.dotMatchesNewlines()))
    #expect(change.0.contains("<bdi>ada, 20 Nov 14:02</bdi> cannot be left out by itself, as"))
    try PageMarkup(page).check()
  }

  @Test("what a schema would refuse stands at the choice, and the command names the schema")
  func schema() throws {
    host.setText("s.json", #"{"properties":{"title":{"enum":["U","T"]}}}"#)
    let page = host.pnmerge("review", "--html", "-", "--schema", "s.json", "a", "b").output
    #expect(page.contains("pnmerge review --apply decisions.json --schema s.json a b"))
    let choice = try #require(
      page.firstMatch(of: #/data-text="V"[^>]*>(.*?)<\/label>/#.dotMatchesNewlines()))
    #expect(choice.1.contains("would be refused: <bdi>/title: "), "\(choice.1)")
    #expect(page.components(separatedBy: "would be refused: ").count == 2)
  }

  @Test("replaces an older page, and nothing else; writes no document")
  func writing() {
    let documents = [host["a"], host["b"]]
    host.pnmerge("review", "--html", "p.html", "a", "b")
    #expect(host.pnmerge("review", "--html", "p.html", "b", "a").status == .done)
    host.setText("mine.html", "<!DOCTYPE html><p>mine")
    for file in ["mine.html", "a"] {
      let before = host[file]
      let run = host.pnmerge("review", "--html", file, "a", "b")
      #expect(run.status == .cannotCreate && host[file] == before)
      #expect(run.errors.hasPrefix("pnmerge: \(file): exists and is not a page of pnmerge; "))
    }
    #expect([host["a"], host["b"]] == documents)
    for words in [["review", "--plain"], ["merge"]] {
      #expect(host.pnmerge(words + ["--html", "x", "a", "b"]).status == .usage && host["x"] == nil)
    }
  }

  @Test("what is left out of all copies is left out again when it is decided")
  func without() throws {
    host.pnmerge("set", "b", "/bad", "1", "--author", "eve", "--agent", "e")
    host.pnmerge("merge", "-q", "-o", "c", "b", "b")
    let agent = "000000000000000e"
    let run = host.pnmerge("review", "--html", "p.html", "--without", agent, "a", "b")
    #expect(run.status == .done, "\(run)")
    let page = String(decoding: try #require(host["p.html"]), as: UTF8.self)
    #expect(page.contains("pnmerge review --apply decisions.json --without \(agent) a b"))
    #expect(!page.contains("<bdi>eve") && page.contains("2 conflicts"))
    try PageMarkup(page).check()
    host.terminals = [.input, .error]
    host.answers = []
    #expect(host.pnmerge("merge", "-i", "--without", agent, "b").status == .done)
    #expect(host.pnmerge("cat", "b", "/bad").status == .different)
  }

  @Test("a folder of notes is one page and one file of decisions")
  func folders() throws {
    for folder in ["x", "y"] { try host.makeDirectory(FileName(folder), isPrivate: false) }
    for (copy, folder) in [("a", "x"), ("b", "y")] { host.copy(copy, "\(folder)/1.peernote") }
    host.pnmerge("new", "x/2.peernote", "--title", "0")
    host.copy("x/2.peernote", "y/2.peernote")
    for folder in ["x", "y"] {
      host.pnmerge("edit", "\(folder)/2.peernote", "--title", folder, "--author", folder)
    }
    let page = host.pnmerge("review", "--html", "-", "x", "y").output
    try PageMarkup(page).check()
    #expect(
      page.contains("3 conflicts") && page.contains("x/2.peernote: "), "\(page)")
    #expect(page.contains("pnmerge review --apply decisions.json x y"))
    #expect(page.matches(of: #/<section data-document/#).count == 2)
  }

  @Test("what has no page is refused with a line that says what to do instead")
  func refusals() throws {
    host.pnmerge("export", "a", "-o", "x.automerge", "--format", "automerge")
    host.copy("x.automerge", "y.automerge")
    try host.makeDirectory(FileName("d"), isPrivate: false)
    for (words, part) in [
      (["review", "--html", "p", "x.automerge", "y.automerge"], "without a review"),
      (["review", "--html", "p", "a", "y.automerge"], "pnmerge import y.automerge"),
      (["review", "--html", "p", "d", "d"], "is the same folder"),
      (["review", "--html", "p", "a", "d"], "give files only, or directories"),
      (["log", "--html", "p", "d"], "give a document in it"),
    ] {
      let run = host.pnmerge(words)
      #expect(run.status != .done && run.errors.contains(part), "\(words) \(run)")
      #expect(run.errors.split(separator: "\n").count == 1 && host["p"] == nil)
    }
  }

  @Test("whatever a document says is text on the page, and no markup")
  func hostileContent() throws {
    for (index, text) in Self.hostile.enumerated() {
      let json = String(
        decoding: DocumentNode.value(.string(text)).exactJSON.bytes(), as: UTF8.self)
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

  @Test("of a configuration the tree is shown with what changed, and what is beside it")
  func tree() throws {
    host.setText(
      "c.json",
      #"""
      {"name":"Panel","elements":[{"id":"gain","type":"slider","parameters":{"min":0,"max":10}},\#
      {"id":"mute","type":"switch"},{"id":"label","type":"text"}]}
      """#)
    host.pnmerge("new", "c", "--json-file", "c.json", "--author", "ada")
    host.copy("c", "d")
    host.pnmerge("set", "d", "/elements/0/parameters/max", "30", "--author", "bob")
    host.pnmerge("remove", "d", "/elements/1", "--author", "bob")
    host.pnmerge("insert", "d", "/elements/2", #"{"id":"<b>"}"#, "--author", "bob")
    let page = host.pnmerge("review", "--html", "-", "c", "d").output
    for part in [
      "<b><bdi>max</bdi></b> <div class=\"text t\" dir=\"auto\"><del>10</del> <ins>30</ins>",
      "<b><bdi>min</bdi></b> <span class=\"text t\">0</span>",
      "&quot;id&quot;: &quot;&lt;b&gt;&quot;",
      "<del>{\n  &quot;id&quot;: &quot;mute&quot;", "leave out elements, &quot;mute&quot;",
    ] { #expect(page.contains(part), "\(part) in \(page)") }
    try PageMarkup(page).check()
    // It stands where it would come back.
    let gone = try #require(page.range(of: "mute"))
    let next = try #require(page.range(of: "&quot;label&quot;"))
    #expect(gone.lowerBound < next.lowerBound)
  }

  @Test(
    "what is the same counts once, and shows or is said to be left out",
    arguments: [(1_200_000, "end"), (1_500_000, "1 part as before")])
  func largeContent(count: Int, sign: String) throws {
    let o = "\"o\":\"\(String(repeating: "x", count: count))\""
    host.setText("c.json", "{\"a\":{\"b\":{\"c\":{\"k\":1,\(o)}}},\(o),\"p\":{\(o)},\"z\":\"end\"}")
    host.pnmerge("new", "c", "--json-file", "c.json")
    host.copy("c", "d")
    host.pnmerge("set", "d", "/a/b/c/k", "2")
    #expect(host.pnmerge("review", "--html", "-", "c", "d").output.contains(sign))
  }
}
