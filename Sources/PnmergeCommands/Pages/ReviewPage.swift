import Peernote
import PeernoteJSON

/// A review on a page: each document in reading order, with who did what, and choices where something
/// is to be decided.
///
/// The choices are those of the review in the terminal, and what each comes to was made by the same
/// code; what is chosen goes into a file (``DecisionFile``), and nowhere else.
struct ReviewPage {
  /// Of which nothing is decided yet.
  let review: Review
  let title: String
  /// The command that takes the decisions.
  let apply: [String]
  let invocation: Invocation

  func made() -> Page {
    let parts = review.documents.indices.map { DecisionFile.part(of: $0, in: review) }
    var body: HTML = """
      <main id="review" data-review="\(DecisionFile.json(parts))">
      <h1><bdi>\(title)</bdi></h1>
      \(summary)
      """
    for number in review.documents.indices { body += section(of: number) }
    body += saving + "</main>\n"
    return Page(title: title, body: body, script: review.places.isEmpty ? "" : Self.script)
  }

  private func section(of number: Int) -> HTML {
    let document = review.documents[number]
    let indices = review.places.indices.filter { review.places[$0].document == number }
    let open = indices.filter { review.places[$0].isContested }
    var html: HTML = "<section data-document=\"\(number)\">\n"
    let name = document.file.shown.visible
    let isNamed = title.contains(document.file.lastComponent.visible)
    if review.documents.count > 1 || document.merged.root.title != nil || !isNamed {
      let named = document.merged.root.title.map { ": \($0)" } ?? ""
      html += "<h2><bdi>\(name)\(named)</bdi></h2>\n"
      if review.documents.count > 1 { html += review.people(at: open) }
    }
    if indices.isEmpty { html += "<p class=\"dim\">Nothing reads otherwise.</p>\n" }
    var content = ReviewContent(review: review, document: document, invocation: invocation)
    return html + content.made(with: indices) + "</section>\n"
  }

  private var summary: HTML {
    let count = review.contested.count
    let changes = review.places.count - count
    var html: HTML = "<p class=\"dim\">Made on \(invocation.localText(invocation.host.now)). "
    html += "\(count == 0 ? "No conflicts" : counted(count, "conflict"))"
    html += changes > 0 ? ", \(counted(changes, "change")) nobody contests.</p>\n" : ".</p>\n"
    html += """
      <noscript><p class="warn">This browser runs no scripts, so that nothing can be decided on \
      this page, only read; <code>pnmerge review</code> asks in a terminal.</p></noscript>

      """
    return html + review.people(at: review.contested)
  }

  private var saving: HTML {
    """
    <div id="decisions" class="script screen" hidden>
    <h2>Decisions</h2>
    <p>Save this, or copy it, and send it to whoever merges, who gives it to</p>
    <pre>\(apply.joined(separator: " "))</pre>
    <p class="dim">or, copied, to the same with <code>--apply -</code>. Several people's go with an \
    <code>--apply</code> each.</p>
    <label for="json">decisions.json</label>
    <textarea id="json" class="json" readonly spellcheck="false" autocomplete="off"></textarea>
    </div>
    <div id="bar" class="bar script" role="region" aria-label="Decisions" hidden>
    <span id="tally" role="status"></span> <a id="next" href="#decisions">Next conflict</a>
    <button type="button" id="copy">Copy</button>
    <button type="button" id="save" class="main">Save decisions.json</button>
    </div>

    """
  }
}

extension Review {
  /// Buttons that take all that one person wrote at some places, in the section around.
  func people(at places: [Int]) -> HTML {
    if places.count < 2 { return HTML() }
    let names = places.flatMap { Set(self.places[$0].choices.flatMap(\.authors)) }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    var html: HTML = "<p class=\"script screen\" hidden>Take all of "
    for (name, count) in counts.sorted(by: { $0.key < $1.key }).prefix(20) {
      html += """
        <button type="button" class="take" data-who="\(name)"><bdi>\(authorName(name))</bdi>'s \
        (\(count))</button>
        """
    }
    return html + "</p>\n"
  }
}
