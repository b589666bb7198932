import PnmergeCommands
import Testing

@Suite("Replacing a file")
struct ReplacementTests {
  private let host = MemoryHost()
  private let old = Array("old".utf8)
  private let new = Array("new bytes".utf8)

  private func replace(
    _ name: String, expecting expectation: FileReplacement.Expectation = .existing,
    dryRun: Bool = false, verify: @escaping ([UInt8]) throws -> Void = { _ in },
    with bytes: (FileContents?) throws -> [UInt8]?
  ) throws -> Bool {
    let replacement = Replacement(of: FileName(name), expecting: expectation, host: host)
    return try replacement(dryRun: dryRun) { contents in
      Replacement.Proposal(try bytes(contents), report: ()) { bytes, _ in try verify(bytes) }
    }.hasChanged
  }

  private func status(_ body: () throws -> Void) -> ExitStatus? {
    do {
      try body()
      return nil
    } catch {
      return (error as? Failure)?.status
    }
  }

  @Test("the new bytes take the old ones' place, with their permissions, owner and group")
  func replaces() throws {
    host["a"] = old
    let entry = try #require(host.entries[FileName("/work/a")])
    (entry.mode, entry.owner, entry.group) = (0o640, 7, 8)
    #expect(try replace("a") { contents in contents.map { $0.bytes + new } })
    let after = try #require(host.entries[FileName("/work/a")])
    #expect(after.bytes == old + new)
    #expect((after.mode, after.owner, after.group) == (0o640, 7, 8))
    #expect(!after.isInUse)
    #expect(host.names == ["a"])
    #expect(host.locked.isEmpty)
    #expect(host.holdCount == 0)
  }

  @Test("no news, no write: the file itself stays", arguments: [nil, "old"])
  func leavesAlone(bytes: String?) throws {
    host["a"] = old
    let before = try host.identity(of: FileName("a"), followingLinks: true)
    #expect(try !replace("a") { _ in bytes.map { Array($0.utf8) } })
    #expect(try host.identity(of: FileName("a"), followingLinks: true) == before)
    #expect(!host.calls.dropFirst(2).contains(.create))
  }

  @Test("a dry run says what would happen and writes nothing")
  func dryRun() throws {
    host["a"] = old
    #expect(try replace("a", dryRun: true) { _ in new })
    #expect(host["a"] == old)
    #expect(host.names == ["a"])
  }

  @Test("a symbolic link goes on pointing to the file that is replaced")
  func links() throws {
    host["a"] = old
    host.link("b", to: "a")
    host.link("c", to: "/work/b")
    #expect(try replace("c") { _ in new })
    #expect(host["a"] == new)
    #expect(host.entries[FileName("/work/b")]?.target == FileName("a"))
    #expect(host.names == ["a", "b", "c"])
  }

