import Peernote
import PeernoteTestSupport
import Testing

/// What redaction takes out, case by case; the laws that hold for all are tried on random
/// histories.
@Suite struct RedactionTests {
  private static let body = JSONPointer(["body"])

  /// A document with a text, edited by splices: one change for each group.
  private static func document(_ changes: [[(Range<Int>, String)]]) throws -> Document {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try edit(&document, by: 1, [[]]) { try $0.putContainer(.text, at: body) }
    try edit(&document, by: 1, changes)
    return document
  }

  private static func edit(
    _ document: inout Document, by agent: UInt64, _ changes: [[(Range<Int>, String)]],
    first: (inout Editor) throws -> Void = { _ in }
  ) throws {
    for splices in changes {
      try document.change(by: .person(agent, "ann", at: 1000)) { editor in
        try first(&editor)
        for (range, text) in splices {
          try editor.spliceText(at: body, scalars: range, with: text)
        }
      }
    }
  }

  /// Everything that the document's history shows at any change.
  private static func pastTexts(_ document: Document) throws -> [String] {
    try document.changes.map { change in
      guard case .text(let text)? = try document.at(version: [change.id]).node(at: body) else {
        return ""
      }
      return text
    }
  }

  private static func hiddenCounts(_ places: PassagePlaces) -> [Int] {
    [places.hiddenValues, places.hiddenTexts, places.names]
  }

  private static func redact(_ document: inout Document, _ pattern: String) throws -> Int {
    let passage = try #require(TextPattern(pattern))
    return try document.redactDeletedText(matching: passage).removedScalars
  }

  /// A text that is edited by splices, and what becomes of it when passages are redacted.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var changes: [[(Range<Int>, String)]]
    /// The patterns in turn, each with how many scalars go.
    var redacted: [(pattern: String, count: Int)]
    /// Everything that the history shows then; `nil` if that is not looked at.
    var past: [String]?

