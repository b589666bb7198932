extension PlainHistory {
  /// Takes in a file that was put there together with the history, as git does.
  ///
  /// It was made from all that the history has. So what is contested there is settled as the file has
  /// it, and nothing has to be guessed.
  ///
  /// - Throws: as ``record(_:memory:hasCopies:)``.
  package mutating func record(together file: PlainFile) throws -> Recording {
    let base = document.heads
    let contested = document.conflicts.filter { $0.kind == .passage && $0.path == Self.path }
    try document.record(time: file.saved) { (editor) throws(EditError) in
      for passage in contested {
        guard let scalars = passage.scalars, case .text(let shown)? = passage.kept.node else {
          continue
        }
        try editor.settlePassage(at: Self.path, scalars: scalars, with: shown)
      }
      try editor.replaceText(at: Self.path, with: file.text)
    }
    if document.heads == base { return Recording(finding: .shows(base)) }
    return Recording(finding: .recorded(base: base, document.heads))
  }
}
