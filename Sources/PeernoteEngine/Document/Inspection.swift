/// Sizes and counts of a file.
package struct Inspection: Hashable, Sendable {
  package var id: UniqueID
  package var heads: [ChangeID]
  package var formatVersion: Int
  package var fileSize: Int
  package var sections: [SectionSize]
  package var changeCount: Int
  /// How many events all changes hold.
  package var eventCount: Int
  /// How many runs the events are written as.
  package var operationCount: Int
  /// How many editing sessions made them.
  package var agentCount: Int
  /// Who made how many changes, in the order of their first.
  package var authors: [AuthorCount]
  package var deletedScalars: Int
  package var redactedScalars: Int
  /// How many values the file holds that were replaced or removed, or that lost against others.
  package var hiddenValues: Int
  /// How many scalars the file holds of texts whose container was removed.
  package var hiddenTextScalars: Int
  /// The numbers of the optional sections, which other programs wrote; ``sections`` has their sizes.
  package var unknownSections: [UInt64]

  package struct SectionSize: Hashable, Sendable {
    package var name: String
    package var offset: Int
    package var size: Int
  }

  package struct AuthorCount: Hashable, Sendable {
    /// The name; may be empty.
    package var name: String
    package var changes: Int
  }
}

extension Document {
  /// Measures a file; O(n log n).
  package static func inspect(bytes: [UInt8]) throws(DocumentError) -> Inspection {
    let file = try DocumentFile(bytes)
    let envelope = try Envelope(bytes)
    let columns = try LogReader.columns(of: envelope)
    let log = file.log
    var authors = log.authors.map { Inspection.AuthorCount(name: $0, changes: 0) }
    for (index, run) in log.metadata.enumerated() {
      let end =
        index + 1 < log.metadata.count
        ? log.metadata[index + 1].firstChange : log.graph.changes.upperBound
      authors[run.author].changes += Int(end - run.firstChange)
    }
    let optional = zip(file.unknownSections, envelope.unknownPlaces).map { section, place in
      ("optional section \(section.number)", place)
    }
    let passages = envelope.passages
    let ranges =
      [
        ("envelope", 0..<envelope.heads.lowerBound), ("heads", envelope.heads),
        ("view", envelope.view),
      ] + columns.map { ("log: \($0.name)", $0.range) }
      + (passages.isEmpty ? [] : [("passages", passages)]) + optional + [
        ("checksum", envelope.checksum)
      ]
    let hidden = file.objects.hidden()
    return Inspection(
      id: file.id, heads: log.headChanges, formatVersion: Format.version, fileSize: bytes.count,
      sections: ranges.map { .init(name: $0.0, offset: $0.1.lowerBound, size: $0.1.count) },
      changeCount: log.changeCount, eventCount: log.eventCount,
      operationCount: log.operations.count, agentCount: log.agents.count, authors: authors,
      deletedScalars: log.deletedText.text.scalarCount,
      redactedScalars: log.deletedText.redactedCount, hiddenValues: hidden.values.count,
      hiddenTextScalars: hidden.texts.reduce(0) { $0 + file.texts[$1].scalarCount },
      unknownSections: file.unknownSections.map(\.number))
  }

  /// How much of what its history may take the document takes: 1 is all of it.
  ///
  /// Of steps for concurrent edits, and of pieces that deletions fall into, what comes nearer to its
  /// limit. Where two copies take too much together, it is mostly the one that takes more alone.
  ///
  /// One walk over the whole history.
  package var effort: Double {
    guard let replay = try? Replay(log), let work = try? file.objects.work(within: log.workLimit)
    else { return 1 }
    return max(replay.effort, Double(work) / Double(log.workLimit))
  }
}
