import Peernote

extension SmallHistories {
  /// The first history in which a check finds a fault; `nil` if there is none.
  package func firstFault(_ check: (Oracle) throws -> Void) -> String? {
    var fault: String?
    forEach { oracle in
      guard fault == nil else { return }
      do {
        try check(oracle)
      } catch {
        fault = "\(error)\n\(tell(oracle.changes))"
      }
    }
    return fault
  }

  /// Checks that the document and merges of a history do not differ from the oracle.
  ///
  /// The document is made of all changes at one go, and again by merging what the history's last
  /// change had seen with what everyone else knew.
  package static func checkDocument(_ oracle: Oracle) throws {
    let id = UniqueID(high: 1, low: 2)
    let wanted = oracle.view.root
    let whole = try Document(id: id, changes: oracle.changes)
    try expectEqual(OracleNode(whole.rawRoot), wanted, "content")
    let last = oracle.changes.count - 1
    var others = oracle.pasts[0]
    for change in 0..<last { others.formUnion(oracle.pasts[change]) }
    let parts = try [oracle.pasts[last], others].map { version in
      try Document(id: id, changes: version.changes.map { oracle.changes[$0] })
    }
    for both in [try merged(parts[0], parts[1]), try merged(parts[1], parts[0])] {
      try expectEqual(OracleNode(both.rawRoot), wanted, "content after merging")
      try expectSameBytes(both.bytes(), whole.bytes(), "files")
    }
  }
}
