/// What a scalar is to a word: a maximal run of letters, marks and digits, with single signs between
/// digits as in numbers, times and dates.
enum WordPart {
  /// No part of any; also signs of scripts that write no spaces between words.
  case none
  case letter, digit
  /// Joins the digits around it to one number.
  case separator

  init(_ scalar: UInt32) {
    switch scalar {
    // ' , - . / : no-break space, thin space, hyphens, right quotation mark, narrow no-break space.
    case 0x27, 0x2C...0x2F, 0x3A, 0xA0, 0x2009, 0x2010, 0x2011, 0x2019, 0x202F: self = .separator
    // Thai, Lao, Tibetan, Myanmar; Khmer; Tai Le, New Tai Lue; Tai Tham; more of Myanmar and Tai.
    case 0xE00...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAD, 0xA9E0...0xA9FF,
      0xAA60...0xAADF:
      self = .none
    default:
      guard scalar < 0x80 || Self.isOld(scalar) else {
        self = .none
        return
      }
      switch ScalarClass(scalar) {
      case .letter, .mark: self = .letter
      case .digit: self = .digit
      case .newline, .space, .ideograph, .joiner, .regionalIndicator, .other: self = .none
      }
    }
  }

  /// Whether a scalar was assigned by Unicode 14.0.
  ///
  /// What documents show follows from their words, so that these must not change with the tables of
  /// the system.
  private static func isOld(_ scalar: UInt32) -> Bool {
    guard let age = Unicode.Scalar(scalar)?.properties.age else { return false }
    return age.major <= 14
  }

  /// Where the words of a text stand.
  ///
  /// O(n).
  static func words(in scalars: [UInt32]) -> [Range<Int>] {
    let parts = scalars.map { WordPart($0) }
    return words(count: parts.count) { parts[$0] }
  }

  /// Where the words stand among some scalars, each given by its place.
  ///
  /// O(n).
  static func words(count: Int, part: (Int) -> WordPart) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for index in 0..<count {
      if isInWord(index, count: count, part: part) {
        start = start ?? index
      } else if let first = start {
        result.append(first..<index)
        start = nil
      }
    }
    if let start { result.append(start..<count) }
    return result
  }

  /// The word that a scalar is in; `nil` if it is in none.
  ///
  /// O(length of the word).
  static func word(at index: Int, count: Int, part: (Int) -> WordPart) -> Range<Int>? {
    guard isInWord(index, count: count, part: part) else { return nil }
    var (start, end) = (index, index + 1)
    while start > 0, isInWord(start - 1, count: count, part: part) { start -= 1 }
    while end < count, isInWord(end, count: count, part: part) { end += 1 }
    return start..<end
  }

  /// Whether a scalar is in a word.
  ///
  /// O(1).
  private static func isInWord(_ index: Int, count: Int, part: (Int) -> WordPart) -> Bool {
    switch part(index) {
    case .none: false
    case .letter, .digit: true
    case .separator:
      index > 0 && index + 1 < count && part(index - 1) == .digit && part(index + 1) == .digit
    }
  }
}
