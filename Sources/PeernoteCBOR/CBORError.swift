/// Why the bytes at a place are not what a reader may accept there.
package struct CBORError: Error, Hashable, Sendable {
  /// The place, as an absolute byte offset into the array that was read: the first byte of the item
  /// at fault, but for text that is not UTF-8 the first that does not belong to a well-formed
  /// sequence.
  package var offset: Int
  /// A clause for people, to stand after the name of a file and a place.
  package var reason: String
  /// Of a string that is longer than what is left after its head, how many bytes are left.
  package var left: Int?

  package init(_ reason: String, at offset: Int, left: Int? = nil) {
    (self.offset, self.reason, self.left) = (offset, reason, left)
  }
}

extension CBORError: CustomStringConvertible {
  package var description: String { "byte \(offset): \(reason)" }
}
