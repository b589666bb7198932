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
  /// The conflicts that a reversal in this document settled; see ``RevertReport/settled``.
  ///
  /// A walk over the history for each of the changes that does not follow another one alone.
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
      let past: Document
      do throws(DocumentError) {
        past = try before.at(version: parents)
      } catch {
        throw .limit(reason: error.description)
      }
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
