/// The versions of a history that a plain file may have shown, with their texts.
///
/// These are the version of each change, that of its parents, and the merged ones that are kept.
struct PlainVersions {
  /// A version.
  struct Version {
    /// Ascending.
    var heads: [ChangeID]
    /// The changes, by their number in the document.
    var changes: SeenChanges
    /// What the file shows, with the marker for what was redacted since.
    var text: String { view.text }
    var view: PlainView
    /// The readings that the file does not show.
    var hidden: [HiddenReading]
    /// Whether it shows just what was inserted and not deleted.
    var isPlain: Bool
    /// The latest time of a change.
    var time: Timestamp

    /// The readings that the file does not show and that a text has beside the one that it shows:
    /// whoever wrote that has seen both.
    ///
    /// The one stays where it is, and the other comes in at most a line away; the same words
    /// elsewhere say nothing.
    func readings(besideShownIn other: String) -> [HiddenReading] {
      let possible = hidden.filter { $0.mayStand(besideOtherIn: other) }
      if possible.isEmpty { return [] }
      let scalars = Array(text.unicodeScalars)
      let splices = TextDifference(from: text, to: other).splices
      return possible.filter { reading in
        guard let place = view.place(ofDocument: reading.place) else { return false }
        if splices.contains(where: {
          place.overlaps($0.position..<$0.position + $0.deleted)
        }) {
          return false
        }
        return splices.contains { splice in
          let start = splice.insertionPosition
          let between =
            start <= place.lowerBound
            ? start..<place.lowerBound : min(place.upperBound, start)..<start
          return splice.inserted.contains(reading.text)
            && scalars[between].count { $0 == "\n" } <= 1
        }
      }
    }
  }

  /// A reading that the file does not show.
  struct HiddenReading {
    /// Where it shows another one in its stead, in scalars of the document's text.
    var place: Range<Int>
    var text: String
    /// The changes that wrote it.
    var changes: [ChangeID]
    /// The reading that the file shows.
    var shown: String

    /// Whether a text has the words of both, of which neither is part of the other one.
    func mayStand(besideOtherIn other: String) -> Bool {
      text.unicodeScalars.sayAnything && shown.unicodeScalars.sayAnything
        && !text.contains(shown) && !shown.contains(text)
        && other.contains(text) && other.contains(shown)
    }
  }

  private(set) var versions: [Version] = []
  let seen: SeenHistory
  /// For each change whether it is one of a file, not one that counts twins once.
  private let areSaves: [Bool]
  private let marker: RedactionMarker
  private let twins: PlainTwins
  private let sequence: PlainSequence?
  /// For each scalar of the sequence whether it stands in the file today.
  private let isStanding: [Bool]

  /// The newest changes that are looked at, beside the kept versions.
  static let limit = 64

