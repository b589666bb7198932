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
      yes 'some words of a note' | head -n 500 > draft
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

  @Test("of a device that has no length, and fails, nothing is read around")
  func endless() throws {
    let run = try program.run(
      ["repair", "/dev/zero", "-o", "b"], from: "/dev/zero", .fail(EIO), at: reading)
    #expect(run.hasHappened && run.calls[reading] == "read")
    #expect(run.status == 66)
    #expect(run.output == "pnmerge: /dev/zero: cannot read: input/output error\n")
  }

  @Test("another error than the device's ends the command")
  func other() throws {
    let run = try repair(.fail(EACCES))
    #expect(run.status == 66)
    #expect(run.output == "pnmerge: a: cannot read: permission denied\n")
  }
}
