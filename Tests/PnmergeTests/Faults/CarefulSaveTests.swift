import Foundation
import Testing

/// What a save does for accidents that no test can make: a power cut, and somebody who looks.
@Suite("A save by its system calls", .enabled(if: DisturbedProgram.isSupported))
struct CarefulSaveTests {
  @Test(
    "what is written is on the disk before it takes its name, and the name right after",
    arguments: Save.allCases)
  func durability(save: Save) throws {
    let calls = try SaveTrial(save).calls
    // What takes a name that nobody has is linked, as are kept states before it.
    let naming = try #require(calls.lastIndex(of: "rename") ?? calls.lastIndex(of: "link"))
    // An undo takes changes out of the file: the state kept of it, its description and the name
    // of both have to be on the disk first.
    let before =
      switch save {
      case .undo: 4
      case .merge, .mergeIntoOlder, .mergeIntoNothing, .edit, .start: 1
      }
    #expect(calls[..<naming].count { $0 == "fsync" } == before, "\(calls)")
    #expect(calls[naming...].count { $0 == "fsync" } == 1, "\(calls)")
    let written = try #require(calls.firstIndex(of: "write"))
    #expect(try #require(calls.firstIndex(of: "fsync")) > written, "\(calls)")
  }

  @Test(
    "what is being written is for its owner only until it is complete, kept states always",
    arguments: [Save.merge, .start, .undo])
  func privacy(save: Save) throws {
    let trial = try SaveTrial(save)
    let tree = trial.program.tree.path
    var seen: Set<String> = []
    for number in trial.calls.indices where trial.isAfterChange(number) {
      _ = try trial.run(
        .intrude {
          for path in FileManager.default.enumerator(atPath: tree)?.compactMap({ $0 as? String })
            ?? []
          {
            var status = stat()
            guard unsafe lstat(tree + "/" + path, &status) == 0 else { continue }
            let isNew = trial.before.files[path] == nil && !trial.before.directories.contains(path)
            let isState = path.contains("/backups/") && isNew
            // For a moment it holds what was replaced.
            let isOld = trial.old.map { status.st_size == $0.count } ?? false
            let isPartial =
              path.hasSuffix(".pnmerge") && !isOld && status.st_size < trial.new?.count ?? 0
            guard isState || isPartial else { continue }
            seen.insert(isState ? "state" : "partial")
            #expect(status.st_mode & 0o077 == 0, "\(save) \(trial.place(number)): \(path)")
          }
        }, at: number)
    }
    #expect(seen.contains("partial"), "\(save)")
    #expect(seen.contains("state") == (save != .start), "\(save)")
  }
}
