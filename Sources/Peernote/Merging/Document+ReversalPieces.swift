/// The additions of a shared reversal: the changes that bring text and amounts back.
///
/// Two branches often take back different changes that overlap, as one alone and that with the next
/// at once. So the additions come in *pieces*, one for each set of changes that together deleted
/// some text, in most cases a single change: the piece brings back all that just these deleted,
/// whatever else is taken back with them. Where a reversal wants only a part of it, its decisions
/// delete the rest, which counts once however often it is done.
///
/// A piece follows the changes that deleted, so that every branch can make it, and its agent begins
/// with the number of events before it. Insertions at one place stand in the order of their agents,
/// and where one run was deleted and then its right neighbour, both come back at the place before
/// the first: the one that was deleted first has to stand first, and what somebody typed there since
/// behind both.
///
/// Pieces cannot lead to what is wanted everywhere, as where a deleted container comes back as a
/// copy, or one deleted run enclosed another one. Whether they do is tried, and depends on the
/// changes alone; where they don't, one change adds all: after the pieces, of which the decisions
/// delete everything, if they brought nothing but text.
struct ReversalAdditions {
  /// The changes.
  private(set) var changes: [ChangeID] = []
  /// A document for each piece, with it and what came before.
  private(set) var documents: [Document] = []
  /// What they brought back beyond what is wanted: runs of events.
  private(set) var surplus: [(first: EventID, count: Int32)] = []
  /// What they brought back, and of which insertions it is the text.
  private var restored: [(event: EventID, original: EventID)] = []

  /// Nothing.
  init() {}

  /// One change that adds all that is wanted; none if nothing is.
  ///
  /// - Parameters:
  ///   - targets: what to take back.
  ///   - document: a document that holds the changes, what came before and perhaps pieces; the
  ///     change is made in it.
  /// - Throws: ``RevertError`` if text is not known any more, or a limit is met.
  init(of targets: Set<ChangeID>, inOneChangeOf document: inout Document) throws(RevertError) {
    let texts = try document.scalars(.deleted, by: document.log.events(of: targets))
    guard let change = try document.make(.additions, of: targets) else { return }
    changes = [change]
    try record(change, texts, in: document) { _ in true }
  }

  /// More pieces than that are one change: each is made on the document as it was then, which takes
  /// about as long as to merge it.
  private static let mostPieces = 64
  /// How many events all these documents may have together; several pieces that take more are one
  /// change.
  private static let mostEvents = 1 << 26

  /// Makes the pieces that take some changes back, on documents of their own; `nil` if there are
  /// more than is worth it.
  ///
  /// O(n log n) for each piece.
  ///
  /// - Parameters:
  ///   - targets: what to take back.
  ///   - whole: a document that holds just the changes and what came before.
  /// - Throws: ``RevertError`` if text is not known any more, or a limit is met.
  init?(of targets: Set<ChangeID>, in whole: Document) throws(RevertError) {
    let wanted = try WantedText(back: targets, in: whole)
    let pieces = wanted.deleters.count
    let events = pieces * Int(whole.log.graph.eventCount)
    if pieces > Self.mostPieces || pieces > 1 && events > Self.mostEvents { return nil }
    for deleters in wanted.deleters {
      var piece = try whole.past(of: deleters)
      let events = try piece.log.events(of: deleters)
      let restored = try piece.scalars(.deleted, by: events)
      guard let change = try piece.make(.piece, of: deleters) else { continue }
      documents.append(piece)
      changes.append(change)
      let log = piece.log
      try record(change, restored, in: piece) { wanted.holds(log.eventID(of: $0)) }
    }
  }

  /// Records what a change brought back, given the insertions of that text, and what of it is not
  /// wanted.
  private mutating func record(
    _ change: ChangeID, _ texts: [ContainerIndex: [LocalVersion]], in document: Document,
    isWanted: (LocalVersion) -> Bool
  ) throws(RevertError) {
    let log = document.log
    let events = try log.events(of: [change])
    for (container, inserted) in try document.scalars(.inserted, by: events) {
      for (event, scalar) in zip(inserted, texts[container] ?? []) {
        restored.append((log.eventID(of: event), log.eventID(of: scalar)))
        if !isWanted(scalar) { addSurplus(log.eventID(of: event)) }
      }
    }
  }

  private mutating func addSurplus(_ event: EventID) {
    if let last = surplus.last, last.first.change == event.change,
      last.first.index + Int(last.count) == event.index
    {
      surplus[surplus.count - 1].count += 1
    } else {
      surplus.append((event, 1))
    }
  }

