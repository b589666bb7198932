/// What became of the deleted text in a document.
package struct RedactionReport: Hashable, Sendable {
  /// How many scalars were taken out; one that several people deleted counts once for each.
  package var removedScalars: Int
  /// How many are left.
  package var keptScalars: Int
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
    let before = log.deletedText.text.scalarCount
    let redaction: Redaction
    do throws(HistoryError) {
      redaction =
        if let pattern {
          try Redaction(of: pattern, in: log, texts: file.texts)
        } else {
          Redaction(ofAll: log)
        }
    } catch {
      throw DocumentError(error, in: log)
    }
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

  /// Where a passage stands that taking out deleted text does not reach.
  ///
  /// O(n m) for a pattern of m characters.
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
