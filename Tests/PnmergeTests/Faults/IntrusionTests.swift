import Foundation
import PeernoteTestSupport
import Testing

/// What other programs, which know nothing of our locks, do to a file while it is being saved.
@Suite("A save into which others intrude", .enabled(if: DisturbedProgram.isSupported))
struct IntrusionTests {
  /// Disturbs a merge at some of its calls, all with `PEERNOTE_FAULTS`.
  private func forEachCall(
    of save: Save, every step: Int, _ intrusion: @escaping (SaveTrial) -> Void,
    _ check: (SaveTrial, DisturbedProgram.Run, Int, _ place: String) throws -> Void
  ) throws {
    let trial = try SaveTrial(save)
    let isComplete = TestSetting.isSet("FAULTS")
    let last = trial.calls.lastIndex { $0 == "rename" || $0 == "link" } ?? 0
    for number in trial.calls.indices
    where isComplete || number % step == 0 || (last - 3...last + 1).contains(number) {
      let run = try trial.run(.intrude { intrusion(trial) }, at: number)
      try check(
        trial, run, number, "\(save) \(trial.place(number)): status \(run.status): \(run.output)")
    }
  }

  @Test("what another program puts in the file's place meanwhile is merged, not overwritten")
  func foreignWriter() throws {
    try forEachCall(of: .merge, every: 4) { trial in
      let (other, target) = (trial.program.work.path + "/c", trial.program.work.path + "/a")
      let copy = target + ".part"
      try? FileManager.default.copyItem(atPath: other, toPath: copy)
      _ = unsafe rename(copy, target)
    } _: { trial, run, number, place in
      #expect(run.status == 0, "\(place)")
      let tags = try trial.program.sh("pnmerge cat a").output
      #expect(tags.contains("  - c\n"), "\(place)")
      let isLate = number > (trial.calls.firstIndex(of: "rename") ?? 0)
      #expect(isLate || tags.contains("  - b\n"), "\(place)")
    }
  }

  @Test("what another program writes into the file itself meanwhile is merged, too")
  func writerInPlace() throws {
    try forEachCall(of: .merge, every: 6) { trial in
      let target = trial.program.work.appendingPathComponent("a")
      guard let theirs = trial.before.files["work/c"],
        let file = try? FileHandle(forWritingTo: target)
      else { return }
      try? file.write(contentsOf: theirs)
      try? file.close()
    } _: { trial, run, number, place in
      #expect(run.status == 0, "\(place)")
      let tags = try trial.program.sh("pnmerge cat a").output
      let isLate = number > (trial.calls.firstIndex(of: "rename") ?? 0)
      #expect(isLate || tags.contains("  - c\n") && tags.contains("  - b\n"), "\(place)")
    }
  }

  @Test("a link put in the file's place meanwhile is never written through")
  func link() throws {
    try forEachCall(of: .merge, every: 6) { trial in
      let target = trial.program.work.path + "/a"
      _ = unsafe (unlink(target), symlink("body", target))
    } _: { trial, run, number, place in
      let tree = try FileTree(below: trial.program.tree)
      #expect(tree.files["work/body"] == trial.before.files["work/body"], "\(place)")
      #expect([0, 4, 66, 73, 75].contains(run.status), "\(place)")
      #expect(tree.files["work/.a.pnmerge"] == nil, "\(place)")
    }
  }

  @Test("a file that is gone is not said to be write-protected")
  func vanishedFile() throws {
    let trial = try SaveTrial(.merge)
    let number = try #require(trial.calls.firstIndex(of: "access"))
    let run = try trial.run(
      .intrude { try? FileManager.default.removeItem(at: trial.program.work) }, at: number)
    #expect(
      run.status == 73 && run.output.hasPrefix("pnmerge: a: cannot create: no such file"),
      "\(run.output)")
  }

  @Test(
    "a directory that vanishes meanwhile ends the save in order",
    arguments: [Save.merge, .start])
  func vanishedDirectory(save: Save) throws {
    try forEachCall(of: save, every: 5) { trial in
      try? FileManager.default.removeItem(at: trial.program.work)
    } _: { trial, run, number, place in
      #expect([0, 66, 73, 74].contains(run.status), "\(place)")
      let isDone = number > (trial.calls.lastIndex { $0 == "rename" || $0 == "link" } ?? 0)
      #expect(isDone || run.status != 0, "\(place)")
      let tree = try FileTree(below: trial.program.tree)
      #expect(!tree.files.keys.contains { $0.hasPrefix("work/") }, "\(place)")
      try FileManager.default.createDirectory(
        at: trial.program.work, withIntermediateDirectories: true)
    }
  }
}
