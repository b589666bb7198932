import Foundation
import Testing

/// File systems that lack something, such as those of memory sticks and of some networks.
@Suite("A save where something is missing", .enabled(if: DisturbedProgram.isSupported))
struct PlainFileSystemTests {
  /// Makes a save with a fault at the last call of a kind.
  private func run(
    _ save: Save, _ fault: (SaveTrial) -> DisturbedProgram.Fault, atLast call: String
  ) throws -> (trial: SaveTrial, run: DisturbedProgram.Run) {
    let trial = try SaveTrial(save)
    let number = try #require(trial.calls.lastIndex(of: call))
    return (trial, try trial.run(fault(trial), at: number))
  }

  @Test("without permissions a save is made without", arguments: [Save.merge, .start])
  func noPermissions(save: Save) throws {
    let (trial, run) = try run(save, { _ in .fail(EPERM) }, atLast: "fchmod")
    #expect(run.status == 0, "\(run.output)")
    #expect(try FileTree(below: trial.program.tree) == trial.after)
  }

  @Test("permissions that cannot be set for another reason end the save", arguments: [Save.merge])
  func failingPermissions(save: Save) throws {
    let (trial, run) = try run(save, { _ in .fail(EIO) }, atLast: "fchmod")
    #expect(run.status == 74, "\(run.output)")
    trial.checkFiles(try FileTree(below: trial.program.tree), 0)
    #expect(try FileTree(below: trial.program.tree).files["work/a"] == trial.old)
  }

  @Test("where a new file finds no room the disk is full", arguments: [ENOSPC, EDQUOT])
  func noRoom(error: Int32) throws {
    let trial = try SaveTrial(.start)
    let writing = try #require(trial.calls.firstIndex(of: "write"))
    let lock = try #require(trial.calls.firstIndex(of: "flock"))
    let creation = try #require(trial.calls[..<lock].lastIndex(of: "open"))
    for number in [creation, writing] {
      let run = try trial.run(.fail(error), at: number)
      #expect(run.status == 74, "\(run.output)")
      #expect(run.output.hasPrefix("pnmerge: d: cannot write: "), "\(run.output)")
      #expect(try FileTree(below: trial.program.tree) == trial.before)
    }
  }

  @Test(
    "without hard links a file that nobody has is created all the same",
    arguments: [Save.start, .mergeIntoNothing])
  func noLinks(save: Save) throws {
    let (trial, run) = try run(save, { _ in .fail(EPERM) }, atLast: "link")
    #expect(run.status == 0, "\(run.output)")
    #expect(try FileTree(below: trial.program.tree) == trial.after)
  }

  @Test(
    "a file that somebody creates at the last moment is not overwritten, also without hard links",
    arguments: [EPERM, 0])
  func another(error: Int32) throws {
    let theirs = Data("theirs".utf8)
    let (trial, run) = try run(
      .start,
      { trial in
        let target = trial.program.work.appendingPathComponent("d")
        return .intrude({ try? theirs.write(to: target) }, failing: error)
      }, atLast: "link")
    #expect(run.status == 73, "\(run.output)")
    var tree = try FileTree(below: trial.program.tree)
    #expect(tree.files.removeValue(forKey: "work/d") == theirs)
    #expect(tree == trial.before)
  }

  @Test("a directory that cannot be synchronized, and need not be, is no failure")
  func directorySynchronization() throws {
    let trial = try SaveTrial(.undo)
    // Of an undo: the kept bytes, their description, their directory, the file, its directory.
    let synchronizations = trial.calls.indices.filter { [calls = trial.calls] in
      calls[$0] == "fsync"
    }
    try #require(synchronizations.count == 5)
    for (error, status) in [(EINVAL, 0), (EIO, 74)] as [(Int32, Int32)] {
      let found = try synchronizations.map { number in
        let run = try trial.run(.fail(error), at: number)
        let isDone = try FileTree(below: trial.program.tree).files["work/c"] == trial.new
        #expect(isDone == (run.status == 0), "\(trial.place(number)): \(run.output)")
        return run.status
      }
      // The last one comes when the file is in place.
      #expect(found.contains(status) && found.last == 0, "\(error): \(found)")
      #expect(found.count { $0 != 0 } == (error == EIO ? 4 : 3), "\(error): \(found)")
    }
  }
}
