import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Small files that speak of very much.
@Suite struct LimitTests {
  @Test(
    "a file of a thousand million events takes no more than its bytes", .timeLimit(.minutes(30)))
  func manyEvents() throws {
    // 2^24 changes of 63 events each, in one chain; the operations are missing.
    var file = RuleTests.oneChange
    file.log.counts = column(1 << 24, 63)
    file.log.chains = column(0, (1 << 24) - 1, 0)
    file.log.metadata = column(1 << 24, zigzag(1000), 0, 0)
    #expect(refusal(of: file.bytes)?.kind == .limit)
    // As many as a file of that length may have.
    file.log.counts = column(1 << 16, 63)
    file.log.chains = column(0, (1 << 16) - 1, 0)
    file.log.metadata = column(1 << 16, zigzag(1000), 0, 0)
    #expect(refusal(of: file.bytes)?.kind == .damaged)
  }

  @Test("a text said to be long, but not there, is found without making room for it")
  func longText() throws {
    var file = RuleTests.oneChange
    let length: UInt64 = 1 << 27
    file.log.counts = column(1, length + 1)
    file.log.operations = column(Row.put, 0, Row.target, 1, Row.insert(length))
    #expect(refusal(of: file.bytes) == nil)
    #expect(Document.validate(bytes: file.bytes).map(\.section) == ["view"])
  }

  @Test("redacted text of any length is not spelled out in validation")
  func longRedaction() throws {
    let (long, short) = (Self.redacted(1 << 26).bytes, Self.redacted(1 << 12).bytes)
    #expect(Document.validate(bytes: long) == [])
    // Spelled out, the one would be 16,384 times as long as the other.
    let ratio = ProcessorTime.ratio(
      of: { _ = Document.validate(bytes: long) }, to: { _ = Document.validate(bytes: short) })
    #expect(ratio < 20)
  }

  @Test("redacted text of any length is not spelled out for past versions either")
  func longRedactionInThePast() throws {
    let document = try Document(bytes: Self.redacted(1 << 26).bytes)
    let error = #expect(throws: DocumentError.self) { try document.at(version: document.heads) }
    #expect(error?.kind == .limit)
    let short = try Document(bytes: Self.redacted(1 << 20).bytes)
    #expect(try short.at(version: short.heads).bytes() == short.bytes())
  }

  @Test("a file that holds more than a limit is refused by that name, and one at the limit is read")
  func amounts() throws {
    let hostile = try #require(HostileFile.all.first { $0.name.hasPrefix("containers put") })
    let bytes = try hostile.document(size: 36 * 40).bytes()
    let log = try DocumentFile(bytes).log
    func check(_ amount: Int, _ reason: String, _ set: (inout Limits, Int) -> Void) throws {
      var limits = Limits()
      set(&limits, amount)
      _ = try DocumentFile(bytes, limits: limits)
      set(&limits, amount - 1)
      let error = #expect(throws: DocumentError.self) { try DocumentFile(bytes, limits: limits) }
      #expect(error?.kind == .limit)
      #expect(error?.reason == "more \(reason) than the limit")
      #expect(error?.offset != nil)
    }
    try check(log.eventCount, "events") { $0.events = $1 }
    try check(log.changeCount, "changes") { $0.changes = $1 }
    try check(log.containers.count, "containers") { $0.containers = $1 }
    try check(log.graph.parentPool.count, "parents of changes") { $0.parents = $1 }
  }

  @Test("a value or a container too many is refused where it stands, before it is taken in")
  func places() throws {
    let hostile = try #require(HostileFile.all.first { $0.name.hasPrefix("containers put") })
    let bytes = try hostile.document(size: 36 * 40).bytes()
    let log = try DocumentFile(bytes).log
    let columns = try LogReader.columns(of: Envelope(bytes))
    let values = try #require(columns.first { $0.name == "values" }).range
    var (contents, containers) = (Limits(), Limits())
    contents.freeContents = log.contents.count - 1 - values.count / 2
    containers.containers = log.containers.count - 1
    for limits in [contents, containers] {
      let error = #expect(throws: DocumentError.self) { try DocumentFile(bytes, limits: limits) }
      #expect(error?.kind == .limit)
      #expect(error?.offset.map { $0 > values.lowerBound && $0 < values.upperBound } == true)
    }
  }

