import PeernoteJSON

/// A piece of a page in HTML, in which everything from outside is escaped.
///
/// Written as a string: what stands in the literal is markup, what is interpolated is text, which is
/// shown as it is and can be no markup, in elements and in attributes in double quotes. Characters
/// that would act on what is around them are shown by their numbers, as the terminal shows them.
struct HTML: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  typealias StringInterpolation = HTML

  /// In UTF-8.
  private(set) var bytes: [UInt8] = []

  init() {}

  init(stringLiteral markup: String) { bytes = Array(markup.utf8) }

  init(stringInterpolation: HTML) { self = stringInterpolation }

  init(literalCapacity: Int, interpolationCount: Int) {
    bytes.reserveCapacity(literalCapacity + 16 * interpolationCount)
  }

  var size: Int { bytes.count }

  static func += (left: inout HTML, right: HTML) { left.bytes += right.bytes }

  static func + (left: HTML, right: HTML) -> HTML {
    var both = left
    both += right
    return both
  }

  mutating func appendLiteral(_ markup: String) { bytes += markup.utf8 }

  /// Adds text, escaped.
  mutating func appendInterpolation(_ text: String) {
    for byte in visibleText(text, keeping: ["\n", "\t"]).utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
  }

  mutating func appendInterpolation(_ number: Int) { bytes += "\(number)".utf8 }

  mutating func appendInterpolation(_ piece: HTML) { bytes += piece.bytes }
}
