import Peernote
import PnmergeCommands
import Testing

@Suite("What comes in, place by place") struct IncomingPlacesTests {
  private let host = MemoryHost()

  init() {
    host.setText(
      "agenda.json",
      """
      {"title":"Meeting","agenda":[{"title":"Venue","minutes":10},{"title":"Food","minutes":20},
      {"title":"Old","minutes":5}],"guests":0}
      """)
    host.pnmerge("new", "a", "--json-file", "agenda.json", "--author", "ada")
    set("a", "/body", "one\ntwo\nthree\n", "ada", "--type", "text")
    host.copy("a", "b")
  }

  private func set(
    _ file: String, _ path: String, _ value: String, _ author: String, _ more: String...
  ) {
    host.pnmerge((["set", file, path, value, "--author", author] + more).map { Array($0.utf8) })
  }

  /// Both sides change the title and the text, one removes what the other edits.
  private func diverge() {
    set("a", "/title", "\"Board\"", "ada")
    set("a", "/agenda/0/minutes", "15", "ada")
    host.pnmerge("remove", "a", "/agenda/2", "--author", "ada")
    set("a", "/body", "one\n2\nthree\n", "ada", "--type", "text")
    set("b", "/title", "\"Staff\"", "bob")
    set("b", "/agenda/2/minutes", "7", "bob")
    host.pnmerge("insert", "b", "/agenda/0", #"{"title":"Hello"}"#, "--author", "bob")
    set("b", "/body", "one\nTWO\nthree\nfour\n", "bob", "--type", "text")
  }

  /// The rows under a heading, to the next one.
  private func rows(_ output: String, under heading: String) -> [String] {
    let rows = output.split(separator: "\n").map(String.init)
    guard let start = rows.firstIndex(of: "  \(heading)") else { return [] }
    return rows[(start + 1)...].prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
  }

  @Test("a merge tried or made with --verbose tells by name what either side did")
  func merge() {
    diverge()
    let trial = host.pnmerge("merge", "-n", "a", "b").output
    #expect(
      rows(trial, under: "would come in:") == [
        #"agenda, "Hello": added {"title":"Hello"} (bob, 20 Nov 14:02)"#
      ], "\(trial)")
    #expect(
      rows(trial, under: "only here:") == [
        #"agenda, "Venue", minutes: 10 became 15 (ada, 20 Nov 14:02)"#
      ], "\(trial)")
    #expect(
      rows(trial, under: "changed on both sides:") == [
        "body",
        #"  here: line 2: "two" became "2" (ada, 20 Nov 14:02)"#,
        #"  there: line 2: "two" became "TWO" (bob, 20 Nov 14:02)"#,
        #"  there: line 4: added "four" (bob, 20 Nov 14:02)"#,
        "title",
        #"  here: "Meeting" became "Board" (ada, 20 Nov 14:02)"#,
        #"  there: "Meeting" became "Staff" (bob, 20 Nov 14:02)"#,
        #"agenda, "Old""#,
        #"  here: removed; it was {"title":"Old","minutes":5} (ada, 20 Nov 14:02)"#,
        "  there: minutes: 5 became 7 (bob, 20 Nov 14:02)",
      ], "\(trial)")
    #expect(!host.pnmerge("merge", "-n", "-q", "a", "b").output.contains("come in"))
    host.copy("a", "c")
    #expect(!host.pnmerge("merge", "c", "b").output.contains("came in"))
    let done = host.pnmerge("merge", "-v", "a", "b").output
    #expect(rows(done, under: "came in:").count == 1, "\(done)")
    #expect(host["a"] == host["c"])
  }

  @Test("what both did alike is said once, and what they did apart does not meet")
  func alike() {
    set("a", "/title", "\"Same\"", "ada")
    set("b", "/title", "\"Same\"", "bob")
    set("a", "/agenda/0/minutes", "11", "ada")
    set("b", "/agenda/0/title", "\"Place\"", "bob")
    set("a", "/body", "ONE\ntwo\nthree\n", "ada", "--type", "text")
    set("b", "/body", "one\ntwo\nTHREE\n", "bob", "--type", "text")
    let output = host.pnmerge("merge", "-n", "a", "b").output
    #expect(
      rows(output, under: "changed on both sides:") == [
        "title", #"  both: "Meeting" became "Same" (bob, 20 Nov 14:02)"#,
      ], "\(output)")
    #expect(
      rows(output, under: "would come in:") == [
        #"body, line 3: "three" became "THREE" (bob, 20 Nov 14:02)"#,
        #"agenda, "Place", title: "Venue" became "Place" (bob, 20 Nov 14:02)"#,
      ], "\(output)")
  }

  @Test("several copies bring what they have together")
  func severalCopies() {
    host.copy("a", "c")
    set("b", "/title", "\"Staff\"", "bob")
    set("c", "/agenda/1/minutes", "25", "cleo")
    let output = host.pnmerge("merge", "-n", "a", "b", "c").output
    #expect(
      rows(output, under: "would come in:") == [
        #"title: "Meeting" became "Staff" (bob, 20 Nov 14:02)"#,
        #"agenda, "Food", minutes: 20 became 25 (cleo, 20 Nov 14:02)"#,
      ], "\(output)")
  }

  @Test("moves, sets and counters are told as such")
  func kinds() {
    host.pnmerge("new", "n", "--title", "T", "--tag", "x", "--tag", "y", "--author", "ada")
    host.pnmerge("set", "n", "/votes", "3", "--type", "counter", "--author", "ada")
    host.copy("n", "m")
    host.pnmerge("edit", "m", "--tag", "z", "--untag", "x", "--author", "bob")
    host.pnmerge("increment", "m", "/votes", "--by", "-2", "--author", "bob")
    let note = host.pnmerge("merge", "-n", "n", "m").output
    #expect(
      rows(note, under: "would come in:").map { $0.prefix { $0 != "(" } } == [
        #"tags: removed "x" "#, #"tags: added "z" "#, "votes: 3 became 1 ",
      ], "\(note)")
    host.pnmerge("move", "b", "/agenda/2", "/agenda/0", "--author", "bob")
    let list = host.pnmerge("merge", "-n", "a", "b").output
    #expect(
      rows(list, under: "would come in:") == [
        #"agenda, "Old": moved from place 3 to place 1 (bob, 20 Nov 14:02)"#
      ], "\(list)")
  }

  @Test("long lists are cut, unless all is wanted")
  func cut() {
    let items = (0..<30).map { #"{"title":"Item \#($0)","done":false}"# }
    host.setText("l.json", #"{"list":[\#(items.joined(separator: ","))]}"#)
    host.pnmerge("new", "l", "--json-file", "l.json")
    host.copy("l", "k")
    let done = items.map { $0.replacing("false", with: "true") }
    host.setText("l.json", #"{"list":[\#(done.joined(separator: ","))]}"#)
    host.pnmerge("edit", "k", "--json-file", "l.json")
    let short = rows(host.pnmerge("merge", "-n", "l", "k").output, under: "would come in:")
    #expect(short.count == 21 && short.last == "and 10 more; --verbose shows them", "\(short)")
    let long = rows(host.pnmerge("merge", "-n", "-v", "l", "k").output, under: "would come in:")
    #expect(long.count == 30 && long[0].hasPrefix(#"list, "Item 0", done: false became true"#))
  }

  @Test("status --verbose tells what each file has, and the status stays")
  func status() {
    diverge()
    #expect(!host.pnmerge("status", "a", "b").output.contains("only in"))
    let run = host.pnmerge("status", "-v", "a", "b")
    #expect(run.status == .different)
    #expect(rows(run.output, under: "only in a:").count == 1, "\(run.output)")
    #expect(rows(run.output, under: "only in b:").count == 1)
    #expect(
      rows(run.output, under: "changed in both:").contains(
        #"  a: "Meeting" became "Board" (ada, 20 Nov 14:02)"#))
    #expect(host.pnmerge("status", "-v", "a", "a").output == "a: same as a\n")
  }

  @Test("diff of copies says who changed them")
  func diff() {
    diverge()
    let run = host.pnmerge("diff", "a", "b")
    #expect(run.status == .different)
    #expect(
      run.output.hasPrefix(
        """
        --- a\tada, 20 Nov 14:02
        +++ b\tbob, 20 Nov 14:02
        @@ 
        """), "\(run.output)")
    #expect(run.output.contains("\n-2\n+"), "\(run.output)")
    #expect(host.pnmerge("diff", "-q", "a", "b").output.isEmpty)
    host.copy("a", "same")
    #expect(host.pnmerge("diff", "a", "same").status == .done)
    // What both did alike is no difference.
    host.copy("a", "c")
    set("a", "/title", "\"X\"", "ada")
    set("c", "/title", "\"X\"", "cleo")
    #expect(host.pnmerge("diff", "a", "c").status == .done)
    #expect(host.pnmerge("diff", "a", "c").output.isEmpty)
  }

  @Test("what are no copies of one document, or forks, is compared as it stands")
  func otherDocuments() {
    host.pnmerge("new", "other", "--title", "O")
    #expect(host.pnmerge("diff", "a", "other").output.hasPrefix("--- a\n+++ other\n"))
    host.pnmerge("set", "a", "/title", "\"P\"", "--agent", "77")
    host.pnmerge("set", "b", "/title", "\"Q\"", "--agent", "77")
    let forked = host.pnmerge("diff", "a", "b")
    #expect(forked.status == .different && forked.output.hasPrefix("--- a\n+++ b\n"))
    #expect(forked.errors.hasPrefix("a and b cannot be merged (forked history: "), "\(forked)")
  }

  @Test("programs get the same as JSON")
  func json() throws {
    diverge()
    let merge = host.pnmerge("merge", "-n", "--json", "a", "b").output
    #expect(
      merge.contains(
        #"{"path":"/agenda/0","name":"agenda, \"Hello\"","change":"added","new":{"title":"Hello"},"#
          + #""authors":["bob"],"time":"2026-11-20T14:02:20Z"}"#), "\(merge)")
    #expect(merge.contains(#""incoming_count":4,"own":["#), "\(merge)")
    #expect(merge.contains(#""lines":[{"old_line":2,"new_line":2,"old":"two\n","new":"2\n"}]"#))
    #expect(merge.contains(#""meetings":[{"incoming":0,"own":0},"#))
    let diff = host.pnmerge("diff", "--json", "a", "b").output
    #expect(diff.contains(#""same":false,"differences":["#) && diff.contains(#""b_places":["#))
    let status = host.pnmerge("status", "-v", "--json", "a", "b").output
    #expect(status.contains(#""places_there_count":4"#), "\(status)")
    #expect(!host.pnmerge("merge", "--json", "a", "b").output.contains("incoming"))
  }

  @Test("hostile names and values are escaped")
  func hostile() {
    set("b", "/title", #""\u001b[31m\nred\u202e""#, "bob\u{1B}[0m")
    host.pnmerge("insert", "b", "/agenda/0", #"{"title":"\u001b]0;x\u0007"}"#, "--author", "bob")
    for words in [["merge", "-n", "a", "b"], ["status", "-v", "a", "b"], ["diff", "a", "b"]] {
      let output = host.pnmerge(words).output
      #expect(!output.unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 }, "\(output)")
      #expect(output.contains(#"\u{1b}"#))
    }
  }
}
