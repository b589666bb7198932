import Foundation
import Testing

/// A way of writing a document, with all that has to be there first.
enum Save: String, CaseIterable {
  case merge
  case mergeIntoOlder
  case mergeIntoNothing
  case edit
  case start
  case undo

  /// What the program is called with; it does the same each time.
  var arguments: [String] {
    switch self {
    case .merge: ["merge", "a", "b"]
    case .mergeIntoOlder: ["merge", "-o", "a", "b", "c"]
    case .mergeIntoNothing: ["merge", "-o", "d", "a", "b"]
    case .edit: ["edit", "a", "--body-file", "body", "--agent", "00000000000000a1"]
    case .start:
      [
        "new", "d", "--title", "D", "--agent", "00000000000000a2", "--id",
        "5d0d2c44-5d0c-4b4e-8d50-0d3f1b1e7a10",
      ]
    case .undo: ["undo", "c"]
    }
  }

  /// The file that is written.
  var target: String {
    switch self {
    case .merge, .mergeIntoOlder, .edit: "a"
    case .mergeIntoNothing, .start: "d"
    case .undo: "c"
    }
  }

  /// The first name that the program gives the system in order to save.
  var start: String {
    switch self {
    case .merge: "b"
    case .mergeIntoOlder: "c"
    case .mergeIntoNothing: "b"
    case .edit: "body"
    case .start: "d"
    case .undo: "c"
    }
  }

  /// Where the choice of calls begins, so that the kinds of saves share the calls out.
  var offset: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Three copies of a note that differ, and one state to go back to.
  fileprivate static let preparation = """
    yes 'A line of text.' | head -n 40 > body
    pnmerge new a --title A -q && cp a b && cp a c
    pnmerge edit b -q --tag b --body-file body && pnmerge edit c -q --tag c
    """
}

/// A save that can be made again and again from the same state.
final class SaveTrial {
  let save: Save
  let program: DisturbedProgram
  /// Everything before and after.
  let before: FileTree
  let after: FileTree
  /// The system calls of an undisturbed run.
  let calls: [String]

  init(_ save: Save) throws {
    self.save = save
    program = try DisturbedProgram()
    let run = try program.sh(Save.preparation)
    try #require(run.status == 0, "\(run.errors)")
    before = try FileTree(below: program.tree)
    let undisturbed = try program.run(save.arguments, from: save.start)
    try #require(undisturbed.status == 0, "\(undisturbed.output)")
    try #require(undisturbed.calls.count > 10)
    after = try FileTree(below: program.tree)
    calls = undisturbed.calls
    try #require(!calls.contains("other"), "a call that the test has no name for")
    try #require(old != new)
  }

  /// What the file to be written holds before and after; `nil`: there is none.
  var old: Data? { before.files["work/\(save.target)"] }
  var new: Data? { after.files["work/\(save.target)"] }

  /// Makes the save with a fault.
  func run(_ fault: DisturbedProgram.Fault, at number: Int) throws -> DisturbedProgram.Run {
    try before.restore(below: program.tree)
    let run = try program.run(save.arguments, from: save.start, fault, at: number)
    #expect(
      run.hasHappened && run.calls.prefix(number + 1).elementsEqual(calls.prefix(number + 1)),
      "\(save) \(place(number)): the calls differ from the undisturbed run's")
    return run
  }

  /// Whether the call before may have changed something that outlives the program.
  func isAfterChange(_ number: Int) -> Bool {
    guard number > 0 else { return true }
    // A file that was just created gets locked next.
    if calls[number - 1] == "open" { return calls[number] == "flock" }
    return ["write", "fsync", "fchmod", "fchown", "rename", "link", "unlink", "mkdir"]
      .contains(calls[number - 1])
  }

  /// A call, for messages.
  func place(_ number: Int) -> String { "call \(number) (\(calls[number]))" }
}
