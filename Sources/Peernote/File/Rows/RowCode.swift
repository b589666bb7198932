/// The kinds of rows in the operations column that are not text edits.
enum RowCode: Int, CaseIterable {
  /// Names the container that the rows after it work on.
  case target
  case put, remove, insertElements, putElement, moveElement, removeElement, add, discard, increment

  /// The code in the header of a row; `nil` for the header of a text edit.
  @inline(__always)
  static func number(inHeader header: Int) -> Int? { header & 3 == 3 ? header >> 2 : nil }

  /// The header of a row of this kind.
  var header: UInt64 { UInt64(rawValue << 2 | 3) }

  /// How many integers follow the header.
  var integerCount: Int {
    switch self {
    case .target, .put, .remove, .putElement, .removeElement: 1
    case .insertElements, .moveElement: 3
    case .add, .discard, .increment: 0
    }
  }

  /// The code of operations of a kind; `nil` for text edits.
  init?(_ kind: Operation.Kind) {
    switch kind {
    case .insertText, .deleteForward, .deleteBackward: return nil
    case .put: self = .put
    case .remove: self = .remove
    case .insertElements: self = .insertElements
    case .putElement: self = .putElement
    case .moveElement: self = .moveElement
    case .removeElement: self = .removeElement
    case .add: self = .add
    case .discard: self = .discard
    case .increment: self = .increment
    }
  }
}
