import Peernote

extension OracleConflict {
  /// An open conflict of the library in the oracle's terms.
  ///
  /// Throws for lines that adjoin, which are never open, and for passages and moves, of which the oracle
  /// knows nothing.
  fileprivate init(_ conflict: Conflict) throws(Fault) {
    let kind: Kind
    switch conflict.kind {
    case .register: kind = .register
    case .deleteEdit: kind = .deleteEdit
    case .adjacent: throw Fault("what was combined is not open: \(conflict)")
    case .sameContent: kind = .sameContent
    case .sameIdentity: throw Fault("random histories have no identities: \(conflict)")
    case .passage: throw Fault("the oracle knows no passages: \(conflict)")
    case .moved: throw Fault("the oracle knows no moves: \(conflict)")
    }
    self.init(path: conflict.path.tokens.map { ExactString($0) }, kind: kind)
  }
}

extension [Conflict] {
  /// The conflicts that the oracle knows of.
  func inOracleTerms() throws(Fault) -> Set<OracleConflict> {
    var result: Set<OracleConflict> = []
    for conflict in self where conflict.kind != .passage && conflict.kind != .moved {
      result.insert(try OracleConflict(conflict))
    }
    return result
  }

  /// Those of the oracle's conflicts that moves tell: something stays though it was removed, and whoever
  /// removed it moved it elsewhere, or is named with the move.
  func toldByMoves(
    _ known: [OracleConflict.Place: OracleConflict], of oracle: Oracle, at version: OracleVersion
  ) -> Set<OracleConflict> {
    let moves = filter { $0.kind == .moved }
    let told = known.filter { place, conflict in
      conflict.kind == .deleteEdit
        && moves.contains { move in
          let stands = move.sides.contains {
            !$0.isAbsent && $0.path?.tokens.map { ExactString($0) } == conflict.path
          }
          let removers = Set(move.sides.filter { $0.node == nil }.map(\.change))
          return stands && oracle.areRemovals(at: place, in: version, movesOrBy: removers)
        }
    }
    return Set(told.values)
  }
}
