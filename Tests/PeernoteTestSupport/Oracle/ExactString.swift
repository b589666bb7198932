package import Peernote

extension ExactString: Comparable {
  /// Orders by bytes.
  package static func < (left: ExactString, right: ExactString) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
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
