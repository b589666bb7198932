import Peernote

/// A plain file as it was read.
struct PlainContents {
  /// What it holds, and when it was saved and by whom.
  private(set) var file: PlainFile
  /// All that it holds.
  var bytes: [UInt8]
  var identity: FileIdentity
  private let shown: FileName

  /// How long a file has to be left alone before it is taken in, in milliseconds: editors write in
  /// steps.
  static let quiet: Int64 = 5000
  /// How far the times of content and attributes are apart at most if a file was saved here, in
  /// milliseconds.
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
    self.shown = shown
    bytes = contents.bytes
    identity = contents.identity
    guard let text = Self.text(bytes) else {
      throw Failure(
        .unreadable, file: shown, "is not text (UTF-8 without zero bytes), and was left alone")
    }
    let modified = contents.identity.modified / 1_000_000
    let changed = contents.identity.changed / 1_000_000
    self.file = PlainFile(
      text: text, modified: Timestamp(milliseconds: modified),
      isSavedHere: abs(changed - modified) <= Self.tolerance)
  }

  /// Takes the line that names the version out of the text, if the file of the history was ever to
  /// have one.
  mutating func takeMarker(of history: PlainHistory) { file = history.unmarked(file) }

  /// How many lines of a hundred of a history the file has; `nil` if it is that of another one.
  func share(of history: PlainHistory, remembered: String? = nil) -> Int? {
    history.share(of: history.unmarked(file).text, remembered: remembered)
  }

  /// Gives all lines the ends that they have in the history, if they all have others.
  ///
  /// Editors that write the line ends of their own system edit nothing by that. But a file that
  /// differs in nothing else was converted by somebody, and is left as it is; a conflict copy is not.
  mutating func takeLineEnds(of history: PlainHistory, isCopy: Bool) {
    let text = history.text
    let adapted = file.text.withLineEnds(of: text)
    if isCopy || !adapted.utf8.elementsEqual(text.utf8) { file.text = adapted }
  }

  /// Why the file should not be taken in, in words, where the history holds a text; `nil` if nothing
  /// speaks against it.
  func fault(after text: @autoclosure () -> String) -> String? {
    if wasEmptied(from: text()) {
      return "is empty, but was not before, and was left alone; to have it empty, write a line end "
        + "into it; for the text that it had: pnmerge cat \(shellQuoted(shown)) > \(shellQuoted(shown))"
    }
    guard bytes.range(of: GitMarkers.all[0]) != nil, let line = GitMarkers.line(in: file.text),
      GitMarkers.line(in: text()) == nil
    else { return nil }
    return "line \(line) begins what git left in conflict, and the file was left alone; settle "
      + "that first"
  }

  /// Whether nothing is left of what the file held, which may be half of a save.
  func wasEmptied(from text: @autoclosure () -> String) -> Bool {
    bytes.isEmpty && !text().isEmpty
  }

  /// Bytes as text; `nil` for what is binary.
  static func text(_ bytes: [UInt8]) -> String? {
    bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
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

/// The lines between which git writes what it cannot merge.
private enum GitMarkers {
  static let all = ["<<<<<<< ", "=======", ">>>>>>> "]

  /// The line at which such a place begins, from 1; `nil` if there is none.
  ///
  /// In a block of code they are an example.
  static func line(in text: String) -> Int? {
    var (found, start, isCode) = (0, 0, false)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isCode.toggle() }
      guard !isCode, line.hasPrefix(all[found]) else { continue }
      if found == 0 { start = number + 1 }
      found += 1
      if found == all.count { return start }
    }
    return nil
  }
}
