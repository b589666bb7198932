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
  /// Operations of all document chunks, those counted again that several of them have.
  var rows: Int
  /// Bytes that all compressed columns and changes together inflate to; so many may each change
  /// have that a document chunk is taken apart into.
  package var inflatedBytes: Int
  /// Bytes of all changes together that document chunks are taken apart into.
  package var rebuiltBytes: Int
  /// Maps, lists and texts inside each other.
  package static let depth = 512

  /// Columns of a chunk.
  static let columns = 1024

  /// The highest number of an operation: 2,147,483,647.
  static let counter = Int64(Int32.max)

  /// The most operations that any file may have: 8,388,608.
  package static let operations = 1 << 23

  /// The limits for files that have this many bytes together.
  package init(fileSize: Int) {
    let size = min(fileSize, 1 << 31)
    rows = (1 << 18) + 16 * size
    operations = min(Self.operations, rows)
    inflatedBytes = min(1 << 28, (1 << 20) + 256 * size)
    rebuiltBytes = min(Int(Int32.max), (1 << 24) + 2048 * size)
  }
}

/// What the chunks of all files took so far of what ``AutomergeLimits`` gives them together.
struct AutomergeUse {
  let limits: AutomergeLimits
  private var actors = 0
  private var rows = 0
  private var inflatedBytes = 0
  private var rebuiltBytes = 0

  init(_ limits: AutomergeLimits) { self.limits = limits }

  /// Inflates a range of bytes.
  ///
  /// - Throws: ``AutomergeError``: damaged, or a limit if more come out than are left.
  mutating func inflated(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(AutomergeError) -> [UInt8] {
    let limit = limits.inflatedBytes
    guard let result = try Inflation.inflated(bytes, range, limit: limit - inflatedBytes) else {
      throw AutomergeError(.limit, at: range.lowerBound, "inflates to more than \(limit) bytes")
    }
    inflatedBytes += result.count
    return result
  }

  /// Counts the actors that a chunk names.
  mutating func count(actors count: Int) throws(AutomergeError) {
    actors += count
    guard actors <= limits.operations else {
      throw AutomergeError(.limit, "more than \(limits.operations) names of actors")
    }
  }

  /// Counts the operations of a document chunk.
  mutating func count(rows count: Int) throws(AutomergeError) {
    rows += count
    guard rows <= limits.rows else {
      throw AutomergeError(.limit, "more than \(limits.rows) operations in all chunks")
    }
  }

  /// Counts the bytes of a change that is to be rebuilt, or more of it.
  mutating func count(rebuiltBytes count: Int) throws(AutomergeError) {
    rebuiltBytes += count
    guard count <= limits.inflatedBytes else {
      throw AutomergeError(.limit, "a change of more than \(limits.inflatedBytes) bytes")
    }
    guard rebuiltBytes <= limits.rebuiltBytes else {
      throw AutomergeError(.limit, "changes of more than \(limits.rebuiltBytes) bytes")
    }
  }
}
