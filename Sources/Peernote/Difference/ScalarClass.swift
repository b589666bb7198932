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

/// Decodes the scalar that starts at `index` of valid UTF-8.
func decodeScalar(_ text: [UInt8], at index: Int) -> (value: UInt32, length: Int) {
  let lead = UInt32(text[index])
  if lead < 0x80 { return (lead, 1) }
  let second = UInt32(text[index + 1] & 0x3F)
  if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, 2) }
  let third = UInt32(text[index + 2] & 0x3F)
  if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, 3) }
  let fourth = UInt32(text[index + 3] & 0x3F)
  return ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, 4)
}

/// Decodes the scalar that ends at `end` (greater than 0) of valid UTF-8.
func decodeScalar(_ text: [UInt8], endingAt end: Int) -> (value: UInt32, start: Int) {
  var start = end - 1
  while start > 0, isContinuation(text[start]) { start -= 1 }
  return (decodeScalar(text, at: start).value, start)
}

/// Whether a byte of UTF-8 continues a scalar.
func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// How many scalars start in valid UTF-8.
///
/// O(n).
func scalarCount(of text: ArraySlice<UInt8>) -> Int { text.count { !isContinuation($0) } }
