/// Why bytes or changes are not a usable document, or one thing in a file that is not as it should
/// be.
public struct DocumentError: Error, Hashable, Sendable {
  /// What a program has to do about it.
  public enum Kind: Hashable, Sendable {
    /// The bytes are no sound document.
    case damaged
    /// The document needs a newer version of this library.
    case newerFormat
    /// The document is larger or deeper than this version allows.
    case limit
    /// The document lacks a change of the version that was asked for: another copy may have it.
    case noSuchVersion
  }

  /// The part of a file where a fault lies; documents of other formats have other parts.
  package struct Section: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The name, such as `view`.
    package let rawValue: String

    package init(stringLiteral name: String) { rawValue = name }

    /// What all else stands in.
    package static let envelope: Section = "envelope"
    /// The changes that no other change follows.
    package static let heads: Section = "heads"
    /// The content.
    package static let view: Section = "view"
    /// The history.
    package static let log: Section = "log"
    /// What contested texts show.
    package static let passages: Section = "passages"
    /// What tells whether anything was changed.
    package static let checksum: Section = "checksum"
    /// No part of a file: changes that are sent by themselves.
    package static let delta: Section = "delta"
  }

  /// What a program has to do about it.
  public var kind: Kind
  /// The part of the file.
  package var section: Section?
  /// The byte of the file where the item or row concerned begins, where it has a place.
  package var offset: Int?
  /// The change concerned, where one is known.
  package var change: ChangeID?
  /// A clause for people, such as "the heads are not those of the log".
  public var reason: String

  package init(
    _ reason: String, kind: Kind = .damaged, in section: Section? = nil, at offset: Int? = nil,
    change: ChangeID? = nil
  ) {
    self.kind = kind
    self.section = section
    self.offset = offset
    self.change = change
    self.reason = reason
  }
}

extension DocumentError: CustomStringConvertible {
  /// The place and the reason, as in `byte 4711: log: change 5f0c….12: an unknown key`.
  public var description: String {
    [
      offset.map { "byte \($0)" }, section?.rawValue, change.map { "change \($0)" }, reason,
    ].compactMap(\.self).joined(separator: ": ")
  }
}
