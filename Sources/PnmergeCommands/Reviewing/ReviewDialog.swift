import Peernote
import PeernoteJSON

/// How a review ended.
enum ReviewEnd: Hashable {
  /// What was decided is to be written.
  case write
  /// Nothing is to be written.
  case leave
  /// The user broke off: nothing is written, and the answers are kept for the next time.
  case interrupted
}

/// A review at the terminal, line by line.
///
/// Nothing is written while questions are asked, and no file is locked.
struct ReviewDialog {
  private(set) var review: Review
  /// Whether everything is said in whole words, without colours and pager.
  let isPlain: Bool
  let invocation: Invocation
  /// Refuses what cannot be written, before anybody is asked whether it is to be.
  let check: (Review) throws -> Void
  let hasColor: Bool

  /// The most lines of one content, and of a result, that are shown unasked.
  static let contentLines = 20
  static let shownLines = 40

  init(
    _ review: Review, isPlain: Bool, _ invocation: Invocation,
    check: @escaping (Review) throws -> Void
  ) {
    (self.review, self.isPlain, self.invocation, self.check) = (review, isPlain, invocation, check)
    hasColor = !isPlain && invocation.console.hasColor(on: .error)
  }

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

  /// Goes through the review.
  ///
  /// - Returns: what is to be done with it.
  /// - Throws: ``Failure`` if nothing can be read from the terminal.
  mutating func callAsFunction() throws -> ReviewEnd {
    invocation.console.endProgress()
    try list()
    var index = review.nextOpen(after: -1)
    while true {
      let end = try index.map { try decide(from: $0) } ?? confirm()
      switch end {
      case .end(let end): return end
      case .place(let next): index = next
      case .result: index = nil
      }
    }
  }

  /// Where the review goes on.
  private enum Step {
    case place(Int)
    case result
    case end(ReviewEnd)
  }

  // MARK: Asking

  private func question(_ index: Int) -> String {
    let place = review.places[index]
    let names = names(at: index)
    let sides = place.choices.filter { !$0.authors.isEmpty }
    func has(_ key: String) -> Bool { place.choices.contains { $0.key == key } }
    if isPlain {
      var words = sides.map { $0.isMine ? "mine" : names[$0.key] ?? $0.key }
      words += ["both", "before"].filter(has) + ["edit", "skip", "back", "quit", "help"]
      return words.joined(separator: ", ") + ": "
    }
    var words = sides.enumerated().map { number, side in
      "\(number + 1) \(names[side.key] ?? "")\(side.isMine ? " [m]ine" : "")"
    }
    if has("both") { words.append("[b]oth") }
    if has("before") { words.append("bef[o]re") }
    words += ["[e]dit", "[s]kip", "bac[k]", "[w]rite", "[q]uit", "?"]
    return words.joined(separator: ", ") + ": "
  }

  private mutating func decide(from start: Int) throws -> Step {
    try show(start)
    while true {
      switch try invocation.ask(question(start)) {
      case .end, .interrupt: return .end(.interrupted)
      case .line(let line):
        if let step = try answer(line, at: start) { return step }
      }
    }
  }

