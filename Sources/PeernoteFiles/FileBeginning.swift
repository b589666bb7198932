import Peernote

/// What a file has to start with to be of use.
package struct FileBeginning: Sendable {
  /// Whether any file is of use.
  package let isAny: Bool
  /// Whether bytes may be the first of a file of use.
  package let fits: @Sendable ([UInt8]) -> Bool

  /// Whatever a closure says of the first bytes, however many there are.
  package init(isAny: Bool = false, fits: @escaping @Sendable ([UInt8]) -> Bool) {
    (self.isAny, self.fits) = (isAny, fits)
  }

  /// Any file.
  package static let any = FileBeginning(isAny: true) { _ in true }

  /// That of a document.
  package static let document = FileBeginning { start in
    zip(start, DocumentHeads.firstBytes).allSatisfy { $0 == $1 }
  }
}
