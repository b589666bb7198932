/// Reversals that everybody makes in the same way.
///
/// When branches are merged, either side may make the merge, and both have to get the same bytes.
/// And when two branches take back the same changes, each for itself, and are merged later, that
/// has to count once. So a change that takes something back can have neither a random agent nor the
/// time and the author of the merge, and should not depend on what else its branch holds.
///
/// It has up to two parts:
///
/// - The *additions*: what would count twice if two branches did it, that is, text that comes back,
///   and amounts of counters. They follow right after the changes that are taken back, whatever
///   came since: their parents are the last of those. So every branch makes the same changes, also
///   where two take back different changes that overlap: see ``ReversalAdditions``.
/// - The *decisions*: all else, which leads to the same when it is done twice. They follow the
///   additions if that leads to what it should, and so are the same on every branch, too; also
///   where the text is one that others wrote against the changes. Where somebody has edited the same
///   value since, they follow all that the document holds, for what was edited later has to stay.
///
/// The time is the latest one among what a change follows, author and message are always the same
/// for the same changes, and the agent is a digest of the document's identity, the part, the changes
/// taken back and the change's parents.
///
/// An agent must never name two different changes. It does not here: the parents name all that the
/// change can see, and with the changes taken back and the part they determine every operation of it
/// (``Document/revert(_:by:message:)`` is a function of these), so the same name means the same
/// content. The agent makes no second change, since any further one has other parents. Text that is
/// redacted in one of two copies is no exception: additions that need it are refused, and decisions,
/// which may delete once more what was deleted since, then follow all that the document holds; where
/// the text is contested they are refused.
/// Should the way of reverting ever change, so must the numbers of ``Part``.
extension Document {
  /// What a change of a shared reversal does.
  ///
  /// The numbers are part of the digest.
  enum Part: UInt64, CaseIterable {
    /// All at once, on all that the document held: as earlier versions made reversals.
    case earlier = 2
    /// All additions in one change.
    case additions = 3
    /// The decisions right after the additions.
    case decisions = 4
    /// The decisions on all that the document holds.
    case lateDecisions = 5
    /// What one set of changes deleted together, or added to counters.
    case piece = 6
    /// The decisions on all that the document holds, where others deleted some of what came back.
    case decisionsOnDeleted = 7
    /// The decisions on all that the document holds, and texts as they were before.
    case asBefore = 8
    /// The decisions right after the additions, and texts as they were before.
    case earlyAsBefore = 9
    /// The decisions on all that the document holds, where others wrote something into what came back
    /// and that is gone, too.
    case decisionsOnDecided = 10
  }

  /// The author of shared reversals.
  package static let reversalAuthor = "pnmerge"
  /// Changes that the message names before it only counts them.
  private static let namedChanges = 3

  /// Takes back what some changes did, with the same new changes whoever does it.
  ///
  /// Where shared reversals that the document holds took some of it back already, they are taken
  /// back with it, since text that the changes deleted would come back twice.
  ///
  /// O(n log n), a walk over the history up to the changes and, for each shared reversal in the
  /// document, O(n).
  ///
  /// - Parameters:
  ///   - changes: what to take back.
  ///   - earlier: what merges right before this decided, and where lines adjoined: the report tells
  ///     of that, too.
  /// - Returns: what comes back beside what others wrote since; `nil` if there was nothing to take
  ///   back.
  /// - Throws: ``RevertError``; the document stays as it was.
  package mutating func revertTogether(
    _ changes: Set<ChangeID>, after earlier: [Conflict] = []
  ) throws(RevertError) -> MergeReport? {
    let reversals = EarlierReversals(in: self)
    let standing = reversals.standing(changes)
    guard !standing.isEmpty else { return nil }
    var (past, result) = (try past(of: standing), self)
    let additions = try past.add(whatTakesBack: standing, inPieces: standing == changes)
    var report = try result.mergeReversal(past, after: earlier)
    var late = result
    // What others deleted, too, without having seen the changes, stays deleted, unless they were taken
    // back as well.
    let shared = try additions.leavingOut(
      textDeletedBy: standing, or: reversals.idleDeleters, in: self)
    let whole = try shared.leavingOutLines(brokenSince: standing, in: self)
    let part =
      if whole != nil {
        Part.decisionsOnDecided
      } else if shared.surplusCount == additions.surplusCount {
        Part.lateDecisions
      } else {
        Part.decisionsOnDeleted
      }
    let isDecided = try late.make(part, of: standing, after: whole ?? shared) != nil
    var early: (document: Document, report: MergeReport, isAsBefore: Bool)?
    if result.log.deletedText.redactedCount == 0 {
      var decided = past
      let isDecided = try decided.make(.decisions, of: standing, after: additions) != nil
      let asBefore = try past.make(.earlyAsBefore, of: standing, after: additions, unlike: decided)
      if isDecided || asBefore != nil {
        var document = result
        let report = try document.mergeReversal(
          asBefore ?? decided, after: report.conflicts + report.adjoining)
        early = (document, report, asBefore != nil)
      }
    }
    // Where others wrote against the changes the raw text is nothing that anybody wrote: what the
    // two mean together is for the passages to say. They may say it only with the decisions, as what
    // comes back stands beside what has to go until then.
    var isContested = try result.hasPassages(inTextsOf: standing)
    if !isContested, let early {
      isContested = try early.document.hasPassages(inTextsOf: standing)
    }
    if isContested, !additions.changes.isEmpty || isDecided,
      result.log.deletedText.redactedCount > 0
    {
      throw .contested
    }
    if let early,
      isContested || early.isAsBefore
        || isDecided && early.document.root == late.root
          && early.document.openWrites == late.openWrites
    {
      (late, report, _) = early
    }
    // What others deleted of what comes back is theirs to say there, too.
    if isContested, early == nil { late = result }
    if isContested,
      let asBefore = try result.make(.asBefore, of: standing, after: shared, unlike: late)
    {
      late = asBefore
    }
    guard late.changeCount > changeCount else { return nil }
    self = late
    return report
  }

