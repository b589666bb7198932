/// A plain file whose history is kept beside it, as it was found.
public struct PlainFile: Hashable, Sendable {
  /// What it holds.
  public var text: String
  /// When it was last saved, as its file system says.
  public var modified: Timestamp
  /// Whether it was saved on this machine, not delivered: its attributes changed when its content
  /// did.
  public var isSavedHere: Bool
  /// The version that it was made from, by its heads, where the file says that; see
  /// ``PlainHistory/hasMarker``.
  public var base: [ChangeID]?

  /// A file.
  public init(
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

/// What a machine remembers of a plain file.
public struct PlainMemory: Hashable, Sendable {
  /// The version that the file showed, by its heads.
  public var shown: [ChangeID]
  /// Its text.
  public var text: String
  /// When the file that showed it was saved.
  public var modified: Timestamp
  /// When it was first seen to show it.
  public var since: Timestamp
  /// The last version that was recorded from a save on this machine; empty for none.
  ///
  /// Whoever saves here has seen that version.
  public var floor: [ChangeID]

  /// A memory.
  public init(
    shown: [ChangeID], text: String, modified: Timestamp, since: Timestamp, floor: [ChangeID]
  ) {
    self.shown = shown
    self.text = text
    self.modified = modified
    self.since = since
    self.floor = floor
  }
}

extension PlainMemory {
  /// How long a version has to have been shown before a save, so that whoever saved has seen it, in
  /// milliseconds.
  private static let seenAfter: Int64 = 120_000

  /// What is to be remembered of a file that was put there with its history, by somebody who has seen
  /// both.
  package init(showing history: PlainHistory, at time: Timestamp) {
    let heads = history.document.heads
    self.init(shown: heads, text: history.text, modified: time, since: time, floor: heads)
  }

  /// Whether whoever saved a file has seen what this one showed, if it had come to them.
  package func wasSeen(before file: PlainFile) -> Bool {
    file.saved.milliseconds - Self.seenAfter >= since.milliseconds
  }

  /// What is to be remembered after a file was taken in; what was remembered if nothing is known of
  /// what it shows.
  public init?(
    after finding: PlainHistory.Finding, _ file: PlainFile, _ old: PlainMemory?, now: Timestamp
  ) {
    let shown: [ChangeID]
    let isRecorded: Bool
    switch finding {
    case .behind, .early:
      guard let old else { return nil }
      self = old
      return
    case .shows(let heads): (shown, isRecorded) = (heads, false)
    case .recorded(_, let heads): (shown, isRecorded) = (heads, true)
    }
    if var old, old.shown == shown, old.text.utf8.elementsEqual(file.text.utf8) {
      old.modified = file.modified
      self = old
      return
    }
    self.init(
      shown: shown, text: file.text, modified: file.modified, since: now,
      floor: isRecorded ? shown : old?.floor ?? shown)
  }
}
