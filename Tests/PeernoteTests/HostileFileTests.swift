import Peernote
import PeernoteEngine
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
    let bytes = document.encoded()
    #expect(try Document(bytes: bytes).encoded() == bytes)
    #expect(Document.validate(bytes: bytes) == [])
    let sibling = try file.sibling()
    var merged = sibling
    var reverse = document
    _ = try merged.merge(document)
    _ = try reverse.merge(sibling)
    #expect(merged.encoded() == reverse.encoded())
    #expect(Document.validate(bytes: merged.encoded()) == [])
    #expect(merged.changeCount == document.changeCount + 1)
  }

  @Test("a walk that takes more steps than its limit ends with an error that says so")
  func workLimit() throws {
    for name in ["branches merged in pairs", "long branches side by side"] {
      let file = try #require(HostileFile.all.first { $0.name == name })
      let log = try Log.make(from: file.changes(size: 2000)).log
      #expect(try steps(of: log, limit: nil) > 1000)
      let error = #expect(throws: HistoryError.self) { try steps(of: log, limit: 1000) }
      #expect(error?.reason == .tooMuchWork)
      #expect(error?.event != nil)
    }
  }

  private func steps(of log: Log, limit: Int?) throws -> Int {
    var walker = Walker(
      log: log, after: .start, texts: [(container: 1, placeholder: 0)], workLimit: limit)
    try walker.walk(sides: .allBoth)
    return walker.tracker.steps
  }

  @Test("a list that takes more steps than the limit ends with an error that says so")
  func listLimit() throws {
    let file = try #require(
      HostileFile.all.first { $0.name == "elements inserted in one place at once" })
    let log = try Log.make(from: file.changes(size: 4000)).log
    _ = try Objects(of: log)
    let error = #expect(throws: HistoryError.self) { try Objects(of: log, workLimit: 1000) }
    #expect(error?.reason == .tooMuchWork)
  }

  @Test(
    "asking what events have seen ends at the limit with an error that says so",
    arguments: ["an element named all along a crossing", "a text edited all along a crossing"])
  func seenLimit(name: String) throws {
    let file = try #require(HostileFile.all.first { $0.name == name })
    let log = try Log.make(from: file.changes(size: 4000)).log
    let critical = CriticalVersions(of: log.graph)
    #expect(log.faults(critical: critical) == [])
    let faults = log.faults(critical: critical, workLimit: 1000)
    #expect(faults.map(\.reason) == [.tooMuchWork])
    #expect(faults.first?.event != nil)
  }

  @Test(
    "deciding what is shown ends at the limit with an error that says so",
    arguments: [
      "keys written before and after a crossing", "containers replaced after a crossing",
      "elements removed after a crossing", "elements moved after a crossing",
    ])
  func decisionLimit(name: String) throws {
    let file = try #require(HostileFile.all.first { $0.name == name })
    let log = try Log.make(from: file.changes(size: 4000)).log
    _ = try Objects(of: log)
    let error = #expect(throws: HistoryError.self) { try Objects(of: log, workLimit: 4000) }
    #expect(error?.reason == .tooMuchWork)
  }

  @Test("the limit of work leaves room for any history that people make")
  func limitIsGenerous() {
    #expect(Log().workLimit == 1 << 26)
  }
}