  /// Does what somebody said.
  ///
  /// - Returns: where it goes on; `nil` to ask again.
  private mutating func answer(_ line: String, at index: Int) throws -> Step? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let contested = review.contested
    let place = contested.firstIndex(of: index) ?? 0
    switch words.first ?? "" {
    case "w", "write": return .result
    case "q", "quit": return .end(.leave)
    case "s", "n", "skip", "next": return .place(contested[(place + 1) % contested.count])
    case "k", "p", "back":
      return .place(contested[(place + contested.count - 1) % contested.count])
    case "": return .place(index)
    default: break
    }
    if try common(words) { return nil }
    switch words.first ?? "" {
    case "u", "undo":
      guard let last = review.undo() else {
        try say("  Nothing is decided yet.")
        return nil
      }
      try say("  Taken back.")
      return .place(review.places[last].isContested ? last : index)
    case "M", "all":
      let name = words.first == "M" ? "mine" : words.count > 1 ? words[1] : ""
      let count = review.takeAll { name == "mine" ? $0.isMine : $0.isCalled(name) }
      try say("  Decided \(counted(count, "place")).")
      return next(after: index)
    case "v", "view": try view(index)
    case let word where word.hasPrefix("/"):
      let text = String(line.dropFirst())
      let found = contested.filter { !text.isEmpty && holds(text, at: $0) }
      if let next = found.first(where: { $0 > index }) ?? found.first { return .place(next) }
      try say("  No place to be decided holds \(quoted(text)).")
    default:
      guard let choice = try choice(line, at: index) else { return nil }
      if !choice.faults.isEmpty {
        for fault in choice.faults { try say("  would be refused: \(fault)") }
      }
      review.choose(choice, at: index)
      try say("  Result:")
      for line in lines(review.result(at: index), nil, review.places[index]) {
        try say(line.indented(5))
      }
      return next(after: index)
    }
    return nil
  }

  private func next(after index: Int) -> Step {
    review.nextOpen(after: index).map { .place($0) } ?? .result
  }

  /// Does what can be asked for anywhere.
  private mutating func common(_ words: [String]) throws -> Bool {
    switch words.first ?? "" {
    case "l", "list": try list()
    case "d", "decline":
      let numbered = numbered
      guard let number = words.dropFirst().first.flatMap({ Int($0) }),
        numbered.indices.contains(number - 1),
        let choice = review.places[numbered[number - 1]].choices.first,
        !review.places[numbered[number - 1]].isContested
      else {
        try say("  Give the number of a change that nobody contests; list shows them.")
        return true
      }
      review.choose(choice, at: numbered[number - 1])
      try say(line(of: numbered[number - 1]))
    case "?", "h", "help": try help()
    default: return false
    }
    return true
  }

  private func holds(_ text: String, at index: Int) -> Bool {
    let place = review.places[index]
    let shown = place.choices.compactMap { place.sentence($0.content) }
    return ([place.name.words] + shown).contains {
      $0.lowercased().contains(text.lowercased())
    }
  }

  /// The choice that somebody named; `nil` if there is none, which is said.
  private func choice(_ word: String, at index: Int) throws -> Review.Choice? {
    let place = review.places[index]
    if word == "e" || word == "edit" { return try edited(index) }
    let sides = place.choices.filter { !$0.authors.isEmpty }
    let found: [Review.Choice]
    switch word {
    case "b", "both": found = place.choices.filter { $0.key == "both" }
    case "o", "before": found = place.choices.filter { $0.key == "before" }
    case "m", "mine": found = place.choices.filter(\.isMine)
    default:
      let names = names(at: index)
      let exact = sides.filter { names[$0.key]?.lowercased() == word.lowercased() }
      let number = Int(word).flatMap { sides.indices.contains($0 - 1) ? [sides[$0 - 1]] : nil }
      found = number ?? (exact.isEmpty ? sides.filter { $0.isCalled(word) } : exact)
    }
    if found.count == 1 { return found[0] }
    if found.isEmpty { try help() } else { try say("  Several are called so; give a number.") }
    return nil
  }

  private func edited(_ index: Int) throws -> Review.Choice? {
    var written: Node?
    do {
      let draft = ReviewDraft(place: review.places[index], review: review, invocation: invocation)
      written = try draft.written(from: review.result(at: index))
    } catch let failure as Failure {
      try say("  \(failure.message)")
    }
    if let choice = written.flatMap({ review.edited($0, at: index) }) { return choice }
    try say("  Nothing was edited, and nothing is decided.")
    return nil
  }

  /// Shows all of a place, in a pager unless plain.
  private func view(_ index: Int) throws {
    let place = review.places[index]
    var text = ""
    func add(_ title: String, _ lines: [StyledLine]) {
      text += "\(title):\n" + lines.map { "  " + visibleText($0.text) + "\n" }.joined() + "\n"
    }
    if place.before.isKnown {
      add("before", lines(place.before.node, nil, place, isWhole: true))
    }
    for choice in place.choices where choice.key != "before" {
      let words = WordDifference(
        from: place.before.node.flatMap { place.sentence($0) },
        to: place.sentence(choice.content) ?? "(nothing)")
      add(choice.title(invocation), words.lines(hasColor: false))
    }
    try page(text, of: review.documents[place.document].file)
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
      "  skip and back go to the next and the previous place; list lists all; /TEXT looks for a text.",
      "  all NAME takes that person's version of all that is left (M: mine); undo takes back.",
      "  decline NUMBER leaves out a change that nobody contests; view shows all of a place.",
      "  write goes on to the result, and leaves what is open for later.",
      "  quit writes nothing; Ctrl-C writes nothing either, and keeps the answers for next time.",
    ] { try say(StyledLine(line)) }
  }

  // MARK: The result

  /// Shows the result and asks whether it is to be written.
  private mutating func confirm() throws -> Step {
    do {
      try check(review)
    } catch let failure as Failure where failure.status != .interrupted {
      try say(StyledLine(failure.line))
      let faulty = review.contested.first { review.chosen[$0].map { !$0.faults.isEmpty } ?? false }
      let decided = review.contested.last { review.chosen[$0] != nil }
      guard let place = faulty ?? decided ?? review.contested.first else { return .end(.leave) }
      try say("Decide it otherwise, or leave with quit.")
      return .place(place)
    }
    try say("")
    for number in review.documents.indices { try showResult(of: number) }
    let open = review.open.count
    if open > 0 { try say("\(open == 1 ? "1 place stays" : "\(open) places stay") open.") }
    while true {
      switch try invocation.ask("Write it? [y]es, [n]o, [v]iew the whole, [u]ndo, [d]ecline: ") {
      case .end, .interrupt: return .end(.interrupted)
      case .line("y"), .line("yes"): return .end(.write)
      case .line("n"), .line("no"), .line("q"), .line("quit"): return .end(.leave)
      case .line("v"), .line("view"):
        for (number, document) in review.documents.enumerated() {
          try page(PlainText.readableForm(of: review.content(of: number)), of: document.file)
        }
      case .line("u"), .line("undo"):
        guard let index = review.undo() else {
          try say("Nothing is decided.")
          continue
        }
        return review.places[index].isContested ? .place(index) : .result
      case .line("b"), .line("back"), .line("k"):
        if let index = review.contested.last { return .place(index) }
      case .line(let line):
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        if try !common(words) {
          try say("yes writes it; no leaves everything as it is; undo takes the last one back.")
        } else if ["d", "decline"].contains(words.first ?? "") {
          return .result
        }
      }
    }
  }

  /// Shows what a file will hold that it does not hold now.
  private func showResult(of number: Int) throws {
    let document = review.documents[number]
    let new = PlainText.readableForm(of: review.content(of: number))
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

extension Review.Choice {
  /// Whether that is a name of who wrote it, or its beginning.
  fileprivate func isCalled(_ name: String) -> Bool {
    !name.isEmpty
      && authors.contains { authorName($0).lowercased().hasPrefix(name.lowercased()) }
  }
}
