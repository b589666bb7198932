import JSONSchema
import Peernote
import PeernoteJSON

/// A review at the terminal, line by line.
///
/// Nothing is written while questions are asked, and no file is locked.
struct ReviewDialog {
  private(set) var review: Review
  /// Refuses what cannot be written, before anybody is asked whether it is to be.
  let schema: Schema?
  /// Whether everything is said in whole words, without colours and pager.
  let isPlain: Bool
  let invocation: Invocation
  var hasColor: Bool { !isPlain && invocation.console.hasColor(on: .error) }

  /// The most lines of one content, and of a result, that are shown unasked.
  static let contentLines = 20
  static let shownLines = 40

  /// Whether somebody can be asked.
  static func isPossible(_ host: any Host) -> Bool {
    host.isTerminal(.input) && host.isTerminal(.error)
  }

  /// Refuses to ask where nobody can answer, and says how to decide all the same.
  static func checkTerminal(_ host: any Host, or hint: String) throws(Failure) {
    guard isPossible(host) else {
      throw Failure(.usage, "a review needs a terminal; \(hint)")
    }
  }

  /// What somebody may say besides the name of a choice: its word, or the letter in brackets.
  private enum Command: String, CaseIterable {
    case edit
    case skip
    case back
    case write
    case undo
    case view
    case list
    case all
    case decline
    case quit
    case help

    /// The word as it stands in a question.
    var bracketed: String {
      switch self {
      case .back: "bac[k]"
      case .help: "?"
      default: "[\(rawValue.prefix(1))]\(rawValue.dropFirst())"
      }
    }

    /// What a word stands for; `nil` if it is the name of a choice, or nothing.
    static func named(_ word: String) -> Command? {
      allCases.first { command in
        command.rawValue == word || command.bracketed == word
          || command.bracketed.contains("[\(word)]")
      }
    }
  }

  /// Where a review goes on: at a place, or at the result for `nil`.
  private enum Step {
    case place(Int?)
    case end(ExitStatus)
  }

  /// Goes through the review.
  ///
  /// The status is `done` if what was decided is to be written, `different` if nothing is, and
  /// `interrupted` if the user broke off, for whom the answers are kept.
  mutating func callAsFunction() throws -> ExitStatus {
    invocation.console.endProgress()
    try list()
    var index = review.nextOpen(after: -1)
    while true {
      if let index {
        try say("")
        for line in lines(of: index) { try say(line) }
      } else if let faulty = try showResult() {
        index = faulty
        continue
      }
      var step: Step?
      while step == nil {
        guard case .line(let line) = try invocation.ask(question(index)) else {
          return .interrupted
        }
        step = try answer(line, at: index)
      }
      if case .end(let end) = step { return end }
      if case .place(let next) = step { index = next }
    }
  }

  private func question(_ index: Int?) -> String {
    func words(_ commands: Command...) -> [String] {
      commands.map { isPlain ? $0.rawValue : $0.bracketed }
    }
    guard let index else {
      let answers = isPlain ? ["yes", "no"] : ["[y]es", "[n]o"]
      return "Write it? "
        + (answers + words(.view, .undo, .decline, .back, .help)).joined(separator: ", ") + ": "
    }
    let place = review.places[index]
    let names = place.choices.enumerated().map { number, choice in
      let name = place.name(of: choice)
      if isPlain { return choice.isMine ? "mine" : name }
      switch choice.key {
      case "both": return "[b]oth"
      case "before": return "bef[o]re"
      default: return "\(number + 1) \(name)\(choice.isMine ? " [m]ine" : "")"
      }
    }
    return (names + words(.edit, .skip, .back, .write, .quit, .help)).joined(separator: ", ") + ": "
  }

  // MARK: Answering

