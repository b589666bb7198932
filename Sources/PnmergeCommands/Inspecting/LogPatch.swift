import Peernote

/// What each change of a document did to its content, as `log -p` shows it.
struct LogPatch {
  /// The document as of changes, and how many characters are missing from each of its texts that were
  /// redacted since.
  typealias State = (text: String, gaps: [JSONPointer: Int])

  private let document: Document
  private let file: FileName
  /// The state that was made last; going back, the next change often led to it.
  private var last: (names: [String], state: State)?

  init(_ document: Document, in file: FileName) {
    (self.document, self.file) = (document, file)
  }

  /// The document as of changes; nothing if there are none.
  private func state(_ names: [String]) throws -> State {
    if names.isEmpty { return ("", [:]) }
    let content = try document.content(named: names, inOrderOfWriting: true, in: file)
    return (
      PlainText.readableForm(of: content.node ?? .map([])),
      Dictionary(content.gaps.map { ($0.path, $0.scalars) }, uniquingKeysWith: +)
    )
  }

  mutating func states(of change: ChangeSummary) throws -> (old: State, new: State) {
    let names = [change.id.description]
    let new = try last.flatMap { $0.names == names ? $0.state : nil } ?? state(names)
    let parents = change.parents.map(\.description)
    let old = try state(parents)
    last = (parents, old)
    return (old, new)
  }

  /// Prints what a change did, as compared with what it followed.
  mutating func show(_ change: ChangeSummary, _ console: Console) throws {
    let (old, new) = try states(of: change)
    let difference = unifiedDifference(from: old.text, to: new.text, oldName: "", newName: "")
    if let start = difference.utf8.firstIndex(of: UInt8(ascii: "@")) {
      try console.writeDifference(difference[start...])
    }
    let paths = Set(old.gaps.keys).union(new.gaps.keys)
    for path in paths.sorted(by: { $0.description < $1.description }) {
      let (before, after) = (old.gaps[path] ?? 0, new.gaps[path] ?? 0)
      if before == after { continue }
      let verb = before < after ? "wrote" : "deleted"
      try console.printResult(
        "    it also \(verb) \(counted(abs(after - before), "character")) of \(path.visible) that "
          + "were redacted since")
    }
  }
}
