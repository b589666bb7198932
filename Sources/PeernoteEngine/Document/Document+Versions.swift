extension Document {
  /// Where changes stand in ``changes``; `nil` for those that the document doesn't have;
  /// O(chains + agents), and O(log n) for each.
  package func places(ofChanges names: some Sequence<ChangeID>) -> [Int?] {
    let numbers = ChangeNumbers(log)
    return names.map { numbers[$0]?.number }
  }

  /// The changes that are not part of a version, each after its parents, in the order of the file.
  ///
  /// Changes of the version that the document doesn't have are passed over: so the heads of any
  /// other copy will do. O(n log n).
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: the changes.
  public func changes(since version: [ChangeID]) -> [ChangeSummary] {
    numbers(ofChangesSince: version).map { ChangeSummary(of: $0, in: log) }
  }

  /// The numbers of the same changes.
  package func numbers(ofChangesSince version: [ChangeID]) -> [ChangeIndex] {
    log.graph.closure(of: log.version(of: version)).gaps(in: log.graph.events)
      .flatMap { log.eventCounts.changes(of: $0) }
  }

  /// The heads of what all of some changes build on: for changes made beside each other, where
  /// those who made them parted; O(chains) for each.
  ///
  /// The heads ascend; there are none if nothing is common, or one of the changes is not there.
  package func commonVersion(of names: [ChangeID]) -> [ChangeID] {
    let numbers = ChangeNumbers(log)
    var common: [Range<LocalVersion>]?
    for name in names {
      guard let number = numbers[name] else { return [] }
      let seen = log.graph.closure(of: [log.eventCounts.firstEvent(ofChange: number + 1) - 1])
      common = common.map { $0.intersection(seen) } ?? seen
    }
    return log.graph.heads(ofClosure: common ?? []).map { log.changeID(of: $0) }.sorted()
  }

  /// What the last merges in the history brought together, the latest first: first what is side by
  /// side now, then what each change followed that followed several; of each the heads of its
  /// sides; O(chains).
  package func lastMerges(_ limit: Int) -> [[[ChangeID]]] {
    var merges: [[[ChangeID]]] = heads.count > 1 ? [heads.map { [$0] }] : []
    for index in log.graph.chains.indices.reversed() {
      if merges.count >= limit { break }
      let parents = log.graph.parents(ofChain: index)
      if parents.count > 1 { merges.append(parents.map { [log.changeID(of: $0)] }) }
    }
    return Array(merges.prefix(limit))
  }
}

extension Log {
  /// The last events of those of some changes that are here, ascending; O(chains + agents), and
  /// O(log n) for each.
  package func version(of names: some Sequence<ChangeID>) -> Version {
    let numbers = ChangeNumbers(self)
    return names.compactMap { numbers[$0] }
      .map { eventCounts.events(ofChange: $0).upperBound - 1 }.sorted()
  }

  /// How many changes of each agent are here; O(chains).
  package var changeCounts: [AgentID: Int] {
    graph.chains.reduce(into: [:]) { counts, chain in
      counts[agents[chain.agent], default: 0] += Int(chain.changeCount)
    }
  }
}

extension Document {
  /// Builds a document from changes in any order, closed under parents.
  ///
  /// O(n log n) and one walk over the whole history. `recoveringDeletedText` fills in what
  /// deletions removed, for changes that don't say; else it counts as redacted. Throws if the
  /// changes contradict each other or one is missing.
  package init(
    id: UniqueID, changes: consuming some RandomAccessCollection<Change>,
    recoveringDeletedText: Bool = false
  ) throws(DocumentError) {
    do throws(HistoryError) {
      var (log, text) = try Log.make(from: consume changes)
      let insertedText = InsertedText(text)
      let replay = try Replay(log)
      if recoveringDeletedText { log.deletedText = replay.deletedText(insertedText: insertedText) }
      file = try DocumentFile(id: id, log: log, replay: replay, insertedText: insertedText)
      try file.checkLimits()
    } catch {
      throw DocumentError(error)
    }
  }

  /// All changes in portable form, each after its parents.
  ///
  /// One walk over the whole history. Throws if the history does not lead to the document's texts,
  /// or more of it is redacted than ``Peernote/Log/redactedTextLimit``.
  package var exportedChanges: PortableChanges {
    get throws(DocumentError) { log.changes(insertedText: try fillableText()) }
  }

  /// All changes likewise, with a marker instead of U+FFFD for each redacted scalar.
  package func markedChanges() throws(DocumentError) -> (changes: PortableChanges, RedactionMarker)
  {
    var inserted = try fillableText()
    let marker = RedactionMarker(in: inserted)
    if let scalar = marker.scalar { inserted.placeholder = scalar }
    return (log.changes(insertedText: inserted), marker)
  }

  /// All text that was ever inserted, unless too much of it is redacted.
  package func fillableText() throws(DocumentError) -> InsertedText {
    guard log.deletedText.redactedCount <= log.redactedTextLimit else {
      throw DocumentError(
        "more text is redacted than past versions are filled in for", kind: .limit, in: .log)
    }
    return try insertedText()
  }

  /// The document as it was at a version: with the changes of that version only.
  ///
  /// In its texts U+FFFD stands for each scalar that was redacted since.
  ///
  /// One walk over the whole history.
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: a document of its own, which this one can be merged into.
  /// - Throws: ``DocumentError`` if one of the changes is not there, or the history takes more than
  ///   the limits.
  public func at(version: [ChangeID]) throws(DocumentError) -> Document {
    try at(version: version, of: exportedChanges)
  }

  /// The document as it was at a version, for content that was read from it and comes back.
  ///
  /// In its texts a scalar that the document never held stands for each one that was redacted since.
  /// What is written into it is compared with that in mind, so that nothing redacted becomes new
  /// text; see ``Editor/leftRedacted``. It is no file to be written, only to be merged by
  /// ``changing(at:_:)``.
  package func late(version: [ChangeID]) throws(DocumentError) -> Document {
    let (changes, marker) = try markedChanges()
    var past = try at(version: version, of: changes)
    past.redactionMarker = marker.scalar
    return past
  }

  /// The document at a version, made of all changes of this one, which is not kept beside it.
  package consuming func at(
    version: [ChangeID], of changes: consuming PortableChanges
  ) throws(DocumentError) -> Document {
    let (id, places) = (id, try placesOfChanges(upTo: version))
    _ = consume self
    let versions = places.lazy.map { [changes = consume changes] in changes[$0] }
    return try Document(id: id, changes: versions)
  }

  /// How many changes a version holds, named by some of them, with its heads; O(n) for n changes.
  package func changeCount(upTo version: [ChangeID]) throws(DocumentError) -> Int {
    try placesOfChanges(upTo: version).count
  }

  /// Finds where the changes of a version stand in ``changes``, ascending; O(n) for n changes.
  package func placesOfChanges(upTo version: [ChangeID]) throws(DocumentError) -> [Int] {
    let places = places(ofChanges: version)
    if let missing = zip(version, places).first(where: { $1 == nil }) {
      throw DocumentError(
        "there is no change \(missing.0) here; merge the copy that has it", kind: .noSuchVersion)
    }
    return log.graph.closure(of: log.version(of: version)).flatMap { events in
      log.eventCounts.changes(of: events).lazy.map(\.number)
    }
  }

  package func insertedText() throws(DocumentError) -> InsertedText {
    do throws(HistoryError) {
      return try InsertedText(of: log, texts: file.texts)
    } catch {
      throw DocumentError(error, in: log)
    }
  }
}
