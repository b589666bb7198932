import Peernote
import PeernoteJSON

/// What is in doubt in a tracked plain file.
struct PlainDoubts {
  /// The lines that stand there though a save may have deleted them.
  var kept: [KeptLine] = []
  /// The lines that stand there more often than in any of the last saves.
  var repeated: [RepeatedLine] = []
  /// The lines that a save took out though that may not have been meant.
  var undone: [UndoneLine] = []

  var isEmpty: Bool { kept.isEmpty && repeated.isEmpty && undone.isEmpty }

  /// For programs, by the names of the members.
  var json: [(name: String, lines: [JSON])] {
    let kept: [JSON] = kept.map { line in
      [
        "line": .count(line.number), "text": .string(line.text),
        "change": .string(line.change.description),
        (line.isBack ? "back_at" : "missing_at"): .string(line.saved.iso8601),
      ]
    }
    let repeated: [JSON] = repeated.map { line in
      [
        "line": .count(line.number), "text": .string(line.text), "count": .count(line.count),
      ]
    }
    let undone: [JSON] = undone.map { line in
      [
        "text": .string(line.text), "change": .string(line.change.description),
        "missing_at": .string(line.saved.iso8601),
      ]
    }
    return [("kept", kept), ("repeated", repeated), ("undone", undone)]
  }
}

extension Console {
  /// Lists what is in doubt in a file that is shown under a name.
  func report(_ doubts: PlainDoubts, in name: String, _ invocation: Invocation) throws {
    func preview(_ text: String) -> String { Node.text(text).preview(limit: Conflict.listedLength) }
    for line in doubts.kept {
      try printResult(StyledLine("\(name):\(line.number)", .bold))
      let saved = "in a file saved \(invocation.localText(line.saved))"
      let what =
        line.isBack
        ? "had been deleted: \(preview(line.text)) (again \(saved))"
        : "may have been deleted: \(preview(line.text)) (not \(saved))"
      try printResult("  \(line.change.description, .yellow)  kept; \(what)")
    }
    for line in doubts.repeated {
      try printResult(StyledLine("\(name):\(line.number)", .bold))
      let times = line.count == 2 ? "twice" : "\(line.count) times"
      try printResult("  stands there \(times), in no save so often: \(preview(line.text))")
    }
    for line in doubts.undone {
      try printResult(StyledLine(name, .bold))
      let missing = "not in a file saved \(invocation.localText(line.saved))"
      let what = "may have been meant to stay: \(preview(line.text)) (\(missing))"
      try printResult("  \(line.change.description, .yellow)  taken out; \(what)")
    }
  }
}
