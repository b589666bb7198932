import PeernoteEngine

/// What is known of a copy while it is repaired.
enum CopyContent {
  /// Bytes that are not damaged, and what of them could not be checked.
  case whole([UInt8], unchecked: [DocumentError])
  case damaged([UInt8])
  case salvaged(SalvagedFile)
  /// It is left out; with what can be read of it if nobody knows what it is a copy of.
  case none(SalvagedFile?)

  var isWhole: Bool {
    if case .whole = self { true } else { false }
  }

  var salvaged: SalvagedFile? {
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
    if case .whole(_, let unchecked) = self { unchecked.isEmpty ? 0 : 2 } else { 1 }
  }
}

/// A document that no damage is found in, and what of it could not be checked.
struct CheckedDocument {
  let document: Document
  /// Which limits stand in the way of replaying all of its history; empty if it was replayed.
  var unchecked: [DocumentError] = []
}
