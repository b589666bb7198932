import Peernote

extension ThreeWayMerge.Outcome {
  /// Gives what one branch took back since the ancestor the effect that it has in plain text, where the
  /// other branch made it, too: git puts back older bytes without the driver, so that a reversal may
  /// come in by a merge in between.
  ///
  /// - What both branches got, and one of them took back, comes back: the other one has it still, or
  ///   again, as after the revert of a revert.
  /// - What one branch made and took back, and the other one made anew, has an effect: as a line that is
  ///   deleted, put back and deleted again.
  ///
  /// The same in both directions.
  ///
  /// - Parameters:
  ///   - theirs: the incoming version.
  ///   - ours: the current version.
  ///   - ancestor: the file of the ancestor.
  ///   - occasion: whether branches are merged; asked only if it matters.
  /// - Throws: ``Failure`` if something cannot be undone.
  mutating func settleReversals(
    _ theirs: Document, _ ours: Document, since ancestor: [UInt8],
    _ occasion: ThreeWayMerge.Occasion
  ) throws(Failure) {
    guard ours.holdsReversals || theirs.holdsReversals,
      let base = try? Document(bytes: ancestor, beside: ours), base.id == ours.id
    else { return }
    let known = (base: base.changeSet, ours: ours.changeSet, theirs: theirs.changeSet)
    guard known.base.isSubset(of: known.ours), known.base.isSubset(of: known.theirs) else { return }
    let both = known.ours.intersection(known.theirs)
    let gotByBoth = both.subtracting(known.base)
    var reversals: Set<ChangeID> = []
    if !gotByBoth.isEmpty {
      let here = ours.reversals(of: gotByBoth)
      let there = theirs.reversals(of: gotByBoth)
      if here.isEmpty != there.isEmpty, (here.isEmpty ? ours : theirs).shows(gotByBoth) {
        reversals = here.union(there).subtracting(both)
      }
    }
    let broughtBack = reversals.isEmpty ? 0 : gotByBoth.count
    let sides = [(ours, theirs), (theirs, ours)].map { side, other in
      side.takenBack(beside: other, since: base, notIn: both)
    }
    var madeAnew: Set<ChangeID> = []
    for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
      // What both made and took back is back on both.
      for edit in side where !other.contains(where: { $0.made == edit.made }) {
        reversals.formUnion(edit.reversals)
        madeAnew.formUnion(edit.changes)
      }
    }
    guard !reversals.isEmpty, try occasion.currentBranchTookBack() else { return }
    var settled = self
    try settled.undo(reversals)
    guard settled.document.heads != document.heads else { return }
    settled.broughtBack = broughtBack
    settled.undone = undone + madeAnew.count
    self = settled
  }
}

extension Document {
  /// Whether what some changes did shows: without it the content would be another.
  fileprivate func shows(_ changes: Set<ChangeID>) -> Bool {
    var without = self
    return (try? without.revertTogether(changes)) != nil && without.root != root
  }

  /// What it made since a base and took back, and another version made, too.
  ///
  /// - Parameters:
  ///   - other: the other version.
  ///   - base: the base.
  ///   - both: the changes of both.
  /// - Returns: for each such edit its changes, their reversals, and what the base reads with it.
  fileprivate func takenBack(
    beside other: Document, since base: Document, notIn both: Set<ChangeID>
  ) -> [(changes: Set<ChangeID>, reversals: Set<ChangeID>, made: Node)] {
    let own = changeSet.subtracting(both)
    return reversalsByTargets(of: own).compactMap { changes, reversals in
      guard reversals.isSubset(of: own),
        let result = try? late(version: base.heads + changes.sorted()), result.root != base.root,
        other.has(result, since: base)
      else { return nil }
      return (changes, reversals, result.root)
    }
  }
}
