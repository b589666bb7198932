import Foundation
import Testing

extension SaveTrial {
  /// The target is old or new, and every other document is what it was.
  func checkFiles(_ tree: FileTree, _ number: Int) {
    let held = tree.files["work/\(save.target)"]
    #expect(held == old || held == new, "\(save) \(place(number)): the file is neither")
    for (path, bytes) in before.files where path.hasPrefix("work/") && path != "work/\(save.target)"
    {
      #expect(tree.files[path] == bytes, "\(save) \(place(number)): \(path) was touched")
    }
    // What an undo takes out of the file has a safe place before it is gone.
    if save == .undo, held == new {
      #expect(backups(in: tree).contains { $0.bytes == old }, "\(save) \(place(number))")
    }
    for path in tree.files.keys where path.hasSuffix(".bak") {
      #expect(tree.files[path] == old, "\(save) \(place(number)): \(path) is not the old file")
    }
  }

  /// Nothing stands beside the documents but what belongs there.
  func checkNoLitter(_ tree: FileTree, _ number: Int) {
    let known = Set(before.files.keys).union(["work/\(save.target)"])
    for path in tree.files.keys where path.hasPrefix("work/") && !path.hasSuffix(".bak") {
      #expect(known.contains(path), "\(save) \(place(number)): \(path) is left over")
    }
    let states = tree.files.keys.filter { $0.contains("/backups/") }
    #expect(
      states.count == 2 * backups(in: tree).count,
      "\(save) \(place(number)): incomplete states: \(states.sorted())")
  }

  /// An ordinary edit after the accident works, clears what is left, and can be undone.
  func checkNextRun(_ number: Int) throws {
    if try FileTree(below: program.tree).files["work/\(save.target)"] == nil {
      let again = try program.run(save.arguments, from: save.start)
      #expect(again.status == 0, "\(save) \(place(number)): \(again.output)")
    }
    let held = try FileTree(below: program.tree).files["work/\(save.target)"]
    let next = try program.run(["edit", save.target, "-q", "--title", "Next"], from: "none")
    #expect(next.status == 0 && next.output == "", "\(save) \(place(number)): \(next.output)")
    let tree = try FileTree(below: program.tree)
    checkNoLitter(tree, number)
    #expect(
      backups(in: tree).contains { $0.bytes == held }, "\(save) \(place(number)): nothing to undo")
  }

  /// A save with a failing call ends in order.
  func checkFailure(_ fault: DisturbedProgram.Fault, _ number: Int) throws {
    let run = try run(fault, at: number)
    let place = "\(save) \(fault) \(place(number)): status \(run.status): \(run.output)"
    #expect([0, 66, 73, 74, 75].contains(run.status), "\(place)")
    let tree = try FileTree(below: program.tree)
    checkFiles(tree, number)
    let held = tree.files["work/\(save.target)"]
    // That it cannot be said, or undone, is all that may still go wrong once the content is on the
    // disk.
    let secured = save == .undo ? calls.lastIndex(of: "rename") : calls.firstIndex(of: "fsync")
    let isLate = number > (secured ?? 0) && calls[number] == "write"
    #expect(held == (run.status == 0 ? new : old) || isLate, "\(place)")
    if case .fail = fault {
      #expect(run.status == 0 || run.output.contains("pnmerge: "), "\(place)")
    }
    if calls[number] == "unlink" || run.output.contains("cannot keep the old bytes") {
      try checkNextRun(number)
    } else {
      checkNoLitter(tree, number)
    }
  }

  /// The states kept for `undo` that can be used.
  private func backups(in tree: FileTree) -> [(path: String, bytes: Data)] {
    tree.files.keys.filter { $0.contains("/backups/") && $0.hasSuffix(".peernote") }.sorted()
      .compactMap { path in
        let description = path.dropLast("peernote".count) + "txt"
        guard let text = tree.files[String(description)], let bytes = tree.files[path],
          String(decoding: text, as: UTF8.self).split(separator: "\n").count == 4
        else { return nil }
        return (path, bytes)
      }
  }
}