  @Test("a file holds no more events and changes than its bytes can, to the byte")
  func bytes() throws {
    let file = try Self.grown(agent: 7)
    let log = try DocumentFile(file.bytes).log
    let size = file.bytes.count
    for excess in [0, 1] {
      var limits = Limits()
      limits.freeEvents = log.eventCount - 16 * size - excess
      let error = refusal(of: file.bytes, limits)
      #expect(error?.reason == (excess > 0 ? "more events than the limit" : nil))
      limits = Limits()
      limits.freeChanges = log.changeCount - size / 4 - excess
      #expect(
        refusal(of: file.bytes, limits)?.reason
          == (excess > 0 ? "more changes than the limit" : nil))
    }
    #expect(log.leastFileSize <= size)
  }

  @Test("who types and deletes for long never comes near the limits that bytes set")
  func honest() throws {
    var limits = Limits()
    limits.freeEvents = 0
    limits.freeChanges = 0
    var document = try Document(bytes: Samples.letters.bytes(), limits: limits)
    for step in 0..<300 {
      try document.change(by: .person(7, "eve", at: Int64(2000 + step))) { editor in
        if step % 3 == 2 {
          try editor.spliceText(at: Samples.path("/body"), scalars: 0..<3, with: "")
        } else {
          try editor.spliceText(at: Samples.path("/body"), scalars: 3..<3, with: "ab")
        }
      }
      _ = try Document(bytes: document.bytes(), limits: limits)
    }
    // Of the events some are gone with the text, of the changes none.
    limits.freeEvents = document.eventCount
    document = try Document(bytes: document.bytes(), limits: limits)
    try document.redactDeletedText()
    _ = try Document(bytes: document.bytes(), limits: limits)
  }

  @Test("no text is redacted beyond what the events that stay may say without it")
  func redaction() throws {
    var document = Samples.letters
    try document.change(by: .person(7, "eve", at: 2000)) { editor in
      try editor.spliceText(
        at: Samples.path("/body"), scalars: 3..<3, with: String(repeating: "x", count: 10_000))
      try editor.spliceText(at: Samples.path("/body"), scalars: 0..<10_003, with: "")
    }
    var limits = Limits()
    limits.freeEvents = 0
    var narrow = try Document(bytes: document.bytes(), limits: limits)
    let before = narrow.bytes()
    let error = #expect(throws: DocumentError.self) { try narrow.redactDeletedText() }
    #expect(error?.kind == .limit)
    #expect(narrow.bytes() == before)
    try document.redactDeletedText()
    #expect(refusal(of: document.bytes()) == nil)
  }

  @Test("texts are as long as events are numbered, and no longer")
  func textLength() throws {
    var file = RuleTests.oneChange
    file.view = .array([.map([.string("body"), RuleTests.text("abcde")]), .array([])])
    var limits = Limits()
    limits.events = 5
    _ = try DocumentFile(file.bytes, limits: limits)
    limits.events = 4
    let error = #expect(throws: DocumentError.self) {
      try DocumentFile(file.bytes, limits: limits)
    }
    #expect(error?.kind == .limit)
    #expect(error?.section == .view)
  }

  @Test("a file of nothing but tiny values or containers is refused by the name of the limit")
  func density() throws {
    func check(_ name: String, _ reason: HistoryError.Reason, _ lower: (inout Limits) -> Void)
      throws
    {
      let file = try #require(HostileFile.named(name))
      let bytes = try file.document(size: 4000).bytes()
      _ = try DocumentFile(bytes)
      var limits = Limits()
      lower(&limits)
      let error = #expect(throws: DocumentError.self) { try DocumentFile(bytes, limits: limits) }
      #expect(error?.kind == .limit)
      #expect(error?.reason == reason.description)
    }
    try check("elements", .tooManyContents) { $0.freeContents = 0 }
    try check("increments", .tooManyContents) { $0.freeContents = 0 }
    try check("empty maps", .tooManyContainers) { $0.freeContainers = 0 }
    #expect(Limits().contents(weighing: 1_000_000) == 1 << 18 + 500_000)
    #expect(Limits().containers(weighing: 1_000_000) == 1 << 18 + 250_000)
  }

  @Test("contents weigh no more than they take in a file, and hardly less")
  func weight() throws {
    let values: [Value] = [
      .null, .bool(true), .integer(23), .integer(-25), .integer(255), .integer(256),
      .integer(-65_537), .integer(.max), .double(1.5), .double(0.1), .string(""),
      .string(String(repeating: "é", count: 200)), .bytes([1, 2, 3]), .uuid(HostileFile.id),
      .timestamp(Timestamp(milliseconds: 0)),
      .timestamp(Timestamp(milliseconds: 1_795_183_200_001)),
    ]
    let contents =
      values.map(Content.value) + [.map, .list, .text, .set, .counter].map(Content.container)
    for content in contents {
      let put = Change(1, 1, [.put(map: .root, key: "k", content: content)])
      let document = try Document(id: HostileFile.id, changes: [put])
      let size = try ForgedFile(document.bytes()).log.values.count
      let weight = try Log.make(from: [put]).log.contents.weight
      #expect(weight <= size, "\(content)")
      #expect(weight * 4 >= size, "\(content)")
    }
  }

  @Test("two files that are too large together are not united, and neither changes")
  func union() throws {
    let one = try Document(bytes: Self.grown(agent: 7).bytes)
    var merged = one
    let error = #expect(throws: MergeError.self) {
      try merged.merge(Document(bytes: Self.grown(agent: 8, by: 1 << 10).bytes))
    }
    guard case .filled(by: let change, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(change == ChangeID(agent: AgentID(rawValue: 8), sequence: 1))
    #expect(reason.kind == .limit)
    #expect(reason.reason.hasPrefix("more events than the limit, "))
    #expect(merged.bytes() == one.bytes())
  }

  /// A copy of "abc" to which an agent typed and deleted more than half of what fits into a file
  /// as short, all of it redacted.
  private static func grown(agent: UInt64, by more: UInt64 = 0) throws -> ForgedFile {
    var document = Samples.letters
    try document.change(by: .person(agent, "eve", at: 2000)) { editor in
      try editor.spliceText(at: Samples.path("/body"), scalars: 3..<3, with: "x")
      try editor.spliceText(at: Samples.path("/body"), scalars: 3..<4, with: "")
    }
    var file = try ForgedFile(document.bytes())
    let length: UInt64 = 1 << 25 + 1 << 12 + more
    file.log.counts = column(1, 4, 1, 2 * length)
    file.log.operations =
      Array(file.log.operations.prefix(5))
      + column(
        Row.insert(length), Row.backward(length))
    file.log.redactions = column(0, length)
    file.log.deleted = []
    return file
  }

  /// A text of so many scalars that was deleted and redacted.
  static func redacted(_ length: UInt64) -> ForgedFile {
    var file = RuleTests.oneChange
    file.view = .array([.map([.string("body"), RuleTests.text("")]), .array([])])
    file.log.counts = column(1, 2 * length + 1)
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(length), Row.backward(length))
    file.log.redactions = column(0, length)
    return file
  }
}
