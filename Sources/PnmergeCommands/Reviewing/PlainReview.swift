import Peernote
import PeernoteJSON

/// A review line by line, for screen readers and terminals that cannot do more.
///
/// Nothing is written while questions are asked, and no file is locked.
struct PlainReview {
  private(set) var review: Review
  private let merged: Document
  private let file: FileName
  private let invocation: Invocation
  /// What the decisions so far lead to.
  private let result: (Review) throws -> ReviewResult
  private let editor: ConflictEditor

  /// The most lines of a result that are shown unasked.
  private static let shownLines = 40
  /// The most lines of one content that are shown.
  private static let contentLines = 20

  /// A review.
  ///
  /// - Parameters:
  ///   - review: what is to be gone through.
  ///   - merged: the merged document.
  ///   - file: the file to be written, for messages and the names of drafts.
  ///   - invocation: the run of the program.
  ///   - result: what decisions lead to.
  init(
    _ review: Review, of merged: Document, into file: FileName, _ invocation: Invocation,
    result: @escaping (Review) throws -> ReviewResult
  ) {
    self.review = review
    self.merged = merged
    self.file = file
    self.invocation = invocation
    self.result = result
    editor = ConflictEditor(file: file, invocation: invocation)
  }

  /// Goes through the review.
  ///
  /// - Returns: what is to be done with it.
  /// - Throws: ``Failure`` if nothing can be read from the terminal.
  mutating func callAsFunction() throws -> ReviewEnd {
    try showLists()
    while true {
      if let end = try decide() { return end }
      switch try confirm() {
      case .some(let end): return end
      case nil: continue
      }
    }
  }

  // MARK: What came in

  private func say(_ line: StyledLine) throws { try invocation.console.printError(line) }

  private func showLists() throws {
    let console = invocation.console
    let stream = console.reportStream
    console.reportStream = .error
    defer { console.reportStream = stream }
    try review.divergence?.report(.merge(isDone: false), isWhole: true, invocation)
    let count = review.questions.count
    try say(
      StyledLine(
        count == 0
          ? "Nothing is to be decided."
          : "\(count == 1 ? "1 place is" : "\(count) places are") to be decided:"))
    for index in review.questions.indices { try say("  \(line(of: index))") }
  }

  /// A question in the list of all, with what was decided.
  private func line(of index: Int) -> String {
    let state =
      review.isGone(index)
      ? "decided with what it stands in"
      : review.decisions.decided[index].map { "decided: \(words($0.choice, at: index))" } ?? "open"
    return "\(index + 1)  \(review.questions[index].name.words): \(state)"
  }

  private func words(_ choice: Decisions.Choice, at index: Int) -> String {
    switch choice {
    case .both: "both"
    case .before: "before"
    case .edited: "edited"
    case .side(let number):
      number == review.side(of: .mine, at: index)
        ? "mine" : number == review.side(of: .theirs, at: index) ? "theirs" : "\(number + 1)"
    }
  }

  // MARK: Deciding

  /// Asks about each place, until all are decided or the user wants to write.
  ///
  /// - Returns: the end of the review; `nil` to go on with the result.
  private mutating func decide() throws -> ReviewEnd? {
    guard var index = review.nextOpen(after: -1) else { return nil }
    var isShown = false
    while true {
      if !isShown { try show(index) }
      isShown = true
      let line: String
      switch try invocation.ask(question(index)) {
      case .end: return .leave
      case .interrupt: return .interrupted
      case .line(let said): line = said
      }
      switch line {
      case "w", "write": return nil
      case "q", "quit": return .leave
      case "n", "next":
        index = (index + 1) % review.questions.count
        isShown = false
      case "p", "previous":
        index = (index + review.questions.count - 1) % review.questions.count
        isShown = false
      case "l", "list":
        for index in review.questions.indices { try say("  \(self.line(of: index))") }
      case "u", "undo":
        guard let last = review.undo() else {
          try say("  Nothing is decided yet.")
          continue
        }
        try say("  Taken back.")
        index = last
        isShown = false
      case "M", "T":
        let count = review.takeAll(line == "M" ? .mine : .theirs)
        try say("  Decided \(counted(count, "place")).")
        guard let next = review.nextOpen(after: index) else { return nil }
        index = next
        isShown = false
      case _ where line.hasPrefix("/"):
        guard let found = try search(String(line.dropFirst()), after: index) else { continue }
        index = found
        isShown = false
      case "":
        isShown = false
      default:
        guard try take(line, at: index) else { continue }
        guard let next = review.nextOpen(after: index) else { return nil }
        index = next
        isShown = false
      }
    }
  }

  /// Decides a place as somebody said.
  ///
  /// - Returns: whether it is decided.
  private mutating func take(_ word: String, at index: Int) throws -> Bool {
    let isTaken: Bool
    switch word {
    case "m", "mine": isTaken = review.take(.mine, at: index)
    case "t", "theirs": isTaken = review.take(.theirs, at: index)
    case "b", "both": isTaken = review.takeBoth(at: index)
    case "o", "before": isTaken = review.takeBefore(at: index)
    case "e", "edit":
      var written: Node?
      do {
        written = try editor.written(for: review.questions[index].conflict)
      } catch let failure as Failure where failure.status != .interrupted {
        try say("  \(failure.message)")
      }
      guard let node = written else {
        try say("  Nothing was edited, and nothing is decided.")
        return false
      }
      review.take(edited: node, at: index)
      isTaken = true
    default:
      isTaken = Int(word).map { review.take(side: $0 - 1, at: index) } ?? false
    }
    guard isTaken else {
      try help(index)
      return false
    }
    let result = lines(of: review.result(at: index))
    try say("  Result:")
    for line in result { try say("       \(line)") }
    return true
  }