  /// Does what somebody said, and tells where it goes on; `nil` to ask again.
  private mutating func answer(_ line: String, at index: Int?) throws -> Step? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = words.count > 1 ? words[1] : ""
    let contested = review.contested
    let number = index.flatMap { contested.firstIndex(of: $0) } ?? contested.count
    let command = Command.named(words.first ?? "")
    switch (command, line) {
    case (nil, ""): return .place(index)
    case (nil, "y"), (nil, "yes"):
      if index == nil { return try isSound() ? .end(.done) : nil }
    case (nil, "n"), (nil, "no"):
      if index == nil { return .end(.different) }
    case (.quit, _): return .end(.different)
    case (.write, _): return .place(nil)
    case (.skip, _), (.back, _):
      if contested.isEmpty { return .place(nil) }
      let step = command == .skip ? 1 : contested.count - 1
      return .place(contested[(number + step) % contested.count])
    case (.undo, _):
      guard let last = review.undo() else {
        try say("  Nothing is decided yet.")
        return nil
      }
      try say("  Taken back.")
      return .place(review.places[last].isContested ? last : index)
    case (.all, _):
      try say("  Decided \(counted(review.takeAll(named: argument), "place")).")
      return .place(review.nextOpen(after: index ?? -1))
    case (.decline, _): return try decline(argument) && index == nil ? .place(nil) : nil
    case (.list, _):
      try list()
      return nil
    case (.view, _):
      try view(index)
      return nil
    case (.edit, _):
      guard let index, let choice = try edited(index) else { return nil }
      return try choose(choice, at: index)
    case (.help, _), (nil, _): break
    }
    if let index, command == nil {
      let found = choices(named: line, at: index)
      if found.count == 1 { return try choose(found[0], at: index) }
      if found.count > 1 {
        try say("  Several are called so; give a number.")
        return nil
      }
    }
    try help()
    return nil
  }

  private mutating func choose(_ choice: Review.Choice, at index: Int) throws -> Step {
    for fault in choice.faults { try say("  would be refused: \(fault)") }
    review.choose(choice, at: index)
    try say("  Result:")
    for line in lines(review.result(at: index), nil, review.places[index]) {
      try say(line.indented(5))
    }
    return .place(review.nextOpen(after: index))
  }

  /// The choices that somebody named: by number, letter or name.
  private func choices(named word: String, at index: Int) -> [Review.Choice] {
    let place = review.places[index]
    let letters = ["m": "mine", "b": "both", "o": "before"]
    if let number = Int(word), place.choices.indices.contains(number - 1),
      !place.choices[number - 1].authors.isEmpty
    {
      return [place.choices[number - 1]]
    }
    return place.choices(named: letters[word] ?? word)
  }

  /// Leaves out the change of a number, and tells whether there is one that can be left out.
  private mutating func decline(_ argument: String) throws -> Bool {
    let numbered = numbered
    guard let number = Int(argument).map({ $0 &- 1 }), numbered.indices.contains(number),
      !review.places[numbered[number]].isContested
    else {
      try say("  Give the number of a change that nobody contests; list shows them.")
      return false
    }
    let index = numbered[number]
    guard let choice = review.places[index].choices.first else {
      try say("  That \(Review.Place.cannotBeLeftOut).")
      return false
    }
    review.choose(choice, at: index)
    try say(line(of: index, number: number))
    return true
  }

  private func edited(_ index: Int) throws -> Review.Choice? {
    do {
      let written = try written(at: index)
      if let choice = written.flatMap({ review.edited($0, at: index) }) { return choice }
    } catch let failure as Failure {
      try say("  \(failure.message)")
    }
    try say("  Nothing was edited, and nothing is decided.")
    return nil
  }

  /// Shows all of a place or of the result, in a pager unless plain.
  private func view(_ index: Int?) throws {
    guard let index else {
      for (number, document) in review.documents.enumerated() {
        try page(PlainText.readableForm(of: try review.content(of: number)), of: document.file)
      }
      return
    }
    let text = lines(of: index, isWhole: true).map { visibleText($0.text) + "\n" }.joined()
    try page(text, of: review.documents[review.places[index].document].file)
  }

  private func page(_ text: String, of file: FileName) throws {
    if isPlain {
      for line in text.splitAtLineFeeds() { try say(StyledLine("  " + String(line))) }
      return
    }
    let pager = invocation.host.environment("PAGER").flatMap { $0.isEmpty ? nil : $0 }
    var viewing = DraftEditing(file: file, suffix: ".txt", invocation: invocation) {
      (text: String) throws(Failure) in text
    }
    viewing.command = pager ?? Array("less".utf8)
    do {
      try viewing(text) { _ in }
    } catch let failure as Failure where failure.status != .interrupted {
      try say("  \(failure.message)")
    }
  }

  private func help() throws {
    for line in [
      "  A number or a name takes that person's version; mine takes your own; both takes all.",
      "  before takes what stood there; edit opens an editor on all of it.",
      "  skip and back go to the next and the previous place; list lists all.",
      "  all NAME takes that version of all that is left; undo takes back.",
      "  decline NUMBER leaves out a change that nobody contests; view shows all of a place.",
      "  write goes on to the result, and leaves what is open for later; yes writes that.",
      "  quit writes nothing; Ctrl-C writes nothing either, and keeps the answers for next time.",
    ] { try say(StyledLine(line)) }
  }

  // MARK: The result

  /// Whether what was decided can be written; says so if it cannot.
  private func isSound() throws -> Bool {
    do throws(Failure) {
      for (number, document) in review.documents.enumerated() {
        try schema?.check(
          review.content(of: number), replacing: document.ours.root, in: document.file)
      }
      return true
    } catch {
      if error.status == .interrupted { throw error }
      try say(StyledLine(error.line))
      try say("Decide it otherwise, or leave with quit.")
      return false
    }
  }

  /// Shows what comes of all decisions, and gives the place to go back to if that cannot be
  /// written; `nil` if it can, or if nothing was to be decided.
  private func showResult() throws -> Int? {
    let contested = review.contested
    if try !isSound(),
      let last = contested.last(where: { review.chosen[$0] != nil }) ?? contested.first
    {
      return contested.first { review.chosen[$0].map { !$0.faults.isEmpty } ?? false } ?? last
    }
    try say("")
    for number in review.documents.indices { try showResult(of: number) }
    let open = review.open.count
    if open > 0 { try say("\(open == 1 ? "1 place stays" : "\(open) places stay") open.") }
    return nil
  }

  /// Shows what a file will hold that it does not hold now.
  private func showResult(of number: Int) throws {
    let document = review.documents[number]
    let new = PlainText.readableForm(of: try review.content(of: number))
    let old = PlainText.readableForm(of: document.ours.root)
    if old == new, review.documents.count > 1 { return }
    try say("What \(document.file.inputName) will hold that it does not hold now:")
    var lines: [StyledLine] = []
    for change in ChangedLines.find(from: old, to: new) {
      lines += WordDifference(from: change.old, to: change.new).lines(hasColor: hasColor)
    }
    for line in lines.prefix(Self.shownLines) { try say(line.indented(2)) }
    if lines.count > Self.shownLines {
      try say("  and \(String(lines.count - Self.shownLines)) more")
    }
    if lines.isEmpty { try say("  nothing but history") }
  }
}
