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

/// A document that no damage is found in, and what of it could not be checked.
struct CheckedDocument {
  let document: Document
  /// Which limits stand in the way of replaying all of its history; empty if it was replayed.
  var unchecked: [DocumentError] = []

  /// This document with all that another one holds; throws if the two cannot be merged, or what
  /// comes of it is not sound.
  func union(
    with other: CheckedDocument, limits: Limits
  ) throws(MergeError) -> CheckedDocument {
    var union = document
    let report = try union.merge(other.document)
    // The same changes, but one of the two may have redacted text, or hold further sections.
    let isSame =
      union.log.deletedText == document.log.deletedText
      && union.file.unknownSections == document.file.unknownSections
    if report.result == .identical, isSame { return self }
    // A merge replays what is new to it, and no more.
    switch FileState(union.bytes(), limits: limits) {
    case .whole(let unchecked): return CheckedDocument(document: union, unchecked: unchecked)
    case .damaged(let findings):
      var error = findings[0]
      (error.kind, error.offset) = (.damaged, nil)
      throw .damaged(error)
    }
  }
}

/// What a check tells of a file.
enum FileState {
  /// Nothing is wrong as far as it could be checked; with the limits that stand in the way of
  /// replaying all of its history, so that it can be read, edited and merged all the same.
  case whole(unchecked: [DocumentError])
  case damaged([DocumentError])

  /// Checks a file.
  ///
  /// As ``Document/validate(bytes:quick:)``.
  init(_ bytes: [UInt8], limits: Limits) {
    let findings = FileCheck(bytes, limits: limits).faults
    let isWhole =
      findings.isEmpty
      || findings.allSatisfy { $0.kind == .limit }
        && (try? DocumentFile(bytes, limits: limits)) != nil
    self = isWhole ? .whole(unchecked: findings) : .damaged(findings)
  }
}
