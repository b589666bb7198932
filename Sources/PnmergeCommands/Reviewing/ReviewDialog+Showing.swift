import Peernote
import PeernoteJSON

extension ReviewDialog {
  func say(_ line: StyledLine) throws { try invocation.console.printError(line) }

  func style(_ style: Style) -> Style? { hasColor ? style : nil }

  /// Lists what is to be decided and what nobody contests, by number.
  func list() throws {
    let contested = review.contested
    let count = contested.count
    try say(
      StyledLine(
        count == 0
          ? "Nothing is to be decided."
          : "\(count == 1 ? "1 place is" : "\(count) places are") to be decided:"))
    for index in contested { try say(line(of: index)) }
    let changes = review.places.indices.filter { !review.places[$0].isContested }
    if changes.isEmpty { return }
    try say("Nobody contests these; to leave one out: decline NUMBER.")
    for index in changes.prefix(Self.shownLines) { try say(line(of: index)) }
    if changes.count > Self.shownLines {
      try say("  and \(String(changes.count - Self.shownLines)) more")
    }
  }

  /// The places as they are numbered: those that are to be decided first.
  var numbered: [Int] {
    review.contested + review.places.indices.filter { !review.places[$0].isContested }
  }

  /// A place on one line: its number, who did what, and what was decided.
  func line(of index: Int) -> StyledLine {
    let place = review.places[index]
    let state =
      review.isGone(index)
      ? " (decided with what it stands in)"
      : review.chosen[index].map { " (\(words($0, at: index)))" } ?? ""
    let what: String
    if let conflict = place.conflict {
      let sides = conflict.readable.previews(limit: 50)
      let names = zip(conflict.sides, sides).map { "\(authorName($0.author)) \($1)" }
      what = names.joined(separator: ", ")
    } else {
      what = place.change?.lines(invocation).first.map { $0.afterName(place.name.words) } ?? ""
    }
    let number = (numbered.firstIndex(of: index) ?? 0) + 1
    let name = "\(file(of: index))\(place.name.words)\(place.line.map { ":\($0)" } ?? "")"
    return
      "  \(String(number), style(.cyan))  \(name, style(.bold))  \(what)\(state, style(.green))"
  }

  /// The file of a place, where there are several.
  func file(of index: Int) -> String {
    review.documents.count < 2
      ? "" : "\(review.documents[review.places[index].document].file.visible): "
  }

  /// What a choice is called.
  func words(_ choice: Review.Choice, at index: Int) -> String {
    if !review.places[index].isContested { return "left out" }
    return choice.authors.isEmpty ? choice.key : names(at: index)[choice.key] ?? choice.key
  }

  /// What each side of a place is called: who wrote it, with its number if that is not enough.
  func names(at index: Int) -> [String: String] {
    let choices = review.places[index].choices.filter { !$0.authors.isEmpty }
    let names = choices.map { enumerated($0.authors.map { authorName($0) }) }
    return Dictionary(
      zip(choices, names).enumerated().map { number, side in
        let isOnly = names.count { $0 == side.1 } == 1
        return (side.0.key, isOnly ? side.1 : "\(side.1) \(number + 1)")
      }, uniquingKeysWith: { first, _ in first })
  }

  func show(_ index: Int) throws {
    let place = review.places[index]
    guard let conflict = place.conflict else { return }
    try say("")
    let number = String((review.contested.firstIndex(of: index) ?? 0) + 1)
    let name = "\(file(of: index))\(place.name.words)"
    try say(
      "\(number) of \(String(review.contested.count))  \(name, style(.bold))  \(conflict.what) (\(conflict.place))"
    )
    if review.isGone(index) { try say("  decided with what it stands in") }
    if place.before.isKnown {
      try say("  before:")
      for line in lines(place.before.node, nil, place) { try say(line.indented(5)) }
    }
    let names = names(at: index)
    for (number, choice) in place.choices.enumerated() where choice.key != "before" {
      let side = choice.authors.isEmpty ? "both together" : choice.title(invocation)
      let mine = choice.isMine ? ", mine" : ""
      let isShown =
        number == 0 && !conflict.kind.isOfSeveralElements ? ", shown unless decided" : ""
      let key = choice.authors.isEmpty ? "b" : String(number + 1)
      // In whole words a name says it, unless several have it.
      let isNamed = isPlain && names[choice.key].map { side.hasPrefix($0) } ?? true
      let sign = isNamed ? "" : (isPlain ? names[choice.key] ?? "" : key) + "  "
      try say("  \(sign, style(.cyan))\(side)\(mine)\(isShown):")
      for line in lines(choice.content, place.before, place) { try say(line.indented(5)) }
      for fault in choice.faults {
        try say("     \("would be refused: \(fault)", style(.yellow))")
      }
    }
    if let choice = review.chosen[index] { try say("  decided: \(words(choice, at: index))") }
  }

  /// A content in lines, with its words that are new and those that are gone; cut.
  func lines(
    _ node: Node?, _ before: EarlierContent?, _ place: Review.Place, isWhole: Bool = false
  ) -> [StyledLine] {
    let earlier = before?.node.flatMap { place.sentence($0) }
    guard let text = place.sentence(node), !text.isEmpty else { return ["(nothing)"] }
    let lines = WordDifference(from: earlier, to: text).lines(hasColor: hasColor)
    if isWhole || lines.count <= Self.contentLines { return lines }
    let rest = lines.count - Self.contentLines + 1
    return lines.prefix(Self.contentLines - 1)
      + ["(\(counted(rest, "more line")); view shows \(rest == 1 ? "it" : "them"))"]
  }
}

extension StyledLine {
  /// The line after some blanks.
  func indented(_ count: Int) -> StyledLine {
    StyledLine([Piece(text: spaces(count))] + pieces)
  }

  /// The line without styles.
  var text: String { pieces.map(\.text).joined() }
}

extension String {
  /// A line of a report without the name of the place, with which it begins.
  fileprivate func afterName(_ name: String) -> String {
    guard hasPrefix(name) else { return self }
    let rest = dropFirst(name.count).drop { $0 == "," || $0 == ":" || $0 == " " }
    // The line is in front already.
    guard rest.hasPrefix("line"), let colon = rest.firstIndex(of: ":") else { return String(rest) }
    return String(rest[rest.index(after: colon)...].dropFirst())
  }
}
