/// A file that holds an Automerge document: chunks as they are, or in the envelope of MeetingNotes.
package struct AutomergeFile: Sendable {
  /// The envelope; `nil` around bare chunks.
  package let envelope: MeetingNotesEnvelope?
  /// The chunks.
  package let source: AutomergeHistory.Source

  /// Whether bytes begin as such a file does, damaged or not.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Chunk.magic) || MeetingNotesEnvelope.begins(bytes)
  }

  /// Takes bytes for a file; its chunks are not looked at.
  ///
  /// - Throws: ``AutomergeError`` with the place of the first fault in the envelope.
  package init(_ bytes: [UInt8]) throws(AutomergeError) {
    if bytes.starts(with: Chunk.magic) {
      envelope = nil
      source = AutomergeHistory.Source(bytes, bytes.indices)
    } else {
      let envelope = try MeetingNotesEnvelope(bytes)
      self.envelope = envelope
      source = envelope.data
    }
  }
}
