import JSONSchema
import Peernote

extension ReviewPage {
  /// The content as merged, as a tree with what changed, unless it is a note, whose text says it; and
  /// what a schema refuses of it.
  ///
  /// - Throws: ``Failure`` if the schema takes too long to check.
  func preview() throws(Failure) -> HTML {
    let merged = reviewed.merged
    var html = HTML()
    var refused: [Schema.Violation] = []
    if let schema {
      refused = try schema.violations(in: merged.root, beyond: reviewed.ours.root, of: into)
      html += "<h2 id=\"schema\">Against the schema</h2>\n"
      if refused.isEmpty {
        html += "<p>With nothing decided, nothing of it would be refused.</p>\n"
      } else {
        html += """
          <p class="warn">With nothing decided, this would be refused:</p>
          <ul class="plain">

          """
        for violation in refused.prefix(ContentTree.limit) {
          html += "<li><bdi>\(violation.description)</bdi></li>\n"
        }
        html += "</ul>\n"
        let rest = refused.count - ContentTree.limit
        if rest > 0 { html += "<p class=\"warn\">\(counted(rest, "more place")) left out</p>\n" }
      }
    }
    if merged.noteFault == nil { return html }
    let tree = ContentTree(of: merged, since: reviewed.ours, refused)
    if tree.rows.isEmpty { return html }
    html += """
      <h2 id="preview">The content as merged</h2>
      <p class="dim">With nothing decided: <b>+</b> is new, <b>~</b> changed, <b>-</b> removed, \
      <b>&gt;</b> moved. What is as before is shown only beside what is not.</p>
      <pre class="tree">
      """
    for row in tree.rows { html += self.html(of: row) }
    html += "</pre>\n"
    if tree.leftOut > 0 {
      html += "<p class=\"warn\">\(counted(tree.leftOut, "more line")) left out</p>\n"
    }
    return html
  }

  private func html(of row: ContentTree.Row) -> HTML {
    let indent = spaces(2 * row.depth)
    let words: HTML
    switch (row.before, row.value) {
    case (let before?, let value?):
      words = """
        <bdi>\(row.name)</bdi>: <del><bdi>\(before)</bdi></del> <ins><bdi>\(value)</bdi></ins>
        """
    case (let before?, nil):
      let sign: HTML = row.mark == .removed ? ": " : " in the place of "
      words = "<bdi>\(row.name)</bdi>\(sign)<del><bdi>\(before)</bdi></del>"
    case (nil, let value?):
      let content: HTML =
        row.mark == .added ? "<ins><bdi>\(value)</bdi></ins>" : "<bdi>\(value)</bdi>"
      words = "<bdi>\(row.name)</bdi>: " + content
    case (nil, nil): words = "<bdi>\(row.name)</bdi>"
    }
    var html: HTML = "<b>\(row.mark.rawValue)</b> \(indent)\(words)\n"
    for fault in row.faults {
      html += "  \(indent)  <span class=\"warn\">would be refused: <bdi>\(fault)</bdi></span>\n"
    }
    return html
  }
}
