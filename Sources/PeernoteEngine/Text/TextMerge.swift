/// The texts of a merge, by container number of the union.
package struct MergedTexts: Sendable {
  /// The raw texts.
  package var texts: [TextBuffer]
  /// How those came about that both sides changed since they parted.
  package var contested: [MergedTextHistory] = []
  /// The passages; nothing for texts without any.
  package var passages: [ContainerIndex: [TextPassage]] = [:]
  /// The lines that one side moved, and the other deleted or moved; nothing for texts without any.
  package var moves: [ContainerIndex: [TextMove]] = [:]
  /// What the walk found of text that one copy has redacted, and the other one has.
  package var redactions = RedactionsFound()
}

extension LogUnion {
  /// Merges the texts of two logs.
  ///
  /// Replays only what came after the last critical version before the two parted. The text of an
  /// insertion stands in the view alone as long as nobody deletes it, so that the log does not tell
  /// who is right if two copies show it differently. What both hold of it is therefore compared,
  /// scalar by scalar: shown here and there; shown by one and deleted by the other; deleted by both,
  /// by one change or by two. If it differs the two have no union: whoever merges what in whatever
  /// order either gets the same text or none. As no text that is known is ever dropped but by
  /// redacting it, that holds for any number of copies, each compared with the union so far.
  ///
  /// What is redacted cannot be compared: a copy that redacted a scalar goes together with one that
  /// shows something else for it, and the scalar is gone then. A digest of what each change inserted
  /// would show that, too. There is none, for it would let everybody who guesses redacted text see
  /// that the guess is right, take as much room again as most changes do, and prove nothing of a
  /// forged copy, which would bring its own.
  ///
  /// Each side's texts and passages go by the container numbers of its own log; the text of a
  /// container of another kind is empty. `critical` holds the critical versions of the union, from
  /// the last one before ``parted`` on. What the walk finds may take `memoryLimit` bytes. Throws if
  /// an operation does not apply, or a text does not fit its log, too.
  package func mergeTexts(
    _ ours: [TextBuffer], _ theirs: [TextBuffer],
    passages: (
      ours: [ContainerIndex: [TextPassage]], theirs: [ContainerIndex: [TextPassage]]
    ), critical: CriticalVersions, memoryLimit: Int
  ) throws(HistoryError) -> MergedTexts {
    let (ours, theirs) = (placed(ours, in: ourContainers), placed(theirs, in: theirContainers))
    let cut = log.graph.cut(after: critical.last(before: parted))
    let changes = log.textChanges(after: cut.last, by: sides)
    for container in theirContainers where changes[container]?.isByAny != true {
      if ours[container].isSame(as: theirs[container]) { continue }
      guard isHeld(container, by: .ours) else {
        throw HistoryError(.viewDisagrees, event: log.containers[container].created)
      }
      throw HistoryError(.textsDisagree)
    }
    var result = MergedTexts(texts: ours)
    let walked = changes.filter { container, change in
      change.isByThem || change.isByUs && isHeld(container, by: .theirs)
    }
    var finder = MergedPassages(passages, of: self, after: cut.last)
    if !walked.isEmpty {
      var walker = Walker(
        log: log, after: cut, changes: walked, texts: ours, memoryLimit: memoryLimit)
      try walker.walk(sides: sides)
      try walker.checkMemory(
        beside: walker.tracker.itemCount * MemoryLayout<TextSegment>.stride, event: parted)
      try walker.checkMemoryOfDeletions(event: parted)
      var deletedElsewhere: [InsertedText.Piece] = []
      for (container, change) in walked.sorted(by: { $0.key < $1.key }) {
        var history = try walker.tracker.textHistory(
          of: container, ours: (ours[container], container.rawValue),
          theirs: (theirs[container], Int32(ours.count) + container.rawValue),
          isChangedByThem: change.isByThem, &deletedElsewhere)
        history.isContested = change.isByUs && change.isByThem
        if history.isContested { result.contested.append(history) }
        if change.isByThem {
          result.texts[container] = history.text
        } else if !finder.areDifferent(in: container) {
          continue
        }
        try finder.find(in: container, of: history, walker: walker)
      }
      finder.forgetWalk()
      var shown = PieceTexts(deleted: log.deletedText.text, texts: ours + theirs)
      result.redactions = try walker.tracker.checkDeletions(
        of: log, against: deletedElsewhere, in: &shown, ours: ours.count)
    }
    result.moves = finder.moves
    result.passages = try finder.passages(raw: result.texts, memoryLimit: memoryLimit)
    return result
  }

  /// The texts of a side by container number of the union; empty for what it does not have.
  private func placed(_ texts: [TextBuffer], in containers: [ContainerIndex]) -> [TextBuffer] {
    var result = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for (text, container) in zip(texts, containers) { result[container] = text }
    return result
  }

  /// Whether a side has a container of the union.
  private func isHeld(_ container: ContainerIndex, by side: Sides) -> Bool {
    sides.run(at: log.containers[container].created).sides.contains(side)
  }
}

/// What operations did to one text.
package struct TextChange {
  var isByUs = false
  package var isByThem = false
  /// How many scalars they deleted, each as often as it was deleted.
  var deletedScalars: Int32 = 0

  /// Whether one of the two sides did anything that the other one has not.
  var isByAny: Bool { isByUs || isByThem }
}

extension Log {
  /// What was done to each text that one side alone edited after an event that both hold, in
  /// O(operations + containers).
  package func textChanges(
    after last: LocalVersion, by sides: SideRuns
  ) -> [ContainerIndex: TextChange] {
    var changes = [TextChange](repeating: TextChange(), count: containers.count)
    var run = sides.run(at: last + 1)
    forEachOperation(in: last + 1..<graph.end) { operation in
      guard operation.kind.editsText else { return }
      var change = changes[operation.container]
      if operation.kind.deletesText { change.deletedScalars += operation.length }
      var start = operation.first
      while start < operation.end {
        if start >= run.end { run = sides.run(at: start) }
        if run.sides == .ours { change.isByUs = true }
        if run.sides == .theirs { change.isByThem = true }
        start = min(run.end, operation.end)
      }
      changes[operation.container] = change
    }
    let edited = zip(containers.indices, changes).filter { $0.1.isByAny }
    return Dictionary(uniqueKeysWithValues: edited.map { (ContainerIndex($0), $1) })
  }
}

extension Walker {
  /// A walker over texts that were changed after a critical version, and now are these.
  package init(
    log: Log, after cut: Graph.Cut, changes: [ContainerIndex: TextChange],
    texts: [TextBuffer], memoryLimit: Int = .max
  ) {
    self.init(
      log: log, after: cut,
      texts: changes.sorted { $0.key < $1.key }.map { container, change in
        let length = texts[container].scalarCount + Int(change.deletedScalars) + 1
        return (container, log.containers[container].created > cut.last ? 0 : length)
      }, memoryLimit: memoryLimit)
  }
}
