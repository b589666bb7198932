public import PeernoteEngine

extension Document {
  /// Says how another document relates to this one.
  ///
  /// O(n log n).
  ///
  /// - Throws: ``MergeError`` if a change says different things in the two, or the same changes lead
  ///   to different texts.
  public func relation(to other: Document) throws(MergeError) -> Relation {
    if id != other.id { return .differentDocument }
    let union = try self.union(with: other.log)
    if union.sharedChangeCount == 0, changeCount > 0, other.changeCount > 0 { return .unrelated }
    let ours = changeCount - union.sharedChangeCount
    let theirs = other.changeCount - union.sharedChangeCount
    switch (ours, theirs) {
    case (0, 0):
      try Self.checkSameTexts(file.texts, other.file.texts)
      return .same
    case (0, _): return .behind(theirs)
    case (_, 0): return .ahead(ours)
    case (_, _): return .diverged(ours: ours, theirs: theirs)
    }
  }

  /// Brings in all changes of another copy of this document.
  ///
  /// All or nothing. Commutative, associative and idempotent: whatever order copies are merged in,
  /// the result is the same, to the byte. O(n log n) for reading through both histories once, plus
  /// a replay of what happened since the two parted.
  ///
  /// Takes less memory if the other copy is not needed any more and given away (`consume`).
  ///
  /// - Parameters:
  ///   - other: the other copy.
  ///   - earlier: what merges that led to either copy right before this one decided, and where lines
  ///     adjoined: the report tells of what is left of that, too, as it stands now.
  /// - Returns: what came in and was decided.
  /// - Throws: ``MergeError``; the document stays as it was.
  public mutating func merge(
    _ other: consuming Document, after earlier: [Conflict] = []
  ) throws(MergeError) -> MergeReport {
    var other = consume other
    guard id == other.id else { throw .differentDocument(ours: id, theirs: other.id) }
    var theirs = (log: other.log, texts: other.file.texts, passages: other.file.passages)
    let fileSizes = log.fileSize + theirs.log.fileSize
    let sections = Envelope.UnknownSection.union(file.unknownSections, other.file.unknownSections)
    guard sections.size <= log.limits.optionalSections else {
      throw .damaged(
        DocumentError(
          "the optional sections of both copies take \(sections.size) bytes together, more "
            + "than the limit of \(log.limits.optionalSections)", kind: .limit, in: .envelope))
    }
    // What the other copy shows is needed no more, and makes room for what the union shows.
    other.file.objects = .empty
    let union = try self.union(with: theirs.log)
    if union.sharedChangeCount == 0, changeCount > 0, theirs.log.changeCount > 0 {
      throw .noSharedHistory
    }
    let isNew = !union.onlyTheirs.isEmpty
    let isSame = !isNew && union.onlyOurs.isEmpty
    var report = MergeReport(
      result: union.onlyOurs.isEmpty
        ? (isNew ? .fastForward : .identical) : isNew ? .merged : .behind,
      newChanges: isNew ? ChangeList(of: union.log, in: union.onlyTheirs) : ChangeList())
    if isSame { try Self.checkSameTexts(file.texts, theirs.texts) }
    if !isNew { report.conflicts = open(of: earlier) }
    if !isNew, union.log.deletedText == log.deletedText, sections == file.unknownSections,
      !isSame || file.passages == theirs.passages
    {
      if !isSame { try checkAgreement(union, theirs, fileSizes: fileSizes) }
      report.adjoining = earlier.adjoining.standing(in: self)
      return report
    }
    do throws(HistoryError) {
      let critical = CriticalVersions(of: union.log.graph, before: union.parted)
      if let first = union.onlyTheirs.first?.lowerBound,
        let fault = union.log.faults(critical: critical, from: first).first
      {
        throw fault
      }
      let objects = try Objects(of: union.log)
      // What nobody wrote twice is undecided nowhere but in passages, and in lists if some worked
      // beside each other; else nobody asks what they knew of that.
      if objects.repeatedWriteCount == 0, theirs.passages.isEmpty,
        objects.slots.isEmpty || theirs.log.graph.isLinear
      {
        theirs.log = Log()
      }
      let texts = try texts(
        of: union, theirs, critical, fileSizes: fileSizes, beside: objects.byteCount)
      let words = RedactedWords(
        union.redacted + texts.redactions.known, in: file.texts, and: theirs.texts)
      var merged = DocumentFile(
        id: id, objects: objects, texts: texts.texts, passages: texts.passages,
        unknownSections: sections)
      if isNew, !union.onlyOurs.isEmpty || !earlier.isEmpty {
        (report.conflicts, report.adjoining) = try newConflicts(
          in: merged, union: union, contested: texts.contested, moves: texts.moves,
          theirs: theirs, after: earlier)
      }
      try merged.checkLimits()
      // With what we still show and the other copy has deleted and redacted.
      let takenOut = (union.takenOut + texts.redactions.takenOut).united()
      report.takenOut = union.log.deletedTexts(takenOut, in: merged.objects)
      report.leftover =
        merged.places(of: words)
        + union.log.deletedTexts(texts.redactions.keptByOthers, in: merged.objects)
        .map { .deleted($0) }
      merged.layout = file.layout
      merged.layout?.keepChains(union.sharedPrefix.chains)
      file = merged
      return report
    } catch {
      throw MergeError(error, in: union.log)
    }
  }

