import Peernote
import PeernoteJSON

/// The content of a document on the page of a review.
struct ReviewContent {
  let review: Review
  let document: ReviewedDocument
  let invocation: Invocation
  private(set) var size = 0

  /// Where a place stands, or an element that it is about besides that.
  private typealias Spot = (path: JSONPointer, index: Int)

  /// The most bytes that the content takes before what is the same is left out.
  private static let limit = 4_000_000
  /// The most characters of one content that are shown or edited.
  private static let contentLimit = 8000

  /// The content with some places in reading order, what is the same folded.
  mutating func made(with indices: [Int]) -> HTML {
    let spots = indices.flatMap { index -> [Spot] in
      let place = review.places[index]
      let others = (place.conflict?.elements ?? []).filter { $0 != place.path }
      return ([place.path] + others).map { ($0, index) }
    }
    return node(document.merged.root, "", JSONPointer(), spots)
  }

  // MARK: Content

  /// What stands at a path, with what is to be said of it and of what is inside.
  private mutating func node(
    _ node: DocumentNode, _ name: String, _ path: JSONPointer, _ spots: [Spot]
  ) -> HTML {
    let here = spots.filter { $0.path == path }.map(\.index)
    let inside = spots.filter { $0.path != path }
    let own = here.filter { review.places[$0].path == path }
    if case .text(let text) = node, own.allSatisfy({ review.places[$0].scalars != nil }) {
      return title(name) + self.text(text, own)
    }
    let contested = own.filter { review.places[$0].isContested }
    var html = HTML()
    for index in own where !review.places[index].isContested { html += change(index, name) }
    if !contested.isEmpty {
      for index in contested {
        html += "<div class=\"row\">\(label(name))\(result(index))</div>\n" + place(index)
      }
      return inside.isEmpty ? html : html + inner(node, path, inside)
    }
    if let index = here.last(where: { review.places[$0].path != path }) {
      let what = review.places[index].conflict?.what ?? ""
      html += "<p class=\"dim\">\(what): <a href=\"#p\(index)\">to decide</a></p>\n"
    }
    if own.contains(where: { review.places[$0].change?.kind != .moved }) { return html }
    if !spots.isEmpty, node.hasParts { return html + title(name) + inner(node, path, inside) }
    return html + same(node, name)
  }

  /// The parts of a container with what is to be said of them; those that are the same between others
  /// folded.
  private mutating func inner(
    _ node: DocumentNode, _ path: JSONPointer, _ spots: [Spot]
  ) -> HTML {
    var parts = node.children.map { ($0.token, $0.node) }
    // Of a note the text comes last.
    if path.tokens.isEmpty, document.merged.noteFault == nil,
      let body = parts.firstIndex(where: { $0.0 == "body" })
    {
      parts.append(parts.remove(at: body))
    }
    let isList = if case .list = node { true } else { false }
    var html: HTML = path.tokens.isEmpty ? HTML() : "<div class=\"in\">\n"
    var folded = HTML()
    var count = 0
    func flush() {
      if count == 0 { return }
      let isPlain = count < 4 && folded.size > 0
      html += isPlain ? folded : .folded(counted(count, "part") + " as before", folded)
      (folded, count) = (HTML(), 0)
    }
    let depth = path.tokens.count + 1
    // What is there no more stands before a part, or after all.
    var gone = spots.filter { review.places[$0.index].isOfRemoval && $0.path.parent == path }[...]
    let touched = Dictionary(
      grouping: spots.filter { !review.places[$0.index].isOfRemoval || $0.path.parent != path }
    ) { JSONPointer(Array($0.path.tokens.prefix(depth))) }
    func showGone(before path: JSONPointer? = nil) {
      while let spot = gone.first, path == nil || spot.path == path {
        flush()
        let name = PlaceName(Array(review.places[spot.index].name.parts.suffix(1))).words
        html += change(spot.index, name)
        gone.removeFirst()
      }
    }
    for (index, part) in parts.enumerated() {
      let path = path.appending(part.0)
      showGone(before: path)
      let name = PlaceName([isList ? PlaceName.part(part.1, at: index) : .key(part.0)]).words
      guard let inside = touched[path] else {
        let isShown = size < Self.limit
        if !isShown, folded.size > 0 { flush() }
        folded += isShown ? same(part.1, name) : HTML()
        count += 1
        continue
      }
      flush()
      let contested = inside.filter { spot in
        review.places[spot.index].isContested && review.places[spot.index].path == spot.path
      }
      let isSection = depth == 1 && contested.count < review.contested.count
      let people = isSection ? review.people(at: contested.map(\.index)) : HTML()
      let content = self.node(part.1, name, path, inside)
      html += people.size == 0 ? content : "<section>\n" + people + content + "</section>\n"
    }
    flush()
    showGone()
    return path.tokens.isEmpty ? html : html + "</div>\n"
  }

