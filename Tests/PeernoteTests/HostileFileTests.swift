import Peernote
import PeernoteTestSupport
import Testing

/// Well-formed documents that no person would make, small enough for every test run.
///
/// `peernote-bench hostile` writes large ones.
@Suite struct HostileFileTests {
  @Test(
    "a document made to be dear is read, checked, merged and written:", arguments: HostileFile.all)
  func all(file: HostileFile) throws {
    let document = try file.document(size: 4000)
    let bytes = document.bytes()
    #expect(try Document(bytes: bytes).bytes() == bytes)
    #expect(Document.validate(bytes: bytes) == [])
    let sibling = try file.sibling()
    var merged = sibling
    var reverse = document
    _ = try merged.merge(document)
    _ = try reverse.merge(sibling)
    #expect(merged.bytes() == reverse.bytes())
    #expect(Document.validate(bytes: merged.bytes()) == [])
    #expect(merged.changeCount == document.changeCount + 1)
  }

  @Test("a walk that takes more steps than its limit ends with an error that says so")
  func workLimit() throws {
    for name in ["branches merged in pairs", "long branches side by side"] {
      let file = try #require(HostileFile.named(name))
      let log = try Log.make(from: file.changes(size: 2000)).log
      #expect(try steps(of: log, limit: nil) > 1000)
      let error = #expect(throws: HistoryError.self) { try steps(of: log, limit: 1000) }
      #expect(error?.reason == .tooMuchWork)
      #expect(error?.event != nil)
    }
  }

  private func steps(of log: Log, limit: Int?) throws -> Int {
    var walker = Walker(
      log: log, after: .start, texts: [(container: ContainerIndex(1), placeholder: 0)],
      workLimit: limit)
    try walker.walk(sides: .allBoth)
    return walker.tracker.steps
  }

  @Test(
    "deciding what is shown ends at the limit with an error that says so",
    arguments: [
      ("keys written before and after a crossing", 4000),
      ("containers replaced after a crossing", 4000), ("elements removed after a crossing", 4000),
      ("elements moved before and after a crossing", 4000),
      ("elements inserted in one place at once", 1000),
    ])
  func decisionLimit(name: String, limit: Int) throws {
    let file = try #require(HostileFile.named(name))
    let log = try Log.make(from: file.changes(size: 4000)).log
    _ = try Objects(of: log)
    let error = #expect(throws: HistoryError.self) { try Objects(of: log, workLimit: limit) }
    #expect(error?.reason == .tooMuchWork)
  }

  /// Limits that are those of the format but for how many steps a history may take.
  private static func limits(steps: Int) -> Limits {
    var limits = Limits()
    limits.stepsEachRow = 0
    limits.freeSteps = steps
    return limits
  }

  @Test(
    "a history that takes more steps than the limit is refused by validation, reading or merging",
    arguments: [
      "an element named all along a crossing", "a text edited all along a crossing",
      "keys written before and after a crossing", "long branches side by side",
    ])
  func refusedWork(name: String) throws {
    let file = try #require(HostileFile.named(name))
    let bytes = try file.document(size: 4000).bytes()
    let sibling = try file.sibling().bytes()
    #expect(Document.validate(bytes: bytes, limits: Self.limits(steps: 1 << 26)) == [])
    let narrow = Self.limits(steps: 500)
    let findings = Document.validate(bytes: bytes, limits: narrow)
    #expect(Set(findings.map(\.reason)) == [HistoryError.Reason.tooMuchWork.description])
    #expect(findings.first?.change != nil)
    var document = try Document(bytes: sibling, limits: narrow)
    do {
      _ = try document.merge(Document(bytes: bytes))
      Issue.record("merged")
    } catch MergeError.damaged(let error) {
      #expect(error.kind == .limit)
      #expect(error.reason == HistoryError.Reason.tooMuchWork.description)
    }
    #expect(document.bytes() == sibling)
  }

