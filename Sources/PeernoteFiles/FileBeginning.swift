import Peernote

/// What a file has to start with to be of use.
package struct FileBeginning: Sendable, ExpressibleByArrayLiteral {
  /// Whether any file is of use.
  package let isAny: Bool
  /// Whether bytes may be the first of a file of use.
  package let fits: @Sendable ([UInt8]) -> Bool

  /// Whatever a closure says of the first bytes, however many there are.
  package init(fits: @escaping @Sendable ([UInt8]) -> Bool) {
    (isAny, self.fits) = (false, fits)
  }

  /// These bytes; any file for none.
  package init(arrayLiteral bytes: UInt8...) { self.init(bytes) }

  private init(_ bytes: [UInt8]) {
    isAny = bytes.isEmpty
    fits = { start in zip(start, bytes).allSatisfy { $0 == $1 } }
  }

  /// Any file.
  package static let any: FileBeginning = []

  /// That of a document.
  package static let document = FileBeginning(DocumentHeads.firstBytes)
}
