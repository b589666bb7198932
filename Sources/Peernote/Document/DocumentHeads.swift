/// A file's identity and heads, read without its content and its history.
///
/// They are enough to tell whether another document holds everything that the file does: a document
/// that holds a change holds all that came before it.
package struct DocumentHeads: Sendable {
  /// The document's identity.
  package let id: UniqueID
  /// The changes that no other change follows, ascending.
  package let heads: [ChangeID]

  /// Whether a file is sound, and of a format that is newer than this program.
  ///
  /// O(n).
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

  /// What every document begins with.
  package static var firstBytes: [UInt8] { Format.magic }

  /// Reads the envelope of a file.
  ///
  /// O(n) for n bytes, which are hashed and not looked at further. Throws the first fault with its
  /// place.
  package init(bytes: [UInt8]) throws(DocumentError) {
    let envelope = try Envelope(bytes)
    id = envelope.id
    heads = try envelope.readHeads()
  }
}
