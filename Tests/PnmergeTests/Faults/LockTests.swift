import Foundation
import PeernoteTestSupport
import Testing

/// Locks: what keeps writers of our own kind apart, and tells what a living process writes from
/// what a dead one left.
@Suite("Locks of a save", .enabled(if: DisturbedProgram.isSupported))
struct LockTests {
  private let trial: SaveTrial
  /// The calls that lock: the target, then what is written; what is left over there is locked one
  /// call later, after a look at the open file.
  private let locks: [Int]

  init() throws {
    trial = try SaveTrial(.merge)
    locks = trial.calls.indices.filter { [calls = trial.calls] in calls[$0] == "flock" }
    try #require(locks.count > 2)
  }

  private var work: URL { trial.program.work }
  private func name(_ file: String) -> String { work.appendingPathComponent(file).path }

  /// Makes the save after something was done to its directory.
  private func run(
    _ fault: DisturbedProgram.Fault, at number: Int, after prepare: () throws -> Void = {}
  ) throws -> DisturbedProgram.Run {
    try trial.before.restore(below: trial.program.tree)
    try prepare()
    let run = try trial.program.run(trial.save.arguments, from: trial.save.start, fault, at: number)
    #expect(run.hasHappened)
    return run
  }

  /// The save was made, and nothing stands beside the documents but these files.
  private func checkSaved(_ run: DisturbedProgram.Run, besides names: [String] = []) throws {
    #expect(run.status == 0, "\(run.output)")
    var tree = try FileTree(below: trial.program.tree)
    for name in names { #expect(tree.files.removeValue(forKey: "work/\(name)") != nil, "\(name)") }
    #expect(tree == trial.after, "\(tree.files.keys.sorted())")
  }

  private func lockCount(_ run: DisturbedProgram.Run) -> Int { run.calls.count { $0 == "flock" } }

  @Test("the lock is that of the file which has the name, though it was replaced meanwhile")
  func replacedTarget() throws {
    let run = try run(
      .intrude { [self] in
        try? FileManager.default.copyItem(atPath: name("a"), toPath: name("part"))
        _ = unsafe rename(name("part"), name("a"))
      }, at: locks[0])
    try checkSaved(run)
    #expect(lockCount(run) == locks.count + 1)
  }

  @Test("a file that may only be read is locked all the same")
  func readOnly() throws {
    let opening = try #require(trial.calls[..<locks[0]].lastIndex(of: "open"))
    try checkSaved(run(.fail(EACCES), at: opening))
  }

  @Test("a lock that the system will not wait for is one that another holds")
  func deadlock() throws {
    let run = try run(.fail(EDEADLK), at: locks[0])
    try checkSaved(run)
    #expect(lockCount(run) == locks.count + 1)
  }

  @Test("where there are no locks a save goes on without", arguments: [ENOLCK, EOPNOTSUPP])
  func noLocks(error: Int32) throws {
    try checkSaved(run(.keepFailing(error), at: locks[0]))
  }

  @Test("where there are no locks, nothing that may be somebody's is cleared")
  func noLocksNoClearing() throws {
    let run = try run(.keepFailing(ENOLCK), at: locks[0]) {
      try Data("theirs".utf8).write(to: work.appendingPathComponent(".a.pnmerge"))
    }
    try checkSaved(run, besides: [".a.pnmerge"])
  }

  @Test("what seems abandoned and is another file by the time it is locked stays")
  func replacedLitter() throws {
    let litter = name(".a.pnmerge")
    let run = try run(
      .intrude {
        try? Data("theirs".utf8).write(to: URL(fileURLWithPath: litter + "2"))
        _ = unsafe rename(litter + "2", litter)
      }, at: locks[1] + 1
    ) {
      try Data().write(to: URL(fileURLWithPath: litter))
    }
    try checkSaved(run, besides: [".a.pnmerge"])
  }

  @Test("what seems abandoned and is gone by the time it is locked is in nobody's way")
  func vanishedLitter() throws {
    let litter = name(".a.pnmerge")
    let run = try run(.intrude { _ = unsafe unlink(litter) }, at: locks[1] + 1) {
      try Data().write(to: URL(fileURLWithPath: litter))
    }
    try checkSaved(run)
    #expect(lockCount(run) == locks.count + 1)
  }

  @Test("a link put where a file is about to be created is not written through")
  func linkAtCreation() throws {
    let creation = try #require(trial.calls[..<locks[1]].lastIndex(of: "open"))
    let run = try run(
      .intrude { [self] in _ = unsafe symlink("body", name(".a.pnmerge")) }, at: creation)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: name(".a.pnmerge")) == "body")
    try checkSaved(run, besides: [".a.pnmerge"])
  }

  @Test("what is written is made anew if another run has taken it for abandoned")
  func stolenFile() throws {
    let run = try run(.intrude { [self] in _ = unsafe unlink(name(".a.pnmerge")) }, at: locks[1])
    try checkSaved(run)
  }

  @Test("what another run has locked is not written to")
  func lockedFile() throws {
    var theirs: Int32 = -1
    let run = try run(
      .intrude { [self] in
        theirs = unsafe open(name(".a.pnmerge"), O_RDONLY)
        _ = flock(theirs, LOCK_EX)
      }, at: locks[1])
    close(theirs)
    try checkSaved(run, besides: [".a.pnmerge"])
    #expect(try Data(contentsOf: work.appendingPathComponent(".a.pnmerge")).isEmpty)
  }
}

/// The same with other processes that hold locks.
@Suite("Waiting for locks", .enabled(if: canLock))
struct LockWaitTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.sh(
      "mkdir home work; cd work; pnmerge new a --title T -q; cp a b; pnmerge edit b --tag x -q")
  }

  private func sh(_ script: String) throws -> Program.Run {
    try program.sh("cd work\n" + script)
  }

  @Test(
    "a writer waits for whoever holds the file, be it to read it only", arguments: ["-s", "-x"])
  func waiting(kind: String) throws {
    let run = try sh(
      """
      mkfifo ready; flock \(kind) a sh -c 'echo > ready; sleep 0.3; echo released' &
      read x < ready
      pnmerge merge -q a b; echo "merged $?"; wait; cmp a b
      """)
    #expect(run.output == "released\nmerged 0\n", "\(run.errors)")
  }

  @Test("what a living process writes beside the file is left alone, what it leaves is cleared")
  func neighbour() throws {
    let run = try sh(
      """
      mkfifo ready; : > .a.pnmerge
      flock .a.pnmerge sh -c 'echo > ready; read x < ready' &
      read x < ready
      pnmerge merge -q a b; echo $?; cmp a b; ls -A; echo > ready; wait
      pnmerge merge -q a b; ls -A
      """)
    #expect(run.output == "0\n.a.pnmerge\na\nb\nready\na\nb\nready\n", "\(run.errors)")
  }

  @Test(
    "a file that stays locked is left alone: status 75",
    .enabled(if: TestSetting.isSet("FAULTS")))
  func patience() throws {
    let run = try sh(
      """
      cp a old; flock a sleep 30 & sleep 0.2; pnmerge merge -q a b; echo $?; cmp a old; kill %1
      """)
    #expect(run.output == "75\n", "\(run.errors)")
    #expect(run.errors.hasPrefix("pnmerge: a: is locked by another process; try again\n"))
  }
}

/// Whether there is flock(1).
let canLock = (try? Program().sh("command -v flock").status) == 0
