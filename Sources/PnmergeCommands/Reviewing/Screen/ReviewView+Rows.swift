import Peernote

extension ReviewView {
  /// From so many columns on the sides stand beside each other.
  static let wide = 100

  /// The rows that fill a screen.
  ///
  /// - Parameters:
  ///   - size: the screen's.
  ///   - columns: how many columns a character takes.
  /// - Returns: as many rows as the screen has, none wider than it.
  package mutating func rows(
    _ size: ScreenSize, columns: @escaping (Character) -> Int
  ) -> [ScreenRow] {
    let layout = ScreenText(columns: columns)
    let width = max(size.columns, 4)
    let body = body(layout, width)
    // A message may be longer than a row.
    let said = message.isEmpty ? [] : layout.folded(ScreenRow(message, .yellow), to: width)
    let status = said.isEmpty || search != nil ? nil : said.prefix(Self.messageRows)
    let height = max(size.rows - 2 - (status?.count ?? 1), 1)
    keepInSight(body.selected, of: body.rows.count, height)
    let shown = body.rows[min(scroll, body.rows.count)...].prefix(height)
    var rows = [layout.filled(title, to: width)] + shown.map { layout.cut($0, to: width) }
    while rows.count < height + 1 { rows.append(ScreenRow()) }
    let rest = body.rows.count - scroll - height
    rows += status ?? [layout.cut(self.status(rest: rest), to: width)]
    rows.append(layout.filled(ScreenRow(keys(layout, width), isReversed: true), to: width))
    return Array(rows.suffix(max(size.rows, 1)))
  }

  /// The most rows that a message takes.
  private static let messageRows = 4

  /// Scrolls so that nothing is beyond the end, and that the chosen row is seen if it was chosen
  /// just now.
  private mutating func keepInSight(_ selected: Range<Int>?, of count: Int, _ height: Int) {
    if let selected, followsChoice {
      if selected.lowerBound < scroll { scroll = selected.lowerBound }
      if selected.upperBound > scroll + height { scroll = selected.upperBound - height }
    }
    scroll = max(0, min(scroll, count - height))
  }

  // MARK: Around the page

  private var title: ScreenRow {
    let text: String
    switch page {
    case .overview:
      let verb = texts.divergence == nil ? "Resolve" : "Merge into"
      text = "\(verb) \(texts.file)"
    case .question:
      let question = review.questions[index]
      text =
        "\(index + 1) of \(review.questions.count)  \(question.name.words): "
        + question.conflict.kind.sentence
    case .result: text = "What \(texts.file) will hold that it does not hold now"
    case .help: text = "Keys"
    }
    return ScreenRow(text, isReversed: true)
  }

  private func status(rest: Int) -> ScreenRow {
    if let search { return ScreenRow("/" + search) }
    let open = review.open.count
    let state = open == 0 ? "all is decided" : "\(open) to decide"
    return ScreenRow(rest > 0 ? "\(state); \(rest) more rows below" : state, .cyan)
  }

  /// The keys that can be pressed, as many as there is room for; help tells them all.
  private func keys(_ layout: ScreenText, _ width: Int) -> String {
    let help = "? help"
    var shown = ""
    for key in keys {
      let next = shown + key + "  "
      if layout.width(next) + help.count > width { break }
      shown = next
    }
    return page == .help ? keys.joined(separator: "  ") : shown + help
  }

  private var keys: [String] {
    switch page {
    case .overview: return ["Enter decide", "w write", "q leave", "M T all"]
    case .result: return ["y write", "n leave", "u undo", "l list"]
    case .help: return ["Esc back"]
    case .question:
      let question = review.questions[index]
      var keys: [String] = []
      if question.mine != nil { keys.append("m mine") }
      if question.theirs != nil { keys.append("t theirs") }
      if review.canTakeBoth(at: index) { keys.append("b both") }
      if review.canTakeBefore(at: index) { keys.append("o before") }
      return keys + ["e edit", "n p", "u undo", "l list", "w write"]
    }
  }

  // MARK: Pages

  /// The rows of a page, and those that are chosen.
  private typealias Body = (rows: [ScreenRow], selected: Range<Int>?)

  private func body(_ layout: ScreenText, _ width: Int) -> Body {
    switch page {
    case .overview: return overview(layout, width)
    case .question: return (question(layout, width), nil)
    case .help: return (Self.help.flatMap { layout.folded(ScreenRow($0), to: width) }, nil)
    case .result:
      guard let result else { return ([], nil) }
      let nothing =
        texts.divergence == nil
        ? "Nothing new: what is shown now stays." : "Nothing but the history of the other copies."
      let rows =
        (result.lines.isEmpty ? [nothing] : result.lines).map { ScreenRow($0) } + [
          ScreenRow(), ScreenRow("The whole:", .bold),
        ]
        + result.text.splitAtLineFeeds(omittingEmptySubsequences: false)
        .map { ScreenRow(String($0)) }
      return (rows.flatMap { layout.folded($0, to: width) }, nil)
    }
  }

