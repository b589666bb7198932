import Peernote
import PeernoteJSON

/// A plain file as it was read.
struct PlainContents {
  /// What it holds, and when it was saved and by whom.
  private(set) var file: PlainFile
  var bytes: [UInt8]
  var identity: FileIdentity
  /// The file, as people are told of it.
  let shown: FileName

  /// For how many milliseconds a file is left alone before it is taken in: editors write in steps.
  static let quiet: Int64 = 5000
  /// How many milliseconds the times of content and attributes are apart at most if it was saved here.
  private static let tolerance: Int64 = 2000

  /// Reads a file, which has to be text; `nil` if there is none.
  init?(_ file: FileName, shown: FileName, _ host: any Host) throws(Failure) {
    let contents: FileContents
    do throws(HostError) {
      guard let entry = try host.identity(of: file, followingLinks: false) else { return nil }
      guard entry.kind == .regular else {
        throw HostError(.notRegularFile, "it is not a regular file")
      }
      contents = try host.read(file, limit: Invocation.inputLimit)
    } catch {
      if error.kind == .notFound { return nil }
      throw error.whileReading(shown)
    }
    (self.shown, bytes, identity) = (shown, contents.bytes, contents.identity)
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        .unreadable, file: shown, "is not text (UTF-8 without zero bytes), and was left alone")
    }
    let modified = identity.modified / 1_000_000
    self.file = PlainFile(
      text: text, modified: Timestamp(milliseconds: modified),
      isSavedHere: abs(identity.changed / 1_000_000 - modified) <= Self.tolerance)
  }

  /// Takes the line that names the version out of the text, if the file of the history was ever to
  /// have one.
  mutating func takeMarker(of history: PlainHistory) { file = history.unmarked(file) }

  /// Does so, and gives all lines the ends that they have in the history, if they all have others.
  ///
  /// Editors that write the line ends of their own system edit nothing by that. But a file that
  /// differs in nothing else was converted by somebody, and is left as it is; a conflict copy is not.
  mutating func adapt(to history: PlainHistory, isCopy: Bool) {
    takeMarker(of: history)
    let text = history.text
    let adapted = file.text.withLineEnds(of: text)
    if isCopy || !adapted.utf8.elementsEqual(text.utf8) { file.text = adapted }
  }

  /// How many lines of a hundred of a history the file has; `nil` if it is that of another one.
  func share(of history: PlainHistory, remembered: String? = nil) -> Int? {
    history.share(of: history.unmarked(file).text, remembered: remembered)
  }

  /// Why the file, or a conflict copy, should not be taken in, in words, where the history holds a
  /// text; `nil` if nothing speaks against it.
  ///
  /// If nothing is left of what it held, that may be half of a save.
  func fault(after text: @autoclosure () -> String, isCopy: Bool = false) -> String? {
    if bytes.isEmpty, !text().isEmpty {
      if isCopy {
        return
          "is an empty conflict copy, and was left alone; if nothing was to be deleted, delete it"
      }
      return "is empty, but was not before, and was left alone; to have it empty, write a line end "
        + "into it; for the text that it had: pnmerge cat \(shellQuoted(shown)) > \(shellQuoted(shown))"
    }
    guard bytes.range(of: Self.conflictMarkers[0]) != nil,
      let line = Self.lineInConflict(in: file.text), Self.lineInConflict(in: text()) == nil
    else { return nil }
    return "line \(line) begins what git left in conflict, and the file was left alone; settle "
      + "that first"
  }

  /// The lines between which git writes what it cannot merge.
  private static let conflictMarkers = ["<<<<<<< ", "=======", ">>>>>>> "]

  /// The line at which such a place begins, from 1, `nil` if there is none; in a block of code they are
  /// an example.
  private static func lineInConflict(in text: String) -> Int? {
    var (found, start, isCode) = (0, 0, false)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isCode.toggle() }
      guard !isCode, line.hasPrefix(conflictMarkers[found]) else { continue }
      if found == 0 { start = number + 1 }
      found += 1
      if found == conflictMarkers.count { return start }
    }
    return nil
  }
}

extension FileIdentity {
  /// For how many more milliseconds a tracked file, or its history, has to be left alone.
  func restlessness(at now: Timestamp) -> Int64 {
    let age = now.milliseconds - changed / 1_000_000
    // A time in the future tells nothing.
    return age < 0 ? 0 : max(0, PlainContents.quiet - age)
  }
}

