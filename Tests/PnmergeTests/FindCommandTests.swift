import Peernote
import PnmergeCommands
import Testing

@Suite("Finding by a condition")
struct FindCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText(
      "films.json",
      #"""
      {"films":[
        {"title":"Alien","runtime":117,"rating":5,"genres":["horror","space"]},
        {"title":"Clerks","runtime":92,"genres":["comedy"]},
        {"title":"Locke","runtime":85,"rating":4.5,"seen":{"$timestamp":"2026-01-02T03:04:05Z"}},
        {"title":"Primer","runtime":77,"rating":null,"note":{"$text":"time and again"},"running time":77}
      ]}
      """#)
    host.pnmerge("new", "films.peernote", "--json-file", "films.json")
  }

  private func titles(_ condition: String) throws -> [String] {
    let run = host.pnmerge("find", "films.peernote", "--each", "/films", "--where", condition)
    #expect(run.errors == "", "\(condition)")
    return run.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").last.map(String.init)
    }
  }

  @Test(
    "conditions mean what they say",
    arguments: [
      ("/runtime <= 100 and not /rating", ["Clerks"]),
      ("/runtime<=100", ["Clerks", "Locke", "Primer"]),
      ("/runtime < 92 or /title = 'Alien'", ["Alien", "Locke", "Primer"]),
      ("/rating", ["Alien", "Locke", "Primer"]), ("not /rating", ["Clerks"]),
      ("/rating = null", ["Primer"]), ("/rating != 5", ["Locke", "Primer"]),
      ("/rating >= 4.5", ["Alien", "Locke"]), ("/rating = 5.0", ["Alien"]),
      ("/genres contains \"space\"", ["Alien"]), ("/genres/* = 'comedy'", ["Clerks"]),
      ("/genres/0 = 'horror'", ["Alien"]), ("/note contains 'again'", ["Primer"]),
      ("/title > 'B' and /title < 'M'", ["Clerks", "Locke"]),
      ("/seen < '2026-01-02T04:04:05+00:30'", ["Locke"]), ("/seen >= '2027-01-01T00:00:00Z'", []),
      ("/\"running time\" = 77", ["Primer"]),
      ("not (/runtime > 100 or /runtime < 80)", ["Clerks", "Locke"]),
      ("not not /rating and 80 < /runtime", ["Alien", "Locke"]),
      ("/runtime = '92'", []), ("/none != 1", []), ("/* = 92", ["Clerks"]),
      ("/runtime = /\"running time\"", ["Primer"]), ("'x' = \"x\" and /title = 'It\\'s'", []),
    ])
  func conditions(condition: String, expected: [String]) throws {
    #expect(try titles(condition) == expected)
  }

  @Test(
    "what is no condition is refused with its place",
    arguments: [
      ("", "column 1: a path, a number or a string in quotation marks is expected here"),
      ("/a and", "column 7: a path, a number or a string in quotation marks is expected here"),
      ("/a = ", "column 6: a path, a number or a string in quotation marks is expected here"),
      ("1", "column 2: a comparison is expected here"),
      ("(/a", "column 4: a closing parenthesis is expected here"),
      ("/a /b", "column 4: 'and', 'or' or the end is expected here"),
      ("/a = x", "column 6: a path, a number or a string in quotation marks is expected here"),
      ("/a = 'x", "column 6: the string does not end"),
      ("/a = \"\\x\"", "column 6: there is an escape in the string that does not exist"),
      ("/~2", "column 1: in a path ~ is written ~0, and / in a name ~1"),
    ])
  func faults(text: String, expected: String) {
    let run = host.pnmerge("find", "films.peernote", "--where", text)
    #expect(run.status == .usage)
    #expect(run.errors == "pnmerge: --where: \(expected)\n")
  }

  @Test("the place and title of each match are shown, and values as JSON")
  func output() {
    let run = host.pnmerge(
      "find", "films.peernote", "--each", "/films", "--where", "/runtime = 92")
    #expect(run.output == "films.peernote:/films/1  Clerks\n")
    #expect(run.status == .done)
    let json = host.pnmerge(
      "find", "films.peernote", "--each", "/films", "--where", "/runtime = 92", "--json")
    #expect(
      json.output
        == #"{"schema":1,"matches":[{"file":"films.peernote","path":"/films/1","value":"#
        + #"{"title":"Clerks","genres":["comedy"],"runtime":92}}]}"# + "\n")
    let none = host.pnmerge("find", "films.peernote", "--where", "/runtime")
    #expect(none.status == .different)
    #expect(none.output == "")
  }

  @Test("a directory stands for the documents in it")
  func directories() throws {
    try host.makeDirectory(FileName("/work/d"))
    try host.makeDirectory(FileName("/work/d/e"))
    host.pnmerge("new", "d/b.peernote", "--title", "B", "--tag", "x")
    host.pnmerge("new", "d/e/a.peernote", "--title", "A", "--tag", "x")
    host.pnmerge("new", "d/c.peernote", "--title", "C")
    host.setText("d/z.txt", "no document")
    let run = host.pnmerge("find", "d", "--where", "/tags contains 'x'")
    #expect(run.output == "d/b.peernote  B\nd/e/a.peernote  A\n")
    host.setText("d/bad.peernote", "no document")
    let damaged = host.pnmerge("find", "d", "--where", "/title = 'C'")
    #expect(damaged.output == "d/c.peernote  C\n")
    #expect(damaged.status == .damaged)
    #expect(damaged.errors.hasPrefix("pnmerge: d/bad.peernote: "))
  }

  @Test("a check takes as many steps as there are pairs to compare, and ends at the limit")
  func steps() throws {
    func list(_ numbers: Range<Int64>) -> Node { .list(numbers.map { .value(.integer($0)) }) }
    let content = Node.map([
      .init(key: "a", node: list(0..<30)), .init(key: "b", node: list(30..<60)),
    ])
    func holds(_ text: String, steps: Int) throws -> Bool {
      var check = ConditionCheck(stepLimit: steps)
      return try check.holds(try ConditionReader.condition(in: text), for: content)
    }
    for condition in ["/a/* = /b/*", "/a/* > /b/*", "not /b/* <= /a/*"] {
      let isNegated = condition.hasPrefix("not")
      #expect(try holds(condition, steps: 900) == isNegated)
      #expect(throws: ConditionCheck.TooManySteps.self) { try holds(condition, steps: 899) }
    }
    #expect(try holds("/a/* < /b/*", steps: 1))
    #expect(throws: ConditionCheck.TooManySteps.self) {
      try holds("/a/* = -1 or /a/* = /b/*", steps: 929)
    }
    #expect(throws: ConditionCheck.TooManySteps.self) { try holds("/a contains 99", steps: 200) }
  }

  @Test("a document for which a condition takes too many steps hides none of the others")
  func limit() throws {
    let names = (0..<1000).map { "\"\($0)\(String(repeating: "x", count: 320))\":0" }
    let texts = (0..<1000).map { "\"\($0)\"" }
    host.setText(
      "many.json",
      #"{"map":{\#(names.joined(separator: ","))},"list":[\#(texts.joined(separator: ","))]}"#)
    host.pnmerge("new", "many.peernote", "--json-file", "many.json")
    let run = host.pnmerge(
      "find", "many.peernote", "films.peernote", "--where", "/map contains /list/* or /films")
    #expect(run.output == "films.peernote\n")
    #expect(
      run.errors == "pnmerge: many.peernote: the condition takes more than 67108864 steps\n")
    #expect(run.status == .unreadable)
  }
}