  private func title(_ name: String) -> HTML {
    name.isEmpty ? HTML() : "<div class=\"row\"><b><bdi>\(name)</bdi></b></div>\n"
  }

  private func label(_ name: String) -> HTML {
    name.isEmpty ? HTML() : "<b><bdi>\(name)</bdi></b> "
  }

  private mutating func same(_ node: DocumentNode, _ name: String) -> HTML {
    let html: HTML =
      if case .text(let text) = node {
        title(name) + .text(TextLines(text))
      } else {
        "<div class=\"row\">\(label(name))<span class=\"text t\">\(node.readableText)</span></div>\n"
      }
    size += html.size
    return html
  }

  // MARK: Texts

  /// A text with its changes and choices where they stand.
  private mutating func text(_ text: String, _ indices: [Int]) -> HTML {
    let lines = TextLines(text)
    var regions: [(lines: Range<Int>, places: [Int])] = []
    for index in indices {
      let place = review.places[index]
      guard let scalars = place.scalars else { continue }
      let first = (place.line ?? 1) - 1
      let range = scalars.isEmpty && !place.isContested ? first..<first : lines.lines(of: scalars)
      if let last = regions.indices.last, regions[last].lines.upperBound > range.lowerBound {
        let end = max(regions[last].lines.upperBound, range.upperBound)
        regions[last] = (regions[last].lines.lowerBound..<end, regions[last].places + [index])
      } else {
        regions.append((range, [index]))
      }
    }
    let path = indices.isEmpty ? "" : review.places[indices[0]].path.description
    let shown = regions.map { region -> (Range<Int>, HTML) in
      let contested = region.places.filter { review.places[$0].isContested }
      var html = HTML()
      if !contested.isEmpty {
        let end = lines.scalars(ofLines: region.lines).upperBound
        var start = lines.scalars(ofLines: region.lines).lowerBound
        html += "<div class=\"text t\" dir=\"auto\">"
        for index in contested {
          guard let scalars = review.places[index].scalars else { continue }
          html += "\(lines.text(start..<scalars.lowerBound))" + result(index)
          start = scalars.upperBound
        }
        html += "\(lines.text(start..<end))</div>\n"
      }
      for index in region.places where !review.places[index].isContested {
        html += change(index, "", isBeside: !contested.isEmpty)
      }
      for index in contested { html += place(index) }
      return (region.lines, html)
    }
    let html = HTML.text(lines, shown, below: size)
    size += html.size
    return "<div class=\"doc\" data-path=\"\(path)\">\n\(html)</div>\n"
  }

  // MARK: Changes that nobody contests

  /// A change under the name that it has where it stands: who made it, what it is, and how to leave it
  /// out; its lines may be shown already, as they stand beside something contested.
  private func change(_ index: Int, _ name: String, isBeside: Bool = false) -> HTML {
    let place = review.places[index]
    guard let change = place.change else { return HTML() }
    var html: HTML = "<div class=\"change\" id=\"p\(index)\""
    if !place.choices.isEmpty { html += " data-place=\"\(DecisionFile.json(place.id))\"" }
    html += "><p class=\"dim\">"
    if let who = change.signature(invocation) { html += "<bdi>\(who)</bdi>" }
    if change.kind == .moved { html += ", \(change.moveWords)" }
    if place.choices.isEmpty { html += " \(Review.Place.cannotBeLeftOut)" }
    if let choice = place.choices.first {
      let spot = place.line.map { "line \($0)" } ?? place.name.words
      html += """
         <label class="script screen" hidden><input type="checkbox" value="before" \
        autocomplete="off" aria-label="leave out \(spot)"\(ends(choice, at: index))> leave out</label>
        """
      html += faults(choice)
    }
    html += "</p>"
    let (old, new) = (shown(place.before.node), shown(place.shown))
    // What was moved follows as it is.
    if old == nil, new == nil { return html + "</div>\n" }
    let words: HTML
    if place.scalars != nil {
      words = WordDifference(from: old ?? "", to: new ?? "").html
    } else {
      let before: HTML = old.map { "<del>\($0)</del> " } ?? HTML()
      words = before + (new.map { "<ins>\($0)</ins>" } ?? HTML())
    }
    let text: HTML = isBeside ? "text" : "text t"
    return html + "\(label(name))<div class=\"\(text)\" dir=\"auto\">\(words)</div></div>\n"
  }

