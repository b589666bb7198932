import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/incoming.txt`.
@Suite("What comes in, place by place") struct IncomingPlacesTests {
  private let host = MemoryHost()

  @Test("long lists are cut, unless all is wanted")
  func cut() {
    let items = (0..<30).map { #"{"title":"Item \#($0)","done":false}"# }
    host.setText("l.json", #"{"list":[\#(items.joined(separator: ","))]}"#)
    host.pnmerge("new", "l", "--json-file", "l.json")
    host.copy("l", "k")
    let done = items.map { $0.replacing("false", with: "true") }
    host.setText("l.json", #"{"list":[\#(done.joined(separator: ","))]}"#)
    host.pnmerge("edit", "k", "--json-file", "l.json")
    func rows(_ options: String...) -> [String] {
      host.pnmerge(["merge", "-n"] + options + ["l", "k"]).output.split(separator: "\n")
        .filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
    }
    #expect(rows().count == 21 && rows().last == "and 10 more; --verbose shows them", "\(rows())")
    let long = rows("-v")
    #expect(long.count == 30 && long[0].hasPrefix(#"list, "Item 0", done: false became true"#))
  }
}
