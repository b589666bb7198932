import Foundation
import Peernote
import PeernoteJSON
import PnmergeCommands
import Testing

@Suite("Decisions from the page of a review") struct DecisionFileTests {
  /// A merge that leaves a passage, a title and an element that was deleted to be decided.
  private static func meeting() -> MemoryHost {
    let host = MemoryHost()
    host.makeMeeting()
    host.pnmerge("insert", "a", "/l/-", #"{"title":"Old","n":5}"#, "--author", "ada")
    host.pnmerge("merge", "-q", "b", "a")
    host.pnmerge("resolve", "-q", "b", "/title", "--value", "\"V\"", "--author", "bob")
    host.copy("b", "a")
    for (file, author, title) in [("a", "ada", "U"), ("b", "bob", "W")] {
      host.pnmerge("set", file, "/title", "\"\(title)\"", "--author", author)
      host.pnmerge(
        "set", file, "/body", "\"We meet in the \(title) hall at noon.\\n\"", "--author", author)
    }
    host.pnmerge("set", "a", "/l/1/n", "6", "--author", "ada")
    host.pnmerge("remove", "b", "/l/1", "--author", "bob")
    return host
  }

  /// The file that the page would save.
  private static func decisions(
    _ host: MemoryHost, _ answers: [(place: Int, member: String)]
  ) throws -> String {
    let page = host.pnmerge("review", "--html", "-", "a", "b").output
    func attribute(_ name: String) -> [String] {
      page.components(separatedBy: "\(name)=\"").dropFirst().map { part in
        String(part.prefix { $0 != "\"" }).replacing("&quot;", with: "\"")
          .replacing("&#39;", with: "'").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
          .replacing("&amp;", with: "&")
      }
    }
    let places = attribute("data-place")
    let list = answers.map { "\(places[$0.place].dropLast()),\($0.member)}" }
    let head = try #require(attribute("data-review").first)
    return "\(head.dropLast()),\"decisions\":[\(list.joined(separator: ","))]}"
  }

  private static func root(_ host: MemoryHost, _ name: String = "a") throws -> Node {
    try Document(bytes: host[name] ?? []).root
  }

  /// What is typed in the terminal, and what the page saves, for an element that was deleted and
  /// changed, a passage, and a title.
  private static let answers: [[(typed: String, member: String)]] = [
    [("m", #""take":"mine""#), ("t", #""take":"theirs""#), ("o", #""take":"before""#)],
    [
      ("m", #""take":"mine""#), ("t", #""take":"theirs""#), ("b", #""take":"both""#),
      ("2", #""take":2"#), ("o", #""take":"before""#),
    ],
    [
      ("m", #""take":"mine""#), ("t", #""take":"theirs""#), ("1", #""take":1"#),
      ("o", #""take":"before""#),
    ],
  ]

  @Test("the same answers give the same bytes as in the terminal, whichever they are")
  func sameAsTyped() throws {
    for round in 0..<5 {
      // Each answer of each place, beside different ones of the others.
      let chosen = Self.answers.enumerated().map {
        $0.element[(round + $0.offset) % $0.element.count]
      }
      let typed = Self.meeting()
      let saved = Self.meeting()
      let text = try Self.decisions(
        saved, chosen.enumerated().map { ($0.offset, $0.element.member) })
      saved.setText("d.json", text)
      _ = typed.pnmerge("review", "--html", "-", "a", "b")
      typed.terminals = [.input, .error]
      typed.answers = chosen.map(\.typed) + ["y"]
      let asked = typed.pnmerge("review", "--plain", "a", "b")
      let applied = saved.pnmerge("review", "--apply", "d.json", "a", "b")
      #expect(asked.status == .done && applied.status == .done, "\(asked)\(applied)")
      #expect(applied.output == asked.output)
      #expect(saved["a"] == typed["a"], "\(text)")
    }
  }

  @Test("what is decided after the merge reads the same; what is left open stays to be resolved")
  func afterwards() throws {
    let members: [[(place: Int, member: String)]] = [
      [(0, #""take":"theirs""#), (1, #""take":"mine""#), (2, #""take":"theirs""#)],
      [(2, #""edited":"X \"y\"""#), (1, #""edited":"far ""#), (0, #""edited":"{\"n\": 9}\n""#)],
      [(2, #""take":"before""#)],
      [(1, #""take":"both""#), (0, #""take":"mine""#)],
      [],
    ]
    for answers in members {
      let host = Self.meeting()
      host.setText("d.json", try Self.decisions(host, answers))
      host.copy("a", "c")
      let atOnce = host.pnmerge("review", "--apply", "d.json", "c", "b")
      host.pnmerge("merge", "-q", "a", "b")
      let dry = host.pnmerge("resolve", "-n", "--apply", "d.json", "a")
      let left = answers.count < 3 ? "; \(3 - answers.count) left unresolved" : ""
      #expect(dry.output == "a: would resolve \(answers.count) of 3\(left)\n")
      let run = host.pnmerge("resolve", "--apply", "d.json", "a")
      #expect(run.status == (answers.count < 3 ? .different : .done), "\(run)")
      #expect(run.status == atOnce.status)
      #expect(try Self.root(host) == Self.root(host, "c"))
      let open = host.pnmerge("conflicts", "a").output.split(separator: "\n")
      #expect(open.count(where: { $0.hasPrefix("/") }) == 3 - answers.count, "\(open)")
    }
  }

  @Test("what is edited on the page is what an editor would make of it")
  func edited() throws {
    let host = Self.meeting()
    host.setText(
      "d.json", try Self.decisions(host, [(2, #""edited":"\u202e</script>\u2028""#)]))
    host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(try Self.root(host)["title"] == .value(.string("\u{202E}</script>\u{2028}")))
  }

  @Test("what was not reviewed is refused with one line, and every file left as it was")
  func moved() throws {
    let host = Self.meeting()
    host.setText("d.json", try Self.decisions(host, [(2, #""take":"mine""#)]))
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
      "resolve", "--apply", "d.json", "a", status: .different, "a: lacks changes of the merge")
    refused("review", "--apply", "d.json", "b", "a", status: .usage, "copies in another order")
    refused(
      "review", "--apply", "d.json", "a", "b", "b", status: .usage,
      "is about 2 copies; give as many")
    host.pnmerge("new", "other")
    host.copy("other", "twin")
    refused("resolve", "--apply", "d.json", "other", status: .notSameDocument, "another document")
    refused(
      "review", "--apply", "d.json", "other", "twin", status: .notSameDocument, "another document")
    host.copy("b", "later")
    host.pnmerge("set", "later", "/title", "\"Z\"", "--author", "eve")
    refused(
      "review", "--apply", "d.json", "a", "later", status: .different, "later: is not as it was")
    host.pnmerge("merge", "-q", "a", "later")
    refused(
      "resolve", "--apply", "d.json", "a", status: .different,
      "a: has moved on since d.json was decided, by 1 change by eve")
    refused("resolve", "--apply", "d.json", "-i", "a", status: .usage, "take the file only")
  }

  @Test("every fault of the file is said with its place, and nothing written")
  func faults() throws {
    let host = Self.meeting()
    let sound = try Self.decisions(host, [(2, #""take":"mine""#)])
    let kept = host["a"]
    for (old, new, part) in [
      (#""schema":1"#, #""schema":2"#, "at /schema: must be 1"),
      (#""schema":1"#, #""schema":1,"more":0"#, "unknown member \"more\""),
      (#""schema":1,"#, "", "the member \"schema\" is missing"),
      (#""document":""#, #""document":"x"#, "at /document: must be a UUID"),
      (#""copies":[["#, #""copies":[[""],["#, "at /copies/0: must be an array of IDs of changes"),
      (#""copies":["#, #""copies":[3,"#, "at /copies/0: must be an array of IDs of changes"),
      (#""decisions":["#, #""decisions":[7,"#, "at /decisions/0: must be an object"),
      (#""decisions":[{"#, #""decisions":[{"x":1,"#, "at /decisions/0: unknown member \"x\""),
      (#""take":"mine""#, #""take":"ours""#, "at /decisions/0/take: must be \"mine\""),
      (#""take":"mine""#, #""take":0"#, "at /decisions/0/take: must be"),
      (#""take":"mine""#, #""take":1.5"#, "at /decisions/0/take: must be"),
      (#""take":"mine""#, #""take":9"#, "at /decisions/0: there is no such side at /title"),
      (#""take":"mine""#, #""take":"both""#, "there is no such side at /title"),
      (#""take":"mine""#, #""edited":5"#, "at /decisions/0/edited: must be a string"),
      (#""take":"mine""#, #""edited":"W""#, "is what stands there already"),
      (#""take":"mine""#, #""edited":"a","take":1"#, "must have one member \"take\" or \"edited\""),
      (#","take":"mine""#, "", "must have one member \"take\" or \"edited\""),
      (#""path":"/title""#, #""path":"/body""#, "\"/body\" is not to be decided in this merge"),
      (#""kind":"register""#, #""kind":"overlap""#, "is not to be decided in this merge"),
      (#"}]}"#, #"}]"#, "line 1, column"), (sound, "", "a value is missing"),
      (sound, "[]", "must be an object"), (sound, "\u{0}", "a value is expected"),
      (#""take":"mine""#, #""take":"mine","take":"mine""#, "stands twice"),
    ] {
      let text = sound.replacing(old, with: new)
      #expect(text != sound)
      host.setText("d.json", text)
      let run = host.pnmerge("review", "--apply", "d.json", "a", "b")
      #expect(run.status == .unreadable, "\(text): \(run)")
      #expect(run.errors.hasPrefix("pnmerge: d.json: ") && run.errors.contains(part), "\(run)")
      #expect(run.errors.contains("nothing was written"), "\(run)")
      #expect(run.errors.split(separator: "\n").count == 1 && host["a"] == kept)
    }
    let twice = try Self.decisions(host, [(2, #""take":"mine""#), (2, #""take":"theirs""#)])
    host.setText("d.json", twice)
    let run = host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(run.status == .unreadable && run.errors.contains("decides a place a second time"))
    host.setText("d.json", try Self.decisions(host, [(0, #""edited":"{""#)]))
    let broken = host.pnmerge("review", "--apply", "d.json", "a", "b")
    #expect(broken.errors.contains("at /decisions/0: the value is not JSON"), "\(broken)")
    #expect(host.pnmerge("review", "--apply", "none", "a", "b").status == .unreadable)
    #expect(host["a"] == kept)
  }
}
