/// What a scalar is to the tokens of a text: the pieces that a merge shows whole.
///
/// The rule is told in peernote(5), "Passages". It needs no table of Unicode, so that every reader
/// in any language finds the same tokens.
package enum TokenPart {
  /// A token by itself: a line feed, a scalar of a script that writes no spaces, or one that was
  /// redacted.
  case alone
  /// White space, but for a line feed and for a space between two digits.
  case space
  /// All else.
  case word
  /// Scalars that both sides of a union deleted.
  case gap

  /// Stands for any scalar that was redacted.
  static let redacted = UInt32.max
  /// Stands for any scalar that both sides deleted.
  static let gone = UInt32.max - 1
  static let lineFeed: UInt32 = 0x0A

  /// What a scalar is if no digits stand around it.
  @inline(__always)
  init(_ scalar: UInt32) {
    if scalar > 0x20, scalar < 0x85 {
      self = .word
    } else if Self.isBlank(scalar) {
      self = scalar == Self.lineFeed ? .alone : .space
    } else if scalar == Self.gone {
      self = .gap
    } else {
      self = Self.writesNoSpaces(scalar) ? .alone : .word
    }
  }

  @inline(__always)
  static func isDigit(_ scalar: UInt32) -> Bool { scalar &- 0x30 < 10 }

  /// Whether a scalar between two digits belongs to the number.
  @inline(__always)
  static func isDigitSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x20 || scalar == 0xA0 || scalar == 0x2009 || scalar == 0x202F
  }

  /// Whether a scalar is white space or a line feed.
  @inline(__always)
  package static func isBlank(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    case _: false
    }
  }

  private static func writesNoSpaces(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAD, 0x3041...0x3096,
      0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAADF,
      0xF900...0xFAFF, 0x20000...0x323AF, redacted:
      true
    case _: false
    }
  }

  /// Whether there is certainly a border between two scalars that stand beside each other in either
  /// order, whatever stands around them.
  static func areApart(_ left: UInt32, _ right: UInt32) -> Bool {
    switch (TokenPart(left), TokenPart(right)) {
    case (.word, .space): !(isDigit(left) && isDigitSpace(right))
    case (.space, .word): !(isDigitSpace(left) && isDigit(right))
    case (let one, let other): one != other || one == .alone
    }
  }

  /// Whether a scalar is a space between two digits.
  private static func isInNumber(_ place: Int, of scalars: [UInt32]) -> Bool {
    isDigitSpace(scalars[place]) && place > 0 && isDigit(scalars[place - 1])
      && place + 1 < scalars.count && isDigit(scalars[place + 1])
  }

  /// Whether white space stands at the border of two texts beside each other, and not in a number.
  static func areParted(_ text: [UInt32], _ after: [UInt32]) -> Bool {
    if text.isEmpty || after.isEmpty { return false }
    let near = Array(text.suffix(2) + after.prefix(2))
    let border = min(text.count, 2)
    return (border - 1...border).contains { isBlank(near[$0]) && !isInNumber($0, of: near) }
  }

  /// Where a token ends that begins at a scalar, in O(n) for n scalars of it.
  static func endOfToken(from start: Int, in scalars: [UInt32]) -> Int {
    let first = TokenPart(scalars[start])
    var place = start + 1
    while place < scalars.count {
      var part = TokenPart(scalars[place])
      if part == .space, isInNumber(place, of: scalars) { part = .word }
      if part == .alone || part != first { break }
      place += 1
    }
    return place
  }
}

extension Collection<UInt32> {
  /// Whether it is white space, with line feeds or without, and not empty.
  var isBlank: Bool { !isEmpty && allSatisfy { TokenPart.isBlank($0) } }

  /// Whether nothing of it was redacted.
  var isKnown: Bool { !contains(TokenPart.redacted) }
}

extension BidirectionalCollection<UInt32> {
  /// Whether a sentence ends with it, if white space follows, in O(closing quotes and brackets).
  var endsSentence: Bool { last { !$0.closesSentence }?.isSentenceEnd ?? false }
}

extension UInt32 {
  /// Whether a quote, a bracket or an emphasis may stand between the end of a sentence and white space.
  fileprivate var closesSentence: Bool {
    switch self {
    case 0x22, 0x27, 0x29, 0x5D, 0x2A, 0x5F, 0x2019, 0x201D: true
    case _: false
    }
  }

  fileprivate var isSentenceEnd: Bool {
    switch self {
    case 0x2E, 0x21, 0x3F, 0x3002, 0xFF01, 0xFF1F: true
    case _: false
    }
  }
}

/// Looks for the end of a sentence with white space behind it, scalar by scalar in either direction.
struct SentenceEnd {
  let isForward: Bool
  /// Whether one stands before white space, or white space behind what is looked at.
  private var isNear = false

  init(isForward: Bool) { self.isForward = isForward }

  /// Goes on to the next scalar; whether it is the white space, or backwards the end.
  mutating func isMet(by scalar: UInt32) -> Bool {
    let isBlank = TokenPart.isBlank(scalar)
    if isForward {
      defer { isNear = scalar.isSentenceEnd || isNear && scalar.closesSentence }
      return isNear && isBlank
    }
    defer { isNear = isBlank || isNear && scalar.closesSentence }
    return isNear && scalar.isSentenceEnd
  }
}

extension ArraySlice<UInt32> {
  /// Without the white space around it.
  var trimmed: Self {
    guard let first = firstIndex(where: { !TokenPart.isBlank($0) }),
      let last = lastIndex(where: { !TokenPart.isBlank($0) })
    else { return [] }
    return self[first...last]
  }
}
