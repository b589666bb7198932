import PeernoteEngine
import PeernoteMerging

/// The versions of a history that a plain file may have shown, with their lines.
///
/// These are the version of each save, and the merged ones that are kept.
struct PlainVersions {
  struct Version {
    /// Ascending.
    var heads: [ChangeID]
    var events: EventSet
    var text: String
    /// How often each line stands there.
    var lines: [Substring: Int]
  }

  /// Those from the floor on, the present one first.
  private(set) var versions: [Version] = []
  /// The others, the newest first, not yet read.
  private var older: [(heads: [ChangeID], events: EventSet)] = []
  /// What the floor has; `nil` if there is none.
  private var floor: EventSet?
  private let seen: SeenEvents
  private let numbers: ChangeNumbers
  private let document: Document
  private let all: PortableChanges
  private let marker: RedactionMarker

  /// The most versions that are looked at, the newest ones.
  private static let limit = 128

  /// Finds the versions of a history, among them those `named`.
  ///
  /// The file shows the version with the heads `floor` at least; they are empty if that is not
  /// known. A walk over the history for each from the floor on. Throws if the history takes more
  /// than the limits.
  init(of history: PlainHistory, from floor: [ChangeID], with named: [[ChangeID]] = []) throws {
    document = history.document
    let log = document.log
    do throws(HistoryError) {
      seen = try SeenEvents(
        of: log, memoryLimit: log.limits.memoryLeft(for: log.fileSize, beside: log.byteCount))
    } catch {
      throw DocumentError(error, in: log)
    }
    numbers = ChangeNumbers(log)
    (all, marker) = try document.markedChanges()
    self.floor = floor.isEmpty ? nil : events(of: floor)
    let named = Set(named + [floor]).subtracting([[]])
    let wanted = named.union(document.changes.map { [$0.id] } + [document.heads] + history.shown)
    let found = wanted.compactMap { heads in
      events(of: heads).map { events in
        let counts = events.map { document.log.eventCounts.changes(of: $0).count }
        return (heads: heads, events: events, size: counts.reduce(0, +))
      }
    }.sorted {
      $0.size != $1.size ? $0.size > $1.size : $0.heads.lexicographicallyPrecedes($1.heads)
    }
    for (number, (heads, events, _)) in found.enumerated()
    where number < Self.limit || named.contains(heads) {
      if self.floor?.isSubset(of: events) ?? true {
        let text = try text(of: heads)
        versions.append(
          Version(heads: heads, events: events, text: text, lines: text.allLineCounts))
      } else {
        older.append((heads, events))
      }
    }
  }

  /// The text of the version with some heads, with a marker for what was redacted since.
  private func text(of heads: [ChangeID]) throws -> String {
    try (heads == document.heads ? document : document.at(version: heads, of: all)).bodyText
  }

  /// The events of the version with some heads; `nil` if one of them is not there.
  func events(of heads: [ChangeID]) -> EventSet? {
    var result = EventSet()
    for head in heads {
      guard let change = numbers[head] else { return nil }
      let last = document.log.eventCounts.events(ofChange: change).upperBound - 1
      result = result.union(seen.seen(by: last))
    }
    return result
  }

  /// Those of the events of a version that edited the text; `nil` if one of its heads is not there.
  func edits(of heads: [ChangeID]) -> EventSet? {
    var edits: [Range<LocalVersion>] = []
    for operation in document.log.operations where operation.kind.editsText {
      edits.appendAscending(operation.events)
    }
    return events(of: heads).map { edits.intersection($0) }
  }

  /// A text with the marker where a version has it for what was redacted since, and the first line of
  /// which it cannot be told whether it is that.
  private func marked(_ text: String, as version: Version) -> (text: String, doubtfulLine: Int?) {
    guard let scalar = marker.scalar else { return (text, nil) }
    var stretches = RedactedStretches(marker: scalar)
    let marked = stretches.marked(.text(text), as: .text(version.text), at: PlainHistory.path)
    return (marked.string ?? text, stretches.doubt?.line)
  }

  /// Throws ``EditError/redacted(_:line:)`` if a line of a text cannot be told from what was redacted
  /// since a version that it may be made from: that is not to come back, whichever it is.
  ///
  /// It is made from no version that lacks some of the events `named`.
  func checkRedacted(in text: String, from named: EventSet? = nil) throws(EditError) {
    if marker.scalar == nil { return }
    for version in versions where named?.isSubset(of: version.events) ?? true {
      if let line = marked(text, as: version).doubtfulLine {
        throw .redacted(PlainHistory.path, line: line)
      }
    }
  }

  /// The text of a version, without what was redacted since.
  func known(_ version: Version) -> String { marker.removed(from: version.text) }

  /// The lines of a version that a text lacks, and that not all versions have.
  func doubtful(_ version: Version, lackedBy text: String) -> [String] {
    known(version).linesMissing(in: text).filter { line in
      versions.contains { $0.lines[Substring(line)] == nil }
    }
  }

  var present: Version { versions[0] }

  /// The newest version with a text, and whether it is one of before the floor, to which somebody went
  /// back; `nil` if the file has never shown it, as far as that is looked at.
  ///
  /// A walk over the history for each version, if none from the floor on is it, and it
  /// `mayBeOlder`. Throws if the history takes more than the limits.
  func shown(
    _ text: String, orOlder mayBeOlder: Bool = true
  ) throws -> (heads: [ChangeID], isOlder: Bool)? {
    func isShown(_ known: String) -> Bool {
      text.unicodeScalars.elementsEqual(known.unicodeScalars) { $0 == $1 || $1 == marker.scalar }
    }
    if let found = versions.first(where: { isShown($0.text) }) { return (found.heads, false) }
    let found = try older.first { try mayBeOlder && isShown(self.text(of: $0.heads)) }
    return found.map { found in
      (found.heads, isOlder: floor.map { found.events.isSubset(of: $0) } ?? false)
    }
  }

