import Peernote
import PeernoteJSON

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
      let sides = conflict.taken(since: place.before.node).readable.previews(limit: 50)
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
  /// The line after some blanks.
  func indented(_ count: Int) -> StyledLine {
    StyledLine([Piece(text: spaces(count))] + pieces)
  }

  /// The line without styles.
  var text: String { pieces.map(\.text).joined() }
}
