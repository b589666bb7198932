import Peernote
import PeernoteTestSupport
import Testing

/// How much a log holds at most, tried with limits that small documents reach.
@Suite struct LimitsTests {
  /// A limit, how much of it a log takes, and what is said of one that takes more.
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var limit: @Sendable (inout Limits, Int) -> Void
    var amount: @Sendable (Log) -> Int
    var reason: HistoryError.Reason

    static let all = [
      Kind(
        testDescription: "events", limit: { $0.events = $1 }, amount: { $0.eventCount },
        reason: .tooManyEvents),
      Kind(
        testDescription: "changes", limit: { $0.changes = $1 }, amount: { $0.changeCount },
        reason: .tooManyChanges),
      Kind(
        testDescription: "containers", limit: { $0.containers = $1 },
        amount: { $0.containers.count }, reason: .tooManyContainers),
      Kind(
        testDescription: "parents", limit: { $0.parents = $1 },
        amount: { $0.graph.parentPool.count }, reason: .tooManyParents),
      Kind(
        testDescription: "contents for their weight", limit: { $0.freeContents = $1 },
        amount: { $0.contents.count - $0.contents.weight / 2 }, reason: .tooManyContents),
      Kind(
        testDescription: "containers for their weight", limit: { $0.freeContainers = $1 },
        amount: { $0.containers.count - $0.contents.weight / 4 }, reason: .tooManyContainers),
    ]

    /// Limits that leave room for so many and no more.
    func limits(_ count: Int) -> Limits {
      var limits = Limits()
      limit(&limits, count)
      return limits
    }
  }

  /// Concurrent changes that create containers, after a first one.
  private static let changes: [Change] = {
    guard let file = HostileFile.all.first(where: { $0.name.hasPrefix("containers put") }) else {
      preconditionFailure("there are hostile files that put containers")
    }
    return file.changes(size: 36 * 40)
  }()

  @Test("the limits are those of the manual page")
  func values() {
    let limits = Limits()
    #expect(limits.events == 1 << 30)
    #expect(limits.changes == 1 << 24)
    #expect(limits.containers == 1 << 28)
    #expect(limits.parents == 1 << 30)
    #expect(limits.freeContents == 1 << 18)
    #expect(limits.freeContainers == 1 << 18)
    #expect(limits.fileSize == 1 << 31 - 1)
    #expect(limits.freeSteps == 1 << 26 && limits.stepsEachRow == 64)
    #expect(limits.freeDeletedPieces == 1 << 17 && limits.deletedPiecesEachRow == 4)
    #expect(limits.memoryEachByte == 16 && limits.freeMemory < 32 << 20)
  }

  @Test(
    "what is there already counts to the memory that checking takes, and something is always left")
  func memory() {
    var limits = Limits()
    #expect(limits.memoryLeft(for: 1000, beside: 500) == 16_000 + limits.freeMemory - 500)
    (limits.freeMemory, limits.leastMemory) = (100, 70)
    #expect(limits.memoryLeft(for: 10, beside: 190) == 70)
    #expect(limits.memoryLeft(for: 10, beside: 191) == 70)
    #expect(limits.memoryLeft(for: 10, beside: 189) == 71)
  }

  @Test("a log of changes holds as much as its limits say, and no more", arguments: Kind.all)
  func made(kind: Kind) throws {
    let amount = kind.amount(try Log.make(from: Self.changes).log)
    _ = try Log.make(from: Self.changes, limits: kind.limits(amount))
    let error = #expect(throws: HistoryError.self) {
      try Log.make(from: Self.changes, limits: kind.limits(amount - 1))
    }
    #expect(error?.reason == kind.reason)
  }

  @Test("a union holds as much as the limits say, and no more", arguments: Kind.all)
  func united(kind: Kind) throws {
    let half = Self.changes.count / 2
    var ours = try Log.make(from: Array(Self.changes[..<half])).log
    let theirs = try Log.make(from: [Self.changes[0]] + Self.changes[half...]).log
    let amount = kind.amount(try LogUnion(ours, theirs).log)
    ours.limits = kind.limits(amount)
    _ = try LogUnion(ours, theirs)
    ours.limits = kind.limits(amount - 1)
    let failure = #expect(throws: LogUnion.Failure.self) { try LogUnion(ours, theirs) }
    guard case .refused(let reason, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason == kind.reason)
  }

  @Test("an edit that would break a limit is refused, and the change goes on", arguments: Kind.all)
  func edited(kind: Kind) throws {
    func edit(_ limits: Limits) throws -> (Log, HistoryError?) {
      var (log, text) = try Log.make(from: Self.changes)
      log.limits = limits
      let texts = try Replay(log).texts(insertedText: InsertedText(text))
      var editor = ChangeEditor(
        objects: try Objects(of: log), texts: texts, agent: AgentID(rawValue: .max))
      do throws(HistoryError) {
        try editor.put(map: .root, key: "more", content: .container(.map))
      } catch {
        return (editor.objects.log, error)
      }
      return (editor.objects.log, nil)
    }
    let amount = kind.amount(try edit(Limits()).0)
    #expect(try edit(kind.limits(amount)).1 == nil)
    let (log, error) = try edit(kind.limits(amount - 1))
    #expect(error?.reason == kind.reason)
    #expect(log.eventCount == Self.changes.reduce(0) { $0 + $1.eventCount })
  }

  @Test("texts that no history could make so long are refused before they are walked")
  func placeholders() throws {
    let text = (container: ContainerIndex(1), placeholder: Int.max / 4)
    var cut = Graph.Cut.start
    cut.last = LocalVersion(1 << 29)
    let one = Walker(log: Log(), after: cut, texts: [text])
    #expect(one.tracker.sequences.count == 1)
    var three = Walker(log: Log(), after: cut, texts: [text, text, text])
    #expect(three.tracker.sequences.isEmpty)
    do throws(HistoryError) {
      try three.walk(sides: .allBoth)
      Issue.record("walked")
    } catch {
      #expect(error.reason == .viewDisagrees)
    }
  }

  @Test(
    "a history is not edited on when that could take more steps than the limit to decide",
    arguments: [
      "keys written before and after a crossing", "containers replaced after a crossing",
      "elements removed after a crossing",
    ])
  func decisions(name: String) throws {
    let file = try #require(HostileFile.named(name))
    let (log, text) = try Log.make(from: file.changes(size: 2000))
    let texts = try Replay(log).texts(insertedText: InsertedText(text))
    // The least limit under which it is read.
    var (low, high) = (0, 1 << 26)
    while high - low > 1 {
      let middle = (low + high) / 2
      if (try? Objects(of: log, workLimit: middle)) == nil { low = middle } else { high = middle }
    }
    func edit(_ limit: Int) throws -> (Log, HistoryError?) {
      var editor = ChangeEditor(
        objects: try Objects(of: log, workLimit: limit), texts: texts,
        agent: AgentID(rawValue: .max))
      do throws(HistoryError) {
        try editor.put(map: .root, key: "more", content: .value(.null))
        try editor.remove(map: .root, key: "more")
      } catch {
        return (editor.objects.log, error)
      }
      editor.finish(time: Timestamp(milliseconds: 9), author: "", message: nil)
      return (editor.objects.log, nil)
    }
    #expect(try edit(high).1?.reason == .tooMuchWork)
    for limit in stride(from: high, to: 4 * high, by: high / 8) {
      let (edited, error) = try edit(limit)
      if error == nil { _ = try Objects(of: edited, workLimit: limit) }
    }
    #expect(try edit(1 << 26).1 == nil)
  }
}