    init(
      _ about: String, _ changes: [[(Range<Int>, String)]],
      redacting redacted: (pattern: String, count: Int)..., past: [String]? = nil
    ) {
      testDescription = about
      self.changes = changes
      self.redacted = redacted
      self.past = past
    }
  }

  /// So many redacted scalars.
  private static func marks(_ count: Int) -> String { String(repeating: "\u{FFFD}", count: count) }

  private static let cases: [Case] = [
    Case(
      "a passage that was deleted in one go",
      [[(0..<0, "user ann, password hunter2, thanks")], [(9..<34, "")]],
      redacting: ("hunter2", 7),
      past: ["", "user ann, password \(marks(7)), thanks", "user ann,"]),
    Case(
      "a passage that was deleted backwards, one character at a time",
      "hunter2".enumerated().map { [($0..<$0, String($1))] }
        + (0..<7).reversed().map { [($0..<$0 + 1, "")] },
      redacting: ("hunter2", 7), past: (Array(0...7) + (0...6).reversed()).map { marks($0) }),
    Case(
      "a passage that was typed with mistakes, which are no part of it, and deleted in pieces",
      [[(0..<0, "hunxx")], [(3..<5, "")], [(3..<3, "ter2!")], [(5..<8, "")], [(0..<5, "")]],
      redacting: ("hunter2", 7), ("xx", 2), ("!", 1)),
    Case(
      "the beginning of a passage that stood there only once something inside it was deleted",
      [[(0..<0, "huXnter2")], [(2..<3, "")], [(0..<1, "")]],
      redacting: ("hunter2", 1), past: ["", "\u{FFFD}uXnter2", "\u{FFFD}unter2", "unter2"]),
    Case(
      "the end of such a passage, from behind",
      [[(0..<0, "huXnter2")], [(2..<3, "")], [(6..<7, "")], [(5..<6, "")]],
      redacting: ("hunter2", 2),
      past: ["", "huXnte\(marks(2))", "hunte\(marks(2))", "hunte\u{FFFD}", "hunte"]),
    Case(
      "a passage whose end was deleted before its beginning was typed",
      [[(0..<0, "ter2")], [(0..<4, "")], [(0..<0, "hun")], [(0..<3, "")]],
      redacting: ("hunter2", 7)),
    Case(
      "what matches, and nothing else, of what was deleted backwards",
      [[(0..<0, "xab")], [(2..<3, "")], [(1..<2, "")], [(0..<1, "")]],
      redacting: ("x", 1), past: ["", "\u{FFFD}ab", "\u{FFFD}a", "\u{FFFD}", ""]),
    Case(
      "nothing that stood in two places or at two times",
      [[(0..<0, "ab")], [(1..<2, "")], [(0..<0, "cd")], [(0..<1, "")]], redacting: ("abcd", 0)),
    Case(
      "nothing around what is redacted already", [[(0..<0, "aXb")], [(0..<3, "")]],
      redacting: ("X", 1), ("a?b", 0), ("ab", 0), ("a*b", 0)),
    Case(
      "what a star reaches far from",
      [[(0..<0, "kXey: abcdefghijkl")], [(1..<2, "")], [(16..<17, "")]],
      redacting: ("key: *", 1)),
    Case(
      "the deleted part of a passage, though the rest is still shown",
      [[(0..<0, "hunter2")], [(6..<7, "3")]], redacting: ("hunter2", 1),
      past: ["", "hunter\u{FFFD}", "hunter3"]),
  ]

  @Test("of deleted text this is found and goes:", arguments: cases)
  func found(_ each: Case) throws {
    var document = try Self.document(each.changes)
    for (pattern, count) in each.redacted {
      #expect(try Self.redact(&document, pattern) == count, "\(pattern)")
    }
    guard let past = each.past else { return }
    #expect(try Self.pastTexts(document) == past)
    #expect(document.node(at: Self.body) == past.last.map { .text($0) })
  }

  @Test("around each deletion the line is looked at and no more, however long the text is")
  func effort() throws {
    for lines in [50, 400] {
      let line = "password: hunter2, and what follows it\n"
      let text = String(repeating: line, count: lines)
      let count = line.unicodeScalars.count
      // One character of each line, from the last to the first.
      let deletions = (0..<lines).reversed().map { [($0 * count + 12..<$0 * count + 13, "")] }
      let document = try Self.document([[(0..<0, text)]] + deletions)
      let file = try DocumentFile(document.bytes())
      let redaction = try Redaction(
        of: try #require(TextPattern("password: *")), in: file.log, texts: file.texts)
      #expect(redaction.deletions == [0..<Int32(lines)])
      #expect(redaction.searchedScalars <= lines * (256 + count) + text.unicodeScalars.count)
    }
  }

  /// A text, and what each save of it does, by number.
  struct Saves: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var pattern: String
    var start: @Sendable (_ saves: Int) -> String
    var edit: @Sendable (_ number: Int, _ saves: Int, _ body: ContainerID) -> Edit

    static let kinds = [
      Saves(testDescription: "a word in each line", pattern: "password: *") { saves in
        String(repeating: "password: hunter2\n", count: saves)
      } edit: { number, saves, body in
        .deleteText(
          from: body, at: (saves - 1 - number) * 18 + 12, count: 2, backward: false, text: "nt")
      },
      Saves(testDescription: "typed and deleted in turn", pattern: "abcd") { _ in
        "password: \n"
      } edit: { number, _, body in
        number % 2 == 0
          ? .insertText(into: body, at: 10, text: "abcd")
          : .deleteText(from: body, at: 10, count: 4, backward: false, text: "abcd")
      },
      Saves(testDescription: "in one long line", pattern: "abcd") { saves in
        String(repeating: "abcd", count: saves)
      } edit: { number, saves, body in
        .deleteText(
          from: body, at: (saves - 1 - number) * 4 + 1, count: 1, backward: false, text: "b")
      },
    ]
  }

  @Test("four times as many saves take four times as many steps", arguments: Saves.kinds)
  func manySaves(_ kind: Saves) throws {
    func steps(_ saves: Int) throws -> Int {
      var changes = [Change(77, 1, [.put(map: .root, key: "body", content: .container(.text))])]
      let body = changes[0].id.container(0)
      changes[0].edits.append(.insertText(into: body, at: 0, text: kind.start(saves)))
      for number in 0..<saves {
        changes.append(
          Change(
            77, number + 2, after: [changes[number].id], time: Int64(number),
            [kind.edit(number, saves, body)]))
      }
      let document = try Document(id: UniqueID(high: 1, low: 2), changes: changes)
      let file = try DocumentFile(document.bytes())
      let redaction = try Redaction(
        of: try #require(TextPattern(kind.pattern)), in: file.log, texts: file.texts)
      #expect(redaction.deletions.reduce(0) { $0 + $1.count } >= saves)
      return redaction.searchedScalars
    }
    let (few, many) = (try steps(500), try steps(2000))
    #expect(Double(many) < 4.4 * Double(few), "\(few), \(many)")
  }

  @Test("a merge tells of redacted text that the first copy had, shown or deleted, and of no other")
  func toldByMerge() throws {
    func insertion(_ text: String, at place: Int) -> [(Range<Int>, String)] {
      [(place..<place, text)]
    }
    let start = try Self.document([insertion("one secret two", at: 0)])
    // Somebody else deletes the secret, and what was typed meanwhile, and redacts both.
    var other = start
    try Self.edit(&other, by: 2, [insertion(" unseen", at: 14), [(14..<21, "")], [(3..<10, "")]])
    #expect(try other.redactDeletedText().removedScalars == 14)
    func told(_ one: Document, merging other: Document) throws -> [Int] {
      var one = one
      return try one.merge(other).takenOut.map(\.scalars)
    }
    // It is shown here.
    #expect(try told(start, merging: other) == [7])
    var edited = start
    try Self.edit(&edited, by: 3, [insertion("and ", at: 11)])
    #expect(try told(edited, merging: other) == [7])
    #expect(try told(other, merging: edited) == [])
    // It is half deleted here, by a deletion of our own, which stays.
    var deleted = start
    try Self.edit(&deleted, by: 3, [[(3..<7, "")]])
    #expect(try told(deleted, merging: other) == [3])
    // It is gone here.
    #expect(try told(other, merging: other) == [])
    let merged = try PeernoteTestSupport.merged(start, other)
    #expect(try told(merged, merging: other) == [])
    // Of several copies the one that brought it is named.
    var several = start
    let reports = try several.merge([edited, other, merged])
    #expect(reports.map { $0.takenOut.map(\.scalars) } == [[], [7], []])
  }

  @Test("a search that takes too long is refused, and nothing is redacted")
  func tooLong() throws {
    let text = String(repeating: "a ", count: 400) + "b"
    let deletions = (0..<200).map { [($0..<$0 + 1, "")] }
    let document = try Self.document([[(0..<0, text)]] + deletions)
    let file = try DocumentFile(document.bytes())
    let pattern = try #require(TextPattern("a*b"))
    let whole = try Redaction(of: pattern, in: file.log, texts: file.texts)
    #expect(whole.deletions == [0..<200])
    #expect(throws: HistoryError(.tooLongSearch)) {
      try Redaction(
        of: pattern, in: file.log, texts: file.texts, effort: whole.searchedScalars / 4)
    }
  }

  @Test("a star reaches to the end of the line, and matches what is shown as well")
  func stars() throws {
    var document = try Self.document([
      [(0..<0, "key: abc\nkeep")], [(0..<9, "")], [(0..<0, "key: d\n")],
    ])
    #expect(try Self.redact(&document, "key: *") == 8)
    let passage = try #require(TextPattern("key: *"))
    let places = document.places(of: passage)
    #expect(places.shown == [Self.body] && Self.hiddenCounts(places) == [0, 0, 0])
  }

  @Test("what redaction cannot reach is counted")
  func hidden() throws {
    var document = try Self.document([[(0..<0, "secret")]])
    let session = DocumentSession.person(5, "secret agent", at: 1)
    try document.change(by: session, message: "no secret") { editor in
      try editor.put(.string("secret"), at: ["title"])
      try editor.putContainer(.set, at: ["tags"])
      try editor.add(.string("my secret"), toSetAt: ["tags"])
    }
    try document.change(by: session) { editor in
      try editor.put(.string("open"), at: ["title"])
      try editor.remove(at: Self.body)
      try editor.discard(.string("my secret"), fromSetAt: ["tags"])
    }
    let passage = try #require(TextPattern("secret"))
    let places = document.places(of: passage)
    #expect(places.shown.isEmpty && Self.hiddenCounts(places) == [2, 1, 2])
    let inspection = try Document.inspect(bytes: document.bytes())
    #expect(inspection.hiddenValues == 2)
    #expect(inspection.hiddenTextScalars == 6)
    #expect(inspection.deletedScalars == 0)
  }

  @Test("what stood in lists, in removed containers and on the losing side is counted, too")
  func hiddenElsewhere() throws {
    var document = try Self.document([[(0..<0, "shown")]])
    func session(_ agent: UInt64) -> DocumentSession {
      DocumentSession.person(agent, "", at: Int64(agent))
    }
    let (list, inner) = (JSONPointer(["list"]), JSONPointer(["inner"]))
    try document.change(by: session(5)) { editor in
      try editor.putContainer(.list, at: list)
      for index in 0..<4 {
        try editor.insert(node: .value(.string("secret \(index)")), at: list.appending("0"))
      }
      try editor.insert(node: .text("secret text"), at: list.appending("0"))
      try editor.putContainer(.map, at: inner)
      try editor.put(.string("secret"), at: inner.appending("value"))
      try editor.putContainer(.set, at: inner.appending("set"))
      try editor.add(.string("secret"), toSetAt: inner.appending("set"))
      try editor.putContainer(.counter, at: inner.appending("count"))
      try editor.increment(by: 3, at: inner.appending("count"))
    }
    func held() throws -> [Int] {
      let places = document.places(of: try #require(TextPattern("secret")))
      let inspection = try Document.inspect(bytes: document.bytes())
      #expect(inspection.hiddenTextScalars == 11 * places.hiddenTexts)
      return [places.shown.count, places.hiddenValues, inspection.hiddenValues, places.hiddenTexts]
    }
    #expect(try held() == [7, 0, 0, 0])
    // One value of the list is replaced, one removed; so is its text.
    try document.change(by: session(6)) { editor in
      try editor.put(.string("open"), at: list.appending("1"))
      try editor.remove(at: list.appending("2"))
      try editor.remove(at: list.appending("0"))
    }
    #expect(try held() == [4, 2, 2, 1])
    // With a container goes all that is in it.
    try document.change(by: session(7)) { try $0.remove(at: inner) }
    #expect(try held() == [2, 4, 4, 1])
    try document.change(by: session(8)) { try $0.remove(at: list) }
    #expect(try held() == [0, 6, 7, 1])
    // What lost against a concurrent value is held as well.
    var other = document
    try document.change(by: session(9)) { try $0.put(.string("secret"), at: inner) }
    try other.change(by: session(10)) { try $0.put(.string("open"), at: inner) }
    _ = try document.merge(other)
    #expect(try held() == [0, 7, 8, 1])
  }

  @Test("a passage is found wherever it is shown, and among the names")
  func shownEverywhere() throws {
    var document = try Self.document([[(0..<0, "a secret")]])
    try document.change(by: .person(5, "ann", at: 1)) { editor in
      try editor.put(.string("secret"), at: ["my secret"])
      try editor.putContainer(.list, at: ["list"])
      try editor.insert(node: .value(.string("secret")), at: ["list", "0"])
      try editor.putContainer(.set, at: ["tags"])
      try editor.add(.string("secret"), toSetAt: ["tags"])
    }
    let passage = try #require(TextPattern("secret"))
    let places = document.places(of: passage)
    #expect(
      places.shown.map(\.description).sorted() == ["/body", "/list/0", "/my secret", "/tags"])
    #expect(Self.hiddenCounts(places) == [0, 0, 1])
  }

  @Test("what is shown and what is contested stay, whatever was united there before")
  func shown() throws {
    var (redacted, contested, rewritten) = (0, 0, 0)
    for seed in 1...4000 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let words = ["milk", "bread ", "12,000", "\n", "\n- ", "end. ", " of", "x"]
      let start = random.text(pieces: 14, alphabet: words)
      let base = try Self.document([[(0..<0, start)]])
      var merged = base
      for number in 0..<random.within(2...3) {
        var copy = base
        var text = start
        for _ in 0..<random.within(1...2) {
          text = random.edited(text, alphabet: words)
          try copy.change(by: .person(UInt64(number) + 2)) {
            try $0.replaceText(at: Self.body, with: text)
          }
        }
        _ = try merged.merge(copy)
      }
      for _ in 0..<(random.chance(70) ? 50 : 0) {
        guard let conflict = merged.conflicts.last else { break }
        let side = random.pick(conflict.sides)
        try merged.change(by: .person(8)) { try $0.resolve(conflict, taking: .side(side)) }
      }
      let before = merged
      let report = try merged.redact { DocumentSession.person(9) }
      #expect(
        merged.root == before.root && merged.conflicts == before.conflicts,
        "seed \(seed): \(before.root) became \(merged.root)")
      #expect(before.conflicts.isEmpty ? report.contestedScalars == 0 : report.removedScalars == 0)
      redacted += report.removedScalars
      rewritten += merged.heads == before.heads ? 0 : 1
      contested += report.contestedScalars
      var (one, other) = (merged, before)
      _ = try one.merge(before)
      _ = try other.merge(merged)
      #expect(one.bytes() == other.bytes() && one.root == before.root, "seed \(seed)")
    }
    #expect(
      redacted > 100 && contested > 100 && rewritten > 0, "\(redacted), \(contested), \(rewritten)")
  }

  @Test("a redaction of nothing changes nothing")
  func nothing() throws {
    var document = try Self.document([[(0..<0, "abc")], [(0..<1, "")]])
    let bytes = document.bytes()
    #expect(try Self.redact(&document, "b") == 0)
    #expect(document.bytes() == bytes)
    for removed in [1, 0] {
      let report = try document.redactDeletedText()
      #expect(report.removedScalars == removed && report.keptScalars == 0)
    }
  }
}
