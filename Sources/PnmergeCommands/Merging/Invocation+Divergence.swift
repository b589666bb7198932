import Peernote

extension Invocation {
  /// What two copies did since they parted.
  ///
  /// - Parameters:
  ///   - document: one copy.
  ///   - file: where it comes from, for messages.
  ///   - other: the other one.
  ///   - relation: how the other relates to it.
  /// - Returns: the places; `nil` if they are the same, or no copies of one document.
  /// - Throws: ``Failure`` if the past takes more than the limits.
  func divergence(
    of document: Document, _ file: FileName, from other: Document, _ relation: Relation
  ) throws(Failure) -> Divergence? {
    switch relation {
    case .same, .unrelated, .differentDocument: return nil
    case .behind, .ahead, .diverged: break
    }
    return try file.parsing(document.divergence(from: other))
  }
}
