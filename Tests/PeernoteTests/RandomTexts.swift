import PeernoteTestSupport

/// Texts that are awkward to compare.
enum RandomTexts {
  /// The seed to start from: `PEERNOTE_SEED` if it is set, else a new one, printed.
  static func seed(for test: String) -> UInt64 {
    if let seed = TestSetting.number("SEED") { return seed }
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("\(test): PEERNOTE_SEED=\(seed)")
    return seed
  }

  /// Pieces of every kind that segmentation treats specially.
  static let everything = [
    "a", "b", "e", " ", "  ", "\n", "\r\n", "\r", "\t", ".", ", ", "the ", "word", "12", "7", "-",
    "\u{301}", "\u{308}", "é", "e\u{301}", "ß", "🇩🇪", "🇫", "🇷", "👍", "👍🏽", "👨‍👩‍👧", "\u{200D}",
    "\u{FE0F}", "❤️", "각", "ᄀ", "ᅡ", "ᆨ", "नमस्ते", "क", "्", "ส", "ำ", "文", "字", "\u{0600}",
    "\u{110BD}", "a\u{0}b", "\u{2028}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "𝒳", "- item\n", "\n\n", "# Head\n\n",
  ]
  /// Pieces that make many equal stretches.
  static let plain = ["a", "b", " ", "\n", "ab ", "a\n", "\n\n"]
}

extension SplitMix64 {
  /// Text of up to `count` pieces, some of them awkward to segment.
  mutating func text(pieces count: Int, alphabet: [String]) -> String {
    var result = ""
    for _ in 0..<Int.random(in: 0...count, using: &self) {
      result += alphabet.randomElement(using: &self) ?? ""
    }
    return result
  }

  /// `text` after a few random insertions, deletions, moves and copies of scalars.
  mutating func edited(_ text: String, alphabet: [String]) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...5, using: &self) {
      let start = Int.random(in: 0...scalars.count, using: &self)
      let end = min(scalars.count, start + Int.random(in: 0...12, using: &self))
      switch Int.random(in: 0..<4, using: &self) {
      case 0: scalars.removeSubrange(start..<end)
      case 1:
        scalars.insert(
          contentsOf: self.text(pieces: 5, alphabet: alphabet).unicodeScalars, at: start)
      case 2: scalars.insert(contentsOf: scalars[start..<end], at: start)
      default:
        let part = Array(scalars[start..<end])
        scalars.removeSubrange(start..<end)
        scalars.insert(contentsOf: part, at: Int.random(in: 0...scalars.count, using: &self))
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }
}
