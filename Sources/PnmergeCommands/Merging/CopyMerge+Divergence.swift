import Peernote

extension CopyMerge {
  /// What all copies bring that a document lacks, beside what it has that they lack.
  ///
  /// One walk over the whole history of each copy but the first, and another one of the document.
  ///
  /// - Parameters:
  ///   - document: the first copy.
  ///   - copies: the others.
  /// - Returns: the places; `nil` if the copies cannot be merged, which the merge tells.
  /// - Throws: ``Failure`` if the past takes more than the limits.
  func divergence(
    of document: Document, from copies: [(file: FileName, document: Document)]
  ) throws(Failure) -> Divergence? {
    guard var theirs = copies.first?.document else { return nil }
    do throws(MergeError) {
      switch try document.relation(to: theirs) {
      case .same where copies.count == 1, .unrelated, .differentDocument: return nil
      case .same, .behind, .ahead, .diverged: break
      }
      try theirs.merge(copies.dropFirst().map(\.document))
    } catch {
      return nil
    }
    return try base.parsing(document.divergence(from: theirs))
  }
}
