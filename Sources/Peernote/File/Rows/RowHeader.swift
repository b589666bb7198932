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
  /// The code of the rows of operations of this kind; `nil` for text edits (``TextRow``).
  ///
  /// After a header come, as far as there are any, the length less 1, the key, the element, and the
  /// slots on both sides.
  var rowCode: Int? {
    switch self {
    case .insertText, .deleteForward, .deleteBackward: nil
    case .put: 1
    case .remove: 2
    case .insertElements: 3
    case .putElement: 4
    case .moveElement: 5
    case .removeElement: 6
    case .add: 7
    case .discard: 8
    case .increment: 9
    }
  }

  /// The kind of operations whose rows have a code; `nil` if there is none.
  @inline(__always)
  init?(rowCode: Int) {
    guard Self.byRowCode.indices.contains(rowCode), let kind = Self.byRowCode[rowCode] else {
      return nil
    }
    self = kind
  }

  /// By code, so that a row is read without a search.
  private static let byRowCode: [Operation.Kind?] = {
    let codes = 0...(allCases.compactMap(\.rowCode).max() ?? 0)
    return codes.map { code in allCases.first { $0.rowCode == code } }
  }()
}
