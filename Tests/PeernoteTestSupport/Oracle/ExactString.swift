/// A string that compares by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, which would make one key of two.
package struct ExactString: Hashable, Sendable {
  /// The bytes.
  package let utf8: [UInt8]

  package init(_ string: String) {
    utf8 = Array(string.utf8)
  }

  /// The string.
  package var string: String { String(decoding: utf8, as: UTF8.self) }
}

extension ExactString: Comparable {
  /// Orders by bytes.
  package static func < (left: ExactString, right: ExactString) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension ExactString: CustomStringConvertible {
  /// The string in quotation marks, with everything that is not plain ASCII escaped.
  package var description: String { quoted(string) }
}

/// A string as a Swift literal in ASCII, so that different scalars look different.
package func quoted(_ string: String) -> String {
  "\"" + string.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
}
