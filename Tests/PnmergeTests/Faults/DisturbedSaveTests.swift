import Foundation
import PeernoteTestSupport
import Testing

/// Design, "Writing files": a file is replaced as a whole or not at all, whatever happens.
///
/// Each test makes every kind of save on the real program and disturbs it at one system call after
/// the other. A merge is disturbed at every call, other saves at some; with `PEERNOTE_FAULTS` set
/// they are at every call, too, and each call fails with every error that it knows.
@Suite("A save that is disturbed", .enabled(if: DisturbedProgram.isSupported))
struct DisturbedSaveTests {
  @Test(
    "killed at whichever system call, the file is old or new, and the next run clears the rest",
    arguments: Save.allCases)
  func kills(save: Save) throws {
    let trial = try SaveTrial(save)
    var seen: FileTree?
    for number in trial.calls.indices where isThorough(save) || trial.isAfterChange(number) {
      for fault in [DisturbedProgram.Fault.kill, .tear] where applies(fault, trial.calls[number]) {
        let run = try trial.run(fault, at: number)
        #expect(run.status == 128 + SIGKILL, "\(save) \(trial.place(number))")
        let tree = try FileTree(below: trial.program.tree)
        // Between two calls that change nothing the files are the same.
        if tree == seen { continue }
        seen = tree
        trial.checkFiles(tree, number)
        try trial.checkNextRun(number)
      }
    }
  }

  @Test(
    "failing at whichever system call, a save says so, and leaves the file and nothing else",
    arguments: Save.allCases)
  func failures(save: Save) throws {
    let trial = try SaveTrial(save)
    for number in trial.calls.indices where isChosen(number, save, of: 12) {
      let errors = Self.errors(of: trial.calls[number])
      let chosen = errors.isEmpty ? [] : [errors[number % errors.count]]
      for error in Self.isComplete ? errors : chosen {
        try trial.checkFailure(.fail(error), number)
        if ["write", "fsync"].contains(trial.calls[number]) {
          try trial.checkFailure(.keepFailing(error), number)
        }
      }
    }
  }

  @Test(
    "interrupted calls are made again, short reads and writes go on", arguments: Save.allCases)
  func retries(save: Save) throws {
    let trial = try SaveTrial(save)
    for (number, name) in trial.calls.enumerated() where isChosen(number, save, of: 8) {
      var faults: [DisturbedProgram.Fault] = []
      if ["open", "read", "write", "fsync", "flock", "fchmod", "close"].contains(name) {
        faults.append(.fail(EINTR))
      }
      if ["read", "write"].contains(name) { faults.append(.shorten) }
      for fault in faults {
        let run = try trial.run(fault, at: number)
        let place = "\(save) \(fault) \(trial.place(number)): \(run.output)"
        #expect(run.status == 0, "\(place)")
        #expect(try FileTree(below: trial.program.tree) == trial.after, "\(place)")
      }
    }
  }

  @Test(
    "ended by a signal at whichever call, a save leaves no litter, and until it is made the old file",
    arguments: Save.allCases)
  func signals(save: Save) throws {
    let trial = try SaveTrial(save)
    let naming = trial.calls.lastIndex(of: "rename") ?? trial.calls.lastIndex(of: "link") ?? 0
    for number in trial.calls.indices where Self.isComplete || number % 12 == save.offset {
      let signal = endingSignals[number % 4]
      let run = try trial.run(.signal(signal), at: number)
      #expect([0, 130, 128 + signal].contains(run.status), "\(save) \(trial.place(number))")
      let tree = try FileTree(below: trial.program.tree)
      trial.checkFiles(tree, number)
      trial.checkNoLitter(tree, number)
      if number < naming {
        #expect(tree.files["work/\(save.target)"] == trial.old, "\(save) \(trial.place(number))")
      }
    }
  }

  @Test("a signal before or after a save ends the program at once", arguments: endingSignals)
  func signalsAround(signal: Int32) throws {
    let trial = try SaveTrial(.merge)
    for number in [1, trial.calls.count - 1] {
      let run = try trial.run(.signal(signal), at: number)
      #expect(run.status == 128 + signal, "\(trial.place(number))")
    }
  }

  private static let isComplete = TestSetting.isSet("FAULTS")

  private func isThorough(_ save: Save) -> Bool { save == .merge || Self.isComplete }

  /// Whether a call is among those disturbed.
  private func isChosen(_ number: Int, _ save: Save, of count: Int) -> Bool {
    isThorough(save) || number % count == save.offset % count
  }

  /// Whether a fault differs from the others at a call.
  private func applies(_ fault: DisturbedProgram.Fault, _ call: String) -> Bool {
    if case .tear = fault { call == "write" } else { true }
  }

  /// The errors that a call can be expected to fail with.
  private static func errors(of call: String) -> [Int32] {
    switch call {
    case "open": [EACCES, ENOSPC, EROFS, EMFILE, ENOENT, EIO]
    case "write": [ENOSPC, EIO, EDQUOT, EFBIG]
    case "fsync": [EIO, ENOSPC]
    case "rename", "link", "mkdir": [EACCES, EROFS, ENOSPC, EIO, ENOENT]
    case "unlink": [EACCES, EROFS, EIO]
    case "stat": [EACCES, EIO, ENOENT]
    case "flock": [ENOLCK, EOPNOTSUPP]
    case "fchmod", "fchown": [EPERM, EIO]
    case "access": [EACCES, EROFS]
    case "umask": []
    default: [EIO]
    }
  }
}

/// The signals that a user or the system ends a program with.
private let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
