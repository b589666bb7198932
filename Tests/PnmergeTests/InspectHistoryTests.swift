import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

/// What developers see of a history.
@Suite("inspect: operations and the graph")
struct InspectHistoryTests {
  private let host = MemoryHost()

  init() {
    host.setText("t", "one\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "t", "--author", "me", "--agent", "1")
    host.copy("a", "b")
    host.pnmerge("set", "a", "/list", "[1,2]", "--author", "me", "--agent", "2")
    host.pnmerge("insert", "a", "/list/-", "3", "--author", "me", "--agent", "2")
    host.setText("t", "one \"two\"\n")
    host.pnmerge("edit", "b", "--body-file", "t", "--author", "you & I", "--agent", "3")
    host.pnmerge("merge", "a", "b")
    host.pnmerge("remove", "a", "/list/0", "--author", "me", "--agent", "4")
  }

  @Test("operations are listed with what they say")
  func operations() throws {
    let run = host.pnmerge("inspect", "--operations", "a")
    #expect(run.status == .done)
    #expect(run.output.contains("    insert \"one\\n\" at 0 of 0000000000000001"), "\(run.output)")
    #expect(run.output.contains("    put a new list at \"list\" of root\n"))
    #expect(run.output.contains("    remove element 0000000000000002"))
    // Every operation stands there once, and all events are told of.
    let json = try JSONReader.value(
      in: Array(host.pnmerge("inspect", "--operations", "--json", "a").output.utf8))
    guard case .array(let changes) = json["changes"] else {
      Issue.record("there is no list of changes")
      return
    }
    let document = try Document(bytes: try #require(host["a"]))
    #expect(changes.count == document.changeCount)
    let listed = changes.compactMap { change -> Int? in
      guard case .array(let operations) = change["operations"] else { return nil }
      return operations.count
    }
    let made = try document.exportedChanges.map { $0.edits.reduce(0) { count, _ in count + 1 } }
    #expect(listed == made)
  }

  @Test("the graph joins changes in a row, and shows where they part")
  func graph() throws {
    let document = try Document(bytes: try #require(host["a"]))
    let graph = HistoryGraph(document.changes)
    // The start, two changes on one side, one on the other, and the one that saw both.
    #expect(graph.runs.map(\.count).sorted() == [1, 1, 1, 2])
    #expect(graph.runs.map(\.parents.count).sorted() == [0, 1, 1, 2])
    let dot = host.pnmerge("inspect", "--graph", "dot", "a").output
    #expect(dot.hasPrefix("digraph history {\n"))
    #expect(dot.split(separator: "\n").count { $0.contains(" -> ") } == 4)
    let svg = host.pnmerge("inspect", "--graph", "svg", "a").output
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("you &amp; I") && !svg.contains("you & I"))
    #expect(svg.components("<path ") == 4 && svg.components("<circle ") == 4)
  }

  @Test("forms that exclude each other, and documents without this history, are refused")
  func refusals() {
    #expect(host.pnmerge("inspect", "--graph", "dot", "--json", "a").status == .usage)
    #expect(host.pnmerge("inspect", "--graph", "png", "a").status == .usage)
    #expect(host.pnmerge("inspect", "--diag", "--operations", "a").status == .usage)
  }
}

extension String {
  /// How often a part stands in it.
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