  /// The document without the deliveries at its end that were recorded as saves.
  ///
  /// A save that shows the text of a merged version which it does not know was none: nobody typed that.
  /// The file came before its history, and took out what only this machine had. So it says nothing,
  /// and what was there before it counts.
  ///
  /// A walk over the history for each head, and for each merged version that some head lacks. Throws
  /// if the history takes more than the limits.
  func withoutDeliveries() throws -> Document {
    let parents = Dictionary(document.changes.map { ($0.id, $0.parents) }) { first, _ in first }
    let merged = older.filter { $0.heads.count > 1 || parents[$0.heads[0]]?.count ?? 0 > 1 }
    var texts: [[ChangeID]: [UInt8]] = [:]
    func isDelivery(_ change: ChangeID) throws -> Bool {
      guard let own = events(of: [change]) else { return false }
      return try merged.contains { other in
        if other.events.isSubset(of: own) || own.isSubset(of: other.events) { return false }
        for heads in [other.heads, [change]] where texts[heads] == nil {
          texts[heads] = Array(try text(of: heads).utf8)
        }
        return texts[other.heads] == texts[[change]]
      }
    }
    let sides = try document.heads.map { head in
      var change = head
      for _ in 0..<Self.limit {
        guard let before = parents[change], before.count == 1, try isDelivery(change) else { break }
        change = before[0]
      }
      return change
    }
    return sides == document.heads ? document : try document.late(version: sides)
  }

  /// The version that a text was most likely made from: the one from which it takes away the fewest
  /// lines, and of which the fewest lines would then stand twice; of several the one to which it adds
  /// the fewest, then the newest.
  ///
  /// If it names one, by its heads, that is it, or one that somebody may have written on the way from
  /// that to the text: it has no word too many, and none too few. So the save takes nothing away that
  /// the named one had not, and nothing comes back by it that somebody else took out.
  ///
  /// If it `mayBeNone`, the text may have been made from none, so that it takes nothing away. `nil`
  /// if no version is possible, or to have been made from none costs less.
  func base(
    of text: String, naming named: [ChangeID]? = nil, orNone mayBeNone: Bool = false,
    where isPossible: (Version) -> Bool
  ) -> Version? {
    let whole = text.allLineCounts
    let known = named.flatMap { named in versions.first { $0.heads == named } }
    var best: (cost: EditCost, version: Version)?
    for version in versions where isPossible(version) {
      let text = marked(text, as: version).text
      if let known, !version.text.isOnTheWay(from: known.text, to: text) { continue }
      let saved = marker.scalar == nil ? whole : text.allLineCounts
      // The newest one comes first.
      let cost = EditCost(from: version.lines, to: saved, known: present.lines)
      if best.map({ cost < $0.cost }) ?? true { best = (cost, version) }
    }
    if mayBeNone, let best {
      let twice = whole.reduce(0) { $0 + min($1.value, present.lines[$1.key, default: 0]) }
      if twice < best.cost.lost { return nil }
    }
    return best?.version
  }
}

extension EventSet {
  func isSubset(of other: EventSet) -> Bool { subtracting(other).isEmpty }
}

extension String {
  /// Whether somebody may have written the text on the way from one to another: to go there by way of
  /// it no more words are added and taken away than on the straight way.
  fileprivate func isOnTheWay(from start: String, to end: String) -> Bool {
    func steps(_ from: String, _ to: String) -> Int {
      EditCost(from: from.plainWords.counts, to: to.plainWords.counts).size
    }
    return steps(start, self) + steps(self, end) == steps(start, end)
  }

  /// The lines that stand in the text more often than in another one and say anything, without their
  /// ends.
  ///
  /// Lines that differ in white space at the end only are one.
  func linesMissing(in other: String) -> [String] {
    var rest = other.splitAtLineFeeds().map(\.withoutEnd).counts
    return splitAtLineFeeds().filter { line in
      rest[line.withoutEnd, default: 0] -= 1
      return rest[line.withoutEnd, default: 0] < 0 && !line.isBlank
    }.map(\.withoutCarriageReturn)
  }
}

extension Substring {
  /// Whether it is nothing but white space.
  var isBlank: Bool { withoutEnd.isEmpty }

  /// A line without the white space at its end.
  var withoutEnd: Substring {
    guard let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace }) else {
      return ""
    }
    return Substring(unicodeScalars[...last])
  }
}

/// How much an edit takes away, by lines; content was most likely made from the version from which it
/// takes the least.
package struct EditCost: Comparable {
  /// The lines that are taken away, and those that come in though they are known.
  package private(set) var lost = 0
  /// The lines that are added.
  private var added = 0

  /// The lines that are taken away or added.
  var size: Int { lost + added }

  /// What the edit from one content to another takes, of which it is given how often each line
  /// stands there.
  ///
  /// O(lines). `known` is the same for other content, such as what the edit is merged with, where a
  /// line would then stand twice.
  package init(
    from old: [Substring: Int], to new: [Substring: Int], known: [Substring: Int]...
  ) {
    for (line, count) in old { lost += max(0, count - new[line, default: 0]) }
    for (line, count) in new {
      let before = old[line, default: 0]
      added += max(0, count - before)
      lost += max(0, min(count, known.map { $0[line, default: 0] }.max() ?? 0) - before)
    }
  }

  package static func < (left: EditCost, right: EditCost) -> Bool {
    (left.lost, left.added) < (right.lost, right.added)
  }
}
