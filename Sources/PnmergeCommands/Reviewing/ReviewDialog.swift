import JSONSchema
import Peernote
import PeernoteJSON

/// A review at the terminal, line by line; meanwhile nothing is written, and no file is locked.
struct ReviewDialog {
  private(set) var review: Review
  /// Refuses what cannot be written, before anybody is asked whether it is to be.
  let schema: Schema?
  /// Whether everything is said in whole words, without colours and pager.
  let isPlain: Bool
  let invocation: Invocation
  /// The place that is asked about; `nil` for the result.
  private(set) var index: Int?
  var hasColor: Bool { invocation.console.hasColor(on: .error) }

  /// The most lines of one content, and of a result, that are shown unasked.
  static let contentLines = 20
  static let shownLines = 40

  static func isPossible(_ host: any Host) -> Bool {
    host.isTerminal(.input) && host.isTerminal(.error)
  }

  /// Refuses to ask where nobody can answer, and says how to decide all the same.
  static func checkTerminal(_ host: any Host, or hint: String) throws(Failure) {
    guard isPossible(host) else {
      throw Failure(.usage, "a review needs a terminal; \(hint)")
    }
  }

  /// What somebody may say besides the name of a choice: the word, or the letter in brackets.
  private enum Command: String, CaseIterable {
    case edit = "[e]dit"
    case skip = "[s]kip"
    case back = "bac[k]"
    case write = "[w]rite"
    case undo = "[u]ndo"
    case view = "[v]iew"
    case list = "[l]ist"
    case all = "[a]ll"
    case decline = "[d]ecline"
    case quit = "[q]uit"
    case help = "?"

    /// What a word stands for; `nil` if it is the name of a choice, or nothing.
    static func named(_ word: String) -> Command? {
      allCases.first { command in
        "\(command)" == word || command.rawValue == word
          || command.rawValue.contains("[\(word)]")
      }
    }
  }

  /// Goes through the review; the status is `done` if what was decided is to be written, `different` if
  /// nothing is, and `interrupted` if the user broke off, for whom the answers are kept.
  mutating func callAsFunction() throws -> ExitStatus {
    invocation.console.endProgress()
    try list()
    try show(review.nextOpen(after: -1))
    while true {
      guard let line = try invocation.ask(question) else { return .interrupted }
      if let end = try answer(line) { return end }
    }
  }

  /// Shows a place or, for `nil`, the result; a place instead of a result that cannot be written.
  private mutating func show(_ next: Int?) throws {
    index = try next ?? showResult()
    guard let index else { return }
    try say("")
    for line in lines(of: index) { try say(line) }
  }

