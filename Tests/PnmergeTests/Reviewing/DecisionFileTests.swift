import Foundation
import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

@Suite("Decisions from the page of a review") struct DecisionFileTests {
  /// A merge that leaves an element that was deleted, a passage and a title to be decided.
  private static func meeting() -> MemoryHost {
    let host = MemoryHost()
    host.makeMeeting()
    host.pnmerge("insert", "a", "/l/-", #"{"title":"Old","n":5}"#, "--author", "ada")
    host.pnmerge("merge", "-q", "b", "a")
    host.pnmerge("resolve", "-q", "b", "--all", "--take", "kept", "--author", "bob")
    host.copy("b", "a")
    for (file, author, title) in [("a", "ada", "U"), ("b", "bob", "W")] {
      host.pnmerge("set", file, "/title", "\"\(title)\"", "--author", author)
      host.pnmerge(
        "set", file, "/body", "\"We meet at \(title) in the hall.\\n\\nBring a red coat.\\n\"",
        "--author", author)
    }
    host.pnmerge("set", "a", "/l/1/n", "6", "--author", "ada")
    host.pnmerge("remove", "b", "/l/1", "--author", "bob")
    host.pnmerge("set", "b", "/l/0/n", "7", "--author", "bob")
    return host
  }

  /// What a page would save: for each place, by its path, what is taken of it; a name stands for that
  /// person's version.
  private static func decisions(
    _ host: MemoryHost, _ answers: [(path: String, take: String)], _ words: [String] = ["a", "b"]
  ) throws -> String {
    let page = host.pnmerge(["review", "--html", "-"] + words).output
    func plain(_ text: some StringProtocol) -> String {
      String(text).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
    let head = plain(try #require(page.firstMatch(of: #/data-review="\[([^"]*)\]"/#)).1)
    let places = page.components(separatedBy: "data-place=\"").dropFirst().map { part in
      (place: plain(part.prefix { $0 != "\"" }), rest: part)
    }
    let list = try answers.map { answer -> String in
      let place = try #require(
        places.first { $0.place.contains("\"path\":\"\(answer.path)\"") }, "\(answer.path)")
      var take = answer.take
      if take.hasPrefix("{") { return "\(place.place.dropLast()),\(take.dropFirst())" }
      let own = place.rest.matches(of: #/value="([^"]*)" autocomplete="off" data-who="([^"]*)"/#)
      if let found = own.first(where: { $0.2 == take[...] }) { take = String(found.1) }
      return "\(place.place.dropLast()),\"take\":\"\(take)\"}"
    }
    let empty = "\"decisions\":[]"
    return
      "{\"schema\":2,\"documents\":[\(head.replacing(empty, with: "\"decisions\":[\(list.joined(separator: ","))]"))]}"
  }

  private static func root(_ host: MemoryHost, _ name: String = "a") throws -> DocumentNode {
    try Document(bytes: host[name] ?? []).root
  }

  /// What is typed in the terminal, and what the page saves, for each place in order.
  private static let answers: [(path: String, choices: [(typed: String, take: String)])] = [
    ("/l/1", [("ada", "ada"), ("bob", "bob"), ("o", "before")]),
    ("/body", [("ada", "ada"), ("bob", "bob"), ("b", "both"), ("o", "before")]),
    ("/title", [("ada", "ada"), ("bob", "bob"), ("o", "before")]),
  ]

  @Test("the same answers give the same bytes as in the terminal, whichever they are")
  func sameAsTyped() throws {
    for round in 0..<5 {
      // Each answer of each place, beside different ones of the others.
      let chosen = Self.answers.enumerated().map { number, place in
        (path: place.path, choice: place.choices[(round + number) % place.choices.count])
      }
      let typed = Self.meeting()
      let saved = Self.meeting()
      let text = try Self.decisions(saved, chosen.map { ($0.path, $0.choice.take) })
      saved.setText("d.json", text)
      _ = typed.pnmerge("review", "--html", "-", "a", "b")
      typed.terminals = [.input, .error]
      typed.answers = chosen.map(\.choice.typed) + ["y"]
      let asked = typed.pnmerge("review", "a", "b")
      let applied = saved.pnmerge("review", "--apply", "d.json", "a", "b")
      #expect(asked.status == .done && applied.status == .done, "\(asked)\(applied)")
      #expect(applied.output == asked.output)
      #expect(saved["a"] == typed["a"], "\(text)")
    }
  }

  @Test("what is decided after the merge, or with the copies in another order, reads the same")
  func afterwards() throws {
    let cases: [[(path: String, take: String)]] = [
      [("/l/1", "ada"), ("/body", "bob"), ("/title", "before")],
      [("/title", #"{"edited":"X \"y\""}"#), ("/body", #"{"edited":"far"}"#), ("/l/1", "bob")],
      [("/title", "before")], [("/body", "both"), ("/l/1", "ada")], [],
    ]
    for answers in cases {
      let host = Self.meeting()
      host.setText("d.json", try Self.decisions(host, answers))
      host.copy("a", "c")
      host.copy("b", "e")
      let atOnce = host.pnmerge("review", "--apply", "d.json", "c", "b")
      let turned = host.pnmerge("review", "--apply", "d.json", "e", "a")
      #expect(turned.status == atOnce.status, "\(turned)")
      host.pnmerge("merge", "-q", "a", "b")
      let dry = host.pnmerge("review", "-n", "--apply", "d.json", "a")
      let left = answers.count < 3 ? "; \(3 - answers.count) left unresolved" : ""
      #expect(dry.output == "a: would resolve \(answers.count) of 3\(left)\n")
      let run = host.pnmerge("review", "--apply", "d.json", "a")
      #expect(run.status == (answers.count < 3 ? .different : .done), "\(run)")
      #expect(run.status == atOnce.status)
      #expect(
        try Self.root(host) == Self.root(host, "c") && Self.root(host) == Self.root(host, "e"))
      let open = host.pnmerge("conflicts", "a").output.split(separator: "\n")
      #expect(open.count(where: { $0.hasPrefix("/") }) == 3 - answers.count, "\(open)")
    }
  }

  @Test("what nobody contests can be left out")
  func leavingOut() throws {
    let host = Self.meeting()
    host.setText("d.json", try Self.decisions(host, [("/l/0/n", "before"), ("/title", "ada")]))
    let run = host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(run.output.contains("  left out 1 change\n"), "\(run)")
    #expect(host.pnmerge("cat", "a", "/l/0/n").output == "2\n")
    let later = Self.meeting()
    later.setText("d.json", try Self.decisions(later, [("/l/0/n", "before"), ("/title", "ada")]))
    later.pnmerge("merge", "-q", "b", "a")
    #expect(later.pnmerge("review", "--apply", "d.json", "b").status == .different)
    #expect(later.pnmerge("cat", "b", "/l/0/n").output == "2\n")
  }

  @Test("of lines that two people added beside each other one person's can be left out")
  func neighbours() throws {
    let host = MemoryHost()
    host.pnmerge("new", "a", "--title", "T", "--author", "eve")
    host.pnmerge("set", "a", "/body", "\"last\\n\"", "--author", "eve")
    host.copy("a", "b")
    for (copy, author) in [("a", "ada"), ("b", "bob")] {
      host.pnmerge("set", copy, "/body", "\"last\\nby \(author)\\n\"", "--author", author)
    }
    host.setText("d.json", try Self.decisions(host, [("/body", "before")]))
    host.copy("a", "c")
    host.copy("b", "e")
    host.pnmerge("merge", "-q", "-o", "m", "a", "b")
    var lines = try #require(Self.root(host, "m")["body"]?.string).split(separator: "\n")
    #expect(lines.count == 3)
    lines.remove(at: 1)
    for files in [["c", "b"], ["e", "a"], ["m"]] {
      let run = host.pnmerge(["review", "--apply", "d.json"] + files)
      #expect(run.status == .done && run.output.contains("  left out 1 change\n"), "\(run)")
      let body = try #require(Self.root(host, files[0])["body"]?.string)
      #expect(body == lines.joined(separator: "\n") + "\n", "\(files)")
    }
  }

  @Test("of several people's decisions what they agree on is made, the rest is said and left open")
  func several() throws {
    let host = Self.meeting()
    host.setText("1.json", try Self.decisions(host, [("/title", "ada"), ("/body", "bob")]))
    host.setText("2.json", try Self.decisions(host, [("/title", "ada"), ("/body", "both")]))
    host.setText("3.json", try Self.decisions(host, [("/title", "ada"), ("/l/1", "ada")]))
    let run = host.pnmerge(
      "review", "--apply", "1.json", "--apply", "2.json", "--apply", "3.json", "a", "b")
    #expect(run.status == .different, "\(run)")
    #expect(
      run.output.contains("  left open: body is decided as \"W\" by 1.json and "), "\(run)")
    #expect(run.output.contains("resolved 2 of 3; 1 left unresolved"))
    #expect(host.pnmerge("cat", "a", "/title").output == "\"U\"\n")
    #expect(host.pnmerge("cat", "a", "/l/1/n").output == "6\n")
  }

  @Test("decisions of a page are taken from standard input, too")
  func standardInput() throws {
    let host = Self.meeting()
    host.input = Array(try Self.decisions(host, [("/title", "ada")]).utf8)
    #expect(host.pnmerge("review", "--apply", "-", "a", "b").status == .different)
    #expect(host.pnmerge("cat", "a", "/title").output == "\"U\"\n")
  }

  @Test("what is edited on the page is what an editor would make of it")
  func edited() throws {
    let host = Self.meeting()
    host.setText(
      "d.json", try Self.decisions(host, [("/title", #"{"edited":"\u202e</script>\u2028"}"#)]))
    host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(try Self.root(host)["title"] == .value(.string("\u{202E}</script>\u{2028}")))
  }

  @Test("what was not reviewed is refused with one line, and every file left as it was")
  func moved() throws {
    let host = Self.meeting()
    host.setText("d.json", try Self.decisions(host, [("/title", "ada")]))
    func refused(
      _ words: String..., status: ExitStatus, _ part: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let before = host.names.map { host[$0] }
      let run = host.pnmerge(words)
      #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
      #expect(
        run.errors.contains(part) && run.errors.split(separator: "\n").count == 1, "\(run)",
        sourceLocation: sourceLocation)
      #expect(host.names.map { host[$0] } == before, sourceLocation: sourceLocation)
    }
    refused(
      "review", "--apply", "d.json", "a", status: .different, "a: lacks changes of the merge")
    let text = String(decoding: try #require(host["d.json"]), as: UTF8.self)
    host.setText("x.json", text.replacing(#""document":""#, with: #""document":"x"#))
    host.setText("y.json", text.replacing(#""version":["#, with: #""version":["","#))
    refused(
      "review", "--apply", "x.json", "a", "b", status: .notSameDocument, "another document (\"x")
    refused("review", "--apply", "y.json", "a", "b", status: .different, "a: lacks changes of")
    host.pnmerge("new", "other")
    host.copy("other", "twin")
    refused("review", "--apply", "d.json", "other", status: .notSameDocument, "another document")
    refused(
      "review", "--apply", "d.json", "other", "twin", status: .notSameDocument, "another document")
    host.copy("b", "later")
    host.pnmerge("set", "later", "/title", "\"Z\"", "--author", "eve")
    refused(
      "review", "--apply", "d.json", "a", "later", status: .different, "a: has moved on since")
    host.pnmerge("merge", "-q", "a", "later")
    refused(
      "review", "--apply", "d.json", "a", status: .different,
      "a: has moved on since d.json was decided, by 1 change by eve")
  }

  @Test("every fault of the file is said with its place, and nothing written")
  func faults() throws {
    let host = Self.meeting()
    let sound = try Self.decisions(host, [("/title", "before")])
    let kept = host["a"]
    let take = #""take":"before""#
    for (old, new, part) in [
      (#""schema":2"#, #""schema":1"#, "at /schema: must be 2"),
      (#""schema":2,"#, "", "/schema: there is nothing under the key"),
      (#""version":["#, #""version":[3,"#, "/documents/0/version/0: a string is wanted"),
      (#""decisions":["#, #""decisions":[7,"#, "/documents/0/decisions/0: a map is wanted"),
      (take, #""take":"ours""#, "there is no choice \"ours\" at /title"),
      (take, #""take":1"#, "/documents/0/decisions/0/take: a string is wanted"),
      (take, #""edited":5"#, "/documents/0/decisions/0/edited: a string is wanted"),
      (take, #""edited":"a","take":"both""#, "there must be one member \"take\" or \"edited\""),
      (",\(take)", "", "there must be one member \"take\" or \"edited\""),
      (#""path":"/title""#, #""path":"/body""#, "\"/body\" is no conflict of this merge"),
      (#""kind":"register""#, #""kind":"adjacent""#, "is no conflict of this merge"),
      ("]}", "]", "line 1, column"), (sound, "", "a value is missing"),
      (sound, "[]", "a map is wanted"), (sound, "\u{0}", "a value is expected"),
      (take, "\(take),\(take)", "stands twice"),
    ] {
      let text = sound.replacing(old, with: new)
      #expect(text != sound, "\(old)")
      host.setText("d.json", text)
      let run = host.pnmerge("review", "--apply", "d.json", "a", "b")
      #expect(run.status == .unreadable, "\(text): \(run)")
      #expect(run.errors.hasPrefix("pnmerge: d.json: ") && run.errors.contains(part), "\(run)")
      #expect(run.errors.contains("nothing was written"), "\(run)")
      #expect(run.errors.split(separator: "\n").count == 1 && host["a"] == kept)
    }
    host.setText("d.json", try Self.decisions(host, [("/title", "ada"), ("/title", "bob")]))
    let run = host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(run.status == .unreadable && run.errors.contains("a place is decided a second time"))
    host.setText("d.json", try Self.decisions(host, [("/l/1", #"{"edited":"{"}"#)]))
    let broken = host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(
      broken.errors.contains("at /documents/0/decisions/0: the value is not JSON"), "\(broken)")
    #expect(host.pnmerge("review", "--apply", "none", "a", "b").status == .unreadable)
    #expect(host["a"] == kept)
  }
}
