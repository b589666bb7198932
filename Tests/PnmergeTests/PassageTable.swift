import Testing

/// What a merge makes of a text that was changed on both sides, by the kinds of case for which the
/// union of all insertions and deletions alone would show what nobody wrote.
struct PassageTable {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let base: String
    let ours: String
    let theirs: String
    /// What the merge shows; either of them where it lists the other.
    let shown: [String]
    /// How many passages are listed as contested.
    let contested: Int
    /// Whether the sides did different things side by side that go together.
    let adjoins: Bool

    init(
      _ name: String, _ base: String, _ ours: String, _ theirs: String, shows shown: String...,
      contested: Int = 0, adjoins: Bool = false
    ) {
      testDescription = name
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.shown = shown
      self.contested = contested
      self.adjoins = adjoins
    }
  }

  static let rows = [
    Row(
      "sums and dates", "Pay 12,000 euros on 3 December\n", "Pay 11,000 euros on 10 December\n",
      "Pay 9,500 euros on 30 December\n",
      shows: "Pay 11,000 euros on 10 December\n", "Pay 9,500 euros on 30 December\n", contested: 1),
    Row(
      "a typo mended twice", "I recieve letters\n", "I receive letters\n", "I receive letters\n",
      shows: "I receive letters\n"),
    Row(
      "a version raised twice", "version 3.3.0.3\n", "version 3.3.0.4\n", "version 3.3.0.4\n",
      shows: "version 3.3.0.4\n"),
    Row(
      "a line added twice", "- milk\n", "- milk\n- eggs\n", "- milk\n- eggs\n",
      shows: "- milk\n- eggs\n"),
    Row("a final line feed added twice", "the end", "the end\n", "the end\n", shows: "the end\n"),
    Row(
      "a sentence reworded twice", "The quick brown fox.\n", "A slow red fox.\n",
      "Some fast grey fox.\n", shows: "A slow red fox.\n", "Some fast grey fox.\n", contested: 1),
    Row(
      "a word changed in lines that were deleted", "one\ntwo three\nfour\n",
      "one\ntwo 3\nfour\n", "\n", shows: "one\ntwo 3\nfour\n", contested: 1),
    Row(
      "a word replaced, a larger edit around it", "We meet on Monday.\n", "We meet on Tuesday.\n",
      "We meet on Tuesday at ten.\n", shows: "We meet on Tuesday.\n",
      "We meet on Tuesday at ten.\n", contested: 1),
    Row(
      "a time, of which both changed another part", "Meet at 18:00.\n", "Meet at 18:30.\n",
      "Meet at 19:00.\n", shows: "Meet at 18:30.\n", "Meet at 19:00.\n", contested: 1),
    Row(
      "a date, of which both changed another part", "Due 2026-10-08\n", "Due 2026-11-08\n",
      "Due 2026-10-09\n", shows: "Due 2026-11-08\n", "Due 2026-10-09\n", contested: 1),
    Row(
      "the last line feed taken off, a line added", "- milk\n- eggs\n", "- milk\n- eggs",
      "- milk\n- eggs\n- ham\n", shows: "- milk\n- eggs\n- ham\n", contested: 1),
  ]
}