/// What other programs expect of a tracked file, going by its name and text; of Markdown that front
/// matter can be read, if there is some.
extension DocumentFormat? {
  /// Why a text is not what it should be; `nil` if it is.
  func fault(in text: String) -> String? {
    do {
      if self == .json { _ = try JSONReader.value(in: Array(text.utf8)) }
      if self == .markdown, NoteMarkdown.beginsWithDelimiter(text) {
        _ = try NoteMarkdown.parsed(text)
      }
      return nil
    } catch {
      let words = self == .json ? "it would be no JSON" : "its front matter could not be read"
      return "\(words): \(error)"
    }
  }

  /// The same for the library, where the file shows a text.
  func plain(_ text: String) -> PlainForm {
    let isMarkdown = self == .markdown && NoteMarkdown.beginsWithDelimiter(text)
    guard self == .json || isMarkdown else { return .prose }
    return PlainForm(
      structuredLines: { isMarkdown ? (try? NoteMarkdown.Parts($0))?.count ?? 0 : .max },
      isValid: { fault(in: $0) == nil })
  }
}

/// The line in the front matter of a tracked Markdown file that says which version the file was made
/// from, for those that are to have one.
///
/// It says what an export says under ``VersionMark/markdownKey``, and stands last in the front
/// matter, of one of its own if the text has none, or an empty one. The history holds the
/// text without it.
package enum PlainMarker {
  private static let key = Array("\(VersionMark.markdownKey):".utf8)

  /// A text with the line.
  package static func marked(_ text: String, _ mark: VersionMark) -> String {
    let bytes = Array(text.utf8)
    let feed = bytes.firstIndex(of: 0x0A) ?? 0
    let end = feed > 0 && bytes[feed - 1] == 0x0D ? "\r\n" : "\n"
    var lines = "\(VersionMark.markdownKey): \(mark.text)\(end)"
    // What some editors put before a text stays first.
    var place =
      bytes.starts(with: NoteMarkdown.byteOrderMark) ? NoteMarkdown.byteOrderMark.count : 0
    if let matter = try? NoteMarkdown.Parts(text), !matter.lines.isEmpty,
      NoteMarkdown.hasFrontMatter(text)
    {
      place = matter.lines.upperBound
    } else {
      let fence = NoteMarkdown.delimiter + end
      lines = fence + lines + fence
    }
    return String(decoding: bytes[..<place] + lines.utf8 + bytes[place...], as: UTF8.self)
  }

  /// Takes the line out of a text, also if it is damaged, and gives what it says; `nil` if there is
  /// none, or several, or one that is damaged.
  package static func taken(from text: String) -> (text: String, mark: VersionMark?) {
    guard let matter = try? NoteMarkdown.Parts(text) else { return (text, nil) }
    let bytes = matter.bytes
    // Each ends with a line feed, since the closing line follows.
    let lines = bytes[matter.lines].split(separator: 0x0A, omittingEmptySubsequences: false)
      .dropLast()
    let marks = lines.filter { $0.starts(with: key) }
    if marks.isEmpty { return (text, nil) }
    let kept = lines.filter { !$0.starts(with: key) }.flatMap { $0 + [0x0A] }
    let rest =
      kept.isEmpty
      ? bytes.prefix { $0 != UInt8(ascii: "-") } + bytes[matter.bodyStart...]
      : bytes[..<matter.lines.lowerBound] + kept + bytes[matter.lines.upperBound...]
    let words = marks[0].dropFirst(key.count).filter { $0 != 0x0D }
    let mark = words.first == 0x20 ? VersionMark(String(decoding: words, as: UTF8.self)) : nil
    return (String(decoding: rest, as: UTF8.self), marks.count == 1 ? mark : nil)
  }
}

extension PlainHistory {
  /// What the plain file is to hold: the text, and the line that names the version if it is to have one.
  var fileText: String {
    guard hasMarker else { return text }
    return PlainMarker.marked(text, VersionMark(document: document.id, heads: document.heads))
  }

  /// A file as it was read, without the line that names the version if there was ever to be one.
  func unmarked(_ file: PlainFile) -> PlainFile {
    guard mayHaveMarker else { return file }
    let (text, mark) = PlainMarker.taken(from: file.text)
    var result = file
    result.text = text
    result.base = mark.flatMap { $0.document == document.id ? $0.heads : nil }
    return result
  }
}