  /// The same additions, of which text is not wanted that others than some changes deleted as well.
  ///
  /// O(n log n) if the document holds more than the changes and what came before.
  ///
  /// - Parameters:
  ///   - targets: what is taken back.
  ///   - idle: others whose deletions were taken back already.
  ///   - document: all that is there, without the additions.
  /// - Returns: the additions with a larger surplus.
  /// - Throws: ``RevertError`` if a limit is met.
  func leavingOut(
    textDeletedBy targets: Set<ChangeID>, or idle: Set<ChangeID>, in document: Document
  ) throws(RevertError) -> ReversalAdditions {
    if restored.isEmpty || document.heads.allSatisfy(targets.contains) { return self }
    var wanted = [try WantedText(back: targets, in: document)]
    // What those inserted themselves is wanted as well.
    if !idle.isSubset(of: targets) {
      wanted.append(try WantedText(back: targets.union(idle), in: document))
    }
    var result = self
    let known = surplusEvents
    for (event, original) in restored
    where !known.contains(event) && !wanted.contains(where: { $0.holds(original) }) {
      result.addSurplus(event)
    }
    return result
  }

  /// The same additions, of which lines are not wanted that others changed as well, if what they wrote
  /// into them is gone, too: they would come back with a hole.
  ///
  /// O(n log n) if something of the additions is not wanted, else O(1).
  ///
  /// - Parameters:
  ///   - targets: what is taken back.
  ///   - document: all that is there, without the additions.
  /// - Returns: the additions with a larger surplus; `nil` if there is no such line.
  /// - Throws: ``RevertError`` if a limit is met.
  func leavingOutLines(
    brokenSince targets: Set<ChangeID>, in document: Document
  ) throws(RevertError) -> ReversalAdditions? {
    if surplus.isEmpty { return nil }
    let log = document.log
    let events = try log.events(of: targets)
    let last = ChangeNumbers(log)
    let heads = targets.compactMap { last[$0] }
      .map { log.eventCounts.firstEvent(ofChange: $0 + 1) - 1 }.sorted()
    let reversal = try limited { () throws(HistoryError) in
      try TextReversal(
        of: events, log: log, texts: document.file.texts, fromStart: true,
        after: log.graph.closure(of: heads).flatMap { events.gaps(in: $0) })
    }
    if reversal.brokenLines.isEmpty { return nil }
    var result = self
    let known = surplusEvents
    for (event, original) in restored where !known.contains(event) {
      if let scalar = log.event(original), reversal.brokenLines.holds(scalar) {
        result.addSurplus(event)
      }
    }
    return result.surplusCount == surplusCount ? nil : result
  }

  /// The same pieces, of which nothing is wanted.
  ///
  /// - Parameter document: a document that holds them.
  /// - Returns: the pieces; `nil` if they did more than insert text, which cannot be deleted.
  /// - Throws: ``RevertError`` if the pieces are not there.
  func allReplaced(in document: Document) throws(RevertError) -> ReversalAdditions? {
    let log = document.log
    var result = self
    result.surplus = []
    for range in try log.events(of: changes) {
      var isText = true
      try limited { () throws(HistoryError) in
        try log.forEachOperation(in: range) { operation in
          guard operation.kind == .insertText else {
            isText = false
            return
          }
          for event in operation.events { result.addSurplus(log.eventID(of: event)) }
        }
      }
      if !isText { return nil }
    }
    return result
  }

  /// These additions, and a change that adds the rest after them.
  func adding(_ last: ReversalAdditions) -> ReversalAdditions {
    var result = self
    result.changes += last.changes
    result.surplus += last.surplus
    result.restored += last.restored
    return result
  }

  /// The surplus as events.
  private var surplusEvents: Set<EventID> {
    Set(
      surplus.flatMap { run in
        (0..<Int(run.count)).map { EventID(change: run.first.change, index: run.first.index + $0) }
      })
  }

  /// How many scalars the surplus is.
  var surplusCount: Int { surplus.reduce(0) { $0 + Int($1.count) } }

  /// The surplus as events of a document that holds the changes.
  func surplus(in log: Log) -> [Range<LocalVersion>] {
    surplus.compactMap { run in log.event(run.first).map { $0..<$0 + run.count } }
  }
}

/// The text that some changes alone deleted and somebody else wrote.
private struct WantedText {
  private let log: Log
  /// The scalars, by their insertion.
  private let scalars: [Range<LocalVersion>]
  /// The sets of changes that deleted some of it together, or changed counters, in the order of
  /// what they follow.
  let deleters: [Set<ChangeID>]

  /// Looks for it in a document that holds just the changes and what came before.
  init(back targets: Set<ChangeID>, in document: Document) throws(RevertError) {
    log = document.log
    let log = document.log
    let events = try log.events(of: targets)
    let reversal = try document.textReversal(of: events)
    var restored: [Range<LocalVersion>] = []
    for (container, splices) in reversal.splices where document.file.objects.isShown(container) {
      restored += splices.filter { $0.deleted == 0 }.map(\.scalars)
    }
    scalars = [].union(restored)
    var sets = Self.deleters(of: scalars, reversal.deletions, log)
    for range in events {
      try limited { () throws(HistoryError) in
        try log.forEachOperation(in: range) { operation in
          if operation.kind == .increment {
            sets.insert([log.eventCounts.change(of: operation.events.lowerBound)])
          }
        }
      }
    }
    deleters = sets.sorted { $0.lexicographicallyPrecedes($1) }
      .map { Set($0.map(log.changeID(ofChange:))) }
  }

