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
