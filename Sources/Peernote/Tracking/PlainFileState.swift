import PeernoteCBOR

/// What a machine keeps of a tracked plain file for the next time.
///
/// The copy of the history is the machine's own: the one beside the file may go back in time when
/// another program delivers an older state of it.
public struct PlainFileState: Sendable {
  /// The history as this machine last had it.
  public var history: PlainHistory
  /// What the file showed; `nil` if that is not known.
  public var memory: PlainMemory?

  /// Counted up whenever the bytes get another meaning.
  private static let form: UInt64 = 1

  /// A state.
  public init(history: PlainHistory, memory: PlainMemory?) {
    self.history = history
    self.memory = memory
  }

  /// The state as bytes to keep, sealed with a SHA-256 like a document.
  ///
  /// O(n log n).
  public func encoded() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(3)
    writer.unsigned(Self.form)
    writer.bytes(history.document.encoded())
    if let memory {
      writer.arrayHeader(5)
      writer.changes(memory.shown)
      writer.text(memory.text)
      writer.integer(memory.modified.milliseconds)
      writer.integer(memory.since.milliseconds)
      writer.changes(memory.floor)
    } else {
      writer.null()
    }
    return Envelope.sealed(writer.bytes)
  }

  /// Reads what ``encoded()`` wrote; `nil` if the bytes are damaged, or another version's.
  ///
  /// O(n log n).
  public init?(encoded bytes: [UInt8]) {
    guard let content = Envelope.unsealed(bytes) else { return nil }
    var reader = CBORReader(bytes, range: content)
    do {
      try reader.readArrayHeader(count: 3)
      guard try reader.readUnsigned() == Self.form else { return nil }
      let history = try reader.readBytes()
      guard let history = PlainHistory(document: try Document(bytes: Array(bytes[history]))) else {
        return nil
      }
      self.history = history
      if try reader.peekKind() == .null { return }
      try reader.readArrayHeader(count: 5)
      let shown = try reader.readChanges()
      let text = try reader.readString()
      let modified = Timestamp(milliseconds: try reader.readInteger())
      let since = Timestamp(milliseconds: try reader.readInteger())
      memory = PlainMemory(
        shown: shown, text: text, modified: modified, since: since,
        floor: try reader.readChanges())
    } catch {
      return nil
    }
  }
}
