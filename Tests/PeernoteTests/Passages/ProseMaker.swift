import PeernoteTestSupport

/// Makes texts of a few words, numbers and lines, and edits them as people do.
struct ProseMaker {
  private static let words = [
    "the", "cat", "sat", "on", "a", "mat", "dog", "lay", "by", "rug", "12,000", "9,500", "3", "30",
    "2.5", "foo", "bar", "baz",
  ]

  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func number(below limit: Int) -> Int { random.below(limit) }

  mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }

  mutating func word() -> String { Self.words[number(below: Self.words.count)] }

  mutating func line() -> String {
    if chance(25) { return "- " + word() }
    let words = (0..<(2 + number(below: 6))).map { _ in word() }.joined(separator: " ")
    return words + ["", ".", ". " + word() + " " + word() + "."][number(below: 3)]
  }

  mutating func text() -> String {
    if chance(6) { return "" }
    let lines = (0...number(below: 4)).map { _ in line() }
    return lines.joined(separator: "\n") + (chance(50) ? "\n" : "")
  }

  /// A text with one to three edits: words replaced, put in, torn or taken out, lines added, taken
  /// out or moved.
  mutating func edited(_ text: String) -> String {
    var result = text
    for _ in 0..<(1 + number(below: 5) / 3) { result = editedOnce(result) }
    return result
  }

  private mutating func editedOnce(_ text: String) -> String {
    var tokens = Self.tokens(text)
    if tokens.isEmpty { return line() + (chance(50) ? "\n" : "") }
    let place = number(below: tokens.count)
    switch number(below: 100) {
    case ..<30: tokens[place] = word()
    case ..<42: tokens.insert(word() + " ", at: place)
    case ..<50: tokens.insert(["1", ".", ",", "5", "x", " "][number(below: 6)], at: place)
    case ..<62:
      tokens.removeSubrange(place..<min(tokens.count, place + 1 + number(below: 6)))
    case ..<70:
      let new = (0...number(below: 4)).map { _ in word() }.joined(separator: " ")
      tokens.replaceSubrange(place..<min(tokens.count, place + 1 + number(below: 5)), with: [new])
    case ..<82:
      return text + (text.hasSuffix("\n") ? "" : "\n") + line() + (chance(50) ? "\n" : "")
    case ..<92:
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let first = number(below: lines.count)
      let end = min(lines.count, first + number(below: 3))
      lines.replaceSubrange(first..<end, with: (0..<number(below: 3)).map { _ in line() })
      return lines.joined(separator: "\n")
    case ..<96: tokens.append("\n")
    default:
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      lines.swapAt(number(below: lines.count), number(below: lines.count))
      return lines.joined(separator: "\n")
    }
    return tokens.joined()
  }

  /// Words, and every other sign by itself.
  private static func tokens(_ text: String) -> [String] {
    text.matches(of: /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/).map { String($0.output) }
  }

  /// The words of a text: runs of letters, marks and digits, with single signs between digits.
  static func words(_ text: String) -> Set<Substring> {
    Set(text.matches(of: /(?:\d['\-.,\/:](?=\d)|[\p{L}\p{M}\p{N}])+/).map(\.output))
  }
}
