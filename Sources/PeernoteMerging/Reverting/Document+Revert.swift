public import PeernoteEngine

extension Document {
  /// Takes back what some changes did, with a new change; what others did since stays.
  ///
  /// The changes remain in the history. On the content as it is now:
  ///
  /// - Text that they inserted goes, as far as it still stands. Text that they alone deleted comes
  ///   back, as a new insertion where the deleted run stood.
  /// - A value that they wrote, and that is still shown, gives way to what would be shown without
  ///   them, and so does a key that they removed. What someone else wrote later stays.
  /// - A list element that they inserted goes, unless someone else wrote it or edited inside. One
  ///   that they removed comes back, the same element as before; one that they moved goes back.
  /// - A value is in a set again if it would be without them; a counter loses what they added.
  /// - A container that they created goes, as does a map that was created for them to write in (see
  ///   ``encode(_:at:by:session:message:)``), unless someone else edited inside: then only what they
  ///   did inside is taken back; a list element stays whole, except for text that they inserted. One
  ///   that others removed, and that is shown only since they wrote in it, goes as well. One that
  ///   they replaced or removed comes back as a copy with what it would hold without them; edits to
  ///   the old one, in copies that still have it, are then reported as a conflict when they are
  ///   merged.
  ///
  /// So reverting the last change leads to the content before it, passages of texts included, of
  /// which those that are settled stay so, and reverting a reversal to the content before that. The
  /// same document, changes and session give the same bytes.
  ///
  /// O(n log n), and a replay of the texts from where the first of the changes began; where people
  /// worked beside each other, also one of the document for each run of the changes.
  ///
  /// - Parameters:
  ///   - changes: what to take back, in any order.
  ///   - session: who makes the new change, and when.
  ///   - message: an optional remark.
  /// - Returns: the new change and what it settles; `nil` if there was nothing left to take back.
  /// - Throws: ``RevertError``; the document stays as it was.
  @discardableResult
  public mutating func revert(
    _ changes: some Sequence<ChangeID>, by session: DocumentSession, message: String? = nil
  ) throws(RevertError) -> RevertReport? {
    try revert(Array(changes), cancelled: [], by: session, message: message)
  }

  /// Takes back what some changes did; see ``revert(_:by:message:)``.
  ///
  /// Other changes cancel each other out: what they did counts as little as what is reverted. So a
  /// place that shows what they brought back shows again what it did before the changes. Where the
  /// changes themselves make no difference, everything stays as it is.
  mutating func revert(
    _ reverted: [ChangeID], cancelled: [ChangeID], by session: DocumentSession, message: String?
  ) throws(RevertError) -> RevertReport? {
    // Nothing is contested where nobody worked beside anybody, or went on in what had been removed.
    let before = log.graph.isLinear && file.objects.edits == nil ? nil : self
    guard let change = try makeReversal(of: reverted, cancelled: cancelled, by: session, message)
    else { return nil }
    guard let before else { return RevertReport(change: change, settled: []) }
    do throws(RevertError) {
      return RevertReport(
        change: change, settled: try conflictsSettled(byReverting: reverted, in: before))
    } catch {
      self = before
      throw error
    }
  }

  private mutating func makeReversal(
    of reverted: [ChangeID], cancelled: [ChangeID], by session: DocumentSession, _ message: String?
  ) throws(RevertError) -> ChangeID? {
    let all = reverted + cancelled
    let changes = all + (try creations(for: all))
    let others = cancelled + (try creations(for: cancelled))
    func reverse(
      _ document: inout Document, showing texts: [Editor.RevertedText]
    ) throws(RevertError) -> ChangeID? {
      try document.change(by: session, message: message) {
        (editor: inout Editor) throws(RevertError) in
        try editor.revert(changes, cancelled: others)
        for text in texts { try editor.show(text) }
      }
    }
    guard let past = try versionBefore(all) else { return try reverse(&self, showing: []) }
    var result = self
    let made = try reverse(&result, showing: [])
    let texts = result.texts(thatShowOtherThan: past, keeping: file.passages)
    if texts.isEmpty {
      self = result
      return made
    }
    // The same edits lead to the same containers.
    return try reverse(&self, showing: texts)
  }

