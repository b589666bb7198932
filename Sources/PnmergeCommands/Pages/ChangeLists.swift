import Peernote

/// Lists on a page of what copies of a document did, place by place.
struct ChangeLists {
  let invocation: Invocation
  /// The level of the headings of sections.
  var level = 2

  /// The most bytes that one list takes.
  private static let listLimit = 400_000
  /// The most characters of one content that are shown.
  private static let contentLimit = 4000
  /// The most bytes that the passages of one text take.
  private static let textLimit = 100_000
  /// The same where there is nothing else on the page.
  private static let wholeLimit = 4_000_000

  /// What two copies did since they parted, in three sections.
  ///
  /// - Parameters:
  ///   - divergence: what they did.
  ///   - words: what the sides are called.
  /// - Returns: the sections; nothing for a side that did nothing.
  func sections(of divergence: Divergence, _ words: DivergenceWords) -> HTML {
    let meetings = MeetingPlace.find(in: divergence)
    var html = HTML()
    html += section(words.theirs, divergence.theirs, without: Set(meetings.flatMap(\.theirs)))
    html += section(words.ours, divergence.ours, without: Set(meetings.flatMap(\.ours)))
    if meetings.isEmpty { return html }
    html += heading(level, "\(title(words.both))")
    var count = 0
    let end = html.size + Self.listLimit
    for place in meetings {
      if html.size > end { break }
      count += 1
      html += heading(level + 1, "<bdi>\(place.name.words)</bdi>") + "<ul class=\"plain\">\n"
      let here = place.ours.map { divergence.ours.places[$0] }
      let there = place.theirs.map { divergence.theirs.places[$0] }
      if here.count == 1, there.count == 1, here[0].isSame(as: there[0]) {
        html += "<li><b>both</b> \(item(there[0], inside: place.name, isSigned: true))</li>\n"
      } else {
        for (side, changes) in [(words.here, here), (words.there, there)] {
          for change in changes where html.size < end {
            let what = item(change, inside: place.name, isSigned: true)
            html += "<li><b><bdi>\(side)</bdi></b> \(what)</li>\n"
          }
        }
      }
      html += "</ul>\n"
    }
    return html + more(meetings.count - count)
  }

  /// A section with what one copy did, by whom.
  private func section(
    _ title: String, _ changes: PlaceChanges, without met: Set<Int>
  ) -> HTML {
    let places = changes.places.indices.filter { !met.contains($0) }.map { changes.places[$0] }
    if places.isEmpty { return HTML() }
    return heading(level, "\(self.title(title))")
      + list(places, beyond: changes.count - changes.places.count)
  }

  /// Changes by whom they are.
  ///
  /// - Parameters:
  ///   - places: the changes.
  ///   - beyond: how many more there are.
  /// - Returns: a list for each author.
  func list(_ places: [PlaceChange], beyond: Int = 0) -> HTML {
    var order: [String] = []
    var groups: [String: [PlaceChange]] = [:]
    for place in places {
      let who = enumerated(place.authors.map { authorName($0) })
      if groups[who] == nil { order.append(who) }
      groups[who, default: []].append(place)
    }
    var html = HTML()
    var rest = places.count
    for who in order {
      if html.size > Self.listLimit { break }
      if !who.isEmpty { html += heading(level + 1, "<bdi>\(who)</bdi>") }
      html += "<ul class=\"plain\">\n"
      for place in groups[who] ?? [] where html.size <= Self.listLimit {
        html += "<li>\(item(place, isSigned: false))</li>\n"
        rest -= 1
      }
      html += "</ul>\n"
    }
    return html + more(rest + beyond)
  }

  private func more(_ count: Int) -> HTML {
    count == 0
      ? HTML()
      : "<p class=\"warn\">\(counted(count, "more place")) left out of this page</p>\n"
  }

  private func heading(_ level: Int, _ text: HTML) -> HTML {
    "<h\(level)>\(text)</h\(level)>\n"
  }

