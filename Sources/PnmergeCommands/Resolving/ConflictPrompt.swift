import Peernote
import PeernoteJSON

/// Asks at the terminal what is to become of each place where something was decided or overlaps.
///
/// Nothing is written while prompt are asked, and no file is locked.
struct ConflictPrompt {
  /// The document's file, for messages and the names of drafts.
  var file: FileName
  var invocation: Invocation

  /// What came of it.
  struct Answers {
    var resolutions: [Resolution] = []
    /// How many were settled, also by leaving what stands there.
    var settledCount = 0
    /// What was put off.
    var open: [Conflict] = []
    /// Whether the user interrupted the questions; what was answered until then counts.
    var isInterrupted = false
  }

  /// The most lines of a value that are shown.
  private static let shownLines = 20
  /// The most characters of one of them.
  private static let shownCharacters = 300

  /// Refuses to ask where nobody can answer.
  func checkTerminal() throws(Failure) {
    let host = invocation.host
    guard host.isTerminal(.input), host.isTerminal(.error) else {
      throw Failure(.usage, "--interactive needs a terminal")
    }
  }

  /// Asks about conflicts in the order of the content.
  ///
  /// Not about those inside what was just replaced or removed. What stays, but holds something
  /// that was put off, is put off as well: to settle it would settle all that is inside.
  ///
  /// - Parameters:
  ///   - conflicts: what to ask about.
  ///   - document: the document that has them.
  /// - Returns: what was answered.
  /// - Throws: ``Failure`` if nothing can be read from the terminal.
  func callAsFunction(_ conflicts: [Conflict], in document: Document) throws -> Answers {
    var decisions = Decisions(conflicts)
    var isInterrupted = false
    asking: for (index, conflict) in conflicts.enumerated() where !decisions.isGone(index) {
      try show(conflict, "\(index + 1) of \(conflicts.count)", in: document)
      switch try answer(to: conflict) {
      case .settled(let resolution):
        decisions.decide(.init(choice: .edited, resolution: resolution), at: index)
      case .skipped: continue
      case .interrupted:
        isInterrupted = true
        break asking
      case .stopped: break asking
      }
    }
    return decisions.answers(isInterrupted: isInterrupted)
  }

  // MARK: One question

  private enum Answer {
    /// With what is to be done for it; `nil` if that is nothing.
    case settled(Resolution?)
    case skipped
    case stopped
    case interrupted
  }

  private func show(_ conflict: Conflict, _ number: String, in document: Document) throws {
    let console = invocation.console
    try console.printError("")
    try console.printError("\(conflict.place, .bold)  \(conflict.kind.sentence) (\(number))")
    var passages = PassageReader(of: document)
    if let context = passages.context(of: conflict) {
      try console.printError("  in \(context)")
    }
    for (index, side) in conflict.sides.enumerated() {
      let isMerged = conflict.kind == .overlap && index == 0
      let who = isMerged ? "as merged" : side.signature(invocation)
      let kept = conflict.kind != .overlap && index == 0 ? ", the present one" : ""
      try console.printError("  \(String(index + 1), .cyan)  \(who)\(kept):")
      for line in lines(of: side.node) { try console.printError("       \(line)") }
    }
  }

  static func cut(_ line: String) -> String {
    let count = line.count
    guard count > shownCharacters else { return line }
    return String(line.prefix(shownCharacters - 20)) + "… (\(count) characters)"
  }

  /// A content in lines, cut.
  func lines(of node: Node?) -> [String] {
    guard let node else { return ["(deleted)"] }
    let text = node.readableText
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isCut = lines.count > Self.shownLines
    let shown = (isCut ? lines.prefix(Self.shownLines - 1) : lines[...])
      .map { Self.cut(String($0)) }
    return isCut ? shown + ["(\(counted(lines.count - shown.count, "more line")))"] : shown
  }

  private func answer(to conflict: Conflict) throws -> Answer {
    let sides = conflict.sides
    let numbers = sides.count == 2 ? "1 or 2" : "1 to \(sides.count)"
    let both = conflict.takingBoth(identityKeys: ContentMatching.exact.identityKeys)
    let prompt = "Take \(numbers)\(both == nil ? "" : ", [b]oth"), [e]dit, [s]kip or [q]uit? "
    while true {
      try invocation.console.flush()
      func show() { try? invocation.host.write(Array(prompt.utf8), to: .error) }
      show()
      let line: [UInt8]?
      do throws(HostError) {
        line = try invocation.host.readLineFromTerminal(whenResumed: show)
      } catch {
        guard error.kind == .interrupted else { throw error.whileReading(FileName("-")) }
        try invocation.console.printError("")
        return .interrupted
      }
      guard let line else {
        try invocation.console.printError("")
        return .stopped
      }
      let answer = String(decoding: line, as: UTF8.self).filter { $0 != " " && $0 != "\r" }
      if let number = Int(answer), sides.indices.contains(number - 1) {
        return .settled(conflict.taking(sides[number - 1]))
      }
      switch answer.lowercased() {
      case "b" where both != nil, "both" where both != nil: return .settled(both)
      case "e", "edit":
        if let node = try written(for: conflict) { return .settled(conflict.writing(node)) }
        try invocation.console.printError("  nothing was edited; 1 keeps the present value")
      case "s", "skip": return .skipped
      case "q", "quit": return .stopped
      default:
        try invocation.console.printError(
          "A number takes the value after it; \(both == nil ? "" : "b takes all in one; ")e opens an editor on the present value; "
            + "s leaves it for later; q leaves this and all that follow for later.")
      }
    }
  }
}