  @Test(
    "a history that takes more memory than the limit is neither checked nor merged, but read",
    arguments: [
      "backward typing on two sides", "characters typed and deleted on two sides",
      "two agents that always cross", "a text deleted character by character on two sides",
    ])
  func refusedMemory(name: String) throws {
    let file = try #require(HostileFile.named(name))
    let bytes = try file.document(size: 4000).bytes()
    var narrow = Limits()
    (narrow.memoryEachByte, narrow.freeMemory) = (0, 0)
    narrow.leastMemory = 10_000
    let findings = Document.validate(bytes: bytes, limits: narrow)
    #expect(findings.map(\.reason) == [HistoryError.Reason.tooMuchMemory.description])
    #expect(findings.first?.change != nil)
    narrow.leastMemory = 1_000_000
    #expect(Document.validate(bytes: bytes, limits: narrow) == [])
    var document = try Document(bytes: file.sibling().bytes(), limits: narrow)
    _ = try document.merge(Document(bytes: bytes, limits: narrow))
    narrow.leastMemory = 10_000
    let sibling = try file.sibling().bytes()
    document = try Document(bytes: sibling, limits: narrow)
    do {
      _ = try document.merge(Document(bytes: bytes, limits: narrow))
      Issue.record("merged")
    } catch MergeError.damaged(let error) {
      #expect(error.kind == .limit)
      #expect(error.reason == HistoryError.Reason.tooMuchMemory.description)
    }
    #expect(document.bytes() == sibling)
    document = try Document(bytes: bytes, limits: narrow)
    #expect(document.bytes() == bytes)
    do {
      _ = try document.at(version: [HostileFile.start.id])
      Issue.record("the past was shown")
    } catch {
      #expect(error.kind == .limit)
      #expect(error.reason == HistoryError.Reason.tooMuchMemory.description)
    }
  }

  @Test(
    "a conflict between thousands does not take a look at all history for each",
    .timeLimit(.minutes(30)))
  func manySides() throws {
    let file = try #require(HostileFile.named("removals of one element at once"))
    let conflicts = try file.document(size: 900_000).conflicts
    #expect(conflicts.count == 1)
    #expect((conflicts.first?.others.count ?? 0) > 10_000)
  }

  @Test(
    "a passage is looked for around each deletion without going through all that was deleted there",
    .timeLimit(.minutes(30)))
  func manyDeletions() throws {
    let file = try #require(HostileFile.named("a character typed and deleted again and again"))
    var document = try file.document(size: 300_000)
    let none = try #require(TextPattern("x?s"))
    #expect(try document.redactDeletedText(matching: none).removedScalars == 0)
    let first = try #require(TextPattern("xb"))
    #expect(try document.redactDeletedText(matching: first).removedScalars > 10_000)
  }

  @Test("long values are replaced in an anonymous copy in one go", .timeLimit(.minutes(30)))
  func longValues() throws {
    var document = Document(id: HostileFile.id)
    try document.change(by: .person(1, String(repeating: "a", count: 200_000), at: 5)) { editor in
      try editor.put(
        .bytes([UInt8](repeating: 7, count: 200_000)), at: ["bytes"])
      try editor.put(
        .string(String(repeating: "s", count: 200_000)), at: ["text"])
    }
    let key = AnonymizationKey()
    let anonymous = try document.anonymized(with: key)
    guard case .value(.bytes(let bytes)) = anonymous.node(at: ["bytes"]),
      case .value(.string(let text)) = anonymous.node(at: ["text"])
    else {
      Issue.record("\(anonymous.root)")
      return
    }
    #expect(bytes.count == 200_000 && Set(bytes).count == 256)
    #expect(text.utf8.count == 200_000 && Set(text).count == 26)
    #expect(try document.anonymized(with: key).bytes() == anonymous.bytes())
  }

  @Test("a copy that takes more memory to check than the limit is not given up by a repair")
  func repairedMemory() throws {
    let file = try #require(HostileFile.named("backward typing on two sides"))
    let bytes = try file.document(size: 4000).bytes()
    var narrow = Limits()
    (narrow.freeMemory, narrow.leastMemory) = (0, 0)
    let findings = Document.validate(bytes: bytes, limits: narrow)
    #expect(findings.map(\.reason) == [HistoryError.Reason.tooMuchMemory.description])
    let repair = Document.repair(copies: [bytes], limits: narrow)
    #expect(repair.document?.bytes() == bytes)
    #expect(repair.copies.map(\.reading) == [.unchecked(findings)])
  }

