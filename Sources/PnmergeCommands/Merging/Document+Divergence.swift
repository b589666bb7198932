import Peernote
import PeernoteFiles

extension Document {
  /// What all copies bring that the document in `file` lacks, beside what it has that they lack;
  /// `nil` if that is nothing, or they cannot be merged, which a merge tells.
  ///
  /// One walk over the whole history of each copy but the first, and another one of the document.
  func divergence(
    fromCopies copies: some Collection<Document>, in file: FileName
  ) throws(Failure) -> Divergence? {
    guard var theirs = copies.first else { return nil }
    do throws(MergeError) {
      switch try relation(to: theirs) {
      case .same where copies.count == 1, .unrelated, .differentDocument: return nil
      case .same, .behind, .ahead, .diverged: break
      }
      try theirs.merge(Array(copies.dropFirst()))
    } catch {
      return nil
    }
    return try file.parsing(divergence(from: theirs))
  }
}
