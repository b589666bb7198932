import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

@Suite("Editing by path")
struct PathCommandTests {
  private let host = MemoryHost()

  init() {
    host.pnmerge("new", "a", "--title", "T")
  }

  private func set(_ path: String, _ value: String...) -> MemoryHost.Run {
    host.pnmerge((["set", "a", path] + value).map { Array($0.utf8) })
  }

  private func get(_ path: String, _ options: String...) -> String {
    host.pnmerge((["cat", "a", path] + options).map { Array($0.utf8) }).output
  }

  private func exact(_ path: String) throws -> String {
    let json = try JSONReader.value(in: Array(get(path, "--exact").utf8))
    return String(decoding: json.bytes(), as: UTF8.self)
  }

  @Test("what is set is there, of the type that was given")
  func types() throws {
    for (options, expected) in [
      (["1"], "1"), (["-1.5"], "-1.5"), (["null"], "null"), (["\"x\""], "\"x\""),
      (["[1,{\"b\":[]}]"], #"[1,{"b":[]}]"#), ([#"{"$set":[1]}"#], #"{"$set":[1]}"#),
      (["--string", "x y"], "\"x y\""), (["--text", "x\ny"], #"{"$text":"x\ny"}"#),
      (["--type", "string", "1"], "\"1\""), (["--type", "integer", "7"], "7"),
      (["--type", "double", "7"], "7.0"), (["--type", "counter", "7"], #"{"$counter":7}"#),
      (
        ["--type", "timestamp", "2026-11-20T14:02:11+01:00"],
        #"{"$timestamp":"2026-11-20T13:02:11Z"}"#
      ),
      (
        ["--type", "uuid", "6F9C1DE2-0b5f-4f27-8e2c-6d1a0f3b9c55"],
        #"{"$uuid":"6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55"}"#
      ),
      (["--type", "bytes", "AQI="], #"{"$bytes":"AQI="}"#),
      (["--plain", #"{"$text":"x"}"#], #"{"$$text":"x"}"#),
    ] {
      host.pnmerge("remove", "a", "/x")
      let run = host.pnmerge((["set", "a", "/x"] + options).map { Array($0.utf8) })
      #expect(run.output == "a: set /x\n", "\(options): \(run.errors)")
      #expect(try exact("/x") == expected)
    }
  }

  @Test("a double is what a double can hold, or named")
  func doubles() throws {
    for (text, expected) in [
      ("NaN", #"{"$double":"NaN"}"#), ("-Infinity", #"{"$double":"-Infinity"}"#), ("-0", "-0.0"),
      ("1e3", "1000.0"), ("5e-324", "5e-324"),
    ] {
      #expect(set("/x", "--type", "double", "--", text).status == .done)
      #expect(try exact("/x") == expected)
    }
    for text in ["1e400", "1e-400", "inf", "nan(0x5)", "0x1p3", "", "+5", "1,5"] {
      let run = set("/x", "--type", "double", "--", text)
      #expect(run.status == .usage, "\(text)")
      #expect(run.errors == "pnmerge: \"\(text)\" is not a number that a double can hold\n")
    }
  }

  @Test("what is of another kind is said to be, and the whole document has a name")
  func kinds() {
    for (arguments, message) in [
      (
        ["increment", "a", "/title"],
        "/title is a string, not a counter; 'set --type counter' makes one"
      ),
      (["remove", "a", "/title", "--member", "x"], "/title is a string, not a set"),
      (
        ["insert", "a", "/x", "1"],
        "the whole document is a map, where 'set' adds a name: pnmerge set a /x VALUE"
      ),
      (
        ["set", "a", "", "1"],
        "the whole document is a map; give an object, or the path of what to set"
      ),
      (
        ["set", "a", "/x/y/z", "1"],
        "there is nothing at /x/y: the whole document has no \"x\"; to make it: "
          + "pnmerge set a /x '{\"y\":{\"z\":VALUE}}'"
      ),
      (
        ["remove", "a", ""],
        "the whole document cannot be replaced, moved or removed, only what is in it"
      ),
      (
        ["increment", "a", "/none"],
        "there is nothing at /none: the whole document has no \"none\""
      ),
    ] {
      let run = host.pnmerge(arguments.map { Array($0.utf8) })
      #expect(run.errors == "pnmerge: a: \(message); nothing was written\n", "\(arguments)")
      #expect(run.status == .usage)
    }
  }

  @Test("what does not fit is one line and status 64, and nothing is written")
  func refusals() {
    let before = host["a"]
    for arguments in [
      ["set", "a", "/x", "{x"], ["set", "a", "/x/y", "1"], ["set", "a", "/body/0", "1"],
      ["set", "a", "/x"], ["set", "a", "x", "1"], ["set", "a", "/~2", "1"],
      ["set", "a", "/x", "1", "--value-file", "f"], ["set", "a", "/x", "--text", "--string", "x"],
      ["set", "a", "/x", "--type", "integer", "1.5"], ["set", "a", "/x", "--type", "uuid", "1"],
      ["set", "a", "/x", #"{"$counter":"x"}"#], ["set", "a", "/x", #"{"a":1,"a":2}"#],
      ["set", "a", "", "1"],
      ["insert", "a", "/title", "1"], ["insert", "a", "/tags/0", "1"],
      ["insert", "a", "/tags/-", "[]"], ["insert", "a", "/none/-", "1"],
      ["remove", "a", "/none"], ["remove", "a", "/title", "--member", "x"],
      ["remove", "a", "/tags", "--type", "integer"], ["move", "a", "/none", "/x"],
      ["remove", "a", ""], ["move", "a", "", "/x"],
      ["move", "a", "/tags", "/tags/x"], ["increment", "a", "/title"],
      ["increment", "a", "/none"], ["increment", "a", "/title", "--by", "x"],
    ] {
      let run = host.pnmerge(arguments.map { Array($0.utf8) })
      #expect(run.status == .usage, "\(arguments): \(run.output)")
      #expect(run.errors.hasPrefix("pnmerge: "))
      #expect(run.errors.count { $0 == "\n" } == 1)
    }
    #expect(host["a"] == before)
  }

  @Test("what is not there is status 1")
  func absent() {
    let run = host.pnmerge("cat", "a", "/none")
    #expect(run.status == .different)
    #expect(
      run.errors == "pnmerge: a: there is nothing at /none: the whole document has no \"none\"\n")
  }

  @Test("setting what is there already writes nothing")
  func idle() {
    host.pnmerge("set", "a", "/x", #"{"a":[1,{"$text":"t"}]}"#)
    let before = host["a"]
    #expect(set("/title", "\"T\"").output == "a: unchanged\n")
    #expect(set("/x", #"{"a":[1,"t"]}"#).output == "a: unchanged\n")
    #expect(set("/created", "\"2026-11-20T14:02:12Z\"").output == "a: unchanged\n")
    #expect(host.pnmerge("increment", "a", "/none", "--by", "0").output == "a: unchanged\n")
    #expect(host["a"] == before)
  }

  @Test("a string where a text stands changes the text, unless told otherwise")
  func shapes() throws {
    #expect(set("/body", "\"Hello\"").output == "a: set /body\n")
    #expect(try exact("/body") == #"{"$text":"Hello"}"#)
    #expect(set("/tags", "[\"y\",\"x\",\"x\"]").output == "a: set /tags\n")
    #expect(try exact("/tags") == #"{"$set":["x","y"]}"#)
    #expect(set("/n", "--type", "counter", "3").output == "a: set /n\n")
    #expect(set("/n", "5").output == "a: set /n\n")
    #expect(try exact("/n") == #"{"$counter":5}"#)
    #expect(set("/d", "1.0").status == .done)
    #expect(set("/d", "2").status == .done)
    #expect(try exact("/d") == "2.0")
    #expect(set("/body", "--string", "--force", "Hello").output == "a: set /body\n")
    #expect(try exact("/body") == "\"Hello\"")
  }

  @Test("a new element takes the types that the others have")
  func siblings() throws {
    _ = set("/l", #"[{"t":{"$text":"a"},"n":{"$counter":1}},{"t":{"$text":"b"},"m":null}]"#)
    #expect(host.pnmerge("insert", "a", "/l/-", #"{"t":"c","n":2,"m":"x"}"#).status == .done)
    #expect(try exact("/l/2") == #"{"t":{"$text":"c"},"n":{"$counter":2},"m":"x"}"#)
    #expect(set("/l/1/n", "4").status == .done)
    #expect(try exact("/l/1/n") == #"{"$counter":4}"#)
    // By its key, and in maps and lists inside; not where the others differ.
    #expect(set("/l/1/x", "5").status == .done)
    #expect(set("/l/1/t", "\"d\"").status == .done)
    #expect(try exact("/l/1") == #"{"t":{"$text":"d"},"m":null,"n":{"$counter":4},"x":5}"#)
    #expect(set("/l/0/m", "\"y\"").status == .done)
    #expect(try exact("/l/0/m") == "\"y\"")
    _ = set("/p", #"[{"q":{"r":{"$text":"a"}},"s":[{"$text":"b"}]},{"q":{"r":null}}]"#)
    #expect(host.pnmerge("insert", "a", "/p/0", #"{"q":{"r":"c"},"s":["d"]}"#).status == .done)
    #expect(try exact("/p/0") == #"{"q":{"r":{"$text":"c"}},"s":[{"$text":"d"}]}"#)
    #expect(set("/p/2/s", #"["e"]"#).status == .done)
    #expect(try exact("/p/2/s") == #"[{"$text":"e"}]"#)
    #expect(set("/p/0/s/-", "\"f\"").status == .done)
    #expect(try exact("/p/0/s/1") == #"{"$text":"f"}"#)
    _ = set("/o", #"[{"t":{"$text":"a"}},"b"]"#)
    #expect(host.pnmerge("insert", "a", "/o/-", #"{"t":"c"}"#).status == .done)
    #expect(try exact("/o/2") == #"{"t":"c"}"#)
  }

  @Test("elements go in before the path, at the end for a hyphen")
  func inserting() throws {
    _ = set("/l", "[]")
    for (path, value) in [("/l/-", "1"), ("/l/0", "2"), ("/l/1", "3"), ("/l/3", "4")] {
      #expect(host.pnmerge("insert", "a", path, value).output == "a: inserted at \(path)\n")
    }
    _ = set("/l/-", "5")
    #expect(try exact("/l") == "[2,3,1,4,5]")
    #expect(host.pnmerge("insert", "a", "/l/6", "1").status == .usage)
    #expect(host.pnmerge("insert", "a", "/tags/-", "--string", "x").status == .done)
    #expect(host.pnmerge("insert", "a", "/tags/-", "--string", "x").output == "a: unchanged\n")
    #expect(try exact("/tags") == #"{"$set":["x"]}"#)
  }

  @Test("keys, elements and members go out")
  func removing() throws {
    _ = set("/l", "[1,2,3]")
    _ = set("/s", #"{"$set":[1,"1"]}"#)
    #expect(host.pnmerge("remove", "a", "/l/1").output == "a: removed /l/1\n")
    #expect(host.pnmerge("remove", "a", "/title").output == "a: removed /title\n")
    #expect(
      host.pnmerge("remove", "a", "/s", "--member", "1").output == "a: removed a member of /s\n")
    #expect(host.pnmerge("remove", "a", "/s", "--member", "1").output == "a: unchanged\n")
    #expect(try exact("/l") == "[1,3]")
    #expect(try exact("/s") == #"{"$set":[1]}"#)
    #expect(host.pnmerge("remove", "a", "/s", "--type", "integer", "--member", "1").status == .done)
    #expect(try exact("/s") == #"{"$set":[]}"#)
    #expect(host.pnmerge("cat", "a", "/title").status == .different)
  }

  @Test("an element moves to where the path says it is afterwards")
  func moving() throws {
    _ = set("/l", "[0,1,2,3]")
    for (from, to, result) in [
      ("/l/0", "/l/2", "[1,2,0,3]"), ("/l/3", "/l/0", "[3,1,2,0]"), ("/l/0", "/l/-", "[1,2,0,3]"),
    ] {
      #expect(host.pnmerge("move", "a", from, to).output == "a: moved \(from) to \(to)\n")
      #expect(try exact("/l") == result)
    }
    #expect(host.pnmerge("move", "a", "/l/3", "/l/-").output == "a: unchanged\n")
    #expect(host.pnmerge("move", "a", "/l/3", "/l/3").output == "a: unchanged\n")
    #expect(host.pnmerge("move", "a", "/l/4", "/l/0").status == .usage)
    #expect(host.pnmerge("move", "a", "/l/0", "/first").status == .done)
    #expect(host.pnmerge("move", "a", "/first", "/l/1").status == .done)
    #expect(try exact("/l") == "[2,1,0,3]")
    #expect(host.pnmerge("move", "a", "/l", "/m").status == .done)
    #expect(try exact("/m") == "[2,1,0,3]")
    _ = set("/l", "[4]")
    let refused = host.pnmerge("move", "a", "/l", "/m")
    #expect(refused.status == .usage)
    #expect(
      refused.errors == "pnmerge: a: there is something at /m already, which would be replaced; "
        + "to do without it: pnmerge remove a /m; nothing was written\n")
    #expect(try exact("/m") == "[2,1,0,3]")
  }

  @Test("increments add up on both sides")
  func counting() throws {
    _ = set("/n", "--type", "counter", "10")
    host.copy("a", "b")
    #expect(host.pnmerge("increment", "a", "/n").output == "a: /n is 11\n")
    #expect(host.pnmerge("increment", "b", "/n", "--by", "-4").output == "b: /n is 6\n")
    #expect(host.pnmerge("increment", "b", "-n", "/n").output == "b: /n would be 7\n")
    host.pnmerge("merge", "a", "b")
    #expect(get("/n") == "7\n")
  }

  @Test("raw values are printed without anything added")
  func raw() {
    _ = set("/body", "\"a\\nb\"")
    #expect(get("/body", "--raw") == "a\nb")
    #expect(get("/title", "-r") == "T")
    #expect(get("/created", "-r") == "2026-11-20T14:02:12Z")
    #expect(get("/tags", "-r") == "[]")
    _ = set("/x", "--type", "bytes", "YQD/")
    host.pnmerge("cat", "a", "/x", "-r")
    #expect(host.output == [0x61, 0, 0xFF])
  }

  @Test("an old state can be looked at")
  func versions() {
    _ = set("/title", "\"U\"")
    let log = host.pnmerge("log", "a").output.split(separator: "\n")
    let first = log.last?.split(separator: " ").last.map(String.init) ?? ""
    #expect(get("/title", "--at", first) == "\"T\"\n")
  }

  @Test("values come from files, and documents from standard input")
  func files() throws {
    host.setText("f", "one\ntwo\n")
    #expect(set("/body", "--text", "--value-file", "f").status == .done)
    #expect(get("/body", "-r") == "one\ntwo\n")
    host.input = host["a"] ?? []
    let run = host.pnmerge("set", "-", "/title", "\"U\"")
    #expect(run.errors == "standard input: set /title\n")
    host["b"] = host.output
    #expect(host.pnmerge("cat", "b", "/title").output == "\"U\"\n")
    #expect(host.pnmerge("set", "-", "/x", "--value-file", "-").status == .usage)
  }

  @Test("a dry run writes nothing, and undo goes back")
  func dryRun() {
    let before = host["a"]
    #expect(host.pnmerge("set", "a", "-n", "/title", "\"U\"").output == "a: would set /title\n")
    #expect(
      host.pnmerge("insert", "a", "-n", "/tags/-", "\"1\"").output == "a: would insert at /tags/-\n"
    )
    #expect(host.pnmerge("remove", "a", "-n", "/title").output == "a: would remove /title\n")
    #expect(
      host.pnmerge("move", "a", "-n", "/title", "/x").output == "a: would move /title to /x\n")
    #expect(host["a"] == before)
    _ = set("/title", "\"U\"")
    #expect(host.pnmerge("undo", "a").status == .done)
    #expect(host["a"] == before)
  }

  @Test("setting a value that is in conflict decides it, though it is what is shown")
  func conflicts() throws {
    host.copy("a", "b")
    _ = set("/title", "\"U\"")
    host.pnmerge("set", "b", "/title", "\"V\"")
    host.pnmerge("merge", "a", "b")
    #expect(try Document(bytes: host["a"] ?? []).conflicts.count == 1)
    #expect(get("/title") == "\"V\"\n")
    let settled = "a: set /title\n  settled the conflict at /title: it also had \"U\" (me, "
    #expect(set("/title", "\"V\"").output.hasPrefix(settled))
    #expect(try Document(bytes: host["a"] ?? []).conflicts.isEmpty)
  }

  @Test("what is no path is refused with a word on how paths are written")
  func paths() {
    for (path, reason) in [("title", "begins with /"), ("/a~b", "~0 for ~"), ("/a~2", "~0 for ~")] {
      for arguments in [["cat", "a", path], ["set", "a", path, "1"], ["move", "a", "/x", path]] {
        let run = host.pnmerge(arguments.map { Array($0.utf8) })
        #expect(run.status == .usage)
        #expect(run.errors.contains("'\(path)'") && run.errors.contains(reason), "\(run.errors)")
      }
    }
  }
}