  /// The changes that created maps in which some changes wrote keys, and did nothing else.
  private func creations(for changes: [ChangeID]) throws(RevertError) -> [ChangeID] {
    var maps: Set<ContainerIndex> = []
    for range in try log.events(of: changes) {
      log.forEachOperation(in: range) { operation in
        if operation.kind == .put { maps.insert(operation.container) }
      }
    }
    maps.remove(.root)
    if maps.isEmpty { return [] }
    // With all that was created in them alike.
    var found: [ChangeID] = []
    var created: Set<ContainerIndex> = []
    for (number, properties) in log.containers.enumerated() {
      let container = ContainerIndex(number)
      guard maps.contains(container) || properties.parent.map(created.contains) == true,
        let change = SharedCreation.change(creating: container, in: file.objects, of: id)
      else { continue }
      created.insert(container)
      found.append(change)
    }
    return found.filter { !changes.contains($0) }
  }

  /// The document before some changes, if these are the last ones and what texts show may be
  /// something else than their raw text, which insertions and deletions lead back to; O(1) where
  /// nothing was edited concurrently, else a walk over the whole history.
  private func versionBefore(_ changes: [ChangeID]) throws(RevertError) -> Document? {
    let reverted = Set(changes)
    // What a later change brought back may be redacted where it stood before.
    guard log.graph.chains.count > 1, reverted.isSuperset(of: heads),
      changes.count == 1 || log.deletedText.redactedCount == 0
    else { return nil }
    let rest = self.changes.filter { !reverted.contains($0.id) }
    let parents = Set(rest.lazy.flatMap(\.parents))
    guard parents.isDisjoint(with: reverted) else { return nil }
    return try past(rest.lazy.map(\.id).filter { !parents.contains($0) })
  }

  private func past(_ version: [ChangeID]) throws(RevertError) -> Document {
    do throws(DocumentError) {
      return try at(version: version)
    } catch {
      throw .limit(reason: error.description)
    }
  }

  /// What those texts with passages should show, in the order of the containers, that do not show
  /// what they did in an earlier version, or have others than those that may stay.
  private func texts(
    thatShowOtherThan past: Document, keeping known: [ContainerIndex: [TextPassage]]
  ) -> [Editor.RevertedText] {
    func places(_ document: Document) -> [JSONPointer] {
      document.file.passages.keys.compactMap { document.file.objects.path(to: $0) }
        .map { JSONPointer($0) }
    }
    let shownThen = past.file.shownTexts
    return Set(places(self) + places(past)).compactMap { path in
      // Content that is the same stands at the same paths.
      guard let container = text(at: path), let then = past.text(at: path) else { return nil }
      let kept = known[container] ?? []
      let passages = file.passages[container] ?? []
      let reopened = passages.indices.filter { index in
        !kept.contains { $0.hasSameReadings(as: passages[index]) }
      }
      let text = Editor.RevertedText(
        container: container, passages: passages, reopened: Set(reopened),
        wanted: shownThen[then])
      let shown = PassageMap(passages).shown(from: file.texts[container])
      return shown == text.wanted && reopened.isEmpty ? nil : text
    }.sorted { $0.container < $1.container }
  }
}

extension Editor {
  /// What a text should show once its raw text was reverted.
  struct RevertedText {
    var container: ContainerIndex
    /// The passages that it has after that.
    var passages: [TextPassage]
    /// Those of them that had been settled.
    var reopened: Set<Int>
    /// What it is to show.
    var wanted: TextBuffer
  }

  /// Makes a text whose raw text was reverted show what it should; the passages that the edits do
  /// not meet stay.
  mutating func show(_ text: RevertedText) throws(RevertError) {
    passages[text.container] = text.passages
    try Self.limited(settle(text.container, as: text.wanted, besides: text.reopened))
  }
}

/// Why changes cannot be reverted.
public enum RevertError: Error, Hashable, Sendable {
  /// The document holds no such change.
  case noSuchChange(ChangeID)
  /// Text that the changes deleted was redacted, here if the text is shown at all.
  case redacted(JSONPointer?)
  /// The document would grow larger or deeper than the limits, or its history contradicts itself.
  case limit(reason: String)
}

