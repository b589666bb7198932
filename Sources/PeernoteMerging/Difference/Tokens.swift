import PeernoteEngine

/// A text cut into tokens.
///
/// Tokens belong to units (words to lines, grapheme clusters to words), numbered from 0 by `units`.
struct Tokens {
  var bounds: TokenBounds
  /// The unit of each token, ascending.
  var units: [Int32] = []
  /// How much each token counts when two units are compared: letters and digits by their number,
  /// other signs 1, white space 0.
  var weights: [Int32] = []
  /// Whether each token is a word, or a part of one: letters or digits.
  var isWord: [Bool] = []
  /// Whether each token is a number, which only changes as a whole.
  var isNumber: [Bool] = []

  var count: Int { isWord.count }

  private init(start: Int) {
    bounds = TokenBounds(start: start)
  }

  private mutating func append(
    end: Int, unit: Int32, weight: Int32, isWord: Bool = false, isNumber: Bool = false
  ) {
    bounds.append(end: end)
    units.append(unit)
    weights.append(weight)
    self.isWord.append(isWord)
    self.isNumber.append(isNumber)
  }

  /// The lines of a range that starts at a line's start, each with its line feed; the blank ones
  /// are no words, and there are no units.
  static func lines(_ text: [UInt8], in range: Range<Int>) -> Tokens {
    var tokens = Tokens(start: range.lowerBound)
    tokens.bounds = lineBounds(text, in: range)
    tokens.isWord = zip(tokens.bounds, tokens.bounds.dropFirst()).map { start, end in
      text[start..<end].contains { $0 > 0x20 }
    }
    return tokens
  }

  /// Where the lines stand of a range that starts at a line's start.
  static func lineBounds(_ text: [UInt8], in range: Range<Int>) -> TokenBounds {
    var bounds = TokenBounds(start: range.lowerBound)
    for index in range where text[index] == 0x0A { bounds.append(end: index + 1) }
    if bounds[bounds.count - 1] < range.upperBound { bounds.append(end: range.upperBound) }
    return bounds
  }

  /// Words, numbers, runs of one kind of space, line ends and single signs, in units of lines.
  ///
  /// O(range.count). The bounds are grapheme boundaries but for rare sequences, which
  /// ``GraphemeBoundaries`` sets right later.
  static func words(_ text: [UInt8], in range: Range<Int>) -> Tokens {
    var tokens = Tokens(start: range.lowerBound)
    var line: Int32 = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let start = position
      let first = decodeScalar(text, at: position)
      let kind = ScalarClass(first.value)
      position += first.length
      var weight: Int32 = 1
      var isJoined = false
      var last = kind
      var isNumber = kind == .digit
      scan: while position < range.upperBound {
        let next = decodeScalar(text, at: position)
        let nextKind = ScalarClass(next.value)
        switch (last, nextKind) {
        case (.newline, _):
          guard first.value == 0x0D, next.value == 0x0A, position == start + 1 else { break scan }
        case (_, .mark): break
        case (_, .joiner): isJoined = true
        case (.letter, .letter), (.digit, .digit), (.letter, .digit), (.digit, .letter):
          weight += 1
          last = nextKind
          if nextKind == .letter { isNumber = false }
        case (.digit, .other) where next.value == 0x2C || next.value == 0x2E:
          // A point or comma between digits.
          let end = position + next.length
          guard end < range.upperBound, ScalarClass(decodeScalar(text, at: end).value) == .digit
          else { break scan }
          weight += 1
        case (.regionalIndicator, .regionalIndicator):
          guard weight == 1 else { break scan }
          weight = 2
        case (.space, .space):
          guard next.value == first.value else { break scan }
        default:
          guard isJoined else { break scan }
          isJoined = false
        }
        position += next.length
      }
      switch kind {
      case .newline:
        tokens.append(end: position, unit: line, weight: 0)
        if text[position - 1] == 0x0A { line += 1 }
      case .space: tokens.append(end: position, unit: line, weight: 0)
      case .letter, .ideograph, .digit:
        tokens.append(end: position, unit: line, weight: weight, isWord: true, isNumber: isNumber)
      case .mark, .joiner, .regionalIndicator, .other:
        tokens.append(end: position, unit: line, weight: weight)
      }
    }
    return tokens
  }

  /// Grapheme clusters, in units of words.
  static func graphemes(_ text: [UInt8], in range: Range<Int>) -> Tokens {
    let words = words(text, in: range)
    var tokens = Tokens(start: range.lowerBound)
    var word = 0
    var position = range.lowerBound
    for character in String(decoding: text[range], as: UTF8.self) {
      while word + 1 < words.count, words.bounds[word + 1] <= position { word += 1 }
      position += character.utf8.count
      tokens.append(
        end: position, unit: Int32(word), weight: 1, isWord: words.isWord[word],
        isNumber: words.isNumber[word])
    }
    return tokens
  }
}

/// Where the tokens of a text begin, in bytes, and where the last one ends: token `i` lies from
/// `bounds[i]` to `bounds[i + 1]`.
///
/// Four bytes each: texts are shorter than 2³¹ bytes.
struct TokenBounds: RandomAccessCollection {
  private var bytes: [Int32]

  /// Those of no token at all.
  init(start: Int) {
    bytes = [Int32(start)]
  }

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }

  subscript(index: Int) -> Int { Int(bytes[index]) }

  /// Appends a token that begins where the last one ends.
  mutating func append(end: Int) {
    bytes.append(Int32(end))
  }

  /// The numbers of the tokens in a range of bytes that starts and ends where tokens do.
  func tokens(in range: Range<Int>) -> Range<Int> {
    let start = partitionPoint { $0 >= range.lowerBound }
    return start..<Swift.max(start, partitionPoint { $0 >= range.upperBound })
  }
}
