import Peernote

/// The history of a document on a page: its text as it was after each change, with a slider.
struct LogPage {
  let document: Document
  let file: FileName
  let invocation: Invocation

  /// The most changes that are shown.
  private static let changeLimit = 200
  /// The most bytes that they take.
  private static let limit = 4_000_000

  /// The page, newest change first, of as many as are wanted: two walks over the whole history for each.
  func made(maxCount: Int?) throws -> Page {
    let name = file.lastComponent.visible
    let wanted = document.changes.reversed().prefix(maxCount ?? .max)
    var patch = LogPatch(document, in: file)
    var articles = HTML()
    var count = 0
    for change in wanted.prefix(Self.changeLimit) where articles.size <= Self.limit {
      count += 1
      invocation.console.progress(
        "comparing change \(count) of \(min(wanted.count, Self.changeLimit))")
      let (old, new) = try patch.states(of: change)
      let message: HTML = change.message.map { "<p><bdi>\($0)</bdi></p>" } ?? HTML()
      articles += """
        <article class="version"><h3><bdi>\(authorName(change.author))</bdi>, \
        \(invocation.localText(change.time)) <span class="dim">\(change.id.description)</span></h3>\
        \(message)
        \(HTML.folded(from: old.text, to: new.text, below: articles.size, isOpen: true))</article>

        """
    }
    let rest = wanted.count - count
    if rest > 0 {
      articles += "<p class=\"warn\">\(counted(rest, "older change")) left out of this page</p>\n"
    }
    return Page(
      title: "History of \(name)",
      body: """
        <main><h1>History of <bdi>\(name)</bdi></h1>
        <p class="script screen" hidden><label for="slider">Change</label>
        <input type="range" id="slider" min="1" max="\(max(count, 1))" value="\(max(count, 1))" \
        autocomplete="off"> <output id="number" for="slider"></output>
        <label><input type="checkbox" id="all" autocomplete="off"> all</label></p>
        \(articles)</main>

        """,
      script: Self.script)
  }

  /// Shows the change that the slider is at; on paper all are shown.
  private static let script = #"""
    'use strict';
    (() => {
      const slider = document.getElementById('slider');
      const all = document.getElementById('all');
      const versions = [...document.querySelectorAll('.version')].reverse();
      function update() {
        const number = Number(slider.value);
        versions.forEach((version, index) =>
          version.classList.toggle('off', !all.checked && index + 1 !== number));
        document.getElementById('number').textContent = `${number} of ${versions.length}`;
      }
      slider.addEventListener('input', update);
      all.addEventListener('change', update);
      for (const part of document.querySelectorAll('.script')) part.hidden = false;
      update();
    })();

    """#
}
