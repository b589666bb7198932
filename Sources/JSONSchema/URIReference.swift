/// A URI, or a part of one that is completed by a base (RFC 3986).
struct URIReference {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  /// What follows the first `#`, as it is written.
  var fragment: String?

  /// Takes a text apart (RFC 3986, appendix B).
  ///
  /// - Complexity: O(*n*).
  init(_ text: String) {
    var rest = Substring(text)
    fragment = Self.takeEnd(of: &rest, from: "#")
    query = Self.takeEnd(of: &rest, from: "?")
    if let colon = rest.utf8.firstIndex(where: { ":/".utf8.contains($0) }),
      rest.utf8[colon] == UInt8(ascii: ":"), colon > rest.startIndex
    {
      scheme = String(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Cuts off what begins with the first of a byte.
  private static func takeEnd(of text: inout Substring, from mark: Unicode.Scalar) -> String? {
    guard let start = text.unicodeScalars.firstIndex(of: mark) else { return nil }
    let end = String(text[text.unicodeScalars.index(after: start)...])
    text = text[..<start]
    return end
  }

  /// The reference as seen from a base (RFC 3986, section 5.2.2).
  func resolved(from base: URIReference) -> URIReference {
    var result = self
    result.scheme = scheme ?? base.scheme
    if scheme != nil || authority != nil {
      result.path = Self.withoutDots(path)
      return result
    }
    result.authority = base.authority
    if path.isEmpty {
      result.path = base.path
      if query == nil { result.query = base.query }
    } else if path.utf8.first == UInt8(ascii: "/") {
      result.path = Self.withoutDots(path)
    } else if base.authority != nil, base.path.isEmpty {
      result.path = Self.withoutDots("/" + path)
    } else {
      let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let directory = slash.map { base.path[...$0] } ?? ""
      result.path = Self.withoutDots(directory + path)
    }
    return result
  }

  /// The path with every `.` and `..` followed, as far as there are directories (section 5.2.4).
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring.UTF8View.SubSequence] = []
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if part.elementsEqual(".".utf8) {
        if isLast { kept.append(path.utf8.suffix(0)) }
      } else if part.elementsEqual("..".utf8), let parent = kept.last,
        !parent.elementsEqual("..".utf8)
      {
        // The empty part before the first slash stays.
        if kept.count > 1 || !isAbsolute { kept.removeLast() }
        if isLast { kept.append(path.utf8.suffix(0)) }
      } else {
        kept.append(part)
      }
    }
    return kept.map { String(Substring($0)) }.joined(separator: "/")
  }

  /// The text without a fragment, in ASCII.
  var resource: String {
    let text =
      (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "")
    return Self.escaped(Array(text.utf8), keeping: ":/?#[]@!$&'()*+,;=%")
  }

  /// Bytes with every one as `%20` and the like that is no letter or digit of ASCII and has another
  /// meaning in a URI, but those that are kept (RFC 3986, section 2.3).
  static func escaped(_ bytes: [UInt8], keeping kept: StaticString) -> String {
    let kept = Array("-._~\(kept)".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(byte)
      case _ where kept.contains(byte): text.append(byte)
      case _: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The fragment with every escape such as `%20` replaced; `nil` if that is no UTF-8.
  var decodedFragment: String? {
    var bytes: [UInt8] = []
    var rest = Array((fragment ?? "").utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // Nothing but two hexadecimal digits; `UInt8` would take a sign as well.
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
