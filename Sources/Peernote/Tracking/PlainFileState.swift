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
  /// What had to be guessed of saves, the latest last.
  public private(set) var guesses: [PlainGuess] = []

  /// Counted up whenever the bytes get another meaning.
  private static let form: UInt64 = 2

  /// A state.
  public init(history: PlainHistory, memory: PlainMemory?, guesses: [PlainGuess] = []) {
    self.history = history
    self.memory = memory
    self.guesses = guesses
  }

  /// What is known of the file once another history has adopted this one: the file shows what came
  /// in then; `nil` if that is another version than the file showed, or was not adopted.
  public func adopted(by other: PlainHistory) -> PlainFileState? {
    let id = history.document.id
    guard var memory,
      let adopted = other.document.adopted.last(where: {
        $0.document == id && $0.version == memory.shown
      })
    else { return nil }
    memory.shown = [adopted.change]
    memory.floor = [adopted.change]
    return PlainFileState(history: other, memory: memory)
  }

  /// What is known of the file once its history is again what it was before: the file is to follow.
  public func following(_ earlier: PlainHistory) -> PlainFileState {
    var memory = memory
    memory?.shown = earlier.document.heads
    memory?.floor = earlier.document.heads
    return PlainFileState(history: earlier, memory: memory)
  }

  /// Remembers what had to be guessed, and forgets what was long ago.
  ///
  /// - Parameter recording: what was found of a file, once ``history`` has all that came in with it.
  public mutating func remember(_ recording: PlainHistory.Recording) {
    var guess = recording.guess
    // Where nothing was recorded, nobody can have seen of it what came in at the same time.
    if case .recorded = recording.finding {} else { guess?.known = history.document.heads }
    for guess in [guess, recording.undone].compactMap(\.self) { remember(guess) }
    if !guesses.isEmpty { guesses = history.renewed(guesses) }
  }

  private mutating func remember(_ guess: PlainGuess) {
    guesses.removeAll {
      $0.shown == guess.shown && $0.saved == guess.saved && $0.isUndone == guess.isUndone
    }
    guesses = (guesses + [guess]).suffix(PlainGuess.limit)
  }

  /// Forgets what had to be guessed before a save of the file as it was: whoever saved it has seen
  /// that.
  ///
  /// - Parameter save: when it was saved.
  public mutating func forgetGuesses(before save: Timestamp) {
    guesses.removeAll { $0.saved < save }
  }

  /// The lines that stand in the file though a save may have deleted them; see
  /// ``PlainHistory/keptInDoubt(after:)``.
  public func keptInDoubt() throws(DocumentError) -> [KeptLine] {
    try history.keptInDoubt(after: guesses)
  }

  /// The lines that a save took out, though that may not have been meant; see
  /// ``PlainHistory/undoneInDoubt(after:)``.
  public func undoneInDoubt() throws(DocumentError) -> [UndoneLine] {
    try history.undoneInDoubt(after: guesses)
  }

  /// How many lines may be there by mistake, or lack by mistake: what ``keptInDoubt()``,
  /// ``undoneInDoubt()`` and ``PlainHistory/repeatedInDoubt()`` name.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func doubtCount() throws(DocumentError) -> Int {
    try keptInDoubt().count + undoneInDoubt().count + history.repeatedInDoubt().count
  }

  /// The state as bytes to keep, sealed with a SHA-256 like a document.
  ///
  /// O(n log n).
  public func encoded() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
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
    writer.arrayHeader(guesses.count)
    for guess in guesses {
      let isKept = !guess.kept.isEmpty
      writer.arrayHeader(isKept ? 6 : guess.base == nil ? 3 : guess.isUndone ? 5 : 4)
      writer.changes(guess.shown)
      writer.changes(guess.known)
      writer.integer(guess.saved.milliseconds)
      guard isKept || guess.base != nil else { continue }
      writer.changes(guess.base ?? [])
      if isKept || guess.isUndone { writer.bool(guess.isUndone) }
      guard isKept else { continue }
      writer.arrayHeader(guess.kept.count)
      for line in guess.kept { writer.text(line) }
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
      try reader.readArrayHeader(count: 4)
      guard try reader.readUnsigned() == Self.form else { return nil }
      let history = try reader.readBytes()
      guard let history = PlainHistory(document: try Document(bytes: Array(bytes[history]))) else {
        return nil
      }
      self.history = history
      memory = try reader.readMemory()
      for _ in 0..<(try reader.readArrayHeader()) {
        let count = try reader.readArrayHeader()
        guard (3...6).contains(count) else { return nil }
        let shown = try reader.readChanges()
        let known = try reader.readChanges()
        let saved = Timestamp(milliseconds: try reader.readInteger())
        let base = count == 3 ? nil : try reader.readChanges()
        let isUndone = count > 4 ? try reader.readBool() : false
        var kept: [String] = []
        if count == 6 {
          for _ in 0..<(try reader.readArrayHeader()) { kept.append(try reader.readString()) }
        }
        guesses.append(
          PlainGuess(
            shown: shown, known: known, saved: saved, base: base?.isEmpty == true ? nil : base,
            isUndone: isUndone, kept: kept))
      }
    } catch {
      return nil
    }
  }
}

extension CBORReader {
  /// Reads what a machine remembers of a file; `nil` if that is nothing.
  fileprivate mutating func readMemory() throws -> PlainMemory? {
    if try peekKind() == .null {
      try readNull()
      return nil
    }
    try readArrayHeader(count: 5)
    let shown = try readChanges()
    let text = try readString()
    let modified = Timestamp(milliseconds: try readInteger())
    let since = Timestamp(milliseconds: try readInteger())
    return PlainMemory(
      shown: shown, text: text, modified: modified, since: since, floor: try readChanges())
  }
}