  private var question: String {
    func words(_ commands: Command...) -> [String] {
      commands.map { isPlain ? "\($0)" : $0.rawValue }
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

  /// Does what somebody said; gives how the review ends, `nil` if it goes on.
  private mutating func answer(_ line: String) throws -> ExitStatus? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = words.count > 1 ? words[1] : ""
    let command = Command.named(words.first ?? "")
    switch command {
    case .quit: return .different
    case .write: try show(nil)
    case .skip, .back:
      let contested = review.contested
      let isForward = command == .skip
      // The result stands after the last one and before the first.
      let number =
        index.flatMap { contested.firstIndex(of: $0) } ?? (isForward ? -1 : contested.count)
      let next = number + (isForward ? 1 : contested.count - 1)
      try show(contested.isEmpty ? nil : contested[next % contested.count])
    case .undo:
      guard let last = review.undo() else {
        try say("  Nothing is decided yet.")
        break
      }
      try say("  Taken back.")
      try show(review.places[last].isContested ? last : index)
    case .all:
      try say("  Decided \(counted(review.takeAll(named: argument), "place")).")
      try show(review.nextOpen(after: index ?? -1))
    case .decline: try decline(argument)
    case .list: try list()
    case .view: try view()
    case .edit:
      if let index, let choice = try edited(index) { try choose(choice, at: index) }
    case .help: try help()
    case nil:
      if line.isEmpty {
        try show(index)
      } else if let index {
        try choose(line, at: index)
      } else if ["n", "no"].contains(line) {
        return .different
      } else if !["y", "yes"].contains(line) {
        try help()
      } else if try isSound() {
        return .done
      }
    }
    return nil
  }

  /// Chooses what somebody named: by number, letter or name.
  private mutating func choose(_ word: String, at index: Int) throws {
    let place = review.places[index]
    let letters = ["m": "mine", "b": "both", "o": "before"]
    var found = place.choices(named: letters[word] ?? word)
    let sides = place.choices.prefix { $0.side != nil }
    if let number = Int(word), sides.indices.contains(number &- 1) { found = [sides[number - 1]] }
    switch found.count {
    case 0: try help()
    case 1: try choose(found[0], at: index)
    default: try say("  Several are called so; give a number.")
    }
  }

  private mutating func choose(_ choice: Review.Choice, at index: Int) throws {
    for fault in choice.faults { try say("  would be refused: \(fault)") }
    review.choose(choice, at: index)
    try say("  Result:")
    for line in lines(choice.content, nil, review.places[index]) {
      try say(line.indented(5))
    }
    try show(review.nextOpen(after: index))
  }

  private mutating func decline(_ argument: String) throws {
    let numbered = numbered
    guard let number = Int(argument).map({ $0 &- 1 }), numbered.indices.contains(number),
      !review.places[numbered[number]].isContested
    else {
      return try say("  Give the number of a change that nobody contests; list shows them.")
    }
    let declined = numbered[number]
    guard let choice = review.places[declined].choices.first else {
      return try say("  That \(Review.Place.cannotBeLeftOut).")
    }
    review.choose(choice, at: declined)
    try say(line(of: declined, number: number))
    if index == nil { try show(nil) }
  }

  /// Shows all of a place or of the result, in a pager unless plain.
  private func view() throws {
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
      let place = contested.first(where: { !(review.chosen[$0]?.faults.isEmpty ?? true) })
        ?? contested.last(where: { review.chosen[$0] != nil }) ?? contested.first
    {
      return place
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
    let lines = ChangedLines.find(from: old, to: new).flatMap {
      WordDifference(from: $0.old, to: $0.new).lines(hasColor: hasColor)
    }
    for line in lines.prefix(Self.shownLines) { try say(line.indented(2)) }
    let rest = lines.count - Self.shownLines
    if rest > 0 { try say("  and \(String(rest)) more") }
    if lines.isEmpty { try say("  nothing but history") }
  }
}

extension ReviewDialog {
  func say(_ line: StyledLine) throws { try invocation.console.printError(line) }

  func style(_ style: Style) -> Style? { hasColor ? style : nil }

  /// Lists what is to be decided and what nobody contests, by number.
  func list() throws {
    let (numbered, count) = (numbered, review.contested.count)
    try say(StyledLine(count == 0 ? "No conflicts." : "\(counted(count, "conflict")):"))
    for (number, index) in numbered.enumerated().prefix(count + Self.shownLines) {
      if number == count {
        try say("Nobody contests these; to leave one out: decline NUMBER.")
      }
      try say(line(of: index, number: number))
    }
    let rest = numbered.count - count - Self.shownLines
    if rest > 0 { try say("  and \(String(rest)) more") }
  }

  /// The places as they are numbered: those that are to be decided first.
  var numbered: [Int] {
    review.contested + review.places.indices.filter { !review.places[$0].isContested }
  }

  /// A place on one line: its number, who did what, and what was decided.
  func line(of index: Int, number: Int) -> StyledLine {
    let place = review.places[index]
    let state =
      review.isGone(index)
      ? " (decided with what it stands in)"
      : review.chosen[index].map { " (\(place.name(of: $0)))" } ?? ""
    let what: String
    if let conflict = place.conflict {
      let sides = conflict.taken(since: place.before.node).previews(limit: 50)
      let names = zip(conflict.sides, sides).map { side, words in
        let spot = conflict.kind == .moved ? side.path.map { " at \($0.visible)" } : nil
        return "\(side.names)\(spot ?? "") \(words)"
      }
      what = names.joined(separator: ", ")
    } else {
      let change = place.change?.words(invocation) ?? ""
      what = place.choices.isEmpty ? "\(change) (\(Review.Place.cannotBeLeftOut))" : change
    }
    let name = "\(file(of: index))\(place.name.words)\(place.line.map { ":\($0)" } ?? "")"
    return
      "  \(String(number + 1), style(.cyan))  \(name, style(.bold))  \(what)\(state, style(.green))"
  }

  /// The file of a place, where there are several.
  func file(of index: Int) -> String {
    review.documents.count < 2
      ? "" : "\(review.documents[review.places[index].document].file.visible): "
  }

  /// A place with all that can be chosen there; for an editor whole, and without signs.
  func lines(of index: Int, isWhole: Bool = false, isForEditor: Bool = false) -> [StyledLine] {
    let place = review.places[index]
    guard let conflict = place.conflict else { return [] }
    let indentation = isForEditor ? 0 : 5
    func content(_ node: DocumentNode?, _ before: EarlierContent?) -> [StyledLine] {
      self.lines(node, isForEditor ? nil : before, place, isWhole: isWhole || isForEditor)
        .map { $0.indented(indentation) }
    }
    let number = String((review.contested.firstIndex(of: index) ?? 0) + 1)
    let name = "\(file(of: index))\(place.name.words)"
    var lines: [StyledLine] = [
      "\(number) of \(String(review.contested.count))  \(name, style(.bold))  \(conflict.what) (\(conflict.place))"
    ]
    if review.isGone(index) { lines.append("  decided with what it stands in") }
    if place.before.isKnown { lines += ["  before:"] + content(place.before.node, nil) }
    for (number, choice) in place.choices.enumerated() where choice.key != "before" {
      let isShown =
        number == 0 && !conflict.isOfSeveralElements ? ", shown unless decided" : ""
      let key = isPlain ? "" : (choice.authors.isEmpty ? "b" : String(number + 1)) + "  "
      let title = choice.title(of: place, invocation) + (choice.isMine ? ", mine" : "")
      lines.append("  \(key, style(.cyan))\(title)\(isShown):")
      lines += content(choice.content, place.before)
      for fault in choice.faults {
        lines.append("     \("would be refused: \(fault)", style(.yellow))")
      }
    }
    if let choice = review.chosen[index] { lines.append("  decided: \(place.name(of: choice))") }
    return lines
  }

  /// A content in lines, with its words that are new and those that are gone; cut.
  func lines(
    _ node: DocumentNode?, _ before: EarlierContent?, _ place: Review.Place, isWhole: Bool = false
  ) -> [StyledLine] {
    let earlier = before?.node.flatMap { place.sentence($0) }
    guard let text = place.sentence(node), !text.isEmpty else { return ["(nothing)"] }
    let lines = WordDifference(from: earlier, to: text).lines(hasColor: hasColor && !isWhole)
    if isWhole || lines.count <= Self.contentLines { return lines }
    let rest = lines.count - Self.contentLines + 1
    return lines.prefix(Self.contentLines - 1)
      + ["(\(counted(rest, "more line")); view shows \(rest == 1 ? "it" : "them"))"]
  }
}

extension StyledLine {
  func indented(_ count: Int) -> StyledLine {
    StyledLine([Piece(text: spaces(count))] + pieces)
  }

  var text: String { pieces.map(\.text).joined() }
}
