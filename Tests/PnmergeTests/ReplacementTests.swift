import PnmergeCommands
import Testing

@Suite("Replacing a file")
struct ReplacementTests {
  private let host = MemoryHost()
  private let old = Array("old".utf8)
  private let new = Array("new bytes".utf8)

  init() { host["a"] = old }

  /// The file `a`.
  private var file: MemoryHost.Entry? { host.entries[FileName("/work/a")] }

  /// Replaces a file, with the new bytes if no others are given.
  @discardableResult
  private func replace(
    _ name: String = "a", expecting expectation: FileReplacement.Expectation = .existing,
    with bytes: ((FileContents?) throws -> [UInt8]?)? = nil,
    verify: @escaping ([UInt8]) throws -> Void = { _ in }
  ) throws -> Bool {
    let replacement = Replacement(of: FileName(name), expecting: expectation, host: host)
    return try replacement { contents in
      Replacement.Proposal(try bytes.map { try $0(contents) } ?? new, report: ()) { bytes, _ in
        try verify(bytes)
      }
    }.hasChanged
  }

  /// The status of a replacement by the new bytes; `nil` if it was done.
  private func status(
    _ name: String = "a", expecting expectation: FileReplacement.Expectation = .existing
  ) -> ExitStatus? {
    do {
      try replace(name, expecting: expectation)
      return nil
    } catch {
      return (error as? Failure)?.status
    }
  }

  /// Does something else whenever a replacement has written its new file, or the first times.
  private func meanwhile(times: Int = .max, _ action: @escaping () -> Void) {
    var rounds = 0
    host.witness = { call in
      guard call == .synchronize, rounds < times else { return }
      rounds += 1
      action()
    }
  }

  @Test("the new bytes take the old ones' place, with their permissions, owner and group")
  func replaces() throws {
    let entry = try #require(file)
    (entry.mode, entry.owner, entry.group) = (0o640, 7, 8)
    #expect(try replace { contents in contents.map { $0.bytes + new } })
    let after = try #require(file)
    #expect(after.bytes == old + new)
    #expect((after.mode, after.owner, after.group) == (0o640, 7, 8))
    #expect(!after.isInUse)
    #expect(host.names == ["a"])
    #expect(host.locked.isEmpty)
    #expect(host.holdCount == 0)
  }

  @Test("no news, no write: the file itself stays", arguments: [nil, "old"])
  func leavesAlone(bytes: String?) throws {
    let before = try host.identity(of: FileName("a"), followingLinks: true)
    #expect(try !replace { _ in bytes.map { Array($0.utf8) } })
    #expect(try host.identity(of: FileName("a"), followingLinks: true) == before)
    #expect(!host.calls.dropFirst(2).contains(.create))
  }

  @Test("a symbolic link goes on pointing to the file that is replaced")
  func links() throws {
    host.link("b", to: "a")
    host.link("c", to: "/work/b")
    #expect(try replace("c"))
    #expect(host["a"] == new)
    #expect(host.entries[FileName("/work/b")]?.target == FileName("a"))
    #expect(host.names == ["a", "b", "c"])
  }

  @Test("a new file gets ordinary permissions and replaces nothing")
  func creates() throws {
    #expect(try replace("b", expecting: .absent) { contents in contents == nil ? new : nil })
    #expect(host["b"] == new)
    #expect(host.entries[FileName("/work/b")]?.mode == 0o644)
    host.link("dangling", to: "nowhere")
    for name in ["a", "dangling"] {
      #expect(status(name, expecting: .absent) == .cannotCreate)
    }
    #expect(host["a"] == old)
  }

  @Test("what stands in the way has its status")
  func refusals() {
    #expect(status("b") == .unreadable)
    #expect(status("/tmp") == .unreadable)
    #expect(status("none/b", expecting: .any) == .cannotCreate)
    #expect(status("a/b", expecting: .any) == .cannotCreate)
    file?.mode = 0o444
    #expect(status() == .cannotCreate)
    file?.mode = 0
    #expect(status() == .unreadable)
    file?.mode = 0o644
    host.entries[FileName("/work")]?.mode = 0o555
    #expect(status() == .cannotCreate)
    #expect(host["a"] == old)
  }