  private func search(_ text: String, after index: Int) throws -> Int? {
    let found = review.questions(holding: text)
    guard let next = found.first(where: { $0 > index }) ?? found.first, !text.isEmpty else {
      try say("  No place to be decided holds \(quoted(text)).")
      return nil
    }
    return next
  }

  // MARK: One question

  private func show(_ index: Int) throws {
    let question = review.questions[index]
    let conflict = question.conflict
    try say("")
    let number = "\(index + 1) of \(review.questions.count)"
    let what = "\(conflict.kind.sentence) (\(conflict.place))"
    try say("\(number)  \(question.name.words, .bold)  \(what)")
    if review.isGone(index) { try say("  decided with what it stands in") }
    if let context = question.context { try say("  in \(context)") }
    if question.before.isKnown {
      try say("  before:")
      for line in lines(of: question.before.node) {
        try say("       \(line)")
      }
    }
    for (number, side) in conflict.sides.enumerated() {
      let isMerged = conflict.isCombined && number == 0
      let party =
        number == question.mine ? "mine, " : number == question.theirs ? "theirs, " : ""
      let who = isMerged ? "both, as merged" : side.signature(invocation)
      let kept =
        number == 0 && !conflict.isCombined && !conflict.kind.isOfSeveralElements
        ? ", shown unless decided" : ""
      try say("  \(String(number + 1), .cyan)  \(party)\(who)\(kept):")
      for line in lines(of: side.node) { try say("       \(line)") }
    }
    if let decision = review.decisions.decided[index] {
      try say("  decided: \(words(decision.choice, at: index))")
    }
  }

  /// A content in lines, cut; nothing as such.
  private func lines(of node: Node?) -> [String] {
    guard let text = node?.readableText, !text.isEmpty else { return ["(nothing)"] }
    let lines = text.splitAtLineFeeds(omittingEmptySubsequences: false)
    let isCut = lines.count > Self.contentLines
    let shown = (isCut ? lines.prefix(Self.contentLines - 1) : lines[...])
      .map { cutLine(String($0)) }
    return isCut ? shown + ["(\(counted(lines.count - shown.count, "more line")))"] : shown
  }

  private func question(_ index: Int) -> String {
    let question = review.questions[index]
    let count = question.conflict.sides.count
    var choices: [String] = []
    if question.mine != nil { choices.append("[m]ine") }
    if question.theirs != nil { choices.append("[t]heirs") }
    if review.canTakeBoth(at: index) { choices.append("[b]oth") }
    if review.canTakeBefore(at: index) { choices.append("bef[o]re") }
    choices += ["1 to \(count)", "[e]dit", "[n]ext", "[w]rite", "[q]uit", "? for help"]
    return choices.joined(separator: ", ") + ": "
  }

  private func help(_ index: Int) throws {
    let end =
      review.canTakeBoth(at: index)
      ? ", and b that of both." : ". The sides cannot be combined."
    let lines = [
      "  m, t and a number take the value of that side\(end)",
      "  o takes what stood there before.",
      "  e opens an editor on the present value; left without a change it decides nothing.",
      "  n and p go to the next and the previous place, l lists all, /TEXT looks for a text.",
      "  M and T take mine and theirs for all that is left; u takes the last decision back.",
      "  w goes on to the result, and leaves what is open for later.",
      "  q leaves without writing anything.",
    ]
    for line in lines { try say(StyledLine(line)) }
  }

  // MARK: The result

  /// Shows the result and asks whether it is to be written.
  ///
  /// - Returns: `nil` to go back to the places.
  private mutating func confirm() throws -> ReviewEnd? {
    let shown: ReviewResult
    do {
      shown = try result(review)
    } catch let failure as Failure where failure.status != .interrupted {
      try say(StyledLine(failure.line))
      guard review.undo() != nil else { return .leave }
      try say("The last decision is taken back.")
      return nil
    }
    try say("")
    try say("What \(file.inputName) will hold that it does not hold now:")
    for line in shown.lines.prefix(Self.shownLines) { try say("  \(line)") }
    let rest = shown.lines.count - Self.shownLines
    if rest > 0 { try say("  and \(String(rest)) more") }
    if shown.lines.isEmpty {
      let others = review.divergence == nil ? "" : " but the history of the other copies"
      try say("  nothing\(others)")
    }
    let open = review.open.count
    if open > 0 {
      let places = open == 1 ? "1 place stays" : "\(open) places stay"
      try say("\(places) open.")
    }
    while true {
      switch try invocation.ask("Write it? [y]es, [n]o, [v]iew the whole, [u]ndo: ") {
      case .end: return .leave
      case .interrupt: return .interrupted
      case .line("y"), .line("yes"): return .write
      case .line("n"), .line("no"), .line("q"): return .leave
      case .line("v"), .line("view"):
        for line in shown.text.splitAtLineFeeds(omittingEmptySubsequences: false) {
          try say("  \(String(line))")
        }
      case .line("u"), .line("undo"):
        if review.undo() != nil { return nil }
        try say("Nothing is decided.")
      case .line:
        try say("y writes the file; n leaves it as it is; u takes the last decision back.")
      }
    }
  }
}

extension Conflict.Kind {
  /// What happened, in a clause.
  var sentence: String {
    switch self {
    case .register: "set on both sides"
    case .overlap: "both changed this passage"
    case .adjacent: "both changed lines next to each other"
    case .passage: "written against each other"
    case .deleteEdit: "deleted on one side, changed on the other"
    case .sameIdentity: "inserted on both sides with one identity"
    case .movedApart: "stands in several lists"
    case .sameContent: "equal elements inserted on both sides"
    }
  }
}
