import PeernoteEngine

/// A damaged copy, change by change.
extension SalvagedFile {
  /// A document of all that this copy adds to another one, if any, to be merged with that; `nil` if
  /// that is nothing.
  ///
  /// It holds all of the other one as well, or, for one that cannot be taken apart within the
  /// limits, what this copy tells `alone`.
  ///
  /// Nothing proves what the copy says was redacted, so it takes no text out that any copy has. Of
  /// the changes of `settled`, which are proven, text that is redacted stays out. Text that neither
  /// the document nor this copy knows may be known to `others`. Throws if the changes contradict
  /// each other or take more than the limits.
  func addition(
    to document: Document?, alone isAlone: Bool, id: UniqueID, settled: ChangePlaces?,
    others: [ChangeTexts]
  ) throws(DocumentError) -> Document? {
    let known = try isAlone ? nil : document.map(Self.takenApart)
    let places = known?.places ?? (document?.log).map { ChangePlaces($0) }
    let own = newChanges(after: known?.places)
    if own.allSatisfy({ places?.contains(log.changeID(ofChange: $0)) ?? false }) { return nil }
    let knownCount = known?.changes.count ?? 0
    let all = (0..<knownCount + own.count).lazy.map { place in
      if let known, place < knownCount {
        known.changes[place]
      } else {
        changes[own[place - knownCount].number]
      }
    }
    do throws(HistoryError) {
      var log = try Log.make(from: all, limits: self.log.limits).log
      if let fault = log.faults(critical: CriticalVersions(of: log.graph)).first { throw fault }
      guard
        let text = ChangeTexts.insertedText(
          of: log, from: [known, texts].compactMap(\.self) + others,
          settled: isAlone ? nil : settled)
      else { throw HistoryError(.viewDisagrees) }
      let replay = try Replay(log)
      log.deletedText = replay.deletedText(insertedText: text)
      // It says of what the other one deletes what that one does.
      if isAlone, let places { log.deletedText = places.deletedText(completing: log) }
      return Document(try DocumentFile(id: id, log: log, replay: replay, insertedText: text))
    } catch {
      throw DocumentError(error)
    }
  }

  /// The changes of a document; refuses one that would take far more memory in this form than in
  /// its file.
  private static func takenApart(_ document: Document) throws(DocumentError) -> ChangeTexts {
    let log = document.log
    let size = document.file.texts.reduce(log.deletedText.text.utf8.count) { $0 + $1.utf8.count }
    guard Int(log.insertedScalarCount) <= 2 * size + freeScalars else {
      throw DocumentError("too much text is redacted", kind: .limit)
    }
    return try ChangeTexts(of: document)
  }

  /// The numbers of the changes that another document lacks, whose text is known and whose parents
  /// are there.
  private func newChanges(after other: ChangePlaces?) -> [ChangeIndex] {
    func isThere(_ id: ChangeID) -> Bool { other?.contains(id) ?? false }
    var isOurs: [Bool] = []
    isOurs.reserveCapacity(changes.count)
    for (number, change) in summaries.enumerated() {
      isOurs.append(
        !isThere(change.id) && !hasLostText(ChangeIndex(number))
          && change.parents.allSatisfy { parent in
            isThere(parent) || texts.places.number(of: parent).map { isOurs[$0] } ?? false
          })
    }
    return isOurs.indices.filter { isOurs[$0] }.map { ChangeIndex($0) }
  }

  /// The numbers that some deletions of this copy have in another log that has their changes.
  func placed(
    _ deletions: [Range<Int32>], in other: ChangePlaces
  ) -> [(change: ChangeID, range: Range<Int32>)] {
    if deletions.isEmpty { return [] }
    var result: [(change: ChangeID, range: Range<Int32>)] = []
    for change in log.graph.changes {
      let id = log.changeID(ofChange: change)
      let ours = texts.places.deletions(ofChange: change)
      let theirs = other.number(of: id).map { other.deletions(ofChange: $0) }
      guard !ours.isEmpty, let theirs, theirs.count == ours.count else { continue }
      for part in deletions.parts(in: ours) {
        let start = theirs.lowerBound + (part.lowerBound - ours.lowerBound)
        result.append((id, start..<start + Int32(part.count)))
      }
    }
    return result
  }
}
