import PeernoteJSON

/// A URI, or a part of one that is completed by a base (RFC 3986), in UTF-8.
struct URIReference: Sendable {
  /// With the colon; empty if there is none.
  private var scheme: [UInt8] = []
  /// With the slashes before it.
  private var authority: [UInt8] = []
  private var path: [UInt8]
  /// With the question mark.
  private var query: [UInt8]
  /// What follows the first `#`, as it is written.
  private(set) var fragment: String?

  private static let slash = UInt8(ascii: "/")

  /// Takes a text apart (RFC 3986, appendix B): O(n).
  init(_ text: String) {
    var rest = ArraySlice(text.utf8)
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(decoding: rest[(mark + 1)...], as: UTF8.self)
      rest = rest[..<mark]
    }
    let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    query = Array(rest[end...])
    rest = rest[..<end]
    if let colon = rest.firstIndex(where: { ":/".utf8.contains($0) }),
      rest[colon] == UInt8(ascii: ":"), colon > rest.startIndex
    {
      scheme = Array(rest[...colon])
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let end = rest.dropFirst(2).firstIndex(of: Self.slash) ?? rest.endIndex
      authority = Array(rest[..<end])
      rest = rest[end...]
    }
    path = Array(rest)
  }

  /// The reference as seen from a base (RFC 3986, section 5.2.2).
  func resolved(from base: URIReference) -> URIReference {
    var result = self
    if scheme.isEmpty { result.scheme = base.scheme }
    if scheme.isEmpty, authority.isEmpty {
      result.authority = base.authority
      if path.isEmpty {
        result.path = base.path
        if query.isEmpty { result.query = base.query }
        return result
      }
      if path.first != Self.slash {
        let end = base.path.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        let isTop = base.path.isEmpty && !base.authority.isEmpty
        result.path = (isTop ? [Self.slash] : base.path[..<end]) + path
      }
    }
    result.path = Self.withoutDots(result.path)
    return result
  }

  /// The path with every `.` and `..` followed, as far as there are directories (section 5.2.4).
  private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    var kept: [ArraySlice<UInt8>] = []
    let parts = path.split(separator: slash, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let goesUp = part.elementsEqual("..".utf8)
      if goesUp, let parent = kept.last, !parent.elementsEqual("..".utf8) {
        // The empty part before the first slash stays.
        if kept.count > 1 || path.first != slash { kept.removeLast() }
      } else if !part.elementsEqual(".".utf8) {
        kept.append(part)
        continue
      }
      if index == parts.count - 1 { kept.append([]) }
    }
    return Array(kept.joined(separator: [slash]))
  }

  /// The text without a fragment, in ASCII.
  var resource: String {
    Self.escaped(scheme + authority + path + query, keeping: ":/?#[]@!$&'()*+,;=%")
  }

  /// Bytes with every one as `%20` and the like that is no letter or digit of ASCII and has another
  /// meaning in a URI, but those that are kept (RFC 3986, section 2.3).
  static func escaped(_ bytes: [UInt8], keeping kept: StaticString) -> String {
    let kept = Array("-._~\(kept)".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(byte)
      case _ where kept.contains(byte): text.append(byte)
      case _: text += "%\(hexadecimal([byte]).uppercased())".utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The fragment with every escape such as `%20` replaced; `nil` if that is no UTF-8.
  var decodedFragment: String? {
    percentDecoded(fragment ?? "").flatMap { String(validating: $0, as: UTF8.self) }
  }
}
