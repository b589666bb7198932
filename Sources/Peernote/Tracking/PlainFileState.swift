import PeernoteCBOR

/// What a machine keeps of a tracked plain file for the next time.
///
/// The copy of the history is the machine's own: the one beside the file may go back in time when
/// another program delivers an older state of it.
package struct PlainFileState: Sendable {
  /// The history as this machine last had it.
  package var history: PlainHistory
  /// What the file showed; `nil` if that is not known.
  package var memory: PlainMemory?
  /// What left the file without anybody having been asked, the latest last.
  package private(set) var takenOut: [TakenOutLines] = []
  /// Whether another machine records saves, too, so that a file may have come before its history.
  package var isShared: Bool

  /// Counted up whenever the bytes get another meaning.
  private static let form: UInt64 = 3
  /// The form of before, with a memory of more and something else after it.
  private static let earlierForm: UInt64 = 2
  /// The most saves of which is kept what they took out.
  private static let limit = 32

  /// A state.
  package init(history: PlainHistory, memory: PlainMemory?, isShared: Bool = false) {
    (self.history, self.memory, self.isShared) = (history, memory, isShared)
  }

  /// What is known of the file once another history has adopted this one: the file shows what came
  /// in then; `nil` if that is another version than the file showed, or was not adopted.
  package func adopted(by other: PlainHistory) -> PlainFileState? {
    let id = history.document.id
    guard var memory,
      let adopted = other.document.adopted.last(where: {
        $0.document == id && $0.version == memory.shown
      })
    else { return nil }
    memory.shown = [adopted.change]
    return PlainFileState(history: other, memory: memory)
  }

  /// What is known of the file once its history is again what it was before: the file is to follow.
  package func following(_ earlier: PlainHistory) -> PlainFileState {
    var result = self
    result.history = earlier
    result.memory?.shown = earlier.document.heads
    return result
  }

  /// Forgets what the file showed if the history beside it lacks that: another copy of both may have
  /// taken their place.
  package mutating func compare(with beside: PlainHistory) {
    if let memory, !beside.document.has(memory.shown) { self.memory = nil }
  }

  /// Keeps what left the file.
  package mutating func keep(_ lines: TakenOutLines) {
    takenOut.removeAll { $0.heads == lines.heads }
    takenOut = (takenOut + [lines]).suffix(Self.limit)
  }

  /// Forgets what left the file: somebody here has saved it since.
  package mutating func forgetTakenOut() { takenOut = [] }

  /// The lines that left the file and do not stand in it again.
  package var missingLines: [TakenOutLines] {
    let present = history.text.allLineCounts
    return takenOut.compactMap { taken in
      var rest = taken
      rest.lines.removeAll { present[Substring($0)] != nil }
      return rest.lines.isEmpty ? nil : rest
    }
  }

  /// The state as bytes to keep, sealed with a SHA-256 like a document.
  ///
  /// O(n log n).
  package func bytes() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.unsigned(Self.form)
    writer.bytes(history.document.bytes())
    if let memory {
      writer.arrayHeader(2)
      writer.changes(memory.shown)
      writer.text(memory.text)
    } else {
      writer.null()
    }
    writer.bool(isShared)
    writer.arrayHeader(takenOut.count)
    for taken in takenOut {
      writer.arrayHeader(4)
      writer.changes(taken.heads)
      writer.changes(taken.base)
      writer.integer(taken.saved.milliseconds)
      writer.arrayHeader(taken.lines.count)
      for line in taken.lines { writer.text(line) }
    }
    return Envelope.sealed(writer.bytes)
  }

  /// Reads what ``bytes()`` wrote, or the version before this one did; `nil` if the bytes are damaged.
  ///
  /// O(n log n).
  package init?(encoded bytes: [UInt8]) {
    guard let content = Envelope.unsealed(bytes) else { return nil }
    var reader = CBORReader(bytes, range: content)
    do {
      let count = try reader.readArrayHeader()
      let form = try reader.readUnsigned()
      guard (form, count) == (Self.form, 5) || (form, count) == (Self.earlierForm, 4) else {
        return nil
      }
      let history = try reader.readBytes()
      guard let history = PlainHistory(document: try Document(bytes: Array(bytes[history]))) else {
        return nil
      }
      self.history = history
      if try reader.peekKind() == .null {
        try reader.readNull()
      } else {
        _ = try reader.readArrayHeader()
        memory = PlainMemory(shown: try reader.readChanges(), text: try reader.readString())
      }
      if form == Self.earlierForm {
        isShared = true
        return
      }
      isShared = try reader.readBool()
      for _ in 0..<(try reader.readArrayHeader()) {
        try reader.readArrayHeader(count: 4)
        var taken = TakenOutLines(
          heads: try reader.readChanges(), base: try reader.readChanges(),
          saved: Timestamp(milliseconds: try reader.readInteger()), lines: [])
        for _ in 0..<(try reader.readArrayHeader()) { taken.lines.append(try reader.readString()) }
        takenOut.append(taken)
      }
    } catch {
      return nil
    }
  }
}
