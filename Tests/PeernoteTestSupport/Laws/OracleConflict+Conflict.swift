package import Peernote

extension OracleConflict {
  /// An open conflict of the library in the oracle's terms.
  ///
  /// Throws for lines that adjoin, which are never open, and for passages, of which the oracle knows
  /// nothing.
  package init(_ conflict: Conflict) throws(Fault) {
    let kind: Kind
    switch conflict.kind {
    case .register: kind = .register
    case .deleteEdit: kind = .deleteEdit
    case .adjacent: throw Fault("what was combined is not open: \(conflict)")
    case .sameContent: kind = .sameContent
    case .sameIdentity, .movedApart: throw Fault("random histories have no identities: \(conflict)")
    case .passage: throw Fault("the oracle knows no passages: \(conflict)")
    }
    self.init(path: conflict.path.tokens.map { ExactString($0) }, kind: kind)
  }
}
