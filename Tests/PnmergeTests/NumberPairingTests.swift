import PnmergeCommands
import Testing

@Suite("Lists of what has no words that come back whole")
struct NumberPairingTests {
  private let host = MemoryHost()

  /// How whole content comes in.
  private static let ways = [
    ["import", "x.json", "-o", "a"], ["edit", "a", "--json-file", "x.json"],
    ["set", "a", "/l", "--value-file", "l.json"],
  ]

  private func start(_ list: String) {
    host.setText("i.json", #"{"l":\#(list)}"#)
    host.pnmerge("import", "i.json", "-o", "a")
    host.copy("a", "b")
  }

  /// Brings a list in whole, and says what was said.
  private func bring(_ list: String, _ way: [String] = ways[1]) -> String {
    host.setText("x.json", #"{"l":\#(list)}"#)
    host.setText("l.json", list)
    let run = host.pnmerge(way.map { Array($0.utf8) })
    #expect(run.status == .done, "\(run.errors)")
    return run.output
  }

  /// One side's whole edit, merged with a value that the other sets, in both orders.
  private func merged(
    _ way: [String], _ old: String, _ new: String, _ path: String, _ value: String
  ) throws -> (list: String, said: String) {
    start(old)
    let said = bring(new, way)
    host.pnmerge("set", "b", path, value, "--author", "Y")
    host.copy("b", "c")
    #expect(host.pnmerge("merge", "c", "a").status == .done)
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    #expect(host["a"] == host["c"])
    return (try host.content("a", "/l"), said)
  }

  @Test(
    "what is written to a row of numbers that goes is not found in one that comes",
    arguments: ways)
  func days(way: [String]) throws {
    let found = try merged(
      way, #"[{"day":1,"amount":12.5},{"day":2,"amount":30}]"#,
      #"[{"day":2,"amount":31},{"day":3,"amount":5}]"#, "/l/0/note", "\"n\"")
    #expect(
      found.list == #"[{"day":1,"note":"n","amount":12.5},{"day":2,"amount":31},"#
        + #"{"day":3,"amount":5}]"#)
    #expect(!found.said.contains("doubt"), "\(found.said)")
    #expect(host.pnmerge("conflicts", "a").output.contains("/l/0"))
  }

  @Test("a row of which nothing stayed is another one, though it is the only one", arguments: ways)
  func onlyRow(way: [String]) throws {
    let found = try merged(way, #"[{"n":1}]"#, #"[{"n":2}]"#, "/l/0/note", "\"n\"")
    #expect(found.list == #"[{"n":2},{"n":1,"note":"n"}]"#)
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  @Test(
    "rows of which every one has another measure stay themselves by their time",
    arguments: ways)
  func measures(way: [String]) throws {
    let found = try merged(
      way, #"[{"t":1,"v":2},{"t":2,"v":2},{"t":3,"v":4}]"#,
      #"[{"t":0,"v":2},{"t":1,"v":5},{"t":2,"v":1},{"t":3,"v":2}]"#, "/l/1/note", "\"n\"")
    #expect(
      found.list
        == #"[{"t":0,"v":2},{"t":1,"v":5},{"t":2,"v":1,"note":"n"},{"t":3,"v":2}]"#)
    #expect(!found.said.contains("doubt"), "\(found.said)")
  }

  @Test("rows of which more than half changed are others", arguments: ways)
  func wideRows(way: [String]) throws {
    let found = try merged(
      way, #"[{"a":2,"b":3,"c":4,"t":1},{"a":2,"b":5,"c":4,"t":2}]"#,
      #"[{"a":12,"b":13,"c":14,"t":2},{"a":12,"b":15,"c":14,"t":3}]"#, "/l/1/note", "\"n\"")
    #expect(
      found.list
        == #"[{"a":12,"b":13,"c":14,"t":2},{"a":12,"b":15,"c":14,"t":3},"#
        + #"{"a":2,"b":5,"c":4,"t":2,"note":"n"}]"#)
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  /// A list, what it becomes, what is in it after a note on its first element, and where that is.
  private static let unlike = [
    [
      #"[{"n":1,"done":false},{"n":2,"done":false}]"#,
      #"[{"n":3,"done":false},{"n":2,"done":false}]"#,
      #"{"n":3,"done":false}"#, #"{"n":1,"done":false,"note":"n"}"#,
    ],
    [
      #"[{"k":7,"n":1},{"k":7,"n":2}]"#, #"[{"k":7,"n":3},{"k":7,"n":2}]"#,
      #"{"k":7,"n":3}"#, #"{"k":7,"n":1,"note":"n"}"#,
    ],
    [
      #"[{"done":true},{"done":false}]"#, #"[{"done":null},{"done":false}]"#,
      #"{"done":null}"#, #"{"done":true,"note":"n"}"#,
    ],
  ]

  @Test(
    "what all elements have in common, or truth values, make no two the same",
    arguments: ways, unlike)
  func common(way: [String], lists: [String]) throws {
    let found = try merged(way, lists[0], lists[1], "/l/0/note", "\"n\"")
    #expect(found.list.contains(lists[2]), "\(found.list)")
    #expect(found.list.contains(lists[3]), "\(found.list)")
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  @Test("of two elements with one truth value the one that has another now is another one")
  func flags() throws {
    let found = try merged(
      Self.ways[1], #"[{"done":true},{"done":true}]"#, #"[{"done":true},{"done":false}]"#,
      "/l/1/note", "\"n\"")
    #expect(found.list.contains(#"{"done":true,"note":"n"}"#), "\(found.list)")
    #expect(found.list.contains(#"{"done":false}"#), "\(found.list)")
  }

  /// Rows, what they become, where the other side writes a 9, and what they are then.
  private static let rows = [
    ["[[1,2],[3,4]]", "[[1,2],[3,5]]", "/l/1/0", "[[1,2],[9,5]]"],
    ["[[1,2],[3,4]]", "[[8,8],[1,7],[3,6]]", "/l/1/0", "[[8,8],[1,7],[9,6]]"],
    [
      "[[1,0,0],[0,1,0],[0,0,1]]", "[[2,0,0],[0,2,0],[0,0,2]]", "/l/1/0",
      "[[2,0,0],[9,2,0],[0,0,2]]",
    ],
    ["[[0,0],[0,10],[10,10]]", "[[0,0],[1,10],[10,10]]", "/l/1/1", "[[0,0],[1,9],[10,10]]"],
  ]

  @Test("rows of numbers stay themselves while half of them does", arguments: ways, rows)
  func matrix(way: [String], lists: [String]) throws {
    #expect(try merged(way, lists[0], lists[1], lists[2], "9").list == lists[3])
  }

  @Test(
    "one cell of a matrix is one change, and never in doubt, however common its numbers are",
    arguments: ways,
    [
      ("[[0,0],[0,0],[0,0],[0,0]]", "[[0,1],[0,0],[0,0],[0,0]]", "/l/0/1"),
      ("[[0,0],[0,0],[0,0],[0,0]]", "[[0,0],[0,0],[0,1],[0,0]]", "/l/2/1"),
      ("[[0,0],[1,1],[0,1],[0,0]]", "[[0,0],[1,1],[0,1],[1,0]]", "/l/3/0"),
      ("[[1,5],[2,5],[3,5]]", "[[1,5],[7,5],[3,5]]", "/l/1/0"),
      ("[[false,true],[true,true]]", "[[true,true],[true,true]]", "/l/0/0"),
    ])
  func oneCell(way: [String], rows: (old: String, new: String, path: String)) {
    start(rows.old)
    let said = bring(rows.new, way)
    #expect(said == (way[0] == "set" ? "a: set /l\n" : "a: changed \(rows.path)\n"))
  }

  @Test(
    "a value in a row, or a number or truth value itself, is one change",
    arguments: [
      ["[[1,2],[3,4]]", "[[1,2],[3,5]]", "/l/1/1"], ["[1,2,3]", "[1,5,3]", "/l/1"],
      ["[true,false]", "[true,true]", "/l/1"],
    ])
  func oneValue(lists: [String]) {
    start(lists[0])
    #expect(bring(lists[1]) == "a: changed \(lists[2])\n")
  }

  @Test("a row of which half stayed is the same, whichever half")
  func changedKey() {
    start(#"[{"day":1,"amount":5.5},{"day":2,"amount":7}]"#)
    let said = bring(#"[{"day":3,"amount":5.5},{"day":2,"amount":8}]"#)
    #expect(said == "a: changed /l/0/day and /l/1/amount\n")
  }

  @Test("rows that are like many others keep their places among those that stay, which is said")
  func commonRows() {
    let rows = (0..<40).map { "[\($0 & 1),\($0 >> 1 & 1),\($0 >> 2 & 1)]" }
    start("[" + rows.joined(separator: ",") + "]")
    var changed = rows
    changed[20] = "[5,0,1]"
    changed[21] = "[6,0,1]"
    let said = bring("[" + changed.joined(separator: ",") + "]")
    #expect(said.hasPrefix("a: changed /l/20/0 and /l/21/0\n"), "\(said)")
    #expect(said.contains("in doubt: /l/20 was taken for "), "\(said)")
  }
}
