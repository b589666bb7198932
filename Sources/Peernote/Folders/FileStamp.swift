/// What tells one state of a file from another without opening it.
package struct FileStamp: Hashable, Sendable {
  /// Bytes.
  package var size: Int64
  /// When the content last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When content or attributes last changed, in nanoseconds since 1970; the same as `modified`
  /// where the file system does not know.
  package var changed: Int64
  /// The file's number in its file system; 0 where it has none.
  package var number: UInt64

  /// A stamp.
  package init(size: Int64, modified: Int64, changed: Int64, number: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.number = number
  }

  /// Whether a file that had this stamp when it was read at a time may have it again with other
  /// content: the clocks of file systems stand still between two ticks.
  ///
  /// A tick is taken for 20 ms, and for 2 s where the times are whole seconds, as on FAT.
  package func isTooFresh(readAt time: Timestamp) -> Bool {
    let isCoarse = modified % 1_000_000_000 == 0
    let tick: Int64 = isCoarse ? 2000 : 20
    // A time in the future tells nothing.
    return time.milliseconds - max(modified, changed) / 1_000_000 < tick
  }
}
