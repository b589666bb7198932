/// What the difference needs to know about a Unicode scalar.
///
/// A coarse reading of the Unicode categories: it steers where edits are placed, never whether they
/// are right.
enum ScalarClass {
  case newline, space, letter, digit
  /// A sign that is a word in itself, as in Chinese and Japanese.
  case ideograph
  /// Belongs to the scalar before it: combining marks, joiners, modifiers.
  case mark
  case joiner
  case regionalIndicator
  case other

  /// The class of a scalar.
  init(_ scalar: UInt32) {
    switch scalar {
    case 0x0A, 0x0D: self = .newline
    case 0x09, 0x0B, 0x0C, 0x20: self = .space
    case 0x30...0x39: self = .digit
    case 0x41...0x5A, 0x61...0x7A: self = .letter
    case 0..<0x80: self = .other
    case 0x200D: self = .joiner
    case 0x1F1E6...0x1F1FF: self = .regionalIndicator
    case 0x1F3FB...0x1F3FF: self = .mark
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0x20000...0x323AF:
      self = .ideograph
    default: self.init(properties: scalar)
    }
  }

  private init(properties value: UInt32) {
    guard let scalar = Unicode.Scalar(value) else {
      self = .other
      return
    }
    let properties = scalar.properties
    if properties.isGraphemeExtend || properties.generalCategory == .spacingMark {
      self = .mark
    } else if properties.generalCategory == .decimalNumber {
      self = .digit
    } else if properties.isAlphabetic {
      self = .letter
    } else if properties.isWhitespace {
      self = .space
    } else {
      self = .other
    }
  }
}

/// What a scalar is to a word: a maximal run of letters, marks and digits, with what stands inside of
/// words and numbers.
///
/// That is single signs between digits, as in numbers, times and dates; an apostrophe between letters;
/// a low line between either; the sign before a number; and a space before each three digits of one.
enum WordPart {
  /// No part of any; also signs of scripts that write no spaces between words.
  case none
  case letter, digit
  /// Joins the digits around it to one number.
  case separator
  /// Joins digits, or letters.
  case apostrophe
  /// Joins letters and digits.
  case lowLine
  /// Joins digits, or is the sign of a number.
  case hyphen
  /// Is the sign of a number.
  case sign
  /// Parts the digits of a number by threes.
  case space

  init(_ scalar: UInt32) {
    switch scalar {
    // , . / : no-break space, thin space, hyphens, narrow no-break space.
    case 0x2C, 0x2E, 0x2F, 0x3A, 0xA0, 0x2009, 0x2010, 0x2011, 0x202F: self = .separator
    // And the right quotation mark.
    case 0x27, 0x2019: self = .apostrophe
    case 0x5F: self = .lowLine
    case 0x2D: self = .hyphen
    // Plus, and the minus of mathematics.
    case 0x2B, 0x2212: self = .sign
    case 0x20: self = .space
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

  /// Whether a scalar is in a word, given it and those around it, by their distance.
  static func isInWord(_ part: (_ offset: Int) -> WordPart) -> Bool {
    switch part(0) {
    case .none: false
    case .letter, .digit: true
    // Most spaces part words, and are told at once.
    case .space: part(-1) == .digit && isInside(part)
    case .separator, .apostrophe, .lowLine, .hyphen, .sign: isInside(part)
    }
  }

  /// Whether a scalar that is no letter and no digit is in a word, by those around it.
  private static func isInside(_ part: (_ offset: Int) -> WordPart) -> Bool {
    let (before, after) = (part(-1), part(1))
    let isSign = after == .digit && !before.isLetterOrDigit
    let areDigits = before == .digit && after == .digit
    switch part(0) {
    case .none, .letter, .digit: return part(0) != .none
    case .separator: return areDigits
    case .apostrophe: return areDigits || before == .letter && after == .letter
    case .lowLine: return before.isLetterOrDigit && after.isLetterOrDigit
    case .hyphen: return areDigits || isSign
    case .sign: return isSign
    case .space:
      // One to three digits before it, just three after it.
      guard areDigits, part(2) == .digit, part(3) == .digit, !part(4).isLetterOrDigit else {
        return false
      }
      let digits = (1...4).prefix { part(-$0) == .digit }.count
      return digits < 4 && part(-digits - 1) != .letter
    }
  }

  var isLetterOrDigit: Bool { self == .letter || self == .digit }
}