  /// What is known of another copy.
  private typealias Copy = (
    log: Log, texts: [TextBuffer], passages: [ContainerIndex: [TextPassage]]
  )

  /// The texts of both copies merged, and their passages; beside all logs `more` bytes are held.
  private func texts(
    of union: LogUnion, _ theirs: Copy, _ critical: CriticalVersions, fileSizes: Int,
    beside more: Int = 0
  ) throws(HistoryError) -> MergedTexts {
    let held =
      log.byteCount + file.objects.byteCount + file.texts.byteCount + theirs.log.byteCount
      + theirs.texts.byteCount + union.log.byteCount + more
    return try union.mergeTexts(
      file.texts, theirs.texts, passages: (file.passages, theirs.passages), critical: critical,
      memoryLimit: log.limits.memoryLeft(for: 2 * fileSizes, beside: held))
  }

  /// Refuses two copies that show different texts though they hold the same changes: what was
  /// inserted stands in the view alone, so that one of them was damaged or forged.
  private static func checkSameTexts(
    _ ours: [TextBuffer], _ theirs: [TextBuffer]
  ) throws(MergeError) {
    if zip(ours, theirs).allSatisfy({ $0.isSame(as: $1) }) { return }
    throw MergeError(HistoryError(.textsDisagree), in: Log())
  }

  /// Refuses a copy that has no news if it shows other text than ours for what both hold, or passages
  /// that its history does not make.
  ///
  /// Replays what the copy lacks. Where that takes more than the limits nothing is compared: ours
  /// stays as it is, and no merge would bring anything else about.
  private func checkAgreement(
    _ union: LogUnion, _ theirs: Copy, fileSizes: Int
  ) throws(MergeError) {
    let critical = CriticalVersions(of: union.log.graph, before: union.parted)
    do throws(HistoryError) {
      _ = try texts(of: union, theirs, critical, fileSizes: fileSizes)
    } catch {
      if !error.reason.isLimit { throw MergeError(error, in: union.log) }
    }
  }

  /// The changes of this copy and of another one.
  func union(with other: Log) throws(MergeError) -> LogUnion {
    do throws(LogUnion.Failure) {
      return try LogUnion(log, other)
    } catch {
      switch error {
      case .forked(let change, let fork):
        throw .forked(change, reason: fork.rawValue)
      case .refused(let reason, let change):
        throw MergeError(
          reason, in: [log, other],
          else: DocumentError(
            reason.description, kind: reason.isLimit ? .limit : .damaged, in: .log, change: change))
      case .deletionsDisagree:
        throw .damaged(
          DocumentError(
            HistoryError.Reason.deletionsDisagree.description, in: .log))
      }
    }
  }

  /// What is left here of what earlier merges decided.
  private func open(of earlier: [Conflict]) -> [Conflict] {
    if earlier.told.isEmpty { return [] }
    let told = Set(earlier.map(\.matter))
    return conflicts.filter { told.contains($0.matter) }
  }

