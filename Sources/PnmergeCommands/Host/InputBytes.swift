/// The bytes of a file, a stream or a program's output, of which only the end tells the length.
package struct InputBytes: Sendable {
  /// What has been read.
  package private(set) var bytes: [UInt8] = []
  private let expected: Int
  private let limit: Int
  private let beginning: [UInt8]

  /// How many bytes are asked for at once at least.
  private static let pieceSize = 1 << 16

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - expected: how many bytes there probably are.
  ///   - limit: how many there may be.
  ///   - beginning: what they have to start with to be of use.
  /// - Throws: `tooLarge` if that is too many to begin with.
  package init(expected: Int = 0, limit: Int, beginning: [UInt8] = []) throws(HostError) {
    self.expected = expected
    self.limit = limit
    self.beginning = beginning
    try check(expected)
  }

  /// How many bytes to ask for next: one more than expected, so that one call meets the end.
  package var room: Int { max(expected + 1 - bytes.count, Self.pieceSize) }

  /// Whether what has been read may be the start of something of use.
  package var isPromising: Bool {
    zip(bytes, beginning).allSatisfy { $0 == $1 }
  }

  /// Adds what was read.
  ///
  /// - Throws: `tooLarge` if that is more than there may be.
  package mutating func append(_ piece: [UInt8]) throws(HostError) {
    if bytes.isEmpty { bytes = piece } else { bytes += piece }
    try check(bytes.count)
  }

  private func check(_ count: Int) throws(HostError) {
    guard count <= limit else { throw HostError(.tooLarge, "file too large") }
  }
}
