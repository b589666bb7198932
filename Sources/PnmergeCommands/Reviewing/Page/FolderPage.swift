import Peernote

/// How the notes of two folders differ, on one page.
struct FolderPage {
  /// The folders as they were given.
  let folders: (old: FileName, new: FileName)
  let pairs: FolderPairs
  /// What could not be read.
  let faults: [Failure]
  let invocation: Invocation

  /// The most bytes that all notes take.
  private static let limit = 4_000_000

  /// The page: which notes differ, then each with what either side did.
  ///
  /// Reads all that differ, one after the other.
  ///
  /// - Parameter isTwoWay: whether copies are compared as they stand, whoever changed what.
  /// - Returns: the page.
  /// - Throws: ``Failure`` if a note cannot be read.
  func made(isTwoWay: Bool) throws -> Page {
    let different = pairs.pairs.filter { !$0.isSame }
    var list = HTML()
    var notes = HTML()
    var count = 0
    for pair in different {
      if notes.size > Self.limit { break }
      count += 1
      invocation.console.progress("comparing note \(count) of \(different.count)")
      list += "<li><a href=\"#n\(count)\"><bdi>\(pair.files.0.visible)</bdi></a></li>\n"
      notes += "<h2 id=\"n\(count)\"><bdi>\(pair.files.0.visible)</bdi>"
      notes +=
        pair.files.0.lastComponent == pair.files.1.lastComponent
        ? "" : " and <bdi>\(pair.files.1.visible)</bdi>"
      notes += "</h2>\n"
      if let texts = pair.saved {
        notes += ChangeLists(invocation: invocation).passages(from: texts.0, to: texts.1)
      } else {
        notes += try sections(pair.files.0, pair.files.1, isTwoWay: isTwoWay)
      }
    }
    let names = (folders.old.visible, folders.new.visible)
    var body: HTML = "<main><h1><bdi>\(names.0)</bdi> and <bdi>\(names.1)</bdi></h1>\n"
    body += self.list("Could not be read", faults.map(\.line), isWarning: true)
    body += list.size > 0 ? "<p>These differ:</p>\n<ul>\n\(list)</ul>\n" : HTML()
    if different.count > count {
      let rest = counted(different.count - count, "more note")
      body += "<p class=\"warn\">\(rest) left out of this page; compare two folders in it</p>\n"
    }
    body += self.list("Only in \(names.0)", pairs.onlyInFirst.map(\.visible))
    body += self.list("Only in \(names.1)", pairs.onlyInSecond.map(\.visible))
    if different.isEmpty, pairs.onlyInFirst.isEmpty, pairs.onlyInSecond.isEmpty {
      body += "<p>Nothing differs.</p>\n"
    }
    return Page(title: "\(names.0) and \(names.1)", body: body + notes + "</main>\n")
  }

  private func list(_ title: String, _ lines: [String], isWarning: Bool = false) -> HTML {
    if lines.isEmpty { return HTML() }
    var html: HTML = "<h2>\(title)</h2>\n"
    html += isWarning ? "<ul class=\"warn\">\n" : "<ul>\n"
    for line in lines { html += "<li><bdi>\(line)</bdi></li>\n" }
    return html + "</ul>\n"
  }

  private func sections(
    _ old: FileName, _ new: FileName, isTwoWay: Bool
  ) throws -> HTML {
    let oldBytes = try invocation.readDocumentBytes(old)
    let newBytes = try invocation.readDocumentBytes(new)
    if !isTwoWay, let copies = try CopyComparison((old, oldBytes), (new, newBytes), invocation) {
      let html = copies.sections(level: 3, invocation)
      return html.size > 0 ? html : "<p>Only the history differs.</p>\n"
    }
    return ChangeLists(invocation: invocation).passages(
      from: PlainText.readableForm(of: try invocation.root(in: oldBytes, of: old)),
      to: PlainText.readableForm(of: try invocation.root(in: newBytes, of: new)))
  }
}
