/// What is known of a copy while it is repaired.
enum CopyContent {
  /// Bytes that are not damaged, and what of them could not be checked.
  case whole([UInt8], unchecked: [DocumentError])
  case damaged([UInt8])
  case salvaged(SalvagedCopy)
  /// Of no use.
  case none

  var isWhole: Bool {
    if case .whole = self { true } else { false }
  }

  var salvaged: SalvagedCopy? {
    if case .salvaged(let copy) = self { copy } else { nil }
  }

  /// Whether changes could be read.
  var isReadable: Bool { isWhole || salvaged.map { !$0.changes.isEmpty } ?? false }

  /// What stands in the file, as long as nothing else is known of it.
  var bytes: [UInt8] {
    switch self {
    case .whole(let bytes, _), .damaged(let bytes): bytes
    case .salvaged, .none: []
    }
  }

  /// Which come first: what one can rely on most.
  var rank: Int {
    switch self {
    case .whole(_, let unchecked): unchecked.isEmpty ? 0 : 2
    case .damaged, .salvaged, .none: 1
    }
  }
}