  @Test("a new file gets ordinary permissions and replaces nothing")
  func creates() throws {
    #expect(try replace("a", expecting: .absent) { contents in contents == nil ? new : nil })
    #expect(host["a"] == new)
    #expect(host.entries[FileName("/work/a")]?.mode == 0o644)
    #expect(status { _ = try replace("a", expecting: .absent) { _ in old } } == .cannotCreate)
    host.link("dangling", to: "nowhere")
    #expect(
      status { _ = try replace("dangling", expecting: .absent) { _ in old } } == .cannotCreate)
    #expect(host["a"] == new)
  }

  @Test("what stands in the way has its status")
  func refusals() {
    host["a"] = old
    #expect(status { _ = try replace("b") { _ in new } } == .unreadable)
    #expect(status { _ = try replace("/tmp") { _ in new } } == .unreadable)
    #expect(status { _ = try replace("none/b", expecting: .any) { _ in new } } == .cannotCreate)
    #expect(status { _ = try replace("a/b", expecting: .any) { _ in new } } == .cannotCreate)
    host.entries[FileName("/work/a")]?.mode = 0o444
    #expect(status { _ = try replace("a") { _ in new } } == .cannotCreate)
    host.entries[FileName("/work/a")]?.mode = 0
    #expect(status { _ = try replace("a") { _ in new } } == .unreadable)
    host.entries[FileName("/work/a")]?.mode = 0o644
    host.entries[FileName("/work")]?.mode = 0o555
    #expect(status { _ = try replace("a") { _ in new } } == .cannotCreate)
    #expect(host["a"] == old)
  }

  @Test("bytes that do not verify are not written")
  func verification() {
    host["a"] = old
    #expect(throws: Failure.self) {
      try replace("a", verify: { _ in throw Failure(.ioError, "bad") }, with: { _ in new })
    }
    #expect(host["a"] == old)
    #expect(host.names == ["a"])
  }

  @Test("another writer's bytes are merged, not overwritten")
  func otherWriter() throws {
    host["a"] = old
    var rounds = 0
    host.witness = { [host] call in
      guard call == .synchronize, rounds < 2 else { return }
      rounds += 1
      host.entries[FileName("/work/a")]?.bytes += Array("+".utf8)
    }
    #expect(try replace("a") { contents in contents.map { $0.bytes + new } })
    #expect(host["a"] == old + Array("++".utf8) + new)
    #expect(host.names == ["a"])
  }

  @Test("bytes that another writer left in no time are merged though no time or size tells of them")
  func coarseClock() throws {
    host["a"] = old
    let before = try host.identity(of: FileName("a"), followingLinks: true)
    var rounds = 0
    host.witness = { [host] call in
      guard call == .synchronize, rounds == 0 else { return }
      rounds += 1
      host.entries[FileName("/work/a")]?.bytes = Array("own".utf8)
    }
    let hasChanged = try replace("a") { contents in
      let now = try host.identity(of: FileName("a"), followingLinks: true)
      #expect(now == before)
      return contents.map { $0.bytes + new }
    }
    #expect(hasChanged)
    #expect(host["a"] == Array("own".utf8) + new)
  }

  @Test("permissions that somebody changed meanwhile are those of the new file")
  func changedMode() throws {
    host["a"] = old
    var rounds = 0
    host.witness = { [host] call in
      guard call == .synchronize, rounds == 0 else { return }
      rounds += 1
      host.entries[FileName("/work/a")]?.mode = 0o600
    }
    #expect(try replace("a") { _ in new })
    #expect(host["a"] == new && host.entries[FileName("/work/a")]?.mode == 0o600)
  }

  @Test(
    "what is no regular file is neither opened nor replaced",
    arguments: [FileIdentity.Kind.other, .directory])
  func otherKinds(kind: FileIdentity.Kind) throws {
    host["a"] = old
    host.entries[FileName("/work/a")]?.kind = kind
    host.link("b", to: "a")
    let calls = host.calls.count
    for name in ["a", "b"] {
      #expect(status { _ = try replace(name) { _ in new } } == .unreadable)
      #expect(status { _ = try replace(name, expecting: .any) { _ in new } } == .cannotCreate)
      #expect(status { _ = try replace(name, expecting: .absent) { _ in new } } == .cannotCreate)
    }
    #expect(host.calls.count == calls)
    #expect(host.entries[FileName("/work/a")]?.bytes == old)
  }

  @Test("a file that never stops changing is left to the others")
  func restlessFile() {
    host["a"] = old
    host.witness = { [host] call in
      if call == .synchronize { host.entries[FileName("/work/a")]?.bytes += Array("+".utf8) }
    }
    #expect(status { _ = try replace("a") { _ in new } } == .tryAgain)
    #expect(host["a"]?.starts(with: old) == true)
    #expect(host.names == ["a"])
  }

  @Test("a file that someone else created first is not overwritten")
  func createdMeanwhile() {
    host.witness = { [host] call in
      if call == .synchronize { host.setText("a", "theirs") }
    }
    #expect(status { _ = try replace("a", expecting: .absent) { _ in new } } == .cannotCreate)
    #expect(host["a"] == Array("theirs".utf8))
  }

  @Test("a locked file is not touched")
  func locked() throws {
    host["a"] = old
    host.locked = [try #require(host.entries[FileName("/work/a")]).inode]
    #expect(status { _ = try replace("a") { _ in new } } == .tryAgain)
    #expect(host["a"] == old)
  }

  /// How many calls a replacement of `a` takes.
  private static func callCount() throws -> Int {
    let tests = ReplacementTests()
    tests.host["a"] = tests.old
    let before = tests.host.calls.count
    _ = try tests.replace("a") { _ in tests.new }
    return tests.host.calls.count - before
  }

  @Test("whichever call fails, the file is whole and nothing else is left")
  func everyFailure() throws {
    for call in 0..<(try Self.callCount()) {
      for kind in [HostError.Kind.noSpace, .other, .notPermitted] {
        let tests = ReplacementTests()
        let host = tests.host
        host["a"] = tests.old
        host.failure = (host.calls.count + call, HostError(kind, "fault"))
        let status = tests.status { _ = try tests.replace("a") { _ in tests.new } }
        let name = host.calls.last?.rawValue ?? ""
        #expect(host["a"] == (status == nil ? tests.new : tests.old), "\(call) \(name)")
        #expect(host.names == ["a"], "\(call) \(name)")
        #expect(host.locked.isEmpty && host.holdCount == 0, "\(call) \(name)")
      }
    }
  }

  /// What a save says when a call fails for the first time.
  private static let faults: [(MemoryHost.Call, HostError.Kind, ExitStatus, String)] = {
    let nothing = "; nothing was written"
    return [
      (.lock, .busy, .tryAgain, "fault"),
      (.lock, .notPermitted, .unreadable, "cannot read: fault"),
      (.read, .busy, .tryAgain, "fault"),
      (.read, .interrupted, .interrupted, "interrupted"),
      (.read, .isDirectory, .unreadable, "is a directory, not a document"),
      (.read, .inputOutput, .unreadable, "cannot read: fault"),
      (.create, .busy, .tryAgain, "fault"),
      (.create, .interrupted, .interrupted, "interrupted" + nothing),
      (.create, .noSpace, .ioError, "cannot write: fault" + nothing),
      (.create, .notPermitted, .cannotCreate, "cannot create: fault" + nothing),
      (.write, .busy, .tryAgain, "fault"),
      (.write, .interrupted, .interrupted, "interrupted" + nothing),
      (.write, .noSpace, .ioError, "cannot write: fault" + nothing),
      (.attributes, .inputOutput, .ioError, "cannot write: fault" + nothing),
      (.synchronize, .inputOutput, .ioError, "cannot write: fault" + nothing),
      (.rename, .notPermitted, .ioError, "cannot write: fault" + nothing),
    ]
  }()

  @Test("each fault has its status and its words")
  func faultWords() throws {
    let trial = ReplacementTests()
    trial.host["a"] = trial.old
    let start = trial.host.calls.count
    _ = try trial.replace("a") { _ in trial.new }
    let calls = trial.host.calls[start...]
    for (call, kind, status, message) in Self.faults {
      let number = try #require(calls.firstIndex(of: call))
      let tests = ReplacementTests()
      tests.host["a"] = tests.old
      tests.host.failure = (number, HostError(kind, "fault"))
      do {
        _ = try tests.replace("a") { _ in tests.new }
        Issue.record("\(call) \(kind): saved")
      } catch let failure as Failure {
        #expect(failure.status == status && failure.message == message, "\(call) \(kind)")
        #expect(failure.line == "pnmerge: a: \(message)")
      }
    }
    host["a"] = old
    let failure = #expect(throws: Failure.self) {
      try replace("a", expecting: .absent) { _ in new }
    }
    #expect(failure?.message == "exists already; give another name; nothing was written")
  }

  @Test("killed at whichever call, the file is whole, and the next run clears what is left")
  func everyDeath() throws {
    for call in 0...(try Self.callCount()) {
      let tests = ReplacementTests()
      let host = tests.host
      host["a"] = tests.old
      host.death = host.calls.count + call
      _ = try? tests.replace("a") { _ in tests.new }
      #expect(host["a"] == tests.old || host["a"] == tests.new, "\(call)")
      host.death = nil
      host.locked = []
      _ = try tests.replace("a") { _ in tests.new }
      #expect(host["a"] == tests.new, "\(call)")
      #expect(host.names == ["a"], "\(call)")
    }
  }

  @Test("interrupted at whichever call, the file is whole and nothing else is left")
  func everyInterruption() throws {
    for call in 0...(try Self.callCount()) {
      let tests = ReplacementTests()
      let host = tests.host
      host["a"] = tests.old
      host.interruption = host.calls.count + call
      let status = tests.status { _ = try tests.replace("a") { _ in tests.new } }
      #expect(status == nil || status == .interrupted, "\(call)")
      #expect(host["a"] == (status == nil ? tests.new : tests.old), "\(call)")
      #expect(host.names == ["a"], "\(call)")
    }
  }

  @Test("what is interrupted before the new file takes its name is not saved")
  func earlyInterruption() throws {
    let trial = ReplacementTests()
    trial.host["a"] = trial.old
    let start = trial.host.calls.count
    _ = try trial.replace("a") { _ in trial.new }
    let naming = try #require(trial.host.calls[start...].firstIndex(of: .rename))
    for number in start..<naming {
      let tests = ReplacementTests()
      tests.host["a"] = tests.old
      tests.host.interruption = number
      #expect(tests.status { _ = try tests.replace("a") { _ in tests.new } } == .interrupted)
      #expect(tests.host["a"] == tests.old)
    }
  }

  @Test("a long save is interrupted soon")
  func longSave() {
    host["a"] = old
    host.witness = { [host] call in
      if call == .write { host.interruption = host.calls.count - 1 }
    }
    let long = [UInt8](repeating: 0, count: 5 << 20)
    #expect(status { _ = try replace("a") { _ in long } } == .interrupted)
    #expect(host.calls.count { $0 == .write } == 2)
  }

  @Test("a file that is gone meanwhile is made anew where it need not exist")
  func goneMeanwhile() throws {
    host["a"] = old
    host.witness = { [host] call in
      if call == .synchronize { host.entries[FileName("/work/a")] = nil }
    }
    var seen: [[UInt8]?] = []
    let hasChanged = try replace("a", expecting: .any) { contents in
      seen.append(contents?.bytes)
      return new
    }
    #expect(hasChanged && seen == [old, nil] && host["a"] == new && host.names == ["a"])
    #expect(status { _ = try replace("a") { _ in old } } == .unreadable)
  }

  @Test("a file that cannot be read for others who write it is looked at again")
  func busyMeanwhile() throws {
    let trial = ReplacementTests()
    trial.host["a"] = trial.old
    let start = trial.host.calls.count
    _ = try trial.replace("a") { _ in trial.new }
    let second = try #require(trial.host.calls.lastIndex(of: .read))
    try #require(trial.host.calls[start...].count { $0 == .read } == 2)
    host["a"] = old
    host.failure = (second, HostError(.busy, "kept changing"))
    #expect(try replace("a") { _ in new })
    #expect(host["a"] == new && host.names == ["a"])
  }

  @Test("a temporary file in use by a living process is left alone")
  func livingNeighbour() throws {
    host["a"] = old
    let theirs = try host.createExclusively(FileName("/work/.a.pnmerge"))
    #expect(try replace("a") { _ in new })
    #expect(host["a"] == new)
    #expect(host.names == [".a.pnmerge", "a"])
    host.close(theirs)
    #expect(try !replace("a") { _ in new })
    #expect(host.names == ["a"])
  }

  @Test("the longest names can be replaced, too")
  func longNames() throws {
    let name = String(repeating: "n", count: 255)
    host[name] = old
    var created: [FileName] = []
    host.witness = { [host] call in
      if call == .write { created = host.entries.keys.filter { $0.bytes.count > 255 } }
    }
    #expect(try replace(name) { _ in new })
    #expect(created.count == 2)
    #expect(created.allSatisfy { $0.lastComponent.bytes.count <= 255 })
  }
}
