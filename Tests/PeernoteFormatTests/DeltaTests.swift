import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

@Suite("Deltas") struct DeltaTests {
  private static let body = JSONPointer(["body"])

  private func session(_ number: UInt64) -> DocumentSession {
    DocumentSession.person(number, "Ada Lovelace", at: 1_795_000_000_000 + Int64(number))
  }

  private func document(_ text: String = "") throws -> Document {
    var document = Document(id: UniqueID(high: 3, low: 4))
    try document.change(by: session(1)) { try $0.put(node: .text(text), at: Self.body) }
    return document
  }

  @Test("every version of a random history becomes the whole by what it lacks")
  func versions() throws {
    for profile in [HistoryProfile.few, .everything, .text, .turns] {
      for seed in LawBudget(histories: 8).seeds {
        let document = try History(seed: seed, profile: profile).document
        let bytes = document.bytes()
        var random = SplitMix64(seed: seed)
        for _ in 0..<4 {
          var version = [random.pick(document.changes).id]
          if random.chance(50) { version.append(random.pick(document.changes).id) }
          var past = try document.at(version: version)
          var merged = past
          let told = try past.apply(try document.delta(since: version))
          let report = try merged.merge(document)
          #expect(past.bytes() == bytes, "\(profile) \(seed)")
          #expect(
            told.newChanges.map(\.id) == report.newChanges.map(\.id), "\(profile) \(seed)")
        }
        var empty = Document(id: document.id)
        try empty.apply(try document.delta(since: []))
        #expect(empty.bytes() == bytes, "\(profile) \(seed)")
        let nothing = try document.delta(since: document.heads)
        #expect(try empty.apply(nothing).newChanges.isEmpty)
        #expect(empty.bytes() == bytes)
      }
    }
  }

  @Test("deltas of one change each, in any order and twice, lead to the same bytes")
  func order() throws {
    for seed in LawBudget(histories: 12).seeds {
      let whole = try History(seed: seed, profile: .few).document
      var random = SplitMix64(seed: seed)
      var deltas = try whole.changes.map { change in
        let past = try whole.at(version: [change.id])
        return try past.delta(since: change.parents)
      }
      deltas += deltas
      deltas.shuffle(using: &random)
      var copy = Document(id: whole.id)
      while !deltas.isEmpty {
        var waiting: [[UInt8]] = []
        for delta in deltas {
          let before = copy.bytes()
          do throws(DeltaError) {
            try copy.apply(delta)
          } catch {
            guard case .missingChanges(let missing) = error else { throw error }
            #expect(!missing.isEmpty && !missing.contains(where: copy.contains), "seed \(seed)")
            #expect(copy.bytes() == before)
            waiting.append(delta)
          }
        }
        try #require(waiting.count < deltas.count, "seed \(seed)")
        deltas = waiting
      }
      #expect(copy.bytes() == whole.bytes(), "seed \(seed)")
    }
  }

  @Test("a keystroke is 100 bytes, whatever the size of the document, and the text is in it")
  func size() throws {
    var document = try document(String(repeating: "All work and no play. ", count: 5_000))
    var copy = document
    var sizes: [Int] = []
    for (index, key) in ["H", "e", "\u{E9}", "\u{1F600}", "y"].enumerated() {
      let sent = document.heads
      try document.change(by: session(2)) { editor in
        try editor.spliceText(at: Self.body, scalars: 7 + index..<7 + index, with: key)
      }
      let delta = try document.delta(since: sent)
      sizes.append(delta.count)
      try copy.apply(delta)
      #expect(copy.bytes() == document.bytes())
    }
    let sent = document.heads
    try document.change(by: session(2)) { editor in
      try editor.spliceText(at: Self.body, scalars: 11..<12, with: "")
    }
    sizes.append(try document.delta(since: sent).count)
    #expect(sizes.allSatisfy { $0 <= 100 }, "\(sizes)")
  }

  @Test("a delta has what was typed over since, and what was redacted", arguments: [nil, "d"])
  func textThatMoved(redacting pattern: String?) throws {
    var document = try document("abcdef")
    let sent = document.heads
    var copy = document
    for (range, text) in [(2..<2, "XYZ"), (0..<1, ""), (2..<3, "-"), (4..<6, ""), (0..<0, "!")] {
      try document.change(by: session(2)) { editor in
        try editor.spliceText(at: Self.body, scalars: range, with: text)
      }
    }
    try document.redactDeletedText(matching: pattern.flatMap { TextPattern($0) })
    try copy.apply(try document.delta(since: sent))
    #expect(copy.root == document.root)
    #expect(copy.heads == document.heads)
    #expect(Document.validate(bytes: copy.bytes()).isEmpty)
    _ = try copy.merge(document)
    #expect(copy.bytes() == document.bytes())
  }

  @Test("a delta of another document, or beside another history, is refused")
  func others() throws {
    let document = try document("a")
    let delta = try document.delta(since: [])
    var other = Document(id: UniqueID(high: 3, low: 5))
    #expect(throws: DeltaError.merge(.differentDocument(ours: other.id, theirs: document.id))) {
      try other.apply(delta)
    }
    var unrelated = Document(id: document.id)
    try unrelated.change(by: session(7)) { try $0.put(.null, at: ["a"]) }
    #expect(throws: DeltaError.merge(.noSharedHistory)) { try unrelated.apply(delta) }
    var forked = Document(id: document.id)
    try forked.change(by: session(1)) { try $0.put(.null, at: ["a"]) }
    let error = #expect(throws: DeltaError.self) { try forked.apply(delta) }
    guard case .merge(.forked) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Damage

  /// A delta with the check that its bytes should have.
  private func checked(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    return bytes + [0x48] + bigEndian(AgentID(digestOf: bytes).rawValue)
  }

  @Test("a delta that is cut or changed anywhere is refused")
  func damage() throws {
    let base = try document("abc")
    var document = base
    try document.change(by: session(2), message: "hello") { editor in
      try editor.spliceText(at: Self.body, scalars: 1..<2, with: "XY")
      try editor.put(node: .list([.value(.integer(1)), .map([])]), at: ["list"])
    }
    let delta = try document.delta(since: base.heads)
    var copy = base
    let bytes = copy.bytes()
    for end in delta.indices {
      #expect(throws: DeltaError.self) { try copy.apply(Array(delta[..<end])) }
    }
    for index in delta.indices {
      var changed = delta
      changed[index] ^= 1
      #expect(throws: DeltaError.self) { try copy.apply(changed) }
    }
    #expect(throws: DeltaError.self) { try copy.apply(delta + [0]) }
    #expect(copy.bytes() == bytes)
    #expect(checked(delta.dropLast(9)) == delta)
  }

  /// A delta of one change to the note "abc", whose body is the first event of change 1.1.
  private func forged(
    sequence: UInt64 = 1, agent: UInt64 = 1, parents: [UInt64] = [0, 1], _ edits: CBORTree...
  ) -> [UInt8] {
    let change: [CBORTree] = [
      .unsigned(agent), .unsigned(sequence), .array(parents.map { .unsigned($0) }), .unsigned(5),
      .string(""), .null, .array(edits),
    ]
    let delta: [CBORTree] = [
      .unsigned(1), .tag(37, .bytes(bigEndian(3) + bigEndian(4))),
      .array([.bytes(bigEndian(1)), .bytes(bigEndian(2))]), .array([.array(change)]),
      .bytes(bigEndian(0)),
    ]
    return checked(CBORTree.tag(0x706E_6F64, .array(delta)).encoded.dropLast(9))
  }

  /// An edit of what an event of change 1.1 made.
  private func edit(_ kind: UInt64, _ parts: CBORTree..., event: UInt64 = 0) -> CBORTree {
    .array([.unsigned(kind), .array([.unsigned(0), .unsigned(1), .unsigned(event)])] + parts)
  }

  private func insertion(_ position: UInt64, _ text: String = "d") -> CBORTree {
    edit(0, .unsigned(position), .string(text))
  }

  @Test("forged deltas are refused by name, and the honest one among them is not")
  func forgeries() throws {
    let note = try document("abc")
    func reason(_ delta: [UInt8]) -> String? {
      var copy = note
      do throws(DeltaError) {
        try copy.apply(delta)
        return nil
      } catch {
        #expect(copy.bytes() == note.bytes())
        return "\(error)"
      }
    }
    let honest = forged(insertion(3))
    #expect(reason(honest) == nil)
    var newer = honest
    newer[6] = 2
    // More edits than there are bytes.
    var many = honest
    let one = try #require(many.firstRange(of: [0x81] + insertion(3).encoded)).lowerBound
    many.replaceSubrange(one...one, with: [0x9B] + bigEndian(1 << 40))
    var refusals = [
      (forged(insertion(4)), "outside the text"), (forged(insertion(1 << 40)), "delta"),
      (forged(insertion(0, "")), "without events"),
      (forged(sequence: 0, insertion(0)), "sequence number of 0"),
      (forged(sequence: 2, insertion(0)), ""),
      (forged(agent: 2, insertion(0)), "an agent that the delta does not name"),
      (forged(agent: 0, insertion(0)), ""),
      (forged(parents: [0, 1, 0, 1], insertion(0)), "do not ascend"),
      (forged(parents: [0, 7], insertion(0)), "missing here"),
      (forged(parents: [1, 1], insertion(0)), ""), (forged(parents: [], insertion(0)), ""),
      (forged(), "no event"), (checked(many.dropLast(9)), "delta"),
      // A text that is none, a key in a text, an element of no list.
      (forged(edit(0, .unsigned(0), .string("d"), event: 1)), "container"),
      (forged(edit(3, .string("key"), .null)), "kind of its container"),
      (
        forged(edit(8, .array([.unsigned(0), .unsigned(1), .unsigned(0)]))), "kind of its container"
      ),
      (forged(edit(99, .null)), "an unknown kind of edit"),
      (checked(newer.dropLast(9)), "delta version 2"), (note.bytes(), "no delta"), ([], "delta"),
    ]
    // What is deleted is not what is there, or more than there is.
    for deleted: CBORTree in [.string("x"), .string("abcd"), .unsigned(4), .unsigned(1 << 29)] {
      for kind in [1, 2] as [UInt64] {
        refusals.append((forged(edit(kind, .unsigned(0), deleted)), ""))
      }
    }
    for (delta, words) in refusals {
      let found = reason(delta)
      #expect(found?.contains(words) ?? false, "\(found ?? "accepted"), not \(words)")
    }
  }
}
