import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

@Suite("Lists that come back whole")
struct ListPairingTests {
  private let host = MemoryHost()

  private static let start = [
    #"{"t":"A","done":false}"#, #"{"t":"B","done":false}"#, #"{"t":"C","done":false}"#,
  ]

  private func start(_ elements: [String] = start) {
    host.setText("i.json", list(elements))
    host.pnmerge("import", "i.json", "-o", "a")
    host.copy("a", "b")
  }

  private func list(_ elements: [String]) -> String {
    #"{"l":["# + elements.joined(separator: ",") + "]}"
  }

  private func content(_ file: String) throws -> String {
    try host.content(file, "/l")
  }

  /// How whole content comes in.
  private static let ways = [
    ["import", "x.json", "-o", "a"], ["edit", "a", "--json-file", "x.json"],
    ["set", "a", "/l", "--value-file", "l.json"],
  ]

  /// One side's whole edit, merged with what the other does by path, in both orders.
  private func merged(_ way: [String], _ elements: [String], _ edit: String...) throws -> String {
    start()
    host.setText("x.json", list(elements))
    host.setText("l.json", "[" + elements.joined(separator: ",") + "]")
    let run = host.pnmerge(way.map { Array($0.utf8) })
    #expect(run.status == .done, "\(run.errors)")
    host.pnmerge((edit + ["--author", "Y"]).map { Array($0.utf8) })
    host.copy("b", "c")
    #expect(host.pnmerge("merge", "c", "a").status == .done)
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    #expect(host["a"] == host["c"])
    return try content("a")
  }