  /// The sets of changes that deleted some of the scalars, each ascending.
  ///
  /// O(n log n).
  private static func deleters(
    of scalars: [Range<LocalVersion>], _ deletions: [TextReversal.Deletion], _ log: Log
  ) -> Set<[ChangeIndex]> {
    var edges: [(at: LocalVersion, change: ChangeIndex, isStart: Bool)] = []
    for deletion in deletions {
      var start = deletion.events.lowerBound
      while start < deletion.events.upperBound {
        let change = log.eventCounts.change(of: start)
        let end = min(
          deletion.events.upperBound, log.eventCounts.firstEvent(ofChange: change + 1))
        let deleted = deletion.scalars(of: start..<end)
        edges.append((deleted.lowerBound, change, true))
        edges.append((deleted.upperBound, change, false))
        start = end
      }
    }
    edges.sort { ($0.at, $0.isStart ? 1 : 0) < ($1.at, $1.isStart ? 1 : 0) }
    var sets: Set<[ChangeIndex]> = []
    var active: Set<ChangeIndex> = []
    var last = LocalVersion.first
    for edge in edges {
      let range = last..<edge.at
      if !active.isEmpty, !range.isEmpty, scalars.gaps(in: range) != [range] {
        sets.insert(active.sorted())
      }
      if edge.isStart { active.insert(edge.change) } else { active.remove(edge.change) }
      last = edge.at
    }
    return sets
  }

  /// Whether a scalar is among them, by its insertion.
  ///
  /// O(agents + log n).
  func holds(_ scalar: EventID) -> Bool {
    log.event(scalar).map { scalars.holds($0) } ?? false
  }
}

extension Document {
  /// How texts change that some events edited.
  fileprivate func textReversal(
    of events: [Range<LocalVersion>]
  ) throws(RevertError) -> TextReversal {
    try limited { () throws(HistoryError) in
      try TextReversal(of: events, log: log, texts: file.texts, fromStart: true)
    }
  }

  /// Whether some changes inserted text, and something of each insertion is shown: others may have
  /// edited it, but it is there.
  ///
  /// O(n log n).
  package func stands(textInsertedBy changes: Set<ChangeID>) -> Bool {
    guard let events = try? log.events(of: changes),
      let standing = try? scalars(.inserted, by: events).values.flatMap({ $0 }).sorted()
    else { return false }
    var isEmpty = true
    var isShown = true
    for range in events {
      let _: Void? = try? log.forEachOperation(in: range) { operation in
        guard operation.kind == .insertText else { return }
        isEmpty = false
        let first = standing.partitionPoint { $0 >= operation.first }
        isShown = isShown && first < standing.count && standing[first] < operation.end
      }
    }
    return isShown && !isEmpty
  }

  /// Whether a text shows something else than what was inserted and not deleted.
  package var hasPassages: Bool { !file.passages.isEmpty }

  /// Whether some changes did nothing but delete text.
  ///
  /// O(operations of the changes).
  package func onlyDeleteText(_ changes: Set<ChangeID>) -> Bool {
    guard let events = try? log.events(of: changes) else { return false }
    var isOnly = true
    for range in events {
      let _: Void? = try? log.forEachOperation(in: range) { operation in
        isOnly = isOnly && operation.kind.deletesText
      }
    }
    return isOnly
  }

  /// Whether some changes edited nothing but texts, and nobody else deleted what they inserted.
  ///
  /// Once they are taken back, nothing of that is left; what they deleted is back as far as nobody else
  /// deleted it.
  ///
  /// O(n log n).
  package func holdsWhole(textInsertedBy changes: Set<ChangeID>) -> Bool {
    guard let events = try? log.events(of: changes),
      let reversal = try? textReversal(of: events)
    else { return false }
    var inserted: [Range<LocalVersion>] = []
    var isText = true
    for range in events {
      let _: Void? = try? log.forEachOperation(in: range) { operation in
        isText = isText && operation.kind.editsText
        if operation.kind == .insertText { inserted.append(operation.events) }
      }
    }
    let deleted = [].union(reversal.deletions.map { $0.scalars(of: $0.events) })
    let left = inserted.flatMap { deleted.gaps(in: $0) }
    let gone = reversal.splices.values.joined().filter { $0.deleted > 0 }.map(\.scalars)
    return isText && [].union(left) == [].union(gone)
  }

  fileprivate enum Effect { case inserted, deleted }

  /// The scalars of the texts shown that some events alone inserted, or deleted; in the order of
  /// the text.
  fileprivate func scalars(
    _ effect: Effect, by events: [Range<LocalVersion>]
  ) throws(RevertError) -> [ContainerIndex: [LocalVersion]] {
    try textReversal(of: events).splices.filter { file.objects.isShown($0.key) }
      .mapValues { splices in
        splices.filter { ($0.deleted > 0) == (effect == .inserted) }.flatMap { Array($0.scalars) }
      }
  }
}

private func limited<Result>(
  _ body: () throws(HistoryError) -> Result
) throws(RevertError) -> Result {
  do throws(HistoryError) {
    return try body()
  } catch {
    throw .limit(reason: error.reason.description)
  }
}