  @Test("a sound history is refused by validation if there is no memory to write it again")
  func refusedForm() throws {
    let file = try #require(HostileFile.named("insertions all over a text"))
    let bytes = try file.document(size: 1000).bytes()
    var narrow = Limits()
    (narrow.memoryEachByte, narrow.freeMemory) = (0, 0)
    narrow.leastMemory = 2 * bytes.count
    #expect(Document.validate(bytes: bytes, limits: narrow) == [])
    narrow.leastMemory -= 1
    let findings = Document.validate(bytes: bytes, limits: narrow)
    #expect(findings.map(\.reason) == [HistoryError.Reason.tooMuchMemory.description])
  }

  @Test("merges of few steps each can make a history of too many, and nothing of it is lost")
  func stepsOfSeveralMerges() throws {
    // Two people who part, see each other's work, and part again.
    func changes(_ sequence: Int, after parents: [ChangeID]) -> [Change] {
      (2...3).map { agent in
        Change(
          agent, sequence, after: parents,
          (0..<40).map { .insertText(into: HostileFile.body, at: $0 % 2 == 0 ? 1 : 5, text: "x") })
      }
    }
    let early = changes(1, after: [HostileFile.start.id])
    let late = changes(2, after: early.map(\.id))
    let copies = try late.map { change in
      try Document(id: HostileFile.id, changes: [HostileFile.start] + early + [change]).bytes()
    }
    let whole = try Document(id: HostileFile.id, changes: [HostileFile.start] + early + late)
      .bytes()
    func findings(_ bytes: [UInt8], steps: Int) -> [String] {
      Document.validate(bytes: bytes, limits: Self.limits(steps: steps)).map(\.reason)
    }
    var (less, steps) = (0, 1 << 20)
    while steps - less > 1 {
      let middle = (less + steps) / 2
      if findings(whole, steps: middle).isEmpty { steps = middle } else { less = middle }
    }
    #expect(steps > 10)
    let narrow = Self.limits(steps: less)
    #expect(findings(copies[0], steps: less) == [])
    var merged = try Document(bytes: copies[0], limits: narrow)
    _ = try merged.merge(Document(bytes: copies[1], limits: narrow))
    #expect(merged.bytes() == whole)
    #expect(
      findings(whole, steps: less) == [HistoryError.Reason.tooMuchWork.description])
    var document = try Document(bytes: whole, limits: narrow)
    try document.change(by: .person(9, "good", at: 5)) { editor in
      try editor.spliceText(at: ["body"], scalars: 0..<0, with: "own ")
    }
    let report = try merged.merge(Document(bytes: document.bytes(), limits: narrow))
    #expect(report.newChanges.count == 1)
    #expect(merged.bytes() == document.bytes())
  }

  @Test("when one text takes too many steps no other one is replayed")
  func oneRefusal() throws {
    // Everybody inserts into two texts at once.
    let other = Change(
      1, 2, after: [HostileFile.start.id],
      [.put(map: .root, key: "other", content: .container(.text))])
    let texts = [HostileFile.body, other.id.container(0)]
    let changes = (2..<60).map { agent in
      Change(
        agent, after: [other.id], texts.map { .insertText(into: $0, at: 0, text: "xyz") })
    }
    let document = try Document(id: HostileFile.id, changes: [HostileFile.start, other] + changes)
    let findings = Document.validate(bytes: document.bytes(), limits: Self.limits(steps: 20))
    #expect(findings.map(\.reason) == [HistoryError.Reason.tooMuchWork.description])
  }

  @Test("when a graph takes too many steps its later parents are not looked at")
  func refusedParents() throws {
    let file = try #require(
      HostileFile.named("an element named all along a crossing"))
    var changes = file.changes(size: 4000)
    // In the end somebody names a parent and that parent's parent.
    let last = try #require(changes.last)
    changes.append(
      Change(
        99, after: [last.id, last.parents[0]],
        [.put(map: .root, key: "last", content: .value(.null))]))
    var log = try Log.make(from: changes).log
    let critical = CriticalVersions(of: log.graph)
    #expect(log.faults(critical: critical).map(\.reason) == [.redundantParents])
    log.limits = Self.limits(steps: 50)
    #expect(log.faults(critical: critical).map(\.reason) == [.tooMuchWork])
  }
}
