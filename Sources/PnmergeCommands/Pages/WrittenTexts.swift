import Peernote

/// The texts of a document on a page, with who wrote what.
struct WrittenTexts {
  /// How a passage came into a merged document.
  enum Origin {
    case common
    /// One of the others brought it.
    case incoming
    /// Only the first copy had it.
    case own

    /// The class of its markup; `nil` for none.
    fileprivate var mark: HTML? {
      switch self {
      case .common: nil
      case .incoming: "in"
      case .own: "own"
      }
    }
  }

  private let document: Document
  private let file: FileName
  private let invocation: Invocation
  /// What is not common, by the place of the change in the document's list.
  private let origins: [Int: Origin]

  /// The most bytes that all texts take.
  private static let limit = 1_600_000
  /// The most texts that are shown.
  private static let countLimit = 500

  /// The texts of a document.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - file: where it comes from, for messages.
  ///   - own: changes that only the first copy had.
  ///   - incoming: changes that came in.
  ///   - invocation: the run of the program.
  init(
    of document: Document, from file: FileName, own: [ChangeSummary] = [],
    incoming: [ChangeSummary] = [], _ invocation: Invocation
  ) {
    (self.document, self.file, self.invocation) = (document, file, invocation)
    var origins: [Int: Origin] = [:]
    for (changes, origin) in [(own, Origin.own), (incoming, .incoming)] {
      for place in document.places(ofChanges: changes.map(\.id)) {
        if let place { origins[place] = origin }
      }
    }
    self.origins = origins
  }

  /// The texts, each under its name.
  ///
  /// One walk over the whole history, and O(n) for the texts.
  ///
  /// - Returns: the texts; nothing if there is none.
  /// - Throws: ``Failure`` if the history takes more than the limits.
  func html() throws(Failure) -> HTML {
    let root = document.root
    let found = root.textPlaces
    if found.isEmpty { return HTML() }
    let texts = found.prefix(Self.countLimit)
    let passages: [[(end: Int32, change: ChangeIndex)]?]
    do {
      passages = try document.passages(ofTextsAt: texts.map(\.path))
    } catch {
      throw error.failure(in: file)
    }
    var html = HTML()
    var shownCount = 0
    for ((path, text), passages) in zip(texts, passages) {
      if html.size > Self.limit { break }
      shownCount += 1
      guard let passages, !text.isEmpty else { continue }
      html += "<h3><bdi>\(PlaceName(of: path, in: root).words)</bdi></h3>\n"
      html += block(text, passages, upTo: Self.limit - html.size)
    }
    let rest = found.count - shownCount
    if rest > 0 {
      html += "<p class=\"warn\">\(counted(rest, "more text")) left out of this page.</p>\n"
    }
    return html
  }

  /// A text in pieces of whole lines, each beside who wrote last in it.
  private func block(
    _ text: String, _ passages: [(end: Int32, change: ChangeIndex)], upTo limit: Int
  ) -> HTML {
    let lines = BlamedLines(text: text, passages: passages, in: document)
    var html: HTML = "<div class=\"whole\">\n"
    var signatures: [Int: String] = [:]
    var last: String?
    var passage = 0
    var position = 0
    var count = 0
    for line in lines {
      count += 1
      if html.size > limit {
        let rest = lines.reduce(0) { sum, _ in sum + 1 } - count + 1
        html += "</div></div>\n<p class=\"warn\">"
        html += "\(counted(rest, "more line")) of this text left out of this page</p></div>\n"
        return html
      }
      let signature = signatures[line.change] ?? sign(lines.changes[line.change])
      signatures[line.change] = signature
      if signature != last {
        if last != nil { html += "</div></div>\n" }
        html += "<div class=\"by\"><span><bdi>\(signature)</bdi></span>"
        html += "<div class=\"text\" dir=\"auto\">"
        last = signature
      } else {
        html += "\n"
      }
      var piece = String.UnicodeScalarView()
      var origin = Origin.common
      func flush() {
        if piece.isEmpty { return }
        let text = String(piece)
        html += origin.mark.map { "<span class=\"\($0)\">\(text)</span>" } ?? "\(text)"
        piece = String.UnicodeScalarView()
      }
      for scalar in text.unicodeScalars[line.range] {
        while passages[passage].end <= position { passage += 1 }
        position += 1
        let now = origins[passages[passage].change.number] ?? .common
        if now != origin { flush() }
        origin = now
        piece.append(scalar)
      }
      flush()
      // The end of the line.
      position += 1
    }
    if last != nil { html += "</div></div>\n" }
    return html + "</div>\n"
  }

  private func sign(_ change: ChangeSummary) -> String {
    change.time.milliseconds == 0
      ? authorName(change.author)
      : "\(authorName(change.author)), \(invocation.localText(change.time))"
  }
}

extension Node {
  /// The texts in the content, in its order, with their paths.
  fileprivate var textPlaces: [(path: JSONPointer, text: String)] {
    var result: [(path: JSONPointer, text: String)] = []
    func walk(_ node: Node, _ path: JSONPointer) {
      if case .text(let text) = node { result.append((path, text)) }
      for child in node.children { walk(child.node, path.appending(child.token)) }
    }
    walk(self, JSONPointer())
    return result
  }
}