  /// Finds the versions of a history.
  ///
  /// A walk over the history for each, of which there are 2 · ``limit`` and those that are kept.
  ///
  /// - Parameters:
  ///   - history: the history.
  ///   - more: the heads of another version to look at, if it is there.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(of history: PlainHistory, and more: [ChangeID] = []) throws(DocumentError) {
    let document = history.document
    let seen = SeenHistory(of: document)
    self.seen = seen
    areSaves = document.changes.map { $0.message != PlainTwins.message }
    twins = try PlainTwins(of: document, seen)
    if let known = twins.sequence {
      sequence = known
    } else if let text = document.text(at: PlainHistory.path) {
      sequence = try PlainSequence(of: text, in: document)
    } else {
      sequence = nil
    }
    isStanding = sequence?.isShown(in: seen.changes(of: document.heads)) ?? []
    var wanted: [[ChangeID]] = [document.heads]
    var known: Set<[ChangeID]> = [document.heads]
    for change in document.changes.suffix(Self.limit) {
      for heads in [[change.id], change.parents] where known.insert(heads).inserted {
        wanted.append(heads)
      }
    }
    for heads in [more] + history.shown.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where heads.allSatisfy({ seen.numbers[$0] != nil }) && known.insert(heads).inserted {
      wanted.append(heads)
    }
    let (all, marker) = try document.markedChanges()
    self.marker = marker
    for heads in wanted where !heads.isEmpty {
      let past = heads == document.heads ? document : try document.at(version: heads, of: all)
      let changes = seen.changes(of: heads)
      let view = PlainView(of: past, changes, twins)
      versions.append(
        Version(
          heads: heads, changes: changes, view: view,
          hidden: past.hiddenReadings,
          isPlain: view.isWhole && past.file.passages.isEmpty, time: seen.time(of: changes)))
    }
  }

  /// For each scalar that the file showed of a version whether it stands in it today; `nil` if that
  /// version does not show just what was inserted and not deleted.
  func standing(of version: Version) -> [Bool]? {
    guard version.isPlain, let sequence else { return nil }
    var result: [Bool] = []
    for run in sequence.runs where sequence.shows(run, in: version.changes) {
      result += isStanding[run.scalars]
    }
    return result
  }

  /// For each scalar that the file showed of a version the change that brought it in; `nil` if that
  /// version does not show just what was inserted and not deleted.
  func changes(of version: Version) -> [Int]? {
    guard version.isPlain, let sequence else { return nil }
    return sequence.runs.flatMap { run in
      sequence.shows(run, in: version.changes)
        ? Array(repeating: run.change, count: run.scalars.count) : []
    }
  }

  /// The saves that a version has and another one lacks.
  func saves(of version: Version, notIn other: Version) -> Set<Int> {
    Set(
      areSaves.indices.filter {
        areSaves[$0] && version.changes.contains($0) && !other.changes.contains($0)
      })
  }

  /// What the file shows of a version with some heads, given as a document.
  func view(of past: Document, _ heads: [ChangeID]) -> PlainView {
    PlainView(of: past, seen.changes(of: heads), twins)
  }

  /// The present version.
  var present: Version { versions[0] }

  /// The versions with a text, whatever stood where something was redacted since.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - memory: the version of which it is known what it said, by its heads, and that.
  /// - Returns: the versions.
  func versions(
    with text: String, knowing memory: (heads: [ChangeID], text: String)? = nil
  ) -> [Version] {
    versions.filter { version in
      let old = version.text
      if let memory, memory.heads == version.heads, !old.utf8.elementsEqual(text.utf8) {
        return memory.text.utf8.elementsEqual(text.utf8)
      }
      return marked(text, as: version).utf8.elementsEqual(old.utf8)
        || marker.removed(from: old).utf8.elementsEqual(text.utf8)
    }
  }

  /// What whoever edited a file that showed a version had before them: the largest part of the
  /// version that shows the same and hides nothing; `nil` if there is none.
  ///
  /// So nobody settles by an edit beside it what the file did not show.
  func visiblePart(of heads: [ChangeID]) -> Version? {
    guard let whole = versions.first(where: { $0.heads == heads }), !whole.hidden.isEmpty else {
      return nil
    }
    return versions.filter {
      $0.hidden.isEmpty && $0.changes.isSubset(of: whole.changes)
        && $0.text.utf8.elementsEqual(whole.text.utf8)
    }.max {
      ($0.changes.count, $1.heads[0]) < ($1.changes.count, $0.heads[0])
    }
  }

  /// Whether something in them was redacted since.
  var areRedacted: Bool { marker.scalar != nil }

  /// A text with the marker where a version has it.
  func marked(_ text: String, as version: Version) -> String {
    compared(text, with: version).marked
  }

  /// The first line of a text that cannot be told from what was redacted since, going by a version;
  /// `nil` if there is none.
  func doubtfulLine(of text: String, as version: Version) -> Int? {
    compared(text, with: version).doubtfulLine
  }

  private func compared(
    _ text: String, with version: Version
  ) -> (marked: String, doubtfulLine: Int?) {
    guard let scalar = marker.scalar else { return (text, nil) }
    var stretches = RedactedStretches(marker: scalar)
    guard
      case .text(let marked) = stretches.marked(
        .text(text), as: .text(version.text), at: PlainHistory.path)
    else { return (text, nil) }
    return (marked, stretches.doubt?.line)
  }

  /// The changes of the version with some heads; `nil` if one of them is not there.
  func known(_ heads: [ChangeID]) -> SeenChanges? {
    heads.allSatisfy { seen.numbers[$0] != nil } ? seen.changes(of: heads) : nil
  }
}

extension Document {
  /// The readings of the text of a tracked file that are not shown, and where others are.
  fileprivate var hiddenReadings: [PlainVersions.HiddenReading] {
    guard let text = text(at: PlainHistory.path), let passages = file.passages[text] else {
      return []
    }
    return zip(passages, PassageMap(passages).shownRanges).flatMap { passage, place in
      passage.others.map {
        .init(
          place: place, text: $0.text.string, changes: $0.changes,
          shown: passage.shown.text.string)
      }
    }
  }
}
