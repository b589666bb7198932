import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Repairing files that were not damaged by accident: what they say breaks a rule, or is very much.
@Suite struct ForgedRepairTests {
  /// What nothing but the sum of lengths tells.
  private static let redactions = [
    Rule("an empty redaction among others", "") {
      $0.log.redactions = column(0, 1, 1, 0, 1, 1)
      $0.log.deleted = Array("db".utf8)
    },
    Rule("redactions without end", "") {
      $0.log.redactions = column(1, (1 << 31) - 1, 1, (1 << 31) - 1)
    },
    Rule("redactions beyond all deletions", "") { $0.log.redactions = column(2, 1, 1 << 30, 1) },
  ].map { $0.inside(RuleTests.deletions) }

  /// Bytes of a checksum that proves nothing.
  private func unsealed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.dropLast(32)) + [UInt8](repeating: 0x55, count: 32)
  }

  /// Repairs copies: the result, if there is one, is sound.
  @discardableResult
  private func repair(_ copies: [[UInt8]], _ comment: Comment) -> Repair {
    let repair = Document.repair(copies: copies)
    if let document = repair.document {
      #expect(Document.validate(bytes: document.bytes()) == [], comment)
    }
    return repair
  }

  @Test("a file that breaks a rule is repaired to a sound document or none, alone or not")
  func rules() throws {
    for rule in Rule.all + Self.redactions {
      let bytes = rule.broken.bytes
      repair([bytes], "\(rule)")
      repair([bytes + [0, 0, 0]], "\(rule), and more bytes")
      repair([unsealed(bytes)], "\(rule), unsealed")
      let sound = rule.sound.bytes
      let beside = repair([unsealed(bytes), sound], "\(rule), beside a sound copy")
      let saved = try #require(beside.document)
      #expect(
        try saved.at(version: Document(bytes: sound).heads).bytes() == sound, "\(rule)")
    }
  }

  @Test("a sealed file whose text is not that of its history is never taken for sound")
  func wrongText() throws {
    var file = try ForgedFile(Samples.base.bytes())
    file.view.items[0]["body"] = RuleTests.text("Grüße")
    for bytes in [file.bytes, file.bytes + [0, 0, 0]] {
      let repair = repair([bytes], "a shorter text")
      #expect(!repair.isComplete)
      #expect(repair.copies.allSatisfy { $0.reading != .sound })
      let beside = self.repair([bytes, Samples.base.bytes()], "beside a sound copy")
      #expect(beside.document?.bytes() == Samples.base.bytes())
    }
  }

  @Test("a text that is too short is not taken for the beginning of the right one")
  func shiftedText() throws {
    var document = Samples.letters
    try document.change(by: .person(2, "bob", at: 2000)) {
      try $0.spliceText(at: Samples.path("/body"), scalars: 3..<3, with: "def")
    }
    var file = try ForgedFile(document.bytes())
    // No byte tells that it is the first letter that is missing.
    file.view.items[0]["body"] = RuleTests.text("bcdef")
    let repair = repair([unsealed(file.bytes)], "a shifted text")
    #expect(repair.document == nil)
    #expect(repair.lost.map(\.reason) == [.text, .text])
  }

  @Test("text that is said to be long, and not there, is not made up", .timeLimit(.minutes(30)))
  func claims() throws {
    let claim = LimitTests.redacted(1 << 26).bytes
    let lost = repair([unsealed(claim)], "a claim")
    #expect(lost.document == nil && !lost.isComplete)
    // Neither is that of a sound copy, for which there are other ways.
    let beside = repair([claim, unsealed(Samples.everything.bytes())], "a claim that is sound")
    #expect(beside.document?.bytes() == claim)
    // Spelled out, the one would be 16,384 times as long as the other.
    let short = unsealed(LimitTests.redacted(1 << 12).bytes)
    let ratio = ProcessorTime.ratio(
      of: { repair([unsealed(claim)], "a claim") }, to: { repair([short], "a short claim") })
    #expect(ratio < 20)
  }

  @Test("of bytes full of what looks like a log few places are read as one")
  func manyLogs() {
    // Each place has room for thousands of agents, all different.
    var bytes = Array(Samples.letters.bytes().prefix(30))
    for number in 0..<20_000 {
      bytes += [0x03, 0x8B, 0x59, 0xFF, 0xF8] + bigEndian(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }
    #expect(DamagedSections(bytes).logs.count == 8)
    #expect(repair([bytes], "many logs").document == nil)
  }

  @Test("no more bytes are hashed in search of damage than are granted")
  func work() throws {
    let whole = Samples.everything.bytes()
    var flipped = whole
    flipped[100] ^= 8
    for (granted, isFound) in [(0, false), (4 * whole.count * whole.count, true)] {
      var work = granted
      #expect((Restoration.find(flipped, work: &work)?.bytes == whole) == isFound)
      #expect(isFound ? work < granted : work == granted)
    }
    // One piece is wrong here, two others there.
    var other = whole
    other[300] ^= 0xFF
    other[whole.count - 60] ^= 0xFF
    for (granted, isFound) in [(0, false), (32 * whole.count + 1, false), (1 << 24, true)] {
      var work = granted
      #expect((Restoration.find(flipped, with: other, work: &work)?.bytes == whole) == isFound)
    }
    // Long files are not searched bit by bit at all.
    var long = Samples.letters
    try long.change(by: .person(2, "bob", at: 2000)) {
      try $0.put(.bytes([UInt8](repeating: 1, count: 40_000)), at: Samples.path("/large"))
    }
    var damaged = long.bytes()
    damaged[20_000] ^= 1
    var work = Int.max
    #expect(Restoration.find(damaged, work: &work) == nil && work == .max)
  }

  @Test("a damaged copy that is longer than the limit is not searched, and one as long is")
  func length() throws {
    let whole = Samples.everything.bytes()
    var (one, other) = (whole, whole)
    one[300] ^= 0xFF
    other[whole.count - 60] ^= 0xFF
    var limits = Limits()
    for (size, isFound) in [(whole.count, true), (whole.count - 1, false)] {
      limits.fileSize = size
      var work = 1 << 24
      let found = Restoration.find(one, with: other, limits: limits, work: &work)
      #expect((found?.bytes == whole) == isFound)
      #expect((SalvagedFile(unsealed(whole), limits: limits).log.changeCount > 0) == isFound)
      #expect((Document.repair(copies: [one, other], limits: limits).document != nil) == isFound)
    }
    // A copy may stand in more than would fit into a file.
    limits.fileSize = whole.count
    let repair = Document.repair(copies: [whole + [0, 0, 0]], limits: limits)
    #expect(repair.isComplete && repair.document?.bytes() == whole)
  }

  @Test("copies that break a limit only together are merged, the sound ones' text before others'")
  func together() throws {
    // Two people who part and come together again and again; then both go on for themselves.
    var document = Samples.letters
    var seconds: Int64 = 2
    func edit(_ document: inout Document, _ agent: UInt64) throws {
      seconds += 1
      try document.change(by: .person(agent, "ann", at: seconds * 1000)) {
        try $0.spliceText(at: Samples.path("/body"), scalars: 0..<0, with: "xy ")
      }
    }
    func part(_ document: inout Document, _ agents: (UInt64, UInt64)) throws {
      var other = document
      try edit(&document, agents.0)
      try edit(&other, agents.1)
      _ = try document.merge(other)
    }
    for _ in 0..<20 { try part(&document, (2, 3)) }
    var (ours, theirs) = (document, document)
    for _ in 0..<3 {
      try part(&ours, (4, 5))
      try part(&theirs, (6, 7))
    }
    let union = try merged(ours, theirs)
    // The least number of steps within which a file is sound.
    func least(_ document: Document) -> Int {
      let bytes = document.bytes()
      return (0...10_000).first {
        Document.validate(bytes: bytes, limits: limits($0)).isEmpty
      } ?? .max
    }
    func limits(_ steps: Int) -> Limits {
      var limits = Limits()
      limits.stepsEachRow = 0
      limits.freeSteps = steps
      return limits
    }
    let narrow = limits(least(union) - 1)
    let files = [ours.bytes(), theirs.bytes()]
    var merged = try Document(bytes: files[0], limits: narrow)
    _ = try merged.merge(theirs)
    #expect(!Document.validate(bytes: merged.bytes(), limits: narrow).isEmpty)
    let repair = Document.repair(copies: files, limits: narrow)
    #expect(repair.document?.bytes() == merged.bytes() && !repair.isComplete)
    #expect(repair.unchecked == Document.validate(bytes: merged.bytes(), limits: narrow))
    #expect(repair.lost.isEmpty)
    // A longer copy that could not be checked shows another letter.
    var forged = try ForgedFile(merged.bytes())
    let body = Samples.path("/body")
    guard case .text(let text)? = merged.node(at: body) else { return }
    forged.view.items[0]["body"] = RuleTests.text(text.replacing("abc", with: "abd"))
    for files in [[forged.bytes, files[0]], [files[0], forged.bytes]] {
      let repair = Document.repair(copies: files, limits: narrow)
      #expect(repair.document == nil && repair.contradictions.count == 1)
    }
  }

  // MARK: Content alone

  /// A file whose view is some bytes, and which ends there.
  private func content(_ view: [UInt8]) -> DocumentNode? {
    Document.readableContent(
      bytes: Array(Samples.letters.bytes().prefix(30)) + [0xA3, 0x01, 0x80, 0x02, 0x82] + view)
  }

  @Test("content that is nested however deep is read down to the limit, and no further")
  func depth() {
    for head in [[0x81], [0xA1, 0x61, 0x62], [0xD9, 0xF0, 0x74]] as [[UInt8]] {
      let nested = [UInt8]([[UInt8]](repeating: head, count: 100_000).joined())
      _ = content([0xA1, 0x61, 0x61] + nested)
    }
    func levels(_ node: DocumentNode?) -> Int {
      switch node {
      case .list(let nodes): 1 + levels(nodes.first)
      case .map(let entries): 1 + levels(entries.first?.node)
      case .text, .value, .set, .counter, nil: 0
      }
    }
    let inner = [UInt8](repeating: 0x81, count: 100)
    #expect(levels(content([0xA1, 0x61, 0x61] + inner)) <= Objects.depthLimit)
  }

  @Test("of a name that stands twice the first is taken, and what is not text is none")
  func names() {
    let one = content([0xA2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x02, 0x80])
    #expect(one == .map([.init(key: "a", node: .value(.integer(1)))]))
    // A byte string that is cut off is no text, a text is one as far as it goes.
    #expect(content([0xA1, 0x61, 0x61, 0x45, 0x62, 0x63]) == nil)
    #expect(
      content([0xA1, 0x61, 0x61, 0x65, 0x62, 0x63])
        == .map([.init(key: "a", node: .value(.string("bc")))]))
    #expect(content([0xA0, 0x80]) == nil)
  }
}
