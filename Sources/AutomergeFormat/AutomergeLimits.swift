/// What a document may take, checked before anything is allocated for it.
///
/// A run of a few bytes can claim any number of rows, and compressed bytes a thousand times their
/// number. So each bound grows with the bytes at hand, and ends at a fixed number.
package struct AutomergeLimits: Sendable {
  /// Operations of all files, deletions counted; the same for references from one to another.
  ///
  /// A file of a text that was typed has two for each of its bytes; an operation takes up to 160
  /// bytes of memory.
  package var operations: Int
  /// Bytes that the compressed columns of a chunk, or all compressed changes, inflate to.
  package var inflatedBytes: Int
  /// Bytes of all changes that a document chunk is taken apart into.
  package var rebuiltBytes: Int
  /// Maps, lists and texts inside each other.
  package static let depth = 512

  /// The highest number of an operation: 2,147,483,647.
  static let counter = Int64(Int32.max)

  /// The most operations that any file may have: 8,388,608.
  package static let operations = 1 << 23

  /// The limits for files that have this many bytes together.
  package init(fileSize: Int) {
    let size = min(fileSize, 1 << 31)
    operations = min(Self.operations, (1 << 18) + 16 * size)
    inflatedBytes = min(1 << 28, (1 << 20) + 256 * size)
    rebuiltBytes = min(Int(Int32.max), (1 << 24) + 2048 * size)
  }
}
