import PeernoteEngine

/// The name of a file below a folder: bytes without a NUL, components between slashes.
///
/// Names of files are in no particular encoding.
package struct RelativePath: Hashable, Sendable {
  /// The bytes, neither beginning nor ending with a slash.
  package var bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Names the file with the UTF-8 bytes of `text`.
  package init(_ text: String) {
    self.init(bytes: text.utf8)
  }

  /// What follows the last slash; the whole name if there is none.
  package var lastComponent: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// What precedes the last slash; `nil` for a file that is in the folder itself.
  package var directory: RelativePath? {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { RelativePath(bytes: bytes[..<$0]) }
  }

  /// The file of another name in the same directory.
  package func sibling(_ name: some Sequence<UInt8>) -> RelativePath {
    RelativePath(bytes: bytes.dropLast(lastComponent.count) + name)
  }
}

extension RelativePath {
  package static func == (left: RelativePath, right: RelativePath) -> Bool {
    left.bytes.span.isSame(as: right.bytes.span)
  }

  /// Feeds the bytes into a hasher, eight at a time.
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes.span) }
}

extension RelativePath: Comparable, CustomStringConvertible {
  package static func < (left: RelativePath, right: RelativePath) -> Bool {
    left.bytes.span.precedes(right.bytes.span)
  }

  /// The name as text, with U+FFFD for what is none.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
