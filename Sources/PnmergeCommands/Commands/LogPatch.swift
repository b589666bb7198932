import Peernote

/// What each change of a document did to its content, as `log -p` shows it.
struct LogPatch {
  /// The readable form of the document as of changes.
  private let text: ([String]) throws -> String
  /// The state that was made last; going back, the next change often led to it.
  private var last: (names: [String], text: String)?

  /// - Parameter content: what the document held as of changes, of which there are some.
  init(content: @escaping ([String]) throws -> Node) {
    text = { names in names.isEmpty ? "" : PlainText.readableForm(of: try content(names)) }
  }

  init(_ document: Document, in file: FileName) {
    self.init { names in try document.content(named: names, in: file).node ?? .map([]) }
  }

  init(_ document: AutomergeDocument) {
    self.init { try document.root(at: $0) }
  }

  /// Prints what a change did, as compared with what it followed.
  ///
  /// O(size of the document) for a change, and what it takes to go back to it.
  mutating func show(_ change: String, after parents: [String], _ console: Console) throws {
    let new = try last.flatMap { $0.names == [change] ? $0.text : nil } ?? text([change])
    let old = try text(parents)
    last = (parents, old)
    let difference = unifiedDifference(from: old, to: new, oldName: "", newName: "")
    if let start = difference.utf8.firstIndex(of: UInt8(ascii: "@")) {
      try console.writeDifference(difference[start...])
    }
  }
}
