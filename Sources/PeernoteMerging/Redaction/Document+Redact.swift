package import PeernoteEngine

/// What became of the deleted text in a document.
package struct RedactionReport: Hashable, Sendable {
  /// How many scalars were taken out; one that several people deleted counts once for each.
  package var removedScalars: Int
  /// How many are left.
  package var keptScalars: Int
  /// How many of these were to go, and are left in texts of which something is contested.
  package var contestedScalars = 0
}

extension Document {
  /// Takes deleted text out of the document for good, and says how much was taken out, and how much
  /// is left.
  ///
  /// What people deleted stays in a document's history, where time travel and blame find it. It
  /// is not needed for merging, so it can go; its length stays. Content, heads and changes are the
  /// same afterwards, so no change records this. Whatever copy this one is merged with, the text
  /// is missing from the result, unless the other copy holds a deletion of the same text that this
  /// one does not know.
  ///
  /// Text that is still shown, values that were replaced, and texts of containers that were
  /// removed are no deleted text and stay; see ``places(of:)`` and ``Inspection``.
  ///
  /// With a pattern all deleted characters go that were ever part of such a passage in a text as
  /// its author saw it when deleting, else all deleted text. Without a pattern O(n), else one or
  /// two walks over the whole history.
  ///
  /// Throws if the history does not lead to the document's texts, a pattern is given and the
  /// history takes more than the limits, or more would be redacted than a file may say without text
  /// (``Limits/events(inFileOf:)``); the document stays as it was.
  @discardableResult
  package mutating func redactDeletedText(
    matching pattern: TextPattern? = nil
  ) throws(DocumentError) -> RedactionReport {
    try takeOut(redaction(matching: pattern))
  }

  /// Takes deleted text out as ``redactDeletedText(matching:)`` does, and leaves what the document
  /// shows, and what is contested, as it is.
  ///
  /// What others wrote beside it was united by deleted text. So line feeds stay, which say nothing;
  /// and so do texts of which something is contested. A text that would show something else all the
  /// same is written as it was by a change of the session, which has seen everything.
  ///
  /// Throws as ``redactDeletedText(matching:)``, or `EditError` if the document would grow over its
  /// limits; it stays as it was then.
  package mutating func redact(
    matching pattern: TextPattern? = nil, by session: () throws -> DocumentSession
  ) throws -> RedactionReport {
    let before = self
    do {
      var redaction = try redaction(matching: pattern)
      redaction.leave(Redaction(of: "\n", in: log).deletions)
      let contested = log.deletions(in: contestedTexts)
      let left = redaction.deletions.intersection(contested).reduce(0) { count, range in
        count + log.deletedText.knownCount(in: range)
      }
      redaction.leave(contested)
      var report = try takeOut(redaction)
      report.contestedScalars = left
      try showAgain(before, by: session)
      return report
    } catch {
      self = before
      throw error
    }
  }

  /// The texts of which something is contested.
  private var contestedTexts: Set<ContainerIndex> {
    let paths = Set(conflicts.filter { $0.scalars != nil }.map(\.path))
    if paths.isEmpty { return [] }
    return Set(
      log.containers(of: .text).filter { container in
        file.objects.path(to: container).map { paths.contains(JSONPointer($0)) } ?? false
      })
  }

  /// Lets texts show what they did before deleted text was taken out.
  private mutating func showAgain(
    _ before: Document, by session: () throws -> DocumentSession
  ) throws {
    let all = Set(before.file.passages.keys).union(file.passages.keys)
    let changed = all.sorted().compactMap { container -> (ContainerIndex, TextBuffer)? in
      let (old, new) = (before.file.passages[container] ?? [], file.passages[container] ?? [])
      if old == new || !file.objects.isShown(container) { return nil }
      let raw = file.texts[container]
      let shown = PassageMap(old).shown(from: raw)
      let isSame = PassageMap(new).shown(from: raw).isSame(as: shown)
      return isSame && new.allSatisfy(\.others.isEmpty) ? nil : (container, shown)
    }
    if changed.isEmpty { return }
    try change(by: session(), message: "redacted") { (editor) throws(EditError) in
      for (container, shown) in changed {
        let path = JSONPointer(editor.editor.objects.path(to: container) ?? [])
        let passages = Set((editor.passages[container] ?? []).indices)
        try Editor.performing(path, editor.settle(container, as: shown, besides: passages))
      }
    }
  }

  /// The deletions of all text, or of what a pattern matches.
  private func redaction(
    matching pattern: TextPattern?
  ) throws(DocumentError) -> Redaction {
    guard let pattern else { return Redaction(ofAll: log) }
    do throws(HistoryError) {
      return try Redaction(of: pattern, in: log, texts: file.texts)
    } catch {
      throw DocumentError(error, in: log)
    }
  }

