/// The headers of rows in the operations column that are not text edits; see peernote(5).
enum RowHeader {
  /// The code of a row that names the container that the rows after it work on.
  static let target = 0

  /// The header of a row with a code.
  @inline(__always)
  static func header(code: Int) -> UInt64 { UInt64(code << 2 | 3) }

  /// The code in a header; `nil` in that of a text edit.
  @inline(__always)
  static func code(in header: Int) -> Int? { header & 3 == 3 ? header >> 2 : nil }
}

extension Operation.Kind {
  /// How many kinds of operations come first that edit texts and whose rows have no code.
  private static let textKinds = 3

  /// The code of the rows of operations of this kind; `nil` for text edits (``TextRow``).
  ///
  /// After a header come, as far as there are any, the length less 1, the key, the element, and the
  /// slots on both sides.
  var rowCode: Int? { editsText ? nil : Int(rawValue) + 1 - Self.textKinds }

  /// The kind of operations whose rows have a code; `nil` if there is none.
  @inline(__always)
  init?(rowCode: Int) {
    guard rowCode > 0, let number = UInt8(exactly: rowCode - 1 + Self.textKinds) else { return nil }
    self.init(rawValue: number)
  }
}
