import Peernote
import PeernoteTestSupport
import Testing

/// One person brings in a whole list, and another one edits it by path: which element is which is told
/// by identity, by equality, then by how like they are.
@Suite("Lists that come back whole")
struct WholeListTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var about: String
    var old: String
    /// What one person makes of the whole list.
    var new: String
    /// What the other one does.
    var beside: [TreeEdit]
    var wanted: String
    var contested: [String] = []
    var inDoubt: [String] = []

    var testDescription: String { about }
  }

  @Test("merge with what others do to their elements", arguments: words + numbers + rows)
  func merging(_ each: Case) throws {
    var (ours, theirs) = (
      try Document(holding: #"{"l":\#(each.old)}"#), try Document(holding: #"{"l":\#(each.old)}"#)
    )
    let doubts = try ours.edit([.set("/l", each.new)], by: 2)
    try theirs.edit(each.beside, by: 3)
    let merged = try TwoCopies(ours, theirs).merged()
    #expect(merged.json("/l") == each.wanted)
    #expect(merged.conflicts.map(\.path.description) == each.contested)
    #expect(doubts == each.inDoubt)
  }

  private static let start =
    #"[{"t":"A","done":false},{"t":"B","done":false},{"t":"C","done":false}]"#

  private static func note(_ path: String) -> [TreeEdit] { [.set(path + "/note", #""n""#)] }

  private static let words = [
    Case(
      about: "elements with an identity stay themselves, and are edited and moved",
      old: #"[{"id":1,"t":"one"},{"id":2,"t":"two"},{"id":3,"t":"three"}]"#,
      new: #"[{"id":3,"t":"three"},{"id":4,"t":"four"},{"id":1,"t":"ONE"}]"#,
      beside: [.set("/l/2/t", #""III""#), .set("/l/0/note", #""loud""#)],
      wanted: #"[{"t":"III","id":3},{"t":"four","id":4},{"t":"ONE","id":1,"note":"loud"}]"#),
    Case(
      about: "an element to which both sides add much stays one",
      old: start,
      new: #"""
        [{"t":"A","done":false,"where":"at the corner table of the old harbour inn"},
        {"t":"B","done":false},{"t":"C","done":false}]
        """#,
      beside: [.set("/l/0/notes", #""somebody has to bring the cake and the candles""#)],
      wanted: #"[{"t":"A","done":false,"notes":"somebody has to bring the cake and the candles","#
        + #""where":"at the corner table of the old harbour inn"},"#
        + #"{"t":"B","done":false},{"t":"C","done":false}]"#),
    Case(
      about: "an element that is edited below a new one is not taken for that",
      old: start,
      new: #"""
        [{"t":"A","done":false},{"t":"New","done":false},{"t":"B","done":true},
        {"t":"C","done":false}]
        """#,
      beside: note("/l/1"),
      wanted: #"[{"t":"A","done":false},{"t":"New","done":false},"#
        + #"{"t":"B","done":true,"note":"n"},{"t":"C","done":false}]"#),
    Case(
      about: "an element that is edited below one that goes is not taken for that",
      old: start, new: #"[{"t":"B","done":true},{"t":"C","done":false}]"#, beside: note("/l/0"),
      // What the other one wrote to the element that went keeps it.
      wanted: #"[{"t":"A","done":false,"note":"n"},{"t":"B","done":true},{"t":"C","done":false}]"#,
      contested: ["/l/0"]),
    Case(
      about: "elements that are swapped and both edited stay themselves",
      old: start, new: #"[{"t":"B","done":true},{"t":"A","done":true},{"t":"C","done":false}]"#,
      beside: note("/l/0"),
      wanted: #"[{"t":"B","done":true},{"t":"A","done":true,"note":"n"},{"t":"C","done":false}]"#),
    Case(
      about: "an element that is replaced by an unlike one is another element",
      old: start,
      new: #"[{"t":"A","done":false},{"t":"Quite different","done":false},{"t":"C","done":false}]"#,
      beside: note("/l/1"),
      wanted: #"[{"t":"A","done":false},{"t":"Quite different","done":false},"#
        + #"{"t":"B","done":false,"note":"n"},{"t":"C","done":false}]"#,
      contested: ["/l/2"]),
    Case(
      about: "an element that is moved and edited stays itself, in doubt",
      old: #"""
        [{"t":"Station","b":"We meet at the station at eight in the morning."},
        {"t":"Hotel","b":"The hotel wants the names of all guests."},
        {"t":"Museum","b":"Open until nine; tickets good for the tower, too."}]
        """#,
      new: #"""
        [{"t":"Hotel","b":"The hotel wants the names of all guests."},
        {"t":"Museum","b":"Open until nine; tickets good for the tower, too."},
        {"t":"Station (main)","b":"We meet at the station at eight in the morning."}]
        """#,
      beside: [.set("/l/0/n", "1")],
      wanted: #"[{"b":"The hotel wants the names of all guests.","t":"Hotel"},"#
        + #"{"b":"Open until nine; tickets good for the tower, too.","t":"Museum"},"#
        + #"{"b":"We meet at the station at eight in the morning.","n":1,"t":"Station (main)"}]"#,
      inDoubt: ["/l/2"]),
    Case(
      about: "an element of which one long member is written anew stays one",
      old: #"[{"t":"Rent","n":4},{"t":"Phone","n":7,"c":"call them"},{"t":"Gas","n":9}]"#,
      new: #"""
        [{"t":"Rent","n":4},
        {"t":"Phone","n":7,"c":"The contract ends in May: cancel before the first."},
        {"t":"Gas","n":9}]
        """#,
      beside: [.set("/l/1/paid", "true")],
      wanted: #"[{"n":4,"t":"Rent"},"#
        + #"{"c":"The contract ends in May: cancel before the first.","n":7,"t":"Phone","paid":true},"#
        + #"{"n":9,"t":"Gas"}]"#),
    Case(
      about: "of strings the one that is like it is edited",
      old: #"["Buy milk","Call Bob","Sleep"]"#,
      new: #"["Read","Buy oat milk","Call Bob today","Sleep"]"#,
      beside: [.remove("/l/2"), .move("/l/1", "/l/0")],
      wanted: #"["Read","Call Bob today","Buy oat milk"]"#),
    Case(
      about: "of two elements that are alike one is taken, in doubt",
      old: #"[{"t":"Call Bob","n":1},{"t":"Call Bob","n":2}]"#, new: #"[{"t":"Call Bob","n":3}]"#,
      beside: [], wanted: #"[{"n":3,"t":"Call Bob"}]"#, inDoubt: ["/l/0"]),
    Case(
      about: "the only element that is alike is taken without a doubt",
      old: #"[{"t":"Call Bob","n":3}]"#, new: #"[{"t":"Call Bob","n":4}]"#,
      beside: [], wanted: #"[{"n":4,"t":"Call Bob"}]"#),
  ]

  private static let numbers = [
    Case(
      about: "lists of numbers are edited in place",
      old: "[10,20,30]", new: "[10,25,30]", beside: [.set("/l", "[10,22,30]")],
      wanted: "[10,22,30]", contested: ["/l/1"]),
    Case(
      about: "what is written to a row of numbers that goes is not found in one that comes",
      old: #"[{"day":1,"amount":12.5},{"day":2,"amount":30}]"#,
      new: #"[{"day":2,"amount":31},{"day":3,"amount":5}]"#, beside: note("/l/0"),
      wanted: #"[{"day":1,"note":"n","amount":12.5},{"day":2,"amount":31},{"day":3,"amount":5}]"#,
      contested: ["/l/0"]),
    Case(
      about: "a row of which nothing stayed is another one, though it is the only one",
      old: #"[{"n":1}]"#, new: #"[{"n":2}]"#, beside: note("/l/0"),
      wanted: #"[{"n":2},{"n":1,"note":"n"}]"#, contested: ["/l/1"]),
    Case(
      about: "rows of which every one has another measure stay themselves by their time",
      old: #"[{"t":1,"v":2},{"t":2,"v":2},{"t":3,"v":4}]"#,
      new: #"[{"t":0,"v":2},{"t":1,"v":5},{"t":2,"v":1},{"t":3,"v":2}]"#, beside: note("/l/1"),
      wanted: #"[{"t":0,"v":2},{"t":1,"v":5},{"t":2,"v":1,"note":"n"},{"t":3,"v":2}]"#),
    Case(
      about: "rows of which more than half changed are others",
      old: #"[{"a":2,"b":3,"c":4,"t":1},{"a":2,"b":5,"c":4,"t":2}]"#,
      new: #"[{"a":12,"b":13,"c":14,"t":2},{"a":12,"b":15,"c":14,"t":3}]"#, beside: note("/l/1"),
      wanted: #"[{"a":12,"b":13,"c":14,"t":2},{"a":12,"b":15,"c":14,"t":3},"#
        + #"{"a":2,"b":5,"c":4,"t":2,"note":"n"}]"#,
      contested: ["/l/2"]),
    Case(
      about: "a truth value that all elements have in common makes no two the same",
      old: #"[{"n":1,"done":false},{"n":2,"done":false}]"#,
      new: #"[{"n":3,"done":false},{"n":2,"done":false}]"#, beside: note("/l/0"),
      wanted: #"[{"n":3,"done":false},{"n":1,"done":false,"note":"n"},{"n":2,"done":false}]"#,
      contested: ["/l/1"]),
    Case(
      about: "a number that all elements have in common makes no two the same",
      old: #"[{"k":7,"n":1},{"k":7,"n":2}]"#, new: #"[{"k":7,"n":3},{"k":7,"n":2}]"#,
      beside: note("/l/0"), wanted: #"[{"k":7,"n":3},{"k":7,"n":1,"note":"n"},{"k":7,"n":2}]"#,
      contested: ["/l/1"]),
    Case(
      about: "of elements that are truth values alone, one that has none now is another one",
      old: #"[{"done":true},{"done":false}]"#, new: #"[{"done":null},{"done":false}]"#,
      beside: note("/l/0"), wanted: #"[{"done":null},{"done":true,"note":"n"},{"done":false}]"#,
      contested: ["/l/1"]),
    Case(
      about: "of two elements with one truth value the one that has another now is another one",
      old: #"[{"done":true},{"done":true}]"#, new: #"[{"done":true},{"done":false}]"#,
      beside: note("/l/1"), wanted: #"[{"done":true},{"done":false},{"done":true,"note":"n"}]"#,
      contested: ["/l/2"]),
  ]

  private static let rows = [
    Case(
      about: "a row of which one half stays is the same",
      old: "[[1,2],[3,4]]", new: "[[1,2],[3,5]]", beside: [.set("/l/1/0", "9")],
      wanted: "[[1,2],[9,5]]"),
    Case(
      about: "rows of which one half stays are the same below a new one",
      old: "[[1,2],[3,4]]", new: "[[8,8],[1,7],[3,6]]", beside: [.set("/l/1/0", "9")],
      wanted: "[[8,8],[1,7],[9,6]]"),
    Case(
      about: "rows of a matrix that is scaled stay themselves",
      old: "[[1,0,0],[0,1,0],[0,0,1]]", new: "[[2,0,0],[0,2,0],[0,0,2]]",
      beside: [.set("/l/1/0", "9")], wanted: "[[2,0,0],[9,2,0],[0,0,2]]"),
    Case(
      about: "a corner that is moved is the same",
      old: "[[0,0],[0,10],[10,10]]", new: "[[0,0],[1,10],[10,10]]", beside: [.set("/l/1/1", "9")],
      wanted: "[[0,0],[1,9],[10,10]]"),
  ]

  @Test(
    "one value is one edit, and never in doubt, however common it is",
    arguments: [
      // Cells of a matrix.
      ("[[0,0],[0,0],[0,0],[0,0]]", "[[0,1],[0,0],[0,0],[0,0]]", 1),
      ("[[0,0],[0,0],[0,0],[0,0]]", "[[0,0],[0,0],[0,1],[0,0]]", 1),
      ("[[0,0],[1,1],[0,1],[0,0]]", "[[0,0],[1,1],[0,1],[1,0]]", 1),
      ("[[1,5],[2,5],[3,5]]", "[[1,5],[7,5],[3,5]]", 1),
      ("[[false,true],[true,true]]", "[[true,true],[true,true]]", 1),
      ("[[1,2],[3,4]]", "[[1,2],[3,5]]", 1),
      // Numbers and truth values themselves.
      ("[1,2,3]", "[1,5,3]", 1), ("[true,false]", "[true,true]", 1),
      // Either half of a row.
      (
        #"[{"day":1,"amount":5.5},{"day":2,"amount":7}]"#,
        #"[{"day":3,"amount":5.5},{"day":2,"amount":8}]"#, 2
      ),
      // An element that went elsewhere.
      (
        #"[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"},{"id":4,"t":"d"}]"#,
        #"[{"id":2,"t":"b"},{"id":3,"t":"c"},{"id":4,"t":"d"},{"id":1,"t":"a"}]"#, 1
      ),
      // A member of an element.
      (
        #"[{"t":"Rent","n":4},{"t":"Phone","n":7,"c":"call them"}]"#,
        #"[{"t":"Rent","n":4},{"t":"Phone","n":7,"c":"The contract ends in May: cancel it."}]"#, 1
      ),
    ])
  func oneValue(old: String, new: String, edits: Int) throws {
    var document = try Document(holding: #"{"l":\#(old)}"#)
    let before = document.eventCount
    #expect(try document.edit([.set("/l", new)], by: 2).isEmpty)
    #expect(try document.node(at: ["l"]) == DocumentNode(json: new, as: .exact))
    #expect(document.eventCount == before + edits)
  }

  @Test("rows that are like many others keep their places among those that stay, in doubt")
  func commonRows() throws {
    let rows = (0..<40).map { "[\($0 & 1),\($0 >> 1 & 1),\($0 >> 2 & 1)]" }
    var document = try Document(holding: #"{"l":[\#(rows.joined(separator: ","))]}"#)
    let before = document.eventCount
    var changed = rows
    changed[20] = "[5,0,1]"
    changed[21] = "[6,0,1]"
    let doubts = try document.edit([.set("/l", "[\(changed.joined(separator: ","))]")], by: 2)
    #expect(doubts.contains("/l/20") && document.eventCount == before + 2, "\(doubts)")
  }

  @Test("one element at the front of many is one edit")
  func front() throws {
    let many = (0..<500).map { #"{"t":"task \#($0)","n":\#($0)}"# }.joined(separator: ",")
    var document = try Document(holding: #"{"l":[\#(many)]}"#)
    let before = document.eventCount
    try document.edit([.set("/l", #"["first",\#(many)]"#)], by: 2)
    #expect(document.eventCount == before + 1)
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
    func list(_ elements: String...) -> String { "[\(elements.joined(separator: ","))]" }
    var ours = try Document(holding: #"{"l":\#(list(zero, zero, zero, zero, zero, zero, zero))}"#)
    var theirs = ours
    try ours.edit([.set("/l", list(first, zero, third, zero, fifth, zero, zero))], by: 2)
    try theirs.edit([.set("/l/1", own)], by: 3)
    ours = try TwoCopies(ours, theirs).merged()
    #expect(ours.json("/l") == list(first, own, third, zero, fifth, zero, zero))
    // One more at the end.
    try ours.edit([.set("/l", list(first, own, third, zero, fifth, zero, own, zero))], by: 2)
    try theirs.edit([.set("/l/3", third)], by: 3)
    ours = try TwoCopies(ours, theirs).merged()
    #expect(ours.json("/l") == list(first, own, third, third, fifth, zero, own, zero))
  }

  // MARK: Elements with one identity

  /// A list in which two people inserted an element with one identity.
  private func doubled(_ ours: String, _ theirs: String) throws -> Document {
    try TwoCopies(
      of: #"{"l":[{"id":1,"t":"one"}]}"#, [.insert("/l/-", ours)], [.insert("/l/0", theirs)]
    ).merged()
  }

  @Test("the next whole edit joins elements with one identity of which no value differs")
  func joining() throws {
    var document = try doubled(#"{"id":7,"t":"VII","x":1}"#, #"{"id":7,"t":"VII","y":2}"#)
    try document.edit(
      [
        .set(
          "/l",
          #"[{"id":7,"t":"VII","y":2},{"id":1,"t":"ONE"},{"id":7,"t":"VII","x":1}]"#)
      ], by: 4)
    #expect(document.json("/l") == #"[{"t":"VII","x":1,"y":2,"id":7},{"t":"ONE","id":1}]"#)
    #expect(document.conflicts.isEmpty)
  }

  @Test("a whole edit of something else drops no value of elements with one identity")
  func differing() throws {
    var document = try doubled(#"{"id":7,"v":4,"x":1}"#, #"{"id":7,"v":3,"y":2}"#)
    let kept = #"[{"v":3,"y":2,"id":7},{"t":"ONE","id":1}"#
    try document.edit([.set("/l", kept + #",{"v":4,"x":1,"id":7}]"#)], by: 4)
    #expect(document.json("/l") == kept + #",{"v":4,"x":1,"id":7}]"#)
    #expect(document.conflicts.map(\.path.description) == ["/l/0"])
    // Who leaves one of them out has decided.
    try document.edit([.set("/l", kept + "]")], by: 4)
    #expect(document.json("/l") == kept + "]" && document.conflicts.isEmpty)
  }
}
