import Peernote
import PeernoteJSON

extension ReviewPage {
  /// The most bytes that all cards take.
  private static let cardsLimit = 1_200_000
  /// The most characters of a content that are shown or edited on a card.
  private static let contentLimit = 8000

  /// A card for each place that is to be decided.
  var cards: HTML {
    let questions = reviewed.review.questions
    if questions.isEmpty { return "<p>Nothing is to be decided.</p>\n" }
    var html: HTML = "<h2 id=\"decide\">To decide</h2>\n"
    var count = 0
    for index in questions.indices {
      if html.size > Self.cardsLimit { break }
      html += card(index)
      count += 1
    }
    let rest = questions.count - count
    if rest > 0 {
      html += "<p class=\"warn\">\(counted(rest, "more place")) to decide left out of this page; "
      html += "<code>pnmerge resolve --interactive</code> asks about them after the merge.</p>\n"
    }
    return html
  }

  /// A place that is to be decided, with all that can be chosen, what each choice comes to, and the
  /// result.
  private func card(_ index: Int) -> HTML {
    let question = reviewed.review.questions[index]
    let conflict = question.conflict
    let place: JSON = [
      "kind": .string(conflict.kind.rawValue), "id": .string(conflict.id),
      "path": .string(conflict.path.description),
    ]
    var html: HTML = """
      <fieldset class="card" id="d\(index + 1)" data-kept="\(word(forSide: 0, at: index))" \
      data-place="\(String(decoding: place.encoded(), as: UTF8.self))">
      <legend>\(index + 1) <bdi>\(question.name.words)</bdi></legend>
      <p>\(conflict.kind.sentence) <span class="dim">(<bdi>\(conflict.place)</bdi>)</span></p>

      """
    if let context = question.context { html += "<p class=\"dim\">in <bdi>\(context)</bdi></p>\n" }
    html += """
      <p class="script screen" hidden><label><input type="radio" name="d\(index + 1)" value="" \
      checked autocomplete="off"> Leave it open</label></p>
      <div class="sides">

      """
    if question.before.isKnown {
      html += side("before", "Before", question.before.node, .before, at: index)
    }
    for number in order(ofSidesAt: index) {
      let side = conflict.sides[number]
      let party = word(forSide: number, at: index)
      let title = party == "mine" ? "Mine" : party == "theirs" ? "Theirs" : "Side \(party)"
      html += self.side(
        party, "\(title), \(side.signature(invocation))", side.node, .side(number), at: index)
    }
    if let both = reviewed.review.decision(.both, at: index) {
      let title = conflict.isCombined ? "Both, as merged" : "Both"
      html += side("both", title, both.result, .both, at: index)
    }
    html += editing(index)
    html += """
      </div>
      <h3 class="state" aria-live="polite">Result unless decided</h3>
      <div class="result"><div class="text">\(content(conflict.kept.node, question.before.node))</div>\
      </div>
      <p class="script screen" hidden><a class="next" href="#decisions">Next to decide</a></p>
      </fieldset>

      """
    return html
  }

  /// The sides that are anybody's: mine, theirs, then all others.
  private func order(ofSidesAt index: Int) -> [Int] {
    let question = reviewed.review.questions[index]
    let first = [question.mine, question.theirs].compactMap(\.self)
    let numbers = question.conflict.sides.indices.dropFirst(question.conflict.isCombined ? 1 : 0)
    return first + numbers.filter { !first.contains($0) }
  }

  /// What a side is called in the file of decisions.
  private func word(forSide number: Int, at index: Int) -> String {
    let question = reviewed.review.questions[index]
    if number == question.mine { return "mine" }
    if number == question.theirs { return "theirs" }
    return number == 0 && question.conflict.isCombined ? "both" : String(number + 1)
  }

  /// What can be chosen, or only looked at.
  private func side(
    _ word: String, _ title: String, _ node: Node?, _ choice: Decisions.Choice, at index: Int
  ) -> HTML {
    let before = word == "before" ? nil : reviewed.review.questions[index].before.node
    let name: HTML = "d\(index + 1)"
    let decision = reviewed.review.decision(choice, at: index)
    var radio = HTML()
    if let decision {
      radio = """
        <input type="radio" name="\(name)" value="\(word)" class="script" autocomplete="off" \
        aria-labelledby="\(name)\(word)" aria-describedby="\(name)\(word)t"\
        \(ends(decision.resolution, at: index)) hidden>
        """
    }
    return """
      <label class="side" data-side="\(word)">\(radio) <b id="\(name)\(word)">\(title)</b>
      <div class="text" id="\(name)\(word)t">\(content(node, before))</div></label>

      """
  }

  /// Other content than that of a side, written on the page.
  private func editing(_ index: Int) -> HTML {
    let conflict = reviewed.review.questions[index].conflict
    guard let kept = conflict.kept.node else { return HTML() }
    let draft = kept.draft
    // A text field shows and keeps nothing else.
    guard draft.utf8.count <= Self.contentLimit, visibleText(draft, keeping: ["\n", "\t"]) == draft
    else {
      return """
        <p class="dim script screen" hidden>This cannot be edited on a page; \
        <code>pnmerge review</code> opens an editor for it.</p>

        """
    }
    let name: HTML = "d\(index + 1)"
    // Browsers drop a line feed right after the tag.
    return """
      <div class="side wide script screen" data-side="edited" hidden><label><input type="radio" \
      name="\(name)" value="edited" autocomplete="off"\(ends(conflict.resolution(taking: .content(kept)), at: index))> \
      <b>Write something else\(kept.isWritten ? "" : ", as JSON")</b></label>
      <textarea aria-label="What is to stand there" autocomplete="off" \
      rows="\(min(max(draft.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1, 2), 16))">
      \(draft)</textarea></div>

      """
  }

  /// Names the cards of what is decided with a place.
  private func ends(_ resolution: Resolution?, at index: Int) -> HTML {
    guard let resolution else { return HTML() }
    let review = reviewed.review
    // They follow it, as they stand in the order of the content.
    let following = review.questions.indices.dropFirst(index + 1)
    let inside =
      resolution.isReplacement
      ? Array(following.prefix { review.questions[$0].conflict.path.isInside(resolution.path) })
      : following.filter { review.decisions.isPart($0, of: index) }
    if inside.isEmpty { return HTML() }
    return " data-ends=\"\(inside.map { "d\($0 + 1)" }.joined(separator: " "))\""
  }

  /// A content, with what it has that was not there before.
  private func content(_ node: Node?, _ before: Node?) -> HTML {
    guard let node, !node.readableText.isEmpty else {
      return "<span class=\"dim\">(nothing)</span>"
    }
    let shown = HTML.cut(node.readableText, to: Self.contentLimit)
    guard let before else { return "\(shown.text)" + shown.note }
    let earlier = HTML.cut(before.readableText, to: Self.contentLimit)
    return HTML.marked(shown.text, since: earlier.text) + shown.note
  }
}