  /// A content to read, cut; `nil` if there is none.
  private func shown(_ node: DocumentNode?) -> String? {
    node.map { node in
      let text = node.readableText
      guard text.utf8.count > 4 * Self.contentLimit else { return text }
      return String(text.unicodeScalars.prefix(Self.contentLimit)) + "…"
    }
  }

  // MARK: What is to be decided

  /// What stands at a place, which changes with what is chosen.
  private func result(_ index: Int) -> HTML {
    "<span class=\"res\" id=\"r\(index)\" aria-live=\"polite\">\(shown(review.places[index].shown) ?? "(nothing)")</span>"
  }

  /// All that can be chosen at a place.
  private func place(_ index: Int) -> HTML {
    let place = review.places[index]
    guard let conflict = place.conflict else { return HTML() }
    var html: HTML = """
      <fieldset class="place" id="p\(index)" data-place="\(DecisionFile.json(place.id))">
      <legend><b><bdi>\(place.name.words)</bdi></b> \(conflict.what)<span class="state"></span> \
      <button type="button" class="again script screen" hidden>Change</button></legend>

      """
    func text(_ node: DocumentNode?) -> String? {
      shown(node).map { place.around.head + $0 + place.around.tail }
    }
    let before = text(place.before.node)
    func words(_ node: DocumentNode?) -> HTML {
      let difference = text(node).map { WordDifference(from: before, to: $0) }
      return "<span class=\"text\" dir=\"auto\">\(difference?.html ?? "(nothing)")</span>"
    }
    if place.before.isKnown, !place.choices.contains(where: { $0.key == "before" }) {
      let earlier = words(place.before.node)
      html += "<div class=\"choice\"><span class=\"dim\">before</span>\n\(earlier)</div>\n"
    }
    for (number, choice) in place.choices.enumerated() {
      let kept = number == 0 && !conflict.isOfSeveralElements ? " (shown unless decided)" : ""
      let title = choice.title(of: place, invocation)
      let who: HTML = choice.authors.first.map { " data-who=\"\($0)\"" } ?? HTML()
      let data: HTML = choice.content.map { " data-text=\"\(shown($0) ?? "")\"" } ?? HTML()
      html += """
        <label class="choice"><input type="radio" class="script" name="p\(index)" \
        value="\(choice.key)" autocomplete="off"\(who)\(data)\(ends(choice, at: index)) hidden> \
        <b><bdi>\(title)</bdi></b><span class="dim">\(kept)</span>\(faults(choice))
        \(words(choice.content))</label>

        """
    }
    return html + editing(place, index) + """
      <label class="choice script screen" hidden><input type="radio" name="p\(index)" value="" \
      checked autocomplete="off"> leave it open</label>
      </fieldset>

      """
  }

  /// Other content than that of a side, written on the page.
  private func editing(_ place: Review.Place, _ index: Int) -> HTML {
    guard let shown = place.shown else { return HTML() }
    let draft = shown.draft
    // A text field shows and keeps nothing else.
    guard draft.utf8.count <= Self.contentLimit,
      visibleText(draft, keeping: ["\n", "\t"]) == draft,
      let choice = review.edited(shown, at: index)
    else { return HTML() }
    // Browsers drop a line feed right after the tag.
    return """
      <div class="choice script screen" hidden><label><input type="radio" name="p\(index)" \
      value="edited" autocomplete="off"\(ends(choice, at: index))> \
      <b>write something else\(shown.string == nil ? ", as JSON" : "")</b></label>
      <textarea aria-label="What is to stand there: \(place.name.words)" autocomplete="off" \
      rows="\(min(max(draft.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1, 2), 16))">
      \(draft)</textarea></div>

      """
  }

  private func faults(_ choice: Review.Choice) -> HTML {
    choice.faults.prefix(5).reduce(HTML()) { html, fault in
      html + " <span class=\"warn\">would be refused: <bdi>\(fault)</bdi></span>"
    }
  }

  /// Names the places that are decided with one.
  private func ends(_ choice: Review.Choice, at index: Int) -> HTML {
    let inside = review.ended(by: choice, at: index)
    let names = inside.map { "p\($0)" }.joined(separator: " ")
    return inside.isEmpty ? HTML() : " data-ends=\"\(names)\""
  }
}