  /// What a merge decided that was open in neither document before, with what is left of what earlier
  /// merges decided; and where lines adjoin.
  private func newConflicts(
    in merged: DocumentFile, union: LogUnion, contested: [MergedTextHistory],
    moves: [ContainerIndex: [TextMove]], theirs: Copy, after earlier: [Conflict]
  ) throws(HistoryError) -> (conflicts: [Conflict], adjoining: [Conflict]) {
    var finder = ConflictFinder(
      objects: merged.objects, texts: merged.shownTexts,
      passages: merged.passages, moves: moves, locating: Set(contested.map(\.container)))
    finder.search()
    var found = finder.found
    if !found.isEmpty {
      let other = Document(
        DocumentFile(
          id: id, objects: try Objects(of: theirs.log), texts: theirs.texts,
          passages: theirs.passages))
      let told = Set(earlier.map(\.matter))
      // Of lines that were moved, those are found that are new.
      let known = Set(
        [self, other].flatMap { $0.file.conflicts(moves: [:], ["id"]) }.map(\.matter)
      ).subtracting(told)
      found.removeAll { known.contains($0.matter) }
    }
    let edited = Set(contested.map(\.container))
    let ourEdits = union.lastEdits(of: edited, in: union.onlyOurs)
    let theirEdits = union.lastEdits(of: edited, in: union.onlyTheirs)
    var adjoining: [Conflict] = []
    for text in contested {
      guard let path = finder.paths[text.container], let ours = ourEdits[text.container],
        let theirs = theirEdits[text.container]
      else { continue }
      adjoining += union.log.adjoining(
        AdjoiningLines.find(in: text), of: text, among: merged.passages[text.container] ?? [],
        at: path, by: (ours, theirs))
    }
    let before = earlier.adjoining
    if before.isEmpty { return (found, adjoining) }
    let left = before.standing(in: Document(merged)).filter { place in
      !adjoining.contains { $0.sharesText(with: place) }
    }
    return (found, adjoining + left)
  }
}

extension [Conflict] {
  /// Where both sides changed lines that adjoin.
  var adjoining: [Conflict] { filter(\.isCombined) }
  /// All else.
  var told: [Conflict] { filter { !$0.isCombined } }
}

extension MergeError {
  fileprivate init(_ error: HistoryError, in log: Log) {
    let section: DocumentError.Section =
      switch error.reason {
      case .textsDisagree: .view
      case .passagesDisagree: .passages
      case _: .log
      }
    self.init(error.reason, in: [log], else: DocumentError(error, in: log, section: section))
  }

  /// A limit that one agent uses up more than all others together, or another error.
  fileprivate init(
    _ reason: HistoryError.Reason, in logs: [Log], else error: @autoclosure () -> DocumentError
  ) {
    guard let agent = AgentShare.filling(reason, of: logs) else {
      self = .damaged(error())
      return
    }
    self = .filled(
      by: agent.lastChange,
      DocumentError(
        "\(reason.description), \(agent.count) of them by agent \(agent.lastChange.agent)",
        kind: .limit, in: .log))
  }
}

extension Envelope.UnknownSection {
  /// The sections of two copies; of two different ones with one number the larger by length, then
  /// bytes, so that the order of merging does not matter.
  ///
  /// Versions that a plain file has shown are united.
  static func union(
    _ ours: [Envelope.UnknownSection], _ theirs: [Envelope.UnknownSection]
  ) -> [Envelope.UnknownSection] {
    var sections: [UInt64: [UInt8]] = [:]
    for section in ours + theirs {
      if section.number == ShownVersions.sectionNumber, let known = sections[section.number],
        let union = ShownVersions.union(known, section.content)
      {
        sections[section.number] = union
        continue
      }
      if let known = sections[section.number], !known.precedes(section.content) { continue }
      sections[section.number] = section.content
    }
    return sections.sorted { $0.key < $1.key }.map { .init(number: $0.key, content: $0.value) }
  }
}

extension [UInt8] {
  fileprivate func precedes(_ other: [UInt8]) -> Bool {
    count != other.count ? count < other.count : lexicographicallyPrecedes(other)
  }
}

extension LogUnion {
  /// The last event in some ranges that edited each of some texts; O(operations in the ranges).
  fileprivate func lastEdits(
    of containers: Set<ContainerIndex>, in ranges: [Range<LocalVersion>]
  ) -> [ContainerIndex: LocalVersion] {
    var result: [ContainerIndex: LocalVersion] = [:]
    if containers.isEmpty { return result }
    for range in ranges {
      log.forEachOperation(in: range) { operation in
        if containers.contains(operation.container) {
          result[operation.container] = operation.end - 1
        }
      }
    }
    return result
  }
}
