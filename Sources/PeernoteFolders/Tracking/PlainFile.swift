import PeernoteCBOR
package import PeernoteEngine
import PeernoteMerging

/// A plain file whose history is kept beside it, as it was found.
package struct PlainFile: Hashable, Sendable {
  package var text: String
  /// When it was last saved, as its file system says.
  package var modified: Timestamp
  /// Whether it seems to have been saved on this machine, not delivered; a hint, by which nothing of
  /// the text is decided.
  package var isSavedHere: Bool
  /// The version that it says it was made from, by its heads; see ``PlainHistory/hasMarker``.
  package var base: [ChangeID]?

  package init(
    text: String, modified: Timestamp, isSavedHere: Bool, base: [ChangeID]? = nil
  ) {
    self.text = text
    self.modified = modified
    self.isSavedHere = isSavedHere
    self.base = base
  }

  /// The time to the two seconds that all file systems keep.
  var saved: Timestamp { modified.ofSave }
}

/// What a machine remembers of a plain file: whoever saves it next has seen that at least.
package struct PlainMemory: Hashable, Sendable {
  /// The version that the file showed, by its heads.
  package var shown: [ChangeID]
  package var text: String

  init(shown: [ChangeID], text: String) { (self.shown, self.text) = (shown, text) }

  /// A file that shows the present version.
  package init(showing history: PlainHistory) {
    self.init(shown: history.document.heads, text: history.text)
  }
}

/// Lines that left a tracked file by a save of which it had to be guessed what it was made from, or
/// since two sides wrote against each other where only one may stand.
package struct TakenOutLines: Hashable, Sendable {
  /// The change that took them out, by the heads of the version after it.
  package var heads: [ChangeID]
  /// The version that still has them.
  package var base: [ChangeID]
  package var saved: Timestamp
  /// The lines, without their ends.
  package var lines: [String]

  /// The same; `nil` if there are no lines.
  var orNone: TakenOutLines? { lines.isEmpty ? nil : self }
}

/// What other programs expect of a plain file.
package struct PlainForm: Sendable {
  /// How many lines at the start of a text only make sense together; all of a text that is one value.
  package var structuredLines: @Sendable (String) -> Int
  /// Whether they can read a text.
  package var isValid: @Sendable (String) -> Bool

  package init(
    structuredLines: @escaping @Sendable (String) -> Int,
    isValid: @escaping @Sendable (String) -> Bool
  ) {
    self.structuredLines = structuredLines
    self.isValid = isValid
  }

  /// Text for people.
  package static let prose = PlainForm(structuredLines: { _ in 0 }, isValid: { _ in true })
}

/// What a machine keeps of a tracked plain file for the next time.
///
/// The copy of the history is the machine's own: the one beside the file may go back in time when
/// another program delivers an older state of it.
package struct PlainFileState: Sendable {
  package var history: PlainHistory
  /// What the file showed; `nil` if that is not known.
  package var memory: PlainMemory?
  /// What left the file without anybody having been asked, the latest last, until it is saved here.
  package var takenOut: [TakenOutLines] = []
  /// Whether another machine records saves, too, so that a file may have come before its history.
  package var isShared: Bool
  /// Who made saves on this machine, the latest last: the changes do not say it.
  package var savers: [(change: ChangeID, author: String)] = []

  /// Counted up whenever the bytes get another meaning: before this one savers were not kept, and before
  /// that something else stood in the place of all after the memory.
  private static let form: UInt64 = 4
  /// The most saves of which is kept what they took out.
  private static let limit = 32
  /// The most saves of which is kept who made them.
  private static let saverLimit = 4096

  package init(history: PlainHistory, memory: PlainMemory?, isShared: Bool = false) {
    (self.history, self.memory, self.isShared) = (history, memory, isShared)
  }

  /// What is known of the file once another history has adopted this one: the file shows what came
  /// in then; `nil` if that is another version than the file showed, or was not adopted.
  package func adopted(by other: PlainHistory) -> PlainFileState? {
    let shown = other.document.adopted.last {
      $0.document == history.document.id && $0.version == memory?.shown
    }
    guard let shown, let memory else { return nil }
    return PlainFileState(
      history: other, memory: PlainMemory(shown: [shown.change], text: memory.text))
  }

  /// Forgets what the file showed if the history beside it lacks that: another copy of both may have
  /// taken their place.
  package mutating func compare(with beside: PlainHistory) {
    if let memory, !beside.document.has(memory.shown) { self.memory = nil }
  }

  package mutating func keep(_ lines: TakenOutLines) {
    takenOut = (takenOut.filter { $0.heads != lines.heads } + [lines]).suffix(Self.limit)
  }

  /// Keeps who made a save.
  package mutating func keep(saver: String, of change: ChangeID) {
    savers = (savers.filter { $0.change != change } + [(change, saver)]).suffix(Self.saverLimit)
  }

  /// The lines that left the file and do not stand in it again.
  package var missingLines: [TakenOutLines] {
    let present = history.text.allLineCounts
    return takenOut.compactMap { taken in
      var rest = taken
      rest.lines.removeAll { present[Substring($0)] != nil }
      return rest.orNone
    }
  }

  /// The state as bytes to keep, sealed with a SHA-256 like a document.
  package func bytes() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(6)
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
    writer.arrayHeader(savers.count)
    for saver in savers {
      writer.changes([saver.change])
      writer.text(saver.author)
    }
    return Envelope.sealed(writer.bytes)
  }

  /// Reads what ``bytes()`` wrote, or that of a version before; `nil` if the bytes are damaged.
  package init?(encoded bytes: [UInt8]) {
    guard let content = Envelope.unsealed(bytes) else { return nil }
    var reader = CBORReader(bytes, range: content)
    do {
      _ = try reader.readArrayHeader()
      let form = try reader.readUnsigned()
      let document = try Document(bytes: Array(bytes[try reader.readBytes()]))
      guard (2...Self.form).contains(form), let history = PlainHistory(document: document) else {
        return nil
      }
      self.history = history
      if try !reader.skipNull() {
        _ = try reader.readArrayHeader()
        memory = PlainMemory(shown: try reader.readChanges(), text: try reader.readString())
      }
      isShared = try form < 3 || reader.readBool()
      if form < 3 { return }
      for _ in 0..<(try reader.readArrayHeader()) {
        try reader.readArrayHeader(count: 4)
        let (heads, base) = (try reader.readChanges(), try reader.readChanges())
        let saved = Timestamp(milliseconds: try reader.readInteger())
        var taken = TakenOutLines(heads: heads, base: base, saved: saved, lines: [])
        for _ in 0..<(try reader.readArrayHeader()) { taken.lines.append(try reader.readString()) }
        takenOut.append(taken)
      }
      if form < Self.form { return }
      for _ in 0..<(try reader.readArrayHeader()) {
        let changes = try reader.readChanges()
        let author = try reader.readString()
        savers += changes.map { ($0, author) }
      }
    } catch {
      return nil
    }
  }
}
