import Peernote
import PnmergeCommands
import Testing

/// What is typed without thinking does what is meant, and what happened is said.
@Suite("Daily use")
struct DailyUseTests {
  private let host = MemoryHost()

  init() {
    host.setText(
      "trip.json",
      #"""
      {"title":"Trip","priority":"low","n":1,"items":[{"t":"first","id":1},{"t":"second","id":2}],
       "body":{"$text":"Pack the tent\nand go\n"},"tags":{"$set":["tent","sea"]}}
      """#)
    host.pnmerge("new", "trip", "--json-file", "trip.json", "--author", "Ada")
  }

  private func value(_ path: String) -> String { host.pnmerge("cat", "trip", path).output }

  @Test("a bare word is a string, and what begins otherwise and is no JSON is refused")
  func bareWords() {
    for (word, shown) in [
      ("urgent", "\"urgent\""), ("two words", "\"two words\""), ("nul", "\"nul\""),
      ("null", "null"), ("true", "true"), ("12", "12"), ("\"x\"", "\"x\""), ("élan", "\"élan\""),
    ] {
      #expect(host.pnmerge("set", "trip", "/kind", word).status == .done)
      #expect(value("/kind") == shown + "\n", "\(word)")
    }
    let before = host["trip"]
    for word in ["{broken", "12 o'clock"] {
      let run = host.pnmerge("set", "trip", "/kind", word)
      #expect(run.status == .usage && run.errors.contains("; for a string: --string"), "\(run)")
    }
    let typed = host.pnmerge("set", "trip", "/kind", "urgent", "--type", "json")
    #expect(typed.status == .usage, "\(typed)")
    host.setText("word", "urgent")
    let file = host.pnmerge("set", "trip", "/kind", "--value-file", "word")
    #expect(file.status == .usage, "\(file)")
    #expect(host["trip"] == before)
    #expect(host.pnmerge("insert", "trip", "/items/-", "third").status == .done)
    #expect(value("/items/2") == "\"third\"\n")
  }

  @Test("what is set as bytes from a file are the file's bytes")
  func bytes() {
    host["photo"] = [0xFF, 0xD8, 0x00, 0x0A]
    #expect(
      host.pnmerge("set", "trip", "/photo", "--type", "bytes", "--value-file", "photo").status
        == .done)
    #expect(value("/photo") == "\"/9gACg==\"\n")
    #expect(host.pnmerge("set", "trip", "/photo", "--type", "bytes", "AQI=").status == .done)
    #expect(value("/photo") == "\"AQI=\"\n")
  }

  @Test("'status' of one file says what it has")
  func status() {
    var run = host.pnmerge("status", "trip")
    #expect(run.status == .done)
    #expect(run.output.hasPrefix("trip (\"Trip\", "), "\(run)")
    #expect(run.output.contains("): 1 change by Ada\n  last change: Ada, "), "\(run)")
    #expect(run.output.hasSuffix(".1\n  no conflicts\n"), "\(run)")
    host.copy("trip", "copy")
    host.pnmerge("set", "trip", "/title", "Rome", "--author", "Ada")
    host.pnmerge("set", "copy", "/title", "Paris", "--author", "Ben", "-m", "better")
    host.pnmerge("merge", "trip", "copy")
    run = host.pnmerge("status", "trip")
    #expect(run.status == .different)
    #expect(run.output.contains(": 3 changes by 2 authors (Ada 2, Ben 1)\n"), "\(run)")
    #expect(run.output.contains("\n  last change: Ben, ") && run.output.contains(" \"better\", "))
    #expect(run.output.contains("\n  not merged by an edit yet: "), "\(run)")
    #expect(run.output.hasSuffix("\n  1 conflict: pnmerge conflicts trip\n"), "\(run)")
    let json = host.pnmerge("status", "trip", "--json")
    #expect(json.status == .different)
    for part in ["\"changes\":3", "\"conflicts\":1", "\"author\":\"Ben\"", "\"heads\":["] {
      #expect(json.output.contains(part), "\(json)")
    }
  }

  @Test("'find' looks in strings as it does in texts")
  func find() {
    host.pnmerge("set", "trip", "/note", "\"a\\ntent\"")
    let run = host.pnmerge("find", "TENT", "trip")
    #expect(
      Set(run.output.split(separator: "\n"))
        == ["trip:1: Pack the tent", "trip:/note:2: tent", "trip:/tags: tent"], "\(run)")
    #expect(host.pnmerge("find", "second", "trip").output == "trip:/items/1/t: second\n")
    #expect(host.pnmerge("find", "trip", "trip").output == "trip: Trip\n")
    #expect(host.pnmerge("find", "nowhere", "trip").status == .different)
  }

  @Test(
    "a pattern with ** is refused, since it would match nothing",
    arguments: [
      ["import", "trip.json", "-o", "new", "--text-at", "/**/t"],
      ["new", "new", "--json-file", "trip.json", "--text-at", "/items/**"],
    ])
  func deepPatterns(words: [String]) {
    let run = host.pnmerge(words)
    #expect(run.status == .usage, "\(run)")
    #expect(run.errors.contains("** is no pattern; * stands for one name or index"), "\(run)")
    #expect(host["new"] == nil)
  }

  @Test("an element whose id is there is not inserted a second time")
  func sameIdentity() {
    let before = host["trip"]
    let run = host.pnmerge("insert", "trip", "/items/-", #"{"id":2,"t":"again"}"#)
    #expect(run.status == .usage && host["trip"] == before)
    #expect(
      run.errors
        == "pnmerge: trip: /items/1 has the same id; to change it: pnmerge set trip /items/1 VALUE; "
        + "nothing was written\n")
    #expect(host.pnmerge("insert", "trip", "/items/0", #"{"id":3}"#).status == .done)
  }

  @Test("a merge says that a note was deleted, and that it is kept since somebody edited it")
  func deletedAndEdited() {
    host.copy("trip", "copy")
    host.pnmerge("delete", "copy", "--author", "Ben")
    host.copy("trip", "edited")
    host.pnmerge("set", "edited", "/n", "2", "--author", "Ada")
    host.copy("copy", "deleted")
    for (into, from) in [("deleted", "edited"), ("edited", "copy")] {
      let run = host.pnmerge("merge", into, from)
      #expect(run.status == .done)
      #expect(run.output.contains("\n  kept: deleted by Ben, "), "\(run)")
      #expect(run.output.contains(", and edited by who did not know that\n"), "\(run)")
    }
    let run = host.pnmerge("merge", "trip", "copy")
    #expect(run.output.contains("\n  marked as deleted by Ben, "), "\(run)")
    #expect(!host.pnmerge("merge", "trip", "copy").output.contains("deleted"))
  }

  @Test("'log' says what a change edited, 'undo' what it takes back, and IDs come last")
  func edits() throws {
    host.setText("text", "Pack the sea\nand wait\nthen go\n")
    host.pnmerge("set", "trip", "/body", "--text", "--value-file", "text", "--author", "Ben")
    host.pnmerge("insert", "trip", "/items/-", #"{"id":3,"t":"third"}"#, "--author", "Ada")
    host.pnmerge("set", "trip", "/items/2/t", "drei", "-m", "short", "--author", "Ada")
    let lines = host.pnmerge("log", "trip").output.split(separator: "\n").map { line in
      line.prefix(upTo: line.lastIndex(of: " ") ?? line.endIndex).drop { !$0.isLetter }
    }
    try #require(lines.count == 4)
    #expect(lines[0].hasSuffix("  Ada  items, \"3\", t  short "), "\(lines)")
    #expect(lines[1].hasSuffix("  Ada  items: 1 element "), "\(lines)")
    #expect(lines[2].hasSuffix("  Ben  body: 3 lines "), "\(lines)")
    #expect(lines[3].hasSuffix("  Ada  title; priority; n; items; 2 more "), "\(lines)")
    for edited in ["items, \"3\", t", "items, \"3\"", "body: 3 lines"] {
      #expect(
        host.pnmerge("undo", "trip").output.contains(" (\(edited)), without 1 change since\n"))
    }
  }

  @Test("a document remembers the keys that tell its elements apart")
  func rememberedKeys() throws {
    host.setText("films.json", #"{"films":[{"imdbID":"tt1","t":"one"}]}"#)
    for words in [
      ["new", "films", "--json-file", "films.json", "--identity", "imdbID", "-m", "start"],
      ["import", "films.json", "-o", "imported", "--identity", "imdbID"],
    ] {
      #expect(host.pnmerge(words).status == .done)
    }
    #expect(host.pnmerge("log", "films").output.contains("  start\\nidentity: imdbID  "))
    for file in ["films", "imported"] {
      host.copy(file, "copy")
      for (file, title) in [(file, "two"), ("copy", "2")] {
        let new = #"{"imdbID":"tt2","t":"\#(title)"}"#
        #expect(host.pnmerge("insert", file, "/films/-", new).status == .done)
        let again = host.pnmerge("insert", file, "/films/-", new)
        #expect(again.status == .usage && again.errors.contains("has the same imdbID"), "\(again)")
      }
      let run = host.pnmerge("merge", "--strict", file, "copy")
      #expect(run.status == .different && run.output.contains("1 conflict (double insertion)"))
      #expect(host.pnmerge("resolve", file, "/films/1", "--take", "both").status == .done)
      host.setText("films.json", #"{"films":[{"imdbID":"tt2","t":"II"},{"imdbID":"tt1","t":"I"}]}"#)
      #expect(host.pnmerge("edit", file, "--json-file", "films.json").status == .done)
      #expect(host.pnmerge("conflicts", file).status == .done)
    }
    // A given key that is remembered already adds no message.
    host.pnmerge("set", "films", "/films", "[]", "--identity", "imdbID")
    #expect(host.pnmerge("log", "-n", "1", "films").output.contains("identity") == false)
  }
}
