import Peernote

/// What tells one state of a file from another without reading it.
package struct FileIdentity: Hashable, Sendable {
  /// What kind of entry the name leads to.
  package enum Kind: Hashable, Sendable {
    case regular
    case directory
    case symbolicLink
    case other
  }

  package var kind: Kind
  /// The file system.
  package var device: UInt64
  /// The file's number in its file system.
  package var inode: UInt64
  /// Bytes.
  package var size: Int64
  /// When the content last changed, in nanoseconds since the epoch.
  package var modified: Int64
  /// When content or attributes last changed, in nanoseconds since the epoch.
  package var changed: Int64
  /// The permission bits, without the file's type: at most `0o7777`.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// How many names (hard links) the file has.
  package var linkCount: Int

  package init(
    kind: Kind, device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64,
    mode: UInt32, owner: UInt32, group: UInt32, linkCount: Int
  ) {
    (self.kind, self.device, self.inode, self.size) = (kind, device, inode, size)
    (self.modified, self.changed, self.mode) = (modified, changed, mode)
    (self.owner, self.group, self.linkCount) = (owner, group, linkCount)
  }

  /// Whether both are the same file with the same content, whatever it is called.
  package func isSameState(as other: FileIdentity) -> Bool {
    isSameFile(as: other) && kind == other.kind && size == other.size && modified == other.modified
  }

  /// Whether both are the same file, whatever it holds.
  package func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// A file as it was read: its bytes and the state they belong to.
package struct FileContents: Sendable {
  package var bytes: [UInt8]
  package var identity: FileIdentity

  package init(bytes: [UInt8], identity: FileIdentity) {
    (self.bytes, self.identity) = (bytes, identity)
  }
}

/// What could be read of a file.
package struct PartialContents: Hashable, Sendable {
  /// The file's bytes; zeros stand for those that could not be read.
  package private(set) var bytes: [UInt8]
  /// Where these zeros are, ascending, with something between.
  package private(set) var unreadable: [Range<Int>] = []

  /// Bytes that could all be read.
  package init(bytes: [UInt8] = []) { self.bytes = bytes }

  /// Appends the bytes that follow.
  package mutating func append(_ piece: [UInt8]) { bytes += piece }

  /// Notes that so many bytes that follow cannot be read.
  package mutating func skip(_ count: Int) {
    let hole = bytes.count..<bytes.count + count
    bytes.append(contentsOf: repeatElement(0, count: count))
    unreadable.appendAscending(hole)
  }
}