  @Test("bytes that do not verify are not written")
  func verification() {
    #expect(throws: Failure.self) {
      try replace(verify: { _ in throw Failure(.ioError, "bad") })
    }
    #expect(host["a"] == old)
    #expect(host.names == ["a"])
  }

  @Test("another writer's bytes are merged, not overwritten")
  func otherWriter() throws {
    meanwhile(times: 2) { file?.bytes += Array("+".utf8) }
    #expect(try replace { contents in contents.map { $0.bytes + new } })
    #expect(host["a"] == old + Array("++".utf8) + new)
    #expect(host.names == ["a"])
  }

  @Test("bytes that another writer left in no time are merged though no time or size tells of them")
  func coarseClock() throws {
    let before = try host.identity(of: FileName("a"), followingLinks: true)
    meanwhile(times: 1) { file?.bytes = Array("own".utf8) }
    let hasChanged = try replace { contents in
      let now = try host.identity(of: FileName("a"), followingLinks: true)
      #expect(now == before)
      return contents.map { $0.bytes + new }
    }
    #expect(hasChanged)
    #expect(host["a"] == Array("own".utf8) + new)
  }

  @Test("permissions that somebody changed meanwhile are those of the new file")
  func changedMode() throws {
    meanwhile(times: 1) { file?.mode = 0o600 }
    #expect(try replace())
    #expect(host["a"] == new && file?.mode == 0o600)
  }

  @Test(
    "what is no regular file is neither opened nor replaced",
    arguments: [FileIdentity.Kind.other, .directory])
  func otherKinds(kind: FileIdentity.Kind) throws {
    file?.kind = kind
    host.link("b", to: "a")
    let calls = host.calls.count
    for name in ["a", "b"] {
      #expect(status(name) == .unreadable)
      #expect(status(name, expecting: .any) == .cannotCreate)
      #expect(status(name, expecting: .absent) == .cannotCreate)
    }
    #expect(host.calls.count == calls)
    #expect(file?.bytes == old)
  }

  @Test("a file that never stops changing is left to the others")
  func restlessFile() {
    meanwhile { file?.bytes += Array("+".utf8) }
    #expect(status() == .tryAgain)
    #expect(host["a"]?.starts(with: old) == true)
    #expect(host.names == ["a"])
  }

  @Test("a file that someone else created first is not overwritten")
  func createdMeanwhile() {
    meanwhile { host.setText("b", "theirs") }
    #expect(status("b", expecting: .absent) == .cannotCreate)
    #expect(host["b"] == Array("theirs".utf8))
  }

  @Test("a locked file is not touched")
  func locked() throws {
    host.locked = [try #require(file).inode]
    #expect(status() == .tryAgain)
    #expect(host["a"] == old)
  }

  /// The calls of a replacement that nothing disturbs.
  private static func calls() throws -> ArraySlice<MemoryHost.Call> {
    let tests = ReplacementTests()
    let start = tests.host.calls.count
    try tests.replace()
    return tests.host.calls[start...]
  }

  @Test("whichever call fails, the file is whole and nothing else is left")
  func everyFailure() throws {
    for call in try Self.calls().indices {
      for kind in [HostError.Kind.noSpace, .other, .notPermitted] {
        let tests = ReplacementTests()
        let host = tests.host
        host.failure = (call, HostError(kind, "fault"))
        let status = tests.status()
        let name = host.calls.last?.rawValue ?? ""
        #expect(host["a"] == (status == nil ? new : old), "\(call) \(name)")
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
    let calls = try Self.calls()
    for (call, kind, status, message) in Self.faults {
      let number = try #require(calls.firstIndex(of: call))
      let tests = ReplacementTests()
      tests.host.failure = (number, HostError(kind, "fault"))
      let failure = #expect(throws: Failure.self) { try tests.replace() }
      #expect(failure?.status == status && failure?.message == message, "\(call) \(kind)")
      #expect(failure?.line == "pnmerge: a: \(message)")
    }
    let failure = #expect(throws: Failure.self) { try replace(expecting: .absent) }
    #expect(failure?.message == "exists already; give another name; nothing was written")
  }

  @Test("killed at whichever call, the file is whole, and the next run clears what is left")
  func everyDeath() throws {
    let calls = try Self.calls()
    for call in calls.startIndex...calls.endIndex {
      let tests = ReplacementTests()
      let host = tests.host
      host.kill(at: call) { _ = try? tests.replace() }
      #expect(host["a"] == old || host["a"] == new, "\(call)")
      try tests.replace()
      #expect(host["a"] == new, "\(call)")
      #expect(host.names == ["a"], "\(call)")
    }
  }

  @Test("interrupted at whichever call, the file is whole; before it has a name nothing is saved")
  func everyInterruption() throws {
    let calls = try Self.calls()
    let naming = try #require(calls.firstIndex(of: .rename))
    for call in calls.startIndex...calls.endIndex {
      let tests = ReplacementTests()
      let host = tests.host
      host.interruption = call
      let status = tests.status()
      #expect(status == .interrupted || status == nil && call >= naming, "\(call)")
      #expect(host["a"] == (status == nil ? new : old), "\(call)")
      #expect(host.names == ["a"], "\(call)")
    }
  }

  @Test("a long save is interrupted soon")
  func longSave() {
    host.witness = { [host] call in
      if call == .write { host.interruption = host.calls.count - 1 }
    }
    let long = [UInt8](repeating: 0, count: 5 << 20)
    let failure = #expect(throws: Failure.self) { try replace { _ in long } }
    #expect(failure?.status == .interrupted)
    #expect(host.calls.count { $0 == .write } == 2)
  }

  @Test("a file that is gone meanwhile is made anew where it need not exist")
  func goneMeanwhile() throws {
    meanwhile { host.entries[FileName("/work/a")] = nil }
    var seen: [[UInt8]?] = []
    let hasChanged = try replace(expecting: .any) { contents in
      seen.append(contents?.bytes)
      return new
    }
    #expect(hasChanged && seen == [old, nil] && host["a"] == new && host.names == ["a"])
    host["a"] = old
    #expect(status() == .unreadable)
  }

  @Test("a file that cannot be read for others who write it is looked at again")
  func busyMeanwhile() throws {
    let calls = try Self.calls()
    try #require(calls.count { $0 == .read } == 2)
    let second = try #require(calls.lastIndex(of: .read))
    host.failure = (second, HostError(.busy, "kept changing"))
    #expect(try replace())
    #expect(host["a"] == new && host.names == ["a"])
  }

  @Test("a temporary file in use by a living process is left alone")
  func livingNeighbour() throws {
    let theirs = try host.createExclusively(FileName("/work/.a.pnmerge"))
    #expect(try replace())
    #expect(host["a"] == new)
    #expect(host.names == [".a.pnmerge", "a"])
    host.close(theirs)
    #expect(try !replace())
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
    #expect(try replace(name))
    #expect(created.count == 2)
    #expect(created.allSatisfy { $0.lastComponent.bytes.count <= 255 })
  }
}