  private func overview(_ layout: ScreenText, _ width: Int) -> Body {
    var rows: [ScreenRow] = []
    func add(_ heading: String, _ lines: [String], none: String) {
      rows.append(ScreenRow(heading, .bold))
      for line in lines.isEmpty ? [none] : lines {
        let folded = layout.folded(ScreenRow(line), to: width - 4).map(\.indented)
        rows += folded.prefix(1) + folded.dropFirst().map(\.indented)
      }
      rows.append(ScreenRow())
    }
    if let divergence = texts.divergence {
      add("Comes in", divergence.incoming, none: "nothing")
      add("Only in \(texts.file)", divergence.own, none: "nothing")
    }
    rows.append(ScreenRow("To decide", .bold))
    if review.questions.isEmpty { rows.append(ScreenRow("  nothing")) }
    var selected: Range<Int>?
    for number in review.questions.indices {
      let start = rows.count
      let text = "  \(number + 1)  \(review.questions[number].name.words): \(state(of: number))"
      rows += layout.folded(ScreenRow(text, isReversed: number == index), to: width)
      if number == index { selected = start..<rows.count }
    }
    return (rows, selected)
  }

  private func state(of number: Int) -> String {
    if review.isGone(number) { return "decided with what it stands in" }
    if review.open.contains(number) { return "open" }
    let content = review.result(at: number)?.preview ?? "nothing"
    return "decided: \(content)"
  }

  private func question(_ layout: ScreenText, _ width: Int) -> [ScreenRow] {
    let question = review.questions[index]
    var panels: [(heading: String, rows: [ScreenRow])] = []
    let before = question.before.node
    if question.before.isKnown {
      panels.append(("Before", ChangedWords.rows(of: before, comparedWith: nil)))
    }
    for (number, side) in question.conflict.sides.enumerated() {
      let isMerged = question.conflict.isCombined && number == 0
      let name =
        number == question.mine ? "Mine" : number == question.theirs ? "Theirs" : "Side"
      let who = isMerged ? "Both, as merged" : "\(name), \(texts.signatures[index][number])"
      panels.append(
        (
          "\(number + 1)  \(who)",
          ChangedWords.rows(of: side.node, comparedWith: before)
        ))
    }
    panels.append(
      (
        "Result" + (review.open.contains(index) ? " unless decided" : ""),
        ChangedWords.rows(of: review.result(at: index), comparedWith: before)
      ))
    var head: [ScreenRow] = []
    if layout.width(title.text) > width { head = layout.folded(ScreenRow(title.text), to: width) }
    if let context = texts.contexts[index] {
      head += layout.folded(ScreenRow("In " + context), to: width)
    }
    if !head.isEmpty { head.append(ScreenRow()) }
    if width >= Self.wide, panels.count <= 6 { return head + beside(panels, layout, width) }
    return head
      + panels.flatMap { panel in
        layout.folded(ScreenRow(panel.heading, .bold), to: width)
          + panel.rows.flatMap { layout.folded($0.indented, to: width) } + [ScreenRow()]
      }
  }

  /// Panels in columns of one width.
  private func beside(
    _ panels: [(heading: String, rows: [ScreenRow])], _ layout: ScreenText, _ width: Int
  ) -> [ScreenRow] {
    let gap = ScreenRow.Piece(text: " │ ")
    let each = (width - 3 * (panels.count - 1)) / panels.count
    let columns = panels.map { panel in
      layout.folded(ScreenRow(panel.heading, .bold), to: each)
        + panel.rows.flatMap { layout.folded($0, to: each) }
    }
    return (0..<(columns.map(\.count).max() ?? 0)).map { number in
      var pieces: [ScreenRow.Piece] = []
      for (place, column) in columns.enumerated() {
        if place > 0 { pieces.append(gap) }
        let row = number < column.count ? column[number] : ScreenRow()
        pieces += layout.filled(row, to: each).pieces
      }
      return ScreenRow(pieces: pieces)
    }
  }

  private static let help = [
    "m  mine: what the file has", "t  theirs: what comes in",
    "1 2 3 ...  that side", "b  both, where they can be had together",
    "o  what stood there before",
    "e  what an editor makes of the present value", "M T  mine, theirs for all that is left",
    "u  take the last decision back", "n p  next, previous place", "l  the list of all",
    "/  look for a text", "w  go on to the result, and leave what is open for later",
    "q  leave without writing", "arrows, PgUp, PgDn, Home, End  move the page",
    "Ctrl-C  write what is decided so far, if anything is, and leave the rest open",
    "Ctrl-Z  stop for a while",
  ]
}

extension ScreenRow {
  /// The row, two columns to the right.
  fileprivate var indented: ScreenRow { ScreenRow(pieces: [Piece(text: "  ")] + pieces) }
}
