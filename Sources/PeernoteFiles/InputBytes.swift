import Peernote

/// The bytes of a file, a stream or a program's output, of which only the end tells the length.
package struct InputBytes: Sendable {
  /// What has been read.
  package private(set) var bytes: [UInt8] = []
  private let expected: Int
  private let limit: Int
  private let hasLength: Bool
  private let beginning: FileBeginning

  /// The most bytes read from a pipe or a device, unless they begin as something of use does: such
  /// a source need not have an end.
  package static let endlessLimit = 1 << 26

  /// How many bytes are asked for at once at least.
  private static let pieceSize = 1 << 16

  /// Nothing yet, of the bytes that are expected; throws `tooLarge` if these are too many to begin
  /// with.
  ///
  /// If it `hasLength`, they are those of a regular file, or of a program that ends; else there may
  /// be no more than ``endlessLimit`` of them, unless `beginning`, with which they have to start,
  /// says that they are of use.
  package init(
    expected: Int = 0, limit: Int, hasLength: Bool = true, beginning: FileBeginning = .any
  ) throws(HostError) {
    self.expected = expected
    self.hasLength = hasLength || !beginning.isAny
    self.limit = self.hasLength ? limit : min(limit, Self.endlessLimit)
    self.beginning = beginning
    try check(expected)
  }

  /// How many bytes to ask for next: one more than expected, so that one call meets the end.
  package var room: Int { max(expected + 1 - bytes.count, Self.pieceSize) }

  /// Whether what has been read may be the start of something of use.
  package var isPromising: Bool { beginning.fits(bytes) }

  /// Adds what was read; throws `tooLarge` if that is more than there may be.
  package mutating func append(_ piece: [UInt8]) throws(HostError) {
    if bytes.isEmpty { bytes = piece } else { bytes += piece }
    try check(bytes.count)
  }

  private func check(_ count: Int) throws(HostError) {
    if count <= limit { return }
    throw HostError(
      .tooLarge,
      hasLength
        ? "file too large"
        : "more than \(limit >> 20) MiB come from a pipe or device; write them to a file first")
  }
}

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
