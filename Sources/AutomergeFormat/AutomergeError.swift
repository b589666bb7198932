internal import CLibZ

/// Why bytes are not a document that this version can read.
package struct AutomergeError: Error, Hashable, Sendable {
  /// What a program has to do about it.
  package enum Kind: Hashable, Sendable {
    /// The bytes are no sound document.
    case damaged
    /// The document is larger or deeper than this version allows.
    case limit
    /// The document needs a newer version of this library.
    case newerFormat
    /// Two different changes have one actor and sequence number.
    case forked
  }

  package var kind: Kind
  /// The number of the copy that is at fault; `nil` if it takes several to show it.
  package internal(set) var copy: Int?
  /// The offset in the file of what is at fault; `nil` if it has no place of its own.
  package var offset: Int?
  /// A clause for people.
  package var reason: String

  package init(_ kind: Kind = .damaged, at offset: Int? = nil, _ reason: String) {
    self.kind = kind
    self.offset = offset
    self.reason = reason
  }

  /// Damage without a place of its own.
  package init(_ reason: String) { self.init(.damaged, reason) }
}

extension AutomergeError: CustomStringConvertible {
  package var description: String { offset.map { "byte \($0): \(reason)" } ?? reason }
}

/// What a document may take, and what it took so far, checked before anything is allocated for it.
///
/// A run of a few bytes can claim any number of rows, and compressed bytes a thousand times their
/// number. So each bound grows with the bytes at hand, and ends at a fixed number.
package struct AutomergeLimits: Sendable {
  /// Operations of all files, deletions counted, which take up to 160 bytes of memory each; the same
  /// for references from one to another.
  package var operations: Int
  /// Operations of all document chunks, those counted again that several of them have.
  var rows: Int
  /// Bytes that all compressed columns and changes together inflate to; so many may each change
  /// have that a document chunk is taken apart into.
  package var inflatedBytes: Int
  /// Bytes of all changes together that document chunks are taken apart into.
  package var rebuiltBytes: Int
  private var used = (actors: 0, rows: 0, inflatedBytes: 0, rebuiltBytes: 0)

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

  /// Inflates a range of bytes, which are raw DEFLATE (RFC 1951), as columns and changes are
  /// compressed with it; the room grows, so that memory follows what really comes out and not what
  /// the limit would allow.
  mutating func inflated(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(AutomergeError) -> [UInt8] {
    let left = inflatedBytes - used.inflatedBytes
    var capacity = min(left, max(1024, 4 * range.count))
    while true {
      var outcome = 0
      let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
        outcome = unsafe bytes.withUnsafeBufferPointer { all in
          let input = unsafe UnsafeBufferPointer(rebasing: all[range])
          return unsafe pn_inflate_raw(
            input.baseAddress, UInt(input.count), room.baseAddress, UInt(capacity))
        }
        count = max(0, outcome)
      }
      switch outcome {
      case 0...:
        used.inflatedBytes += result.count
        return result
      case -2 where capacity < left:
        capacity = min(left, 4 * capacity)
      case -2:
        throw AutomergeError(
          .limit, at: range.lowerBound, "inflates to more than \(inflatedBytes) bytes")
      case -3:
        throw AutomergeError(.limit, at: range.lowerBound, "needs more memory than there is")
      default:
        throw AutomergeError(at: range.lowerBound, "compressed bytes that cannot be inflated")
      }
    }
  }

  /// Counts the actors that a chunk names.
  mutating func count(actors count: Int) throws(AutomergeError) {
    used.actors += count
    guard used.actors <= operations else {
      throw AutomergeError(.limit, "more than \(operations) names of actors")
    }
  }

  /// Counts the operations of a document chunk.
  mutating func count(rows count: Int) throws(AutomergeError) {
    used.rows += count
    guard used.rows <= rows else {
      throw AutomergeError(.limit, "more than \(rows) operations in all chunks")
    }
  }

  /// Counts the bytes of a change that is to be rebuilt, or more of it.
  mutating func count(rebuiltBytes count: Int) throws(AutomergeError) {
    used.rebuiltBytes += count
    guard count <= inflatedBytes else {
      throw AutomergeError(.limit, "a change of more than \(inflatedBytes) bytes")
    }
    guard used.rebuiltBytes <= rebuiltBytes else {
      throw AutomergeError(.limit, "changes of more than \(rebuiltBytes) bytes")
    }
  }
}
