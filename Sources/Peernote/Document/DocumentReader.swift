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
