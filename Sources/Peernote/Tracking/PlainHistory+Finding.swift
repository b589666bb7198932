/// What comes of looking at a plain file.
extension PlainHistory {
  /// What was found of a file.
  public enum Finding: Hashable, Sendable {
    /// It shows this version.
    case shows([ChangeID])
    /// It shows an old version that this machine has no memory of, and is behind.
    case behind
    /// It was made from a version that the history lacks: the file was delivered first.
    case early
    /// It was edited at this version, which became a change; it shows the version after it.
    case recorded(base: [ChangeID], [ChangeID])
  }

  /// A finding, and whether it was certain.
  public struct Recording: Hashable, Sendable {
    /// What was found.
    public var finding: Finding
    /// What may have been deleted, if the version that was edited had to be guessed.
    public var guess: PlainGuess?
    /// What was deleted, if that may not have been meant.
    public var undone: PlainGuess?

    /// One that was certain.
    init(_ finding: Finding) { self.finding = finding }

    /// One that had to be guessed, of a file that shows a version.
    init(
      _ finding: Finding, guessedFrom file: PlainFile, showing heads: [ChangeID],
      known: [ChangeID], base: [ChangeID]? = nil
    ) {
      self.finding = finding
      guess = PlainGuess(shown: heads, known: known, saved: file.saved, base: base)
    }
  }
}