  /// A heading of its own: `Would come in` for `would come in:`.
  private func title(_ words: String) -> String {
    let text = words.hasSuffix(":") ? String(words.dropLast()) : words
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// A page with the lines in which two texts differ.
  ///
  /// - Parameters:
  ///   - old: the first text, with its name.
  ///   - new: the second one.
  /// - Returns: the page.
  func page(from old: (name: String, text: String), to new: (name: String, text: String)) -> Page {
    let passages = passages(from: old.text, to: new.text, upTo: Self.wholeLimit)
    return Page(
      title: "\(old.name) and \(new.name)",
      body: """
        <main><h1>From <bdi>\(old.name)</bdi> to <bdi>\(new.name)</bdi></h1>
        \(passages.size > 0 ? passages : "<p>Nothing differs.</p>")
        </main>

        """)
  }

  // MARK: One change

  private func item(
    _ change: PlaceChange, inside outer: PlaceName = PlaceName(), isSigned: Bool
  ) -> HTML {
    let inner = PlaceName(Array(change.name.parts.dropFirst(outer.parts.count)))
    let name: HTML =
      inner.parts.isEmpty && !outer.parts.isEmpty ? HTML() : "<bdi><b>\(inner.words)</b></bdi> "
    let signature = isSigned ? change.signature(invocation) : time(of: change)
    let who: HTML = signature.map { "<span class=\"dim\"><bdi>\($0)</bdi>:</span> " } ?? HTML()
    return name + who + what(change.action, at: change.path)
  }

  private func time(of change: PlaceChange) -> String? {
    change.time.flatMap { $0.milliseconds == 0 ? nil : invocation.localText($0) }
  }

  private func what(_ action: PlaceChange.Action, at path: JSONPointer) -> HTML {
    switch action {
    case .added(let node): return "added " + content(node, "ins")
    case .removed(let node): return "removed; it was " + content(node, "del")
    case .replaced(let old, let new):
      return content(old, "del") + "became " + content(new, "ins")
    case .moved(let from):
      let to = path.tokens.last.flatMap { Int($0) } ?? 0
      return "moved from place \(from + 1) to place \(to + 1) "
    case .memberAdded(let value): return "added " + content(.value(value), "ins")
    case .memberRemoved(let value): return "removed " + content(.value(value), "del")
    case .counted(let old, let new): return "\(String(old)) became \(String(new)) "
    case .text(let old, let new): return passages(from: old, to: new)
    }
  }

  /// A content: on the line if it is short, in a block of its own otherwise.
  private func content(_ node: Node, _ mark: StaticString) -> HTML {
    let mark = HTML(stringLiteral: "\(mark)")
    let text = node.readableText
    if text.utf8.count <= 60, !text.contains("\n") {
      return "<\(mark)><bdi>\(node.preview)</bdi></\(mark)> "
    }
    let shown = HTML.cut(text, to: Self.contentLimit)
    return "<div class=\"text\" dir=\"auto\"><\(mark)>\(shown.text)</\(mark)></div>\(shown.note)"
  }

  /// The lines of a text that read otherwise.
  func passages(
    from old: String, to new: String, upTo limit: Int = ChangeLists.textLimit
  ) -> HTML {
    let changed = ChangedLines.find(from: old, to: new)
    var html = HTML()
    var rest = changed.count
    for lines in changed {
      if html.size > limit { break }
      rest -= 1
      let number = lines.newLines.lowerBound + 1
      let place: HTML =
        lines.newLines.count < 2
        ? "line \(number)" : "lines \(number) to \(lines.newLines.upperBound)"
      html += """
        <div><span class="dim">\(place)</span>\
        <div class="text" dir="auto">\(passage(lines))</div></div>
        """
    }
    if rest > 0 { html += "<p class=\"warn\">\(counted(rest, "more passage")) left out</p>" }
    return html
  }

  private func passage(_ lines: ChangedLines) -> HTML {
    let old = HTML.cut(lines.old, to: Self.contentLimit)
    let new = HTML.cut(lines.new, to: Self.contentLimit)
    let note = new.note.size > 0 ? new.note : old.note
    return HTML.difference(from: old.text, to: new.text) + note
  }
}
