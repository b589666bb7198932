/// How a review ended.
package enum ReviewEnd: Hashable {
  /// The merge is to be written, with what was decided.
  case write
  /// Nothing is to be written.
  case leave
  /// The user broke off: what was decided is to be kept.
  case interrupted
}

/// What a review shows of the document that its decisions lead to.
package struct ReviewResult {
  /// What the file will hold that it does not hold now, a line for each thing.
  package var lines: [String]
  /// The whole document in its readable form.
  package var text: String

  package init(lines: [String], text: String) {
    self.lines = lines
    self.text = text
  }
}