  private mutating func takeOut(_ redaction: Redaction) throws(DocumentError) -> RedactionReport {
    let before = log.deletedText.text.scalarCount
    let unredacted = file
    file.objects.redact(redaction)
    do throws(HistoryError) {
      // What deleted text had left in readings goes, too.
      try file.findPassages()
      try file.checkLimits()
    } catch {
      file = unredacted
      throw DocumentError(error, in: log)
    }
    let after = log.deletedText.text.scalarCount
    return RedactionReport(removedScalars: before - after, keptScalars: after)
  }

  /// Where a passage stands that taking out deleted text does not reach; O(n m) for a pattern of m
  /// characters.
  package func places(of pattern: TextPattern) -> PassagePlaces {
    var shown: [JSONPointer] = []
    root.forEachString { path, string in
      if pattern.matches(in: string) { shown.append(path) }
    }
    let hidden = file.objects.hidden()
    return PassagePlaces(
      shown: shown,
      hiddenValues: hidden.values.count { value in
        guard case .string(let string) = value else { return false }
        return pattern.matches(in: string)
      },
      hiddenTexts: hidden.texts.count { pattern.matches(in: file.texts[$0].string) },
      hiddenReadings: file.passages.values.reduce(0) { count, passages in
        count
          + passages.count { passage in
            passage.others.contains { pattern.matches(in: $0.text.string) }
          }
      },
      names: (log.authors + log.messages + log.keys).count { pattern.matches(in: $0) })
  }
}

/// Where a passage stands besides deleted text.
package struct PassagePlaces: Hashable, Sendable {
  /// Texts and values that are shown.
  package var shown: [JSONPointer]
  /// How many values hold it that were replaced or removed.
  package var hiddenValues: Int
  /// How many texts hold it whose container was removed.
  package var hiddenTexts: Int
  /// In how many contested passages a reading holds it that is not shown.
  package var hiddenReadings: Int
  /// How many names of authors, messages on changes and keys of maps hold it.
  package var names: Int
}

extension DocumentNode {
  /// Calls `body` with every text and string in a document, and where it stands.
  fileprivate func forEachString(
    at path: JSONPointer = JSONPointer(), _ body: (JSONPointer, String) -> Void
  ) {
    if let string { body(path, string) }
    if case .set(let values) = self {
      for case .string(let string) in values { body(path, string) }
    }
    for child in children { child.node.forEachString(at: path.appending(child.token), body) }
  }
}

extension Redaction {
  /// The most scalars that are gone through around deletions: some seconds.
  package static let effort = 1 << 28

  /// The deletions of all scalars that a pattern matches.
  ///
  /// Looks at the text as its authors saw it right before each deletion, around what was deleted;
  /// and at all that was ever inserted, in its order. So a passage is found that was typed or
  /// deleted in pieces, or of which a part is still visible. One walk over the whole history, plus
  /// what the deletions and their surroundings take to search.
  ///
  /// `effort` is the most scalars to go through around deletions. Throws if the history does not
  /// lead to the texts, which are by container number, or the search takes more than the effort.
  package init(
    of pattern: TextPattern, in log: Log, texts: [TextBuffer], effort: Int = Self.effort
  ) throws(HistoryError) {
    var search = PassageSearch(
      pattern: pattern, log: log, inserted: try InsertedText(of: log, texts: texts))
    if !search.isPromising {
      self.init(deletions: [])
      return
    }
    let containers = log.containers(of: .text)
    var walker = Walker(
      log: log, after: .start, texts: containers.map { (container: $0, placeholder: 0) })
    try walker.walk(sides: .allBoth) { tracker, sequence, operation in
      // Beyond it the walk is the smaller part.
      guard operation.kind.deletesText, search.searchedScalars <= effort else { return }
      search.search(
        around: operation.position..<operation.position + operation.length, of: sequence,
        in: &tracker)
    }
    guard search.searchedScalars <= effort else { throw HistoryError(.tooLongSearch) }
    for container in containers {
      guard let sequence = walker.tracker.sequences[container] else { continue }
      search.search(allOf: sequence, in: walker.tracker)
    }
    var numbers: [Range<Int32>] = []
    for deletions in walker.tracker.deletionsInOrder {
      let first = log.scalarNumber(of: deletions.deleted.lowerBound)
      let piece = InsertedText.Piece(deletions, in: log)
      search.forEachFound(in: first..<first + piece.count) { part in
        let start = piece.event + (part.lowerBound - first)
        numbers.append(piece.places(of: start..<start + Int32(part.count)))
      }
    }
    self.init(deletions: numbers.united(), searchedScalars: search.searchedScalars)
  }
}

extension Log {
  /// The deletions in some texts, ascending, by their number among all deletion events;
  /// O(operations).
  fileprivate func deletions(in texts: Set<ContainerIndex>) -> [Range<Int32>] {
    var result: [Range<Int32>] = []
    for operation in operations
    where operation.kind.deletesText && texts.contains(operation.container) {
      result.appendAscending(operation.scalars)
    }
    return result
  }
}