  /// The shared reversals that take back just some changes, and are not taken back themselves; none
  /// if some of the changes have an effect.
  ///
  /// O(1) if the document holds no shared reversal, else O(n) for each.
  package func reversals(of changes: Set<ChangeID>) -> Set<ChangeID> {
    guard log.authors.contains(Self.reversalAuthor) else { return [] }
    return EarlierReversals(in: self).reversals(of: changes)
  }

  /// The shared reversals that have an effect, by those of some changes that they took back.
  ///
  /// O(1) if the document holds no shared reversal, else O(n) for each.
  package func reversalsByTargets(of changes: Set<ChangeID>) -> [Set<ChangeID>: Set<ChangeID>] {
    guard log.authors.contains(Self.reversalAuthor) else { return [:] }
    return Dictionary(
      EarlierReversals(in: self).standingReversals(of: changes).map { ($0.targets, [$0.reversal]) }
    ) { $0.union($1) }
  }

  /// Whether a shared reversal may have taken some changes back, if together with others: it came
  /// after one of them, and the text that they inserted does not stand.
  ///
  /// O(1) if the document holds no shared reversal, else O(n log n).
  package func mayHaveTakenBack(_ changes: Set<ChangeID>) -> Bool {
    guard log.authors.contains(Self.reversalAuthor) else { return false }
    return EarlierReversals(in: self).follow(changes) && !stands(textInsertedBy: changes)
  }

  /// Makes the additions, in a document that holds just the changes and what came before.
  ///
  /// In pieces where that leads to the same, and where no reversal is taken back with the changes: a
  /// piece is made once.
  private mutating func add(
    whatTakesBack changes: Set<ChangeID>, inPieces: Bool
  ) throws(RevertError) -> ReversalAdditions {
    var whole = self
    let all = try ReversalAdditions(of: changes, inOneChangeOf: &whole)
    if inPieces, !all.changes.isEmpty, let pieces = try ReversalAdditions(of: changes, in: self) {
      var inPieces = self
      for piece in pieces.documents { _ = try inPieces.mergeReversal(piece) }
      var (one, other) = (whole, inPieces)
      _ = try one.make(.decisions, of: changes, after: all)
      _ = try other.make(.decisions, of: changes, after: pieces)
      if one.rawRoot == other.rawRoot {
        self = inPieces
        return pieces
      }
      // One change brings all back in its order, and the decisions delete what the pieces brought:
      // so it counts once, too, where another branch made only some of the pieces.
      if let replaced = try pieces.allReplaced(in: inPieces) {
        var ordered = inPieces
        let last = try ReversalAdditions(of: changes, inOneChangeOf: &ordered)
        if !last.changes.isEmpty {
          let additions = replaced.adding(last)
          var third = ordered
          _ = try third.make(.decisions, of: changes, after: additions)
          if third.rawRoot == one.rawRoot {
            self = ordered
            return additions
          }
        }
      }
    }
    self = whole
    return all
  }

  /// The document with some changes and what came before them.
  func past(of changes: Set<ChangeID>) throws(RevertError) -> Document {
    if let stranger = changes.sorted().first(where: { !contains($0) }) {
      throw .noSuchChange(stranger)
    }
    do {
      return try at(version: Array(changes))
    } catch {
      throw .limit(reason: error.description)
    }
  }

