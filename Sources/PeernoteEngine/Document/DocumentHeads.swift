/// What tells a state of a document from every other one, and whether another document holds all
/// that this one does: whoever holds a change holds all that came before it.
package struct DocumentHeads: Hashable, Sendable {
  package let id: UniqueID
  /// The changes that no other change follows, ascending.
  package let heads: [ChangeID]

  /// Whether a file is sound, and of a format that is newer than this program; O(n).
  package static func isOfNewerFormat(_ bytes: [UInt8]) -> Bool {
    guard Envelope.unsealed(bytes) != nil else { return false }
    do throws(DocumentError) {
      _ = try DocumentHeads(bytes: bytes)
      return false
    } catch {
      return error.kind == .newerFormat
    }
  }

  /// Whether bytes begin as every document does, damaged or not.
  package static func isDocument(_ bytes: [UInt8]) -> Bool { bytes.starts(with: firstBytes) }

  package static var firstBytes: [UInt8] { Format.magic }

  package init(of document: Document) {
    (id, heads) = (document.id, document.heads)
  }

  package init(id: UniqueID, heads: [ChangeID]) {
    (self.id, self.heads) = (id, heads)
  }

  /// Reads the envelope of a file, without its content and its history, which are only hashed;
  /// throws the first fault with its place; O(n).
  package init(bytes: [UInt8]) throws(DocumentError) {
    let envelope = try Envelope(bytes)
    id = envelope.id
    heads = try envelope.readHeads()
  }
}

/// Reads a document's current content without its history.
public struct DocumentReader: Sendable {
  /// The document's identity.
  public let id: UniqueID
  /// The changes that no other change follows, ascending.
  public let heads: [ChangeID]
  /// The current content: a map.
  public let root: DocumentNode

  /// Reads the envelope and the view of a file.
  ///
  /// O(n) for n bytes, of which the log's are only hashed.
  ///
  /// - Throws: ``DocumentError`` with the place of the first fault.
  public init(bytes: [UInt8]) throws(DocumentError) {
    let envelope = try Envelope(bytes)
    id = envelope.id
    heads = try envelope.readHeads()
    root = try ViewTree.read(envelope)
  }
}