  @Test("an element to which both sides add much stays one", arguments: ways)
  func grown(way: [String]) throws {
    let found = try merged(
      way,
      [#"{"t":"A","done":false,"where":"at the corner table of the old harbour inn"}"#]
        + Self.start[1...],
      "set", "b", "/l/0/notes", #""somebody has to bring the cake and the candles""#)
    #expect(found.split(separator: "A").count == 2, "\(found)")
    #expect(found.contains("harbour inn") && found.contains("candles"), "\(found)")
  }

  @Test("an element that is edited below a new one is not taken for that", arguments: ways)
  func insertion(way: [String]) throws {
    let found = try merged(
      way,
      [Self.start[0], #"{"t":"New","done":false}"#, #"{"t":"B","done":true}"#, Self.start[2]],
      "set", "b", "/l/1/note", "\"n\"")
    #expect(
      found == #"[{"t":"A","done":false},{"t":"New","done":false},"#
        + #"{"t":"B","done":true,"note":"n"},{"t":"C","done":false}]"#)
  }

  @Test("an element that is edited below one that goes is not taken for that", arguments: ways)
  func removal(way: [String]) throws {
    let found = try merged(
      way, [#"{"t":"B","done":true}"#, Self.start[2]], "set", "b", "/l/0/note", "\"n\"")
    // What Y wrote to the element that X removed keeps it.
    #expect(
      found == #"[{"t":"A","done":false,"note":"n"},{"t":"B","done":true},{"t":"C","done":false}]"#)
    #expect(host.pnmerge("conflicts", "a").output.contains("/l/0"))
  }

  @Test("elements that are swapped and both edited stay themselves", arguments: ways)
  func swap(way: [String]) throws {
    let found = try merged(
      way, [#"{"t":"B","done":true}"#, #"{"t":"A","done":true}"#, Self.start[2]],
      "set", "b", "/l/0/note", "\"n\"")
    #expect(
      found == #"[{"t":"B","done":true},{"t":"A","done":true,"note":"n"},{"t":"C","done":false}]"#)
  }

  @Test("an element that is replaced by an unlike one is another element", arguments: ways)
  func replacement(way: [String]) throws {
    let found = try merged(
      way, [Self.start[0], #"{"t":"Quite different","done":false}"#, Self.start[2]],
      "set", "b", "/l/1/note", "\"n\"")
    #expect(found.contains(#"{"t":"B","done":false,"note":"n"}"#))
    #expect(found.contains(#"{"t":"Quite different","done":false}"#))
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  @Test(
    "of equal elements those at the same place are the same",
    arguments: [
      ("0", "8", "7", "6", "5"), ("null", "\"mo\"", "\"we\"", "\"fr\"", "\"tu\""),
      (#"{"h":0}"#, #"{"h":8}"#, #"{"h":7}"#, #"{"h":6}"#, #"{"h":5}"#),
      ("[0,0]", "[8,0]", "[7,0]", "[6,0]", "[5,0]"),
    ])
  func equalElements(
    _ zero: String, _ first: String, _ third: String, _ fifth: String, _ own: String
  ) throws {
    start([String](repeating: zero, count: 7))
    host.setText("x.json", list([first, zero, third, zero, fifth, zero, zero]))
    host.pnmerge("edit", "a", "--json-file", "x.json")
    host.pnmerge("set", "b", "/l/1", own, "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let wanted = [first, own, third, zero, fifth, zero, zero].joined(separator: ",")
    #expect(try content("a") == "[\(wanted)]")
    // One more at the end.
    host.setText("x.json", list([first, own, third, zero, fifth, zero, own, zero]))
    host.pnmerge("edit", "a", "--json-file", "x.json")
    host.pnmerge("set", "b", "/l/3", third, "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let more = [first, own, third, third, fifth, zero, own, zero].joined(separator: ",")
    #expect(try content("a") == "[\(more)]")
  }

  @Test("an element that is moved and edited stays itself, in doubt")
  func movedAndEdited() throws {
    let station = #"{"t":"Station","b":"We meet at the station at eight in the morning."}"#
    let hotel = #"{"t":"Hotel","b":"The hotel wants the names of all guests."}"#
    let museum = #"{"t":"Museum","b":"Open until nine; tickets good for the tower, too."}"#
    start([station, hotel, museum])
    let edited = station.replacing("Station", with: "Station (main)")
    host.setText("x.json", list([hotel, museum, edited]))
    let run = host.pnmerge("edit", "a", "--json-file", "x.json")
    #expect(run.output.contains("in doubt: /l/2 was taken for"), "\(run.output)")
    host.pnmerge("set", "b", "/l/0/n", "1", "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let found = try content("a")
    #expect(found.split(separator: "We meet").count == 2, "\(found)")
    #expect(found.contains(#""n":1"#), "\(found)")
  }

  @Test("an element in doubt is named by its place in the file that is imported")
  func importedDoubt() {
    let station = #"{"t":"Station","b":"We meet at the station at eight in the morning."}"#
    let hotel = #"{"t":"Hotel","b":"The hotel wants the names of all guests."}"#
    start([station, hotel])
    host.pnmerge("export", "a", "-o", "x.json")
    host.pnmerge("insert", "a", "/l/0", #"{"t":"Ferry"}"#)
    host.setText("x.json", list([hotel, station.replacing("Station", with: "Station (main)")]))
    let run = host.pnmerge("import", "x.json", "-o", "a")
    #expect(run.output.contains("in doubt: /l/1 of x.json was taken for"), "\(run.output)")
  }

  @Test("an element of which one long member is written anew stays one")
  func longMember() throws {
    let (rent, gas) = (#"{"t":"Rent","n":4}"#, #"{"t":"Gas","n":9}"#)
    start([rent, #"{"t":"Phone","n":7,"c":"call them"}"#, gas])
    let wanted = #"{"t":"Phone","n":7,"c":"The contract ends in May: cancel before the first."}"#
    host.setText("x.json", list([rent, wanted, gas]))
    let run = host.pnmerge("edit", "a", "--json-file", "x.json")
    #expect(run.output == "a: changed /l/1/c\n")
    host.pnmerge("set", "b", "/l/1/paid", "true")
    host.pnmerge("merge", "a", "b")
    let found = try content("a")
    #expect(found.contains("cancel before") && found.contains(#""paid":true"#), "\(found)")
    #expect(found.split(separator: "Phone").count == 2, "\(found)")
  }

  @Test("of strings the one that is like it is edited")
  func strings() throws {
    start([#""Buy milk""#, #""Call Bob""#, #""Sleep""#])
    host.setText(
      "x.json", list([#""Read""#, #""Buy oat milk""#, #""Call Bob today""#, #""Sleep""#]))
    #expect(
      host.pnmerge("import", "x.json", "-o", "a").output == "a: changed /l/0, /l/1 and /l/2\n")
    host.pnmerge("remove", "b", "/l/2")
    host.pnmerge("move", "b", "/l/1", "/l/0")
    host.pnmerge("merge", "a", "b")
    #expect(try content("a") == #"["Read","Call Bob today","Buy oat milk"]"#)
  }

  @Test("lists of numbers are edited in place")
  func numbers() throws {
    start(["10", "20", "30"])
    host.setText("x.json", list(["10", "25", "30"]))
    host.pnmerge("edit", "a", "--json-file", "x.json")
    host.setText("x.json", list(["10", "22", "30"]))
    host.pnmerge("edit", "b", "--json-file", "x.json", "--author", "Y")
    host.pnmerge("merge", "a", "b")
    #expect(try content("a") == "[10,22,30]")
    #expect(host.pnmerge("conflicts", "a").status == .different)
  }

  @Test("where it is in doubt which element is meant, that is said")
  func doubt() {
    start([#"{"t":"Call Bob","n":1}"#, #"{"t":"Call Bob","n":2}"#])
    host.setText("x.json", list([#"{"t":"Call Bob","n":3}"#]))
    let run = host.pnmerge("edit", "a", "--json-file", "x.json")
    #expect(run.output.contains("  in doubt: /l/0 was taken for {\"n\":"), "\(run.output)")
    host.setText("x.json", list([#"{"t":"Call Bob","n":4}"#]))
    #expect(!host.pnmerge("edit", "a", "--json-file", "x.json").output.contains("doubt"))
  }

  @Test("one element at the front is one difference")
  func difference() throws {
    let many = (0..<500).map { #"{"t":"task \#($0)","n":\#($0)}"# }
    start(many)
    host.setText("x.json", list([#"{"t":"first"}"#] + many))
    #expect(host.pnmerge("edit", "a", "--json-file", "x.json").output == "a: changed /l/0\n")
    func differences() throws -> String {
      let json = try JSONReader.value(
        in: Array(host.pnmerge("diff", "--json", "b", "a").output.utf8))
      return String(decoding: (json["differences"] ?? .null).bytes(), as: UTF8.self)
    }
    #expect(
      try differences()
        == #"[{"path":"/l/0","b":{"t":"first"}}]"#)
    host.copy("b", "a")
    host.pnmerge("move", "a", "/l/499", "/l/0")
    host.pnmerge("set", "a", "/l/3/n", "7")
    host.pnmerge("remove", "a", "/l/2")
    let found = try differences()
    #expect(found.contains(#"{"path":"/l/0","from":"/l/499","a":{"#), "\(found)")
    #expect(found.contains(#"{"path":"/l/1","a":{"#), "\(found)")
    #expect(found.contains(#"{"path":"/l/2/n","a":2,"b":7}"#), "\(found)")
  }

  @Test("an element that was cut, put back and edited meanwhile is contested, and can be one again")
  func cutAndPutBack() throws {
    start([#"{"id":1,"n":1}"#, #"{"id":2,"n":2}"#])
    host.pnmerge("remove", "a", "/l/0")
    host.pnmerge("insert", "a", "/l/-", #"{"id":1,"n":1}"#)
    host.pnmerge("set", "b", "/l/0/n", "7")
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "--json", "a").output.contains("same-identity"))
    let run = host.pnmerge("resolve", "a", "/l/0", "--take", "both")
    #expect(run.status == .done, "\(run)")
    #expect(try content("a").matches(of: #/"id":1/#).count == 1)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("an element that two people bring back in different ways is contested")
  func broughtBackTwice() throws {
    start([#"{"id":1,"n":1}"#, #"{"id":2,"n":2}"#])
    host.pnmerge("export", "a", "-o", "old.json")
    let version = try Document(bytes: host["a"] ?? []).heads[0].description
    host.pnmerge("remove", "a", "/l/0")
    host.pnmerge("merge", "b", "a")
    host.pnmerge("restore", "a", "--at", version)
    host.pnmerge("edit", "b", "--json-file", "old.json")
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "--json", "a").output.contains("same-identity"))
    host.pnmerge("resolve", "a", "--all", "--take", "both")
    #expect(try content("a").matches(of: #/"id":1/#).count == 1)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("one identity inserted on both sides is contested until it is settled")
  func sameIdentity() throws {
    start([#"{"id":1,"t":"one"}"#])
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"t":"seven","x":1}"#, "--author", "X")
    host.pnmerge("insert", "b", "/l/0", #"{"id":7,"t":"VII","y":2}"#, "--author", "Y")
    host.copy("a", "c")
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.output.contains("1 conflict (double insertion)"), "\(run.output)")
    #expect(run.output.contains("inserted on both sides: /l/0 {"), "\(run.output)")
    host.pnmerge("merge", "b", "c")
    #expect(host["a"] == host["b"])
    let listed = host.pnmerge("conflicts", "a")
    #expect(listed.status == .different)
    #expect(listed.output.hasPrefix("/l/0\n"))
    #expect(listed.output.contains("resolve a /l/0 --take both\n"))
    let json = host.pnmerge("conflicts", "--json", "a").output
    #expect(json.contains(#""kind":"same-identity""#) || json.contains(#""kind": "same-identity""#))
    for path in ["/l/0", "/l/2"] {
      host.copy("b", "a")
      let run = host.pnmerge("resolve", "a", path, "--take", "both")
      #expect(run.status == .done)
      #expect(run.output == "a: resolved \(path)\n  /l/0/t is \"VII\", not \"seven\"\n")
      #expect(try content("a") == #"[{"t":"VII","x":1,"y":2,"id":7},{"t":"one","id":1}]"#)
      #expect(host.pnmerge("conflicts", "a").status == .done)
    }
    host.copy("b", "c")
    let whole = host.pnmerge("resolve", "c", "--all", "--take", "both")
    #expect(
      whole.output == "c: resolved 1 of 1\n  /l/0/t is \"VII\", not \"seven\"\n")
    // A stale copy brings nothing of it back.
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    // One of the two, or another value.
    let name = try #require(
      try Document(bytes: host["b"] ?? []).conflicts.first?.others.first?.change.description)
    host.copy("b", "a")
    host.pnmerge("resolve", "a", "/l/0", "--take", name)
    #expect(try content("a") == #"[{"t":"seven","x":1,"id":7},{"t":"one","id":1}]"#)
    host.copy("b", "a")
    host.pnmerge("resolve", "a", "/l/0", "--value", #"{"id":7,"t":"7"}"#)
    #expect(try content("a") == #"[{"t":"7","id":7},{"t":"one","id":1}]"#)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test(
    "the next whole edit joins elements with one identity of which no value differs",
    arguments: ways)
  func joining(way: [String]) throws {
    start([#"{"id":1,"t":"one"}"#])
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"t":"VII","x":1}"#, "--author", "X")
    host.pnmerge("insert", "b", "/l/0", #"{"id":7,"t":"VII","y":2}"#, "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let wanted = [
      #"{"id":7,"t":"VII","y":2}"#, #"{"id":1,"t":"ONE"}"#, #"{"id":7,"t":"VII","x":1}"#,
    ]
    host.setText("x.json", list(wanted))
    host.setText("l.json", "[" + wanted.joined(separator: ",") + "]")
    #expect(host.pnmerge(way.map { Array($0.utf8) }).status == .done)
    #expect(try content("a") == #"[{"t":"VII","x":1,"y":2,"id":7},{"t":"ONE","id":1}]"#)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test(
    "a whole edit of something else drops no value of elements with one identity", arguments: ways)
  func differing(way: [String]) throws {
    start([#"{"id":1,"t":"one"}"#])
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"v":4,"x":1}"#, "--author", "X")
    host.pnmerge("insert", "b", "/l/0", #"{"id":7,"v":3,"y":2}"#, "--author", "Y")
    host.pnmerge("merge", "a", "b")
    let wanted = [#"{"id":7,"v":3,"y":2}"#, #"{"id":1,"t":"ONE"}"#, #"{"id":7,"v":4,"x":1}"#]
    host.setText("x.json", list(wanted))
    host.setText("l.json", "[" + wanted.joined(separator: ",") + "]")
    #expect(host.pnmerge(way.map { Array($0.utf8) }).status == .done)
    #expect(
      try content("a") == #"[{"v":3,"y":2,"id":7},{"t":"ONE","id":1},{"v":4,"x":1,"id":7}]"#)
    #expect(host.pnmerge("conflicts", "a").output.hasPrefix("/l/0\n"))
    // An import without one of them may be of a version before the merge.
    if way[0] == "import" { return }
    // Who leaves one of them out has decided.
    host.setText("x.json", list(Array(wanted.prefix(2))))
    host.setText("l.json", "[" + wanted.prefix(2).joined(separator: ",") + "]")
    #expect(host.pnmerge(way.map { Array($0.utf8) }).status == .done)
    #expect(try content("a") == #"[{"v":3,"y":2,"id":7},{"t":"ONE","id":1}]"#)
    #expect(host.pnmerge("conflicts", "a").status == .done)
  }

  @Test("elements with one identity that one person made, or under another key, are no conflict")
  func uncontested() throws {
    start([#"{"id":1,"sku":"A"}"#])
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"sku":"B"}"#)
    host.pnmerge("insert", "a", "/l/-", #"{"id":7,"sku":"C"}"#)
    host.pnmerge("insert", "b", "/l/-", #"{"id":8,"sku":"B"}"#)
    host.pnmerge("merge", "a", "b")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    let listed = host.pnmerge("conflicts", "a", "--identity", "sku")
    #expect(listed.status == .different)
    #expect(listed.output.contains("pnmerge resolve --identity sku a /l/1 --take both\n"))
    #expect(host.pnmerge("resolve", "a", "/l/1", "--take", "both").status == .usage)
    #expect(
      host.pnmerge("resolve", "a", "/l/1", "--take", "both", "--identity", "sku").status == .done)
    #expect(host.pnmerge("conflicts", "a", "--identity", "sku").status == .done)
  }

  @Test("what both sides put in one place is united")
  func containers() throws {
    host.pnmerge("new", "a", "--title", "T")
    host.copy("a", "b")
    for (key, left, right) in [
      ("set", #"{"$set":["x"]}"#, #"{"$set":["y"]}"#),
      (
        "map", #"{"x":1,"l":[0,{"id":5,"v":1}],"z":{"$set":[1]}}"#,
        #"{"y":2,"l":[{"id":5,"v":2}],"z":{"$set":[2]}}"#
      ),
      ("count", #"{"$counter":3}"#, #"{"$counter":4}"#),
      ("text", #"{"$text":"one\n"}"#, #"{"$text":"two\n"}"#),
      ("list", #"["a","b"]"#, #"["b","c"]"#), ("mixed", "[1]", "{}"),
    ] {
      host.pnmerge("set", "a", "/\(key)", left, "--author", "X")
      host.pnmerge("set", "b", "/\(key)", right, "--author", "Y")
    }
    host.pnmerge("merge", "a", "b")
    for (key, united) in [
      ("set", #"{"$set":["x","y"]}"#),
      ("map", #"{"l":[0,{"v":2,"id":5}],"x":1,"y":2,"z":{"$set":[1,2]}}"#),
      ("count", #"{"$counter":7}"#), ("text", #"{"$text":"two\none\n"}"#),
      ("list", #"["a","b","c"]"#),
    ] {
      let run = host.pnmerge("resolve", "a", "/\(key)", "--take", "both")
      #expect(run.status == .done, "\(run.errors)")
      #expect(run.output.contains("/map/l/1/v is 2, not 1") == (key == "map"), "\(run.output)")
      let json = try JSONReader.value(
        in: Array(host.pnmerge("cat", "a", "/\(key)", "--exact").output.utf8))
      #expect(String(decoding: json.bytes(), as: UTF8.self) == united)
    }
    let run = host.pnmerge("resolve", "a", "/mixed", "--take", "both")
    #expect(run.status == .usage)
    #expect(run.errors.contains("no side is called \"both\" at /mixed"))
  }
}
