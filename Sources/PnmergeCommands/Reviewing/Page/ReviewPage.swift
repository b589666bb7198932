import JSONSchema
import Peernote
import PeernoteJSON

/// A merge on a page, before it is written: what comes in, what is to be decided, the result.
///
/// The choices on the page are those of the review in the terminal, and what each comes to was made
/// by the same code; what is chosen goes into a file (``DecisionFile``), and nowhere else.
struct ReviewPage {
  let reviewed: ReviewedMerge
  /// The file that is merged into.
  let into: FileName
  /// What the content must be like; `nil` if nothing says.
  let schema: Schema?
  let invocation: Invocation

  /// The most changes that the picture of the history shows.
  private static let drawnChanges = 1000

  private var review: Review { reviewed.review }

  /// The page.
  ///
  /// A few walks over the whole history, and O(n) for the content.
  ///
  /// - Throws: ``Failure`` if the history takes more than the limits.
  func made() throws -> Page {
    let title = "Merge into \(into.lastComponent.visible)"
    let named = reviewed.ours.root.title.map { " (\($0))" } ?? ""
    let head = String(decoding: head.encoded(), as: UTF8.self)
    var body: HTML = """
      <main id="review" data-review="\(head)">
      <h1><bdi>\(title + named)</bdi></h1>
      <p class="dim">A review made on \(invocation.localText(invocation.host.now)), before anything \
      is written. Document \(reviewed.merged.id.description).</p>
      \(summary)
      """
    body += cards
    body += divergence
    body += try preview()
    let texts = try WrittenTexts(
      of: reviewed.merged, from: into,
      own: reviewed.merged.changes(since: reviewed.copies.dropFirst().flatMap(\.heads)),
      incoming: reviewed.merged.changes(since: reviewed.ours.heads), invocation
    ).html()
    if texts.size > 0 {
      body += """
        <h2 id="text">The text as merged, and who wrote it</h2>
        <p class="dim">With nothing decided. <span class="in">What comes in</span> and \
        <span class="own">what only <bdi>\(into.lastComponent.visible)</bdi> has</span> are \
        marked.</p>
        \(texts)
        """
    }
    body += history
    if !review.questions.isEmpty { body += saving }
    body += "</main>\n"
    return Page(title: title, body: body, script: review.questions.isEmpty ? "" : Self.script)
  }

  /// The members of the file of decisions that do not depend on what is chosen.
  private var head: JSON {
    [
      "schema": 1, "document": .string(reviewed.merged.id.description),
      "copies": .array(
        reviewed.copies.map { .array($0.heads.sorted().map { .string($0.description) }) }),
    ]
  }

  private var summary: HTML {
    let incoming = reviewed.merged.changes(since: reviewed.ours.heads)
    let copies = reviewed.copies.dropFirst().map(\.file.visible)
    let files = copies.isEmpty ? "other copies" : enumerated(copies)
    let tally = ChangeTally(authors: incoming.map(\.author)).summary
    var html: HTML = "<ul>\n"
    html += "<li>\(incoming.isEmpty ? "nothing" : tally) would come in from "
    html += "<bdi>\(files)</bdi></li>\n"
    if !reviewed.leftOut.isEmpty {
      let agents = enumerated(reviewed.leftOut.map(\.description))
      html += "<li class=\"warn\">the changes of \(agents) are left out of all copies, and those "
      html += "that were made after having seen them</li>\n"
    }
    let count = review.questions.count
    if count > 0 {
      html += """
        <noscript><li class="warn">This browser runs no scripts, so that nothing can be decided on \
        this page, only read; <code>pnmerge review</code> asks in a terminal.</li></noscript>

        """
      let places = count == 1 ? "1 place is" : "\(count) places are"
      html += "<li><a href=\"#decide\">\(places) to be decided</a></li>\n"
    }
    return html + "</ul>\n"
  }

  private var divergence: HTML {
    guard let divergence = review.divergence else { return HTML() }
    let words = DivergenceWords(
      ours: "only in \(into.lastComponent.visible):", theirs: "would come in:",
      both: "changed on both sides:", here: "mine", there: "theirs")
    return ChangeLists(invocation: invocation).sections(of: divergence, words)
  }

  private var history: HTML {
    let changes = reviewed.merged.changes
    let graph = HistoryGraph(changes.suffix(Self.drawnChanges))
    var html: HTML = """
      <h2 id="history">History</h2>
      <div class="picture" role="img" aria-label="The changes as a graph, the newest at the top" \
      tabindex="0">\(HTML(stringLiteral: graph.embedded))</div>
      """
    let rest = changes.count - Self.drawnChanges
    if rest > 0 {
      html += "<p class=\"warn\">\(counted(rest, "older change")) left out of the picture; "
      html += "<code>pnmerge inspect --graph svg</code> draws all.</p>\n"
    }
    return html
  }

  private var saving: HTML {
    let without = reviewed.leftOut.map { "--without \($0)" }
    let files = reviewed.copies.map { shellQuoted($0.file) }
    let apply = ["pnmerge review --apply decisions.json"] + without + files
    return """
      <div id="decisions" class="script screen" hidden>
      <h2>Decisions</h2>
      <p>What you chose stands here as it is saved. Send it to whoever merges, who gives it to</p>
      <pre>\(apply.joined(separator: " "))</pre>
      <label for="json">decisions.json</label>
      <textarea id="json" class="json" readonly spellcheck="false" autocomplete="off"></textarea>
      </div>
      <div id="bar" class="bar script" role="region" aria-label="Decisions" hidden>
      <span id="tally" aria-live="polite"></span> <a id="next" href="#decisions">Next to decide</a>
      <button type="button" id="save" class="main">Save decisions.json</button>
      </div>

      """
  }
}
