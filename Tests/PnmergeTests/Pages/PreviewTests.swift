import Foundation
import Peernote
import PnmergeCommands
import Testing

/// What a merge makes of a configuration document, before it is written.
@Suite("Previews of configuration documents") struct PreviewTests {
  private let host = MemoryHost()

  /// Two copies of a panel: a parameter changed, an element added, one removed.
  init() {
    host.setText(
      "i.json",
      #"""
      {"name":"Panel","elements":[{"id":"gain","type":"slider","parameters":{"min":0,"max":10}},\#
      {"id":"mute","type":"switch"},{"id":"label","type":"text"}]}
      """#)
    host.setText(
      "s.json",
      #"""
      {"properties":{"elements":{"items":{"properties":{"type":{"enum":["slider","switch","text"]},\#
      "parameters":{"properties":{"max":{"maximum":20}}}}}}}}
      """#)
    host.pnmerge("new", "a", "--json-file", "i.json", "--author", "ada")
    host.copy("a", "b")
    host.pnmerge("set", "b", "/elements/0/parameters/max", "30", "--author", "bob")
    host.pnmerge("remove", "b", "/elements/1", "--author", "bob")
    host.pnmerge(
      "insert", "b", "/elements/2", #"{"id":"knob<b>","type":"dial","parameters":{"min":1}}"#,
      "--author", "bob")
  }

  private func page(_ words: String...) throws -> String {
    let run = host.pnmerge(["review", "--html", "p.html"] + words + ["a", "b"])
    #expect(run.status == .done, "\(run)")
    return String(decoding: try #require(host["p.html"]), as: UTF8.self)
  }

  @Test("the page shows the tree with what changed, and what is beside it")
  func tree() throws {
    let page = try page()
    let tree = try #require(page.components(separatedBy: "<pre class=\"tree\">").last)
      .components(separatedBy: "</pre>")[0]
    let lines = tree.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "<b> </b> <bdi>name</bdi>: <bdi>&quot;Panel&quot;</bdi>",
        "<b> </b> <bdi>elements</bdi>",
        "<b> </b>   <bdi>&quot;gain&quot;</bdi>",
        "<b> </b>     <bdi>id</bdi>: <bdi>&quot;gain&quot;</bdi>",
        "<b> </b>     <bdi>type</bdi>: <bdi>&quot;slider&quot;</bdi>",
        "<b> </b>     <bdi>parameters</bdi>",
        "<b>~</b>       <bdi>max</bdi>: <del><bdi>10</bdi></del> <ins><bdi>30</bdi></ins>",
        "<b> </b>       <bdi>min</bdi>: <bdi>0</bdi>",
        "<b>+</b>   <bdi>&quot;knob&lt;b&gt;&quot;</bdi>",
        "<b>+</b>     <bdi>id</bdi>: <ins><bdi>&quot;knob&lt;b&gt;&quot;</bdi></ins>",
        "<b>+</b>     <bdi>type</bdi>: <ins><bdi>&quot;dial&quot;</bdi></ins>",
        "<b>+</b>     <bdi>parameters</bdi>",
        "<b>+</b>       <bdi>min</bdi>: <ins><bdi>1</bdi></ins>",
        "<b>-</b>   <bdi>&quot;mute&quot;</bdi>: "
          + "<del><bdi>{&quot;id&quot;:&quot;mute&quot;,&quot;type&quot;:&quot;switch&quot;}"
          + "</bdi></del>",
        "<b> </b>   <bdi>1 part as before</bdi>",
      ], "\(tree)")
    #expect(!page.contains("Against the schema"))
    try PageMarkup(page).check()
  }

  @Test("what a schema would refuse stands at its place, and by itself")
  func schema() throws {
    let page = try page("--schema", "s.json")
    #expect(page.contains("Against the schema") && page.contains("this would be refused:"))
    for place in ["/elements/0/parameters/max: ", "/elements/2/type: "] {
      #expect(page.contains("<li><bdi>\(place)"), "\(page)")
    }
    #expect(page.components(separatedBy: ">would be refused: ").count == 3)
    try PageMarkup(page).check()
    // What was so before is no news.
    host.pnmerge("set", "a", "/elements/2/type", "\"odd\"")
    let other = try self.page("--schema", "s.json")
    #expect(other.components(separatedBy: ">would be refused: ").count == 3)
    host.setText("t.json", "{}")
    #expect(try self.page("--schema", "t.json").contains("nothing of it would be refused"))
  }

  @Test("the review in the terminal shows the same tree before it writes")
  func terminal() {
    host.terminals = [.input, .error]
    host.answers = ["n"]
    let run = host.pnmerge("review", "--plain", "a", "b")
    for line in [
      "  ~       max: 10 became 30\n", "  +   \"knob<b>\"\n", "  -   \"mute\": removed; ",
    ] {
      #expect(run.errors.contains(line), "\(line) in \(run.errors)")
    }
  }
}
