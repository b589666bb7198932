import Foundation
import Testing

/// pnmerge(1), "Repairing": what a failing device still gives is used.
@Suite("A device that fails", .enabled(if: DisturbedProgram.isSupported))
struct FailingDeviceTests {
  private let program: DisturbedProgram
  /// The first call that reads the file's bytes.
  private let reading: Int

  init() throws {
    program = try DisturbedProgram()
    let made = try program.sh(
      """
      yes 'some words of a note' | head -n 900 > draft
      pnmerge new a --title T --body-file draft --author ann
      cp a old
      """)
    try #require(made.status == 0, "\(made.errors)")
    let run = try program.run(["repair", "a", "-o", "b"], from: "a")
    try #require(run.status == 0, "\(run.output)")
    reading = try #require(run.calls.firstIndex(of: "read"))
    try program.sh("rm b")
  }

  private func repair(_ fault: DisturbedProgram.Fault) throws -> DisturbedProgram.Run {
    let run = try program.run(["repair", "a", "-o", "b"], from: "a", fault, at: reading)
    #expect(run.hasHappened)
    return run
  }

  @Test("a copy that is read the second time is whole")
  func once() throws {
    let run = try repair(.fail(EIO))
    #expect(run.status == 0, "\(run.output)")
    #expect(run.calls.count { $0 == "read" } > 2)
    #expect(try program.sh("cmp a old && cmp a b").status == 0)
  }

  @Test("a device that gives nothing at all gives nothing to save, and that is said")
  func never() throws {
    let size = try Data(contentsOf: program.work.appending(path: "a")).count
    let run = try repair(.keepFailing(EIO))
    #expect(run.status == 4)
    #expect(
      run.output.hasPrefix("a: bytes 0 to \(size - 1) cannot be read; the device fails\n"),
      "\(run.output)")
    #expect(try program.sh("cmp a old && ! test -e b").status == 0)
  }

  /// Runs a repair of which the first reading of a file fails, and some later ones, counted from 0.
  private func repair(
    _ copies: String..., failing: Set<Int>, with error: Int32 = EIO,
    before: @escaping (Int) -> Void = { _ in }
  ) throws -> DisturbedProgram.Run {
    var count = 0
    return try program.run(
      ["repair"] + copies + ["-o", "b"], from: "a",
      .keepIntruding {
        before(count)
        defer { count += 1 }
        // A program that asks for ever is not waited for.
        return count > 500 ? EACCES : count == 0 ? EIO : failing.contains(count) ? error : 0
      }, at: reading)
  }

  @Test("where a device fails in one place, that block is read around, and said")
  func oneBlock() throws {
    // The reading before is that of the block before.
    let alone = try repair("a", failing: [2])
    #expect(alone.status == 4, "\(alone.output)")
    #expect(
      alone.output.hasPrefix("a: bytes 4096 to 8191 cannot be read; the device fails\n"),
      "\(alone.output)")
    let helped = try repair("a", "old", failing: [2])
    #expect(helped.status == 0, "\(helped.output)")
    #expect(try program.sh("cmp a old && cmp a b").status == 0)
  }

  @Test("where a device fails in neighbouring blocks, they are one hole; elsewhere another")
  func holes() throws {
    let run = try repair("a", "old", failing: [1, 2, 4])
    #expect(run.status == 0)
    #expect(
      run.output.hasPrefix(
        """
        a: bytes 0 to 8191 cannot be read; the device fails
        a: bytes 12288 to 16383 cannot be read; the device fails

        """), "\(run.output)")
  }

  @Test(
    "a file that gets shorter while it is read around is taken as far as it reaches",
    arguments: [4096, 4106, 8192])
  func shorter(size: Int) throws {
    let file = program.work.appending(path: "a").path
    let run = try repair("a", "old", failing: []) { number in
      if number == 2 { _ = unsafe truncate(file, off_t(size)) }
    }
    try program.sh("rm -f b")
    let cut = try program.run(["repair", "a", "old", "-o", "b"], from: "a")
    #expect(run.status == cut.status && run.output == cut.output, "\(run.output)")
    #expect(try program.sh("cmp old b").status == 0)
  }

  @Test("what is given up after half a block ends with that block")
  func halfBlock() throws {
    let file = program.work.appending(path: "a")
    let whole = try Data(contentsOf: file)
    let run = try repair("a", "old", failing: [3]) { number in
      // The first half alone is there to be read, then the device fails.
      if number == 2 { _ = unsafe truncate(file.path, 4106) }
      if number == 3 { try? whole.write(to: file, options: []) }
    }
    #expect(run.status == 0)
    #expect(
      run.output.hasPrefix("a: bytes 4106 to 8191 cannot be read; the device fails\n"),
      "\(run.output)")
    #expect(try program.sh("cmp a old && cmp a b").status == 0)
  }

  @Test("of a device that has no length, and fails, nothing is read around")
  func endless() throws {
    let run = try program.run(
      ["repair", "/dev/zero", "-o", "b"], from: "/dev/zero", .fail(EIO), at: reading)
    #expect(run.hasHappened && run.calls[reading] == "read")
    #expect(run.status == 66)
    #expect(run.output == "pnmerge: /dev/zero: cannot read: input/output error\n")
  }

  @Test("another error than the device's ends the command, also where it is read around")
  func other() throws {
    for run in [try repair(.fail(EACCES)), try repair("a", failing: [2], with: EACCES)] {
      #expect(run.status == 66)
      #expect(run.output == "pnmerge: a: cannot read: permission denied\n")
    }
  }
}
