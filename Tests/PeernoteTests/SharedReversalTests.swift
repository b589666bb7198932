import Peernote
import PeernoteTestSupport
import Testing

@Suite("Reversals that everybody makes in the same way")
struct SharedReversalTests {
  private let note = Note(title: "T", body: "one two three", tags: ["a"])

  private func session(_ agent: UInt64, time: Int64 = 1000) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: "ann", time: Timestamp(milliseconds: time))
  }

  /// A note, and the change that then edited it.
  private func edited() throws -> (document: Document, before: Node, change: ChangeID) {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: session(1)) { try $0.create(note) }
    let before = document.root
    let change = try #require(
      try document.change(by: session(2, time: 2000)) { editor in
        try editor.replaceText(at: JSONPointer(["body"]), with: "one TWO 3")
        try editor.put(.string("U"), at: JSONPointer(["title"]))
        try editor.add(.string("b"), toSetAt: JSONPointer(["tags"]))
      })
    return (document, before, change)
  }

  @Test("the same reversal of the same document is the same change, to the byte")
  func deterministic() throws {
    var (one, before, change) = try edited()
    var other = try Document(bytes: one.encoded())
    #expect(try one.revertTogether([change]) != nil)
    #expect(try other.revertTogether([change]) != nil)
    #expect(one.root == before)
    #expect(one.encoded() == other.encoded())
    #expect(try one.merge(other).result == .identical)
    let reversal = try #require(one.changes.last)
    #expect(reversal.author == "pnmerge")
    #expect(reversal.message == "takes back \(change)")
    #expect(reversal.time == Timestamp(milliseconds: 2000))
  }

  @Test("on different versions they are the same changes, and count once")
  func differentVersions() throws {
    var (one, _, change) = try edited()
    var other = one
    try other.change(by: session(3)) { try $0.add(.string("c"), toSetAt: JSONPointer(["tags"])) }
    try one.change(by: session(4)) { try $0.put(.integer(1), at: JSONPointer(["rating"])) }
    #expect(try one.revertTogether([change]) != nil)
    #expect(try other.revertTogether([change]) != nil)
    let reversals = [one, other].map { $0.changes.filter { $0.author == "pnmerge" }.map(\.id) }
    #expect(reversals[0] == reversals[1])
    _ = try one.merge(other)
    #expect(one.node(at: JSONPointer(["title"])) == .value(.string("T")))
    #expect(one.node(at: JSONPointer(["body"])) == .text("one two three"))
    #expect(one.node(at: JSONPointer(["tags"])) == .set([.string("a"), .string("c")]))
    // And one reversal takes it back on both.
    #expect(try one.revertTogether(Set(reversals[0])) != nil)
    #expect(one.node(at: JSONPointer(["body"])) == .text("one TWO 3"))
    #expect(one.node(at: JSONPointer(["title"])) == .value(.string("U")))
  }

  @Test("where somebody edited the same value since, that stays, and text comes back once")
  func editedSince() throws {
    var (one, _, change) = try edited()
    var other = one
    try other.change(by: session(3, time: 3000)) {
      try $0.put(.string("V"), at: JSONPointer(["title"]))
    }
    #expect(try one.revertTogether([change]) != nil)
    #expect(try other.revertTogether([change]) != nil)
    #expect(other.node(at: JSONPointer(["title"])) == .value(.string("V")))
    _ = try one.merge(other)
    #expect(one.node(at: JSONPointer(["title"])) == .value(.string("V")))
    #expect(one.node(at: JSONPointer(["body"])) == .text("one two three"))
  }

  @Test("a counter's amount is taken back once")
  func counters() throws {
    var one = Document(id: UniqueID(high: 1, low: 2))
    let counter = JSONPointer(["n"])
    try one.change(by: session(1)) { editor in
      try editor.putContainer(.counter, at: counter)
      try editor.increment(by: 1, at: counter)
    }
    let change = try #require(
      try one.change(by: session(2)) { try $0.increment(by: 5, at: counter) })
    var other = one
    try one.change(by: session(3)) { try $0.increment(by: 10, at: counter) }
    try other.change(by: session(4)) { try $0.increment(by: 100, at: counter) }
    #expect(try one.revertTogether([change]) != nil)
    #expect(try other.revertTogether([change]) != nil)
    _ = try one.merge(other)
    #expect(one.node(at: counter) == .counter(111))
  }

  @Test("a container that was removed since does not come back with the text that does")
  func removedSince() throws {
    var document = Document(id: UniqueID(high: 1, low: 2))
    let text = JSONPointer(["text"])
    try document.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: text)
      try editor.replaceText(at: text, with: "one two")
    }
    let change = try #require(
      try document.change(by: session(2)) { try $0.replaceText(at: text, with: "one") })
    try document.change(by: session(3)) { try $0.remove(at: text) }
    _ = try document.revertTogether([change])
    #expect(document.node(at: text) == nil)
    #expect(document.conflicts.isEmpty)
  }

  @Test("what one reversal took back is left out of a larger one, wherever it stands")
  func partTakenBack() throws {
    var (document, before, first) = try edited()
    let body = JSONPointer(["body"])
    var changes = [first]
    for (agent, text) in [(5, "TWO 3"), (6, "3"), (7, "3 4")] as [(UInt64, String)] {
      changes.append(
        try #require(
          try document.change(by: session(agent, time: 2000 + Int64(agent))) {
            try $0.replaceText(at: body, with: text)
          }))
    }
    #expect(try document.revertTogether([changes[1], changes[2]]) != nil)
    #expect(document.node(at: body) == .text("one TWO 3 4"))
    #expect(try document.revertTogether(Set(changes)) != nil)
    #expect(document.root == before)
    #expect(Document.validate(bytes: document.encoded()).isEmpty)
  }

  @Test("what was taken back is not taken back twice")
  func idempotent() throws {
    var (document, before, change) = try edited()
    #expect(try document.revertTogether([change]) != nil)
    let bytes = document.encoded()
    #expect(try document.revertTogether([change]) == nil)
    #expect(document.encoded() == bytes)
    #expect(document.root == before)
  }

  @Test("taken back and brought back in turn, the content alternates")
  func alternates() throws {
    var (document, before, change) = try edited()
    let after = document.root
    for round in 0..<4 {
      // The commit's own change is named each time it is to go, the reversal to bring it back.
      let version = document.heads
      #expect(try document.revertTogether([change]) != nil, "round \(round)")
      #expect(document.root == before, "round \(round)")
      let reversal = Set(document.changes(since: version).map(\.id))
      #expect(try document.revertTogether(reversal) != nil, "round \(round)")
      #expect(document.root == after, "round \(round)")
    }
  }

  @Test("what was taken back one by one is not taken back again together")
  func oneByOne() throws {
    var (document, before, first) = try edited()
    let second = try #require(
      try document.change(by: session(4, time: 3000)) {
        try $0.replaceText(at: JSONPointer(["body"]), with: "two TWO 3")
      })
    #expect(try document.revertTogether([second]) != nil)
    #expect(try document.revertTogether([first]) != nil)
    #expect(document.root == before)
    #expect(try document.revertTogether([first, second]) == nil)
    #expect(document.root == before)
  }

  @Test("a change that is not there is refused, and nothing is done")
  func unknown() throws {
    var (document, _, _) = try edited()
    let bytes = document.encoded()
    let stranger = ChangeID(agent: AgentID(rawValue: 9), sequence: 1)
    #expect(throws: RevertError.noSuchChange(stranger)) {
      try document.revertTogether([stranger])
    }
    #expect(document.encoded() == bytes)
  }

  /// A text that is changed step by step, and the changes after the first.
  private func edited(_ texts: [String]) throws -> (document: Document, changes: [ChangeID]) {
    let text = JSONPointer(["text"])
    var document = Document(id: UniqueID(high: 1, low: 2))
    var changes: [ChangeID] = []
    for (index, content) in texts.enumerated() {
      let step = Int64(index + 1)
      // Agents are random numbers of 64 bits.
      let agent = 0x9e37_79b9_7f4a_7c15 &* UInt64(step)
      let change = try document.change(by: session(agent, time: 1000 * step)) { editor in
        if index == 0 { try editor.putContainer(.text, at: text) }
        try editor.replaceText(at: text, with: content)
      }
      changes.append(try #require(change))
    }
    return (document, Array(changes.dropFirst()))
  }

  @Test(
    "different changes that overlap, taken back on two branches, bring each text back once",
    arguments: [
      (["one two three", "one three", "one THREE"], [0], [0, 1], "one two three"),
      (["one two three four", "one three four", "one four"], [0], [0, 1], "one two three four"),
      (["one two three four", "one three four", "one four"], [1], [0, 1], "one two three four"),
      (
        ["one two five", "one two new five", "one five", "one five six"], [1], [0, 1],
        "one two five six"
      ),
      (
        ["one two five", "one two new five", "one five", "one five six"], [1, 2], [0, 1],
        "one two five"
      ),
      (
        ["one two three four", "one three four", "one three", "three"], [0, 1], [1, 2],
        "one two three four"
      ),
    ] as [([String], [Int], [Int], String)])
  func overlapping(_ texts: [String], _ ours: [Int], _ theirs: [Int], wanted: String) throws {
    let (document, changes) = try edited(texts)
    var (one, other) = (document, document)
    #expect(try one.revertTogether(Set(ours.map { changes[$0] })) != nil)
    #expect(try other.revertTogether(Set(theirs.map { changes[$0] })) != nil)
    var merged = other
    _ = try merged.merge(one)
    _ = try one.merge(other)
    #expect(one.encoded() == merged.encoded())
    #expect(one.root == .map([.init(key: "text", node: .text(wanted))]))
    #expect(one.rawRoot == one.root)
    #expect(Document.validate(bytes: one.encoded()).isEmpty)
  }

  @Test("a counter's amounts are taken back once where two branches take back overlapping changes")
  func overlappingCounters() throws {
    let counter = JSONPointer(["n"])
    var one = Document(id: UniqueID(high: 1, low: 2))
    try one.change(by: session(1)) { try $0.putContainer(.counter, at: counter) }
    var changes: [ChangeID] = []
    for (agent, amount) in [(2, 1), (3, 10), (4, 100)] as [(UInt64, Int64)] {
      changes.append(
        try #require(
          try one.change(by: session(agent)) { try $0.increment(by: amount, at: counter) }))
    }
    var other = one
    #expect(try one.revertTogether([changes[0], changes[1]]) != nil)
    #expect(try other.revertTogether([changes[1], changes[2]]) != nil)
    _ = try one.merge(other)
    #expect(one.node(at: counter) == .counter(0))
  }

  @Test("where pieces would take too long one change brings all back")
  func largeHistory() throws {
    let text = JSONPointer(["text"])
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: text)
      try editor.spliceText(
        at: text, scalars: 0..<0, with: String(repeating: "0123456789abcdef", count: 135_000))
    }
    var changes: [ChangeID] = []
    for step in 0..<32 {
      changes.append(
        try #require(
          try document.change(by: session(2 + UInt64(step))) { editor in
            try editor.spliceText(at: text, scalars: 100 * step..<100 * step + 3, with: "")
          }))
    }
    var few = document
    #expect(try few.revertTogether(Set(changes.prefix(3))) != nil)
    #expect((3...4).contains(few.changes.count { $0.author == "pnmerge" }))
    #expect(try document.revertTogether(Set(changes)) != nil)
    #expect(document.changes.filter { $0.author == "pnmerge" }.count == 1)
  }

  @Test("what others deleted as well stays deleted when a reversal is taken back")
  func deletedSince() throws {
    let texts = ["one", "one two", "one two three", "one two"]
    var (document, changes) = try edited(texts)
    let before = document.root
    let version = document.heads
    #expect(try document.revertTogether([changes[0], changes[1]]) != nil)
    #expect(document.node(at: JSONPointer(["text"])) == .text("one"))
    #expect(try document.revertTogether(Set(document.changes(since: version).map(\.id))) != nil)
    #expect(document.root == before)
  }

  @Test("what settled the same edit of two people is taken back to what was shown")
  func settledSince() throws {
    let text = JSONPointer(["text"])
    func edit(_ document: inout Document, _ agent: UInt64, _ content: String) throws -> ChangeID {
      let change = try document.change(by: session(agent, time: Int64(agent) * 1000)) {
        try $0.replaceText(at: text, with: content)
      }
      return try #require(change)
    }
    var (document, _) = try edited(["a word\nend"])
    var other = document
    _ = try edit(&document, 2, "a w1\nend")
    _ = try edit(&other, 3, "a w1\nend")
    _ = try document.merge(other)
    #expect(document.node(at: text) == .text("a w1\nend"))
    let settled = try edit(&document, 4, "a w6\nend")
    _ = try edit(&document, 5, "a w6\nEnd")
    #expect(try document.revertTogether([settled]) != nil)
    #expect(document.node(at: text) == .text("a w1\nEnd"))
  }

  @Test("of random changes, taken back on two branches, no text comes back twice")
  func overlappingAtRandom() throws {
    let text = JSONPointer(["text"])
    func wordsShown(_ node: Node?) -> [Substring] {
      guard case .text(let shown)? = node else { return [] }
      return shown.split(separator: " ")
    }
    var (doubled, untold, doubledRaw, notBack): ([UInt64], [UInt64], [UInt64], [UInt64]) =
      ([], [], [], [])
    for seed in UInt64(1)...600 {
      var random = SplitMix64(seed: seed)
      var words = (0..<8).map { "w\($0)" }
      var texts = [words.joined(separator: " ")]
      var next = words.count
      for _ in 0..<(2 + random.below(4)) {
        let start = random.below(words.count + 1)
        let end = min(words.count, start + random.below(4))
        let new = (0..<random.below(3)).map { "w\(next + $0)" }
        next += new.count
        if start == end, new.isEmpty { continue }
        words.replaceSubrange(start..<end, with: new)
        texts.append(words.joined(separator: " "))
      }
      let (document, changes) = try edited(texts)
      func some() -> Set<ChangeID> { Set(changes.filter { _ in random.below(2) == 0 }) }
      let (ours, theirs) = (some(), some())
      if ours.isEmpty || theirs.isEmpty { continue }
      var (one, other) = (document, document)
      _ = try one.revertTogether(ours)
      _ = try other.revertTogether(theirs)
      if seed % 4 == 1 {
        // And taking that back leads to what was shown before.
        var back = one
        _ = try back.revertTogether(Set(one.changes(since: document.heads).map(\.id)))
        if back.root != document.root { notBack.append(seed) }
      }
      if seed % 4 == 3 {
        // Where somebody edited something else since, too, up to blanks.
        var back = one
        try back.change(by: session(9)) { try $0.put(.integer(1), at: JSONPointer(["n"])) }
        _ = try back.revertTogether(Set(one.changes(since: document.heads).map(\.id)))
        if wordsShown(back.node(at: text)) != wordsShown(document.node(at: text)) {
          notBack.append(seed)
        }
      }
      var merged = other
      _ = try merged.merge(one)
      _ = try one.merge(other)
      #expect(one.encoded() == merged.encoded())
      // Where an edit met a deletion, both readings may be shown, and that is listed.
      let shown = wordsShown(one.node(at: text))
      #expect(!shown.isEmpty, "no text, seed \(seed)")
      if Set(shown).count < shown.count {
        doubled.append(seed)
        if one.conflicts.isEmpty { untold.append(seed) }
      }
      if case .map(let entries) = one.rawRoot {
        let raw = wordsShown(entries.first?.node)
        if Set(raw).count < raw.count { doubledRaw.append(seed) }
      }
    }
    #expect(untold == [])
    // A reversal is made at the version of what it takes back, not as one difference applied here.
    withKnownIssue(isIntermittent: true) { #expect(notBack == []) }
    #expect(doubled.count <= 3, "\(doubled)")
    #expect(doubledRaw.count <= 3, "\(doubledRaw)")
  }

  /// A line that one side deletes and then replaces what is left, and the other one edits.
  @Test(
    "a deletion in what is contested comes back as the passages say, and no word is glued",
    arguments: [
      ("Meet Anna Tuesday 20:35\n", "Meet\n", "Cancelled.\n", "Meet Anna Tuesday evening\n"),
      ("a\n7:16 train from Ulm\nb\n", "a\nb\n", nil, "a\n7:16 bus from Ulm\nb\n"),
      (
        "a\n7:16 train from Ulm\nb\n", "a\nb\n", "a\nnew plan here\nb\n",
        "a\n7:16 bus from Ulm\nb\n"
      ),
      (
        "head\nmilk\nat 12:30\nend\n", "head\nend\n", "head here\nend\n",
        "head\nmilk\nat 14:45\nend\n"
      ),
    ], [UInt64(10), 30])
  func contested(texts: (String, String, String?, String), agent: UInt64) throws {
    let body = JSONPointer(["body"])
    func saved(_ base: Document, _ agent: UInt64, _ text: String) throws -> (Document, ChangeID) {
      var copy = base
      let change = try copy.change(by: session(agent, time: Int64(agent))) { editor in
        if base.changeCount == 0 { try editor.putContainer(.text, at: body) }
        try editor.replaceText(at: body, with: text)
      }
      return (copy, try #require(change))
    }
    let (base, _) = try saved(Document(id: UniqueID(high: 1, low: 2)), 1, texts.0)
    var (side, deletion) = try saved(base, agent, texts.1)
    if let last = texts.2 { (side, _) = try saved(side, agent + 1, last) }
    var (main, _) = try saved(base, 20, texts.3)
    _ = try main.merge(side)
    let shown = main.root
    #expect(try main.revertTogether([deletion]) != nil)
    #expect(Document.validate(bytes: main.encoded()).isEmpty)
    // What each side wrote is shown, or listed.
    guard case .text(let text)? = main.node(at: body) else {
      Issue.record("\(main.root)")
      return
    }
    let readings = main.conflicts.flatMap(\.others).map { "\($0.node as Node?)" }.joined()
    // A reversal that meets what is contested may settle it.
    withKnownIssue(isIntermittent: true) {
      for line in [texts.2 ?? "", texts.3].flatMap({ $0.split(separator: "\n") }) {
        #expect(text.contains(line) || readings.contains(line) || line == "head", "\(text)")
      }
    }
    let written = [texts.0, texts.1, texts.2 ?? "", texts.3].flatMap { $0.split(separator: "\n") }
    for line in text.split(separator: "\n") {
      #expect(written.contains(line), "\(text), after \(shown)")
    }
    #expect(Set(text.split(separator: "\n")).count == text.split(separator: "\n").count, "\(text)")
  }
}
