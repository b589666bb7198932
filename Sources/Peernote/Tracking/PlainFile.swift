/// A plain file whose history is kept beside it, as it was found.
package struct PlainFile: Hashable, Sendable {
  /// What it holds.
  package var text: String
  /// When it was last saved, as its file system says.
  package var modified: Timestamp
  /// Whether it seems to have been saved on this machine, not delivered; a hint, by which nothing of
  /// the text is decided.
  package var isSavedHere: Bool
  /// The version that it was made from, by its heads, where the file says that; see
  /// ``PlainHistory/hasMarker``.
  package var base: [ChangeID]?

  /// A file.
  package init(
    text: String, modified: Timestamp, isSavedHere: Bool, base: [ChangeID]? = nil
  ) {
    self.text = text
    self.modified = modified
    self.isSavedHere = isSavedHere
    self.base = base
  }

  /// The time to the two seconds that all file systems keep.
  var saved: Timestamp { modified.ofSave }
}

/// What a machine remembers of a plain file: whoever saves it next has seen that at least.
package struct PlainMemory: Hashable, Sendable {
  /// The version that the file showed, by its heads.
  package var shown: [ChangeID]
  /// Its text.
  package var text: String

}

extension PlainMemory {
  /// A file that shows the present version.
  package init(showing history: PlainHistory) {
    self.init(shown: history.document.heads, text: history.text)
  }
}

/// Lines that left a tracked file by a save of which it had to be guessed what it was made from, or
/// since two sides wrote against each other where only one may stand.
package struct TakenOutLines: Hashable, Sendable {
  /// The change that took them out, by the heads of the version after it.
  package var heads: [ChangeID]
  /// The version that still has them.
  package var base: [ChangeID]
  /// When the file was saved.
  package var saved: Timestamp
  /// The lines, without their ends.
  package var lines: [String]

  /// Lines that left a file.
  package init(heads: [ChangeID], base: [ChangeID], saved: Timestamp, lines: [String]) {
    self.heads = heads
    self.base = base
    self.saved = saved
    self.lines = lines
  }
}

/// What other programs expect of a plain file.
package struct PlainForm: Sendable {
  /// How many lines at the start of a text only make sense together; all of a text that is one value.
  package var structuredLines: @Sendable (String) -> Int
  /// Whether they can read a text.
  package var isValid: @Sendable (String) -> Bool
  /// Whether there may be any text that they cannot read.
  package var isStrict = true

  /// A form.
  package init(
    structuredLines: @escaping @Sendable (String) -> Int,
    isValid: @escaping @Sendable (String) -> Bool
  ) {
    self.structuredLines = structuredLines
    self.isValid = isValid
  }

  /// Text for people.
  package static let prose: PlainForm = {
    var form = PlainForm(structuredLines: { _ in 0 }, isValid: { _ in true })
    form.isStrict = false
    return form
  }()
}