extension RevertError: CustomStringConvertible {
  /// The reason in one clause.
  public var description: String {
    switch self {
    case .noSuchChange(let change): "there is no change \(change)"
    case .redacted(let path):
      (path.map { "\($0): " } ?? "") + "text that was deleted is redacted and cannot come back"
    case .limit(let reason): reason
    }
  }
}

extension Log {
  /// The events of some changes, as ascending ranges that don't touch.
  ///
  /// O(chains + c log n) for c changes. Throws ``RevertError/noSuchChange(_:)``.
  func events(
    of changes: some Sequence<ChangeID>
  ) throws(RevertError) -> [Range<LocalVersion>] {
    let names = ChangeNumbers(self)
    var found: [Range<LocalVersion>] = []
    for id in changes {
      guard let change = names[id], change < eventCounts.changes.upperBound else {
        throw .noSuchChange(id)
      }
      found.append(eventCounts.events(ofChange: change))
    }
    return [].union(found)
  }
}

/// What taking changes back did.
public struct RevertReport: Hashable, Sendable {
  /// The change that takes them back.
  public var change: ChangeID
  /// The conflicts that this settles, as they were: those that were open and are not any more, and
  /// those that had been settled since the changes were made, where something else is shown now.
  ///
  /// So what somebody else deleted, and the changes had kept, goes for everybody only if it is here.
  public var settled: [Conflict]
}

extension Document {
  /// The conflicts that a reversal in this document settled; see ``RevertReport/settled``; a walk
  /// over the history for each of the changes that does not follow another one alone.
  func conflictsSettled(
    byReverting changes: [ChangeID], in before: Document
  ) throws(RevertError) -> [Conflict] {
    let open = conflicts
    let known = before.conflicts
    var settled = known.filter { !$0.isOpen(in: open) }
    let reverted = Set(changes)
    let starts = Set(before.changes.lazy.filter { reverted.contains($0.id) }.map(\.parents))
      .filter { !$0.isEmpty && !reverted.isSuperset(of: $0) }
    for parents in starts.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let past = try before.past(parents)
      settled += past.conflicts.filter { conflict in
        !conflict.isOpen(in: open) && !conflict.isOpen(in: known)
          && !conflict.isOpen(in: settled)
          && before.outcome(of: conflict, in: past) != outcome(of: conflict, in: past)
      }
    }
    return settled
  }

  /// What became of what was contested in an earlier version: which container, value or words stand
  /// there.
  private func outcome(of conflict: Conflict, in past: Document) -> Outcome {
    guard let path = path(ofPlace: conflict.path, in: past),
      let target = Target(path, in: file.objects)
    else { return Outcome() }
    guard let container = target.container(in: file.objects) else {
      return Outcome(node: node(at: path))
    }
    var outcome = Outcome(container: log.containerID(container))
    if let scalars = conflict.scalars {
      let ends = [
        (scalars.lowerBound, TextCursor.Affinity.backward), (scalars.upperBound, .forward),
      ]
      .compactMap { scalar, affinity in
        try? place(
          of: past.cursor(inTextAt: conflict.path, scalar: scalar, affinity: affinity)
        ).scalar
      }
      if ends.count == 2, ends[0] <= ends[1], case .text(let text) = node(at: path) {
        let words = text.unicodeScalars.dropFirst(ends[0]).prefix(ends[1] - ends[0])
        outcome.node = .text(String(words))
      }
    }
    return outcome
  }
}

/// What stands in a place.
private struct Outcome: Hashable {
  var container: ContainerID?
  var node: DocumentNode?
}

extension Conflict {
  /// Whether it is one of some conflicts, wherever in its text it stands.
  fileprivate func isOpen(in others: [Conflict]) -> Bool {
    others.contains { other in
      if scalars == nil || kind != other.kind { return id == other.id }
      return sides.elementsEqual(other.sides) { $0.change == $1.change && $0.node == $1.node }
    }
  }
}
