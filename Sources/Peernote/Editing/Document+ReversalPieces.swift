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

  /// One change that adds all that is wanted; none if nothing is.
  init(_ change: ChangeID? = nil) {
    if let change { changes = [change] }
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
      try note(change, restored, in: piece, wanted: wanted)
    }
  }

  /// Notes what of a piece is not wanted, given what it brought back.
  private mutating func note(
    _ change: ChangeID, _ restored: [Int32: [LocalVersion]], in piece: Document,
    wanted: WantedText
  ) throws(RevertError) {
    let events = try piece.log.events(of: [change])
    for (container, inserted) in try piece.scalars(.inserted, by: events) {
      for (event, scalar) in zip(inserted, restored[container] ?? [])
      where !wanted.holds(scalar, of: piece.log) {
        let id = piece.log.eventID(of: event)
        if let last = surplus.last, last.first.index + Int(last.count) == id.index,
          last.first.change == change
        {
          surplus[surplus.count - 1].count += 1
        } else {
          surplus.append((id, 1))
        }
      }
    }
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
          for event in operation.events {
            let id = log.eventID(of: event)
            if let last = result.surplus.last, last.first.change == id.change,
              last.first.index + Int(last.count) == id.index
            {
              result.surplus[result.surplus.count - 1].count += 1
            } else {
              result.surplus.append((id, 1))
            }
          }
        }
      }
      if !isText { return nil }
    }
    return result
  }

  /// These additions, and a change that adds the rest after them.
  func adding(_ change: ChangeID) -> ReversalAdditions {
    var result = self
    result.changes.append(change)
    return result
  }

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
  ) -> Set<[Int32]> {
    var edges: [(at: LocalVersion, change: Int32, isStart: Bool)] = []
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
    var sets: Set<[Int32]> = []
    var active: Set<Int32> = []
    var last: LocalVersion = 0
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

  /// Whether a scalar of another history is among them.
  ///
  /// O(agents + log n).
  func holds(_ scalar: LocalVersion, of other: Log) -> Bool {
    log.event(other.eventID(of: scalar)).map { scalars.holds($0) } ?? false
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

  fileprivate enum Effect { case inserted, deleted }

  /// The scalars of the texts shown that some events alone inserted, or deleted; in the order of
  /// the text.
  fileprivate func scalars(
    _ effect: Effect, by events: [Range<LocalVersion>]
  ) throws(RevertError) -> [Int32: [LocalVersion]] {
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