  /// Makes the decisions so that texts read as they would without what is taken back, if nothing but
  /// the additions followed that: to insert and delete what was deleted and inserted may lead to
  /// another text where a passage was settled.
  ///
  /// O(1) where nothing was edited concurrently, else a walk over the history.
  ///
  /// - Parameters:
  ///   - part: the decisions.
  ///   - changes: what is taken back.
  ///   - additions: what was added for that.
  ///   - decided: the document with the decisions alone.
  /// - Returns: another document; `nil` if texts read so already.
  /// - Throws: ``RevertError``.
  private func make(
    _ part: Part, of changes: Set<ChangeID>, after additions: ReversalAdditions,
    unlike decided: Document
  ) throws(RevertError) -> Document? {
    guard log.graph.chains.count > 1,
      let before = try version(without: changes.union(additions.changes)),
      decided.texts(thatShowOtherThan: before, keeping: nil).contains(where: decided.isUnlike)
    else { return nil }
    var raw = self
    _ = try raw.make(part, of: changes, after: additions)
    let texts = raw.texts(thatShowOtherThan: before, keeping: nil)
    var result = self
    _ = try result.make(part, of: changes, after: additions, showing: texts)
    return result
  }

  /// The document without some changes; `nil` if others followed them.
  func version(without changes: Set<ChangeID>) throws(RevertError) -> Document? {
    var heads: Set<ChangeID> = []
    for change in self.changes where !changes.contains(change.id) {
      if !changes.isDisjoint(with: change.parents) { return nil }
      heads.subtract(change.parents)
      heads.insert(change.id)
    }
    return heads.isEmpty ? nil : try past(of: heads)
  }

  /// Whether a text does not show what it should.
  func isUnlike(_ text: Editor.RevertedText) -> Bool {
    PassageMap(text.passages).shown(from: file.texts[text.container]) != text.wanted
  }

  /// Makes one of the changes; `nil` if it would be empty.
  mutating func make(
    _ part: Part, of changes: Set<ChangeID>, after additions: ReversalAdditions = .init(),
    showing texts: [Editor.RevertedText] = []
  ) throws(RevertError) -> ChangeID? {
    let session = Session(
      agent: agent(part, of: Array(changes), parents: heads), author: Self.reversalAuthor,
      time: self.changes.map(\.time).max() ?? Timestamp(milliseconds: 0))
    let events = try log.events(of: changes).union(additions.surplus(in: log))
    let others = try log.events(of: additions.changes)
    return try change(by: session, message: Self.reversalMessage(changes)) {
      (editor: inout Editor) throws(RevertError) in
      let isAddition = part == .additions || part == .piece
      try editor.revert(events, isAddition ? .additions : .decisions, after: others)
      for text in texts { try editor.show(text) }
    }
  }

  /// Whether a change is one that takes back just some changes.
  func takesBack(_ changes: [ChangeID], _ reversal: ChangeSummary) -> Bool {
    Part.allCases.contains {
      $0 != .piece
        && reversal.id.agent == agent($0, of: changes, parents: reversal.parents)
    }
  }

  /// Whether a change is a piece of what its parents deleted.
  func isPiece(_ reversal: ChangeSummary) -> Bool {
    reversal.id.agent == agent(.piece, of: reversal.parents, parents: reversal.parents)
  }

  /// Whether a text that some changes edited has passages.
  ///
  /// O(operations) if any text has.
  private func hasPassages(inTextsOf changes: Set<ChangeID>) throws(RevertError) -> Bool {
    guard !file.passages.isEmpty else { return false }
    let events = try log.events(of: changes)
    return log.operations.indices.contains { index in
      let operation = log.operations[index]
      return operation.kind.editsText && file.passages[operation.container] != nil
        && events.contains { $0.overlaps(operation.events) }
    }
  }

  mutating func mergeReversal(
    _ other: Document, after earlier: [Conflict] = []
  ) throws(RevertError) -> MergeReport {
    do {
      return try merge(other, after: earlier)
    } catch {
      throw .limit(reason: error.description)
    }
  }

  /// What is undecided, by the writes that compete.
  private var openWrites: Set<[EventID]> { Set(conflicts.map(\.writes)) }

  private func agent(_ part: Part, of changes: [ChangeID], parents: [ChangeID]) -> AgentID {
    var text = Array("peernote reversal".utf8)
    func append(_ number: UInt64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        text.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    append(part.rawValue)
    append(id.high)
    append(id.low)
    for list in [changes.sorted(), parents.sorted()] {
      append(UInt64(list.count))
      for change in list {
        append(change.agent.rawValue)
        append(UInt64(change.sequence))
      }
    }
    let digest = AgentID(digestOf: text)
    if part != .piece { return digest }
    let last = ChangeNumbers(log)
    let events = log.graph.closure(
      of: parents.compactMap { last[$0] }
        .map { log.eventCounts.firstEvent(ofChange: $0 + 1) - 1 }.sorted())
    let count = events.reduce(0) { $0 + UInt64($1.count) }
    return AgentID(rawValue: count << 32 | digest.rawValue >> 32)
  }

  /// What a change says that takes some changes back.
  static func reversalMessage(_ changes: Set<ChangeID>) -> String {
    let names = changes.sorted().prefix(namedChanges).map(\.description)
    let rest = changes.count - names.count
    return "takes back " + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
