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
      if here.isEmpty != there.isEmpty {
        reversals = here.union(there).subtracting(both)
      }
    }
    let broughtBack = reversals.isEmpty ? 0 : gotByBoth.count
    var madeAnew: Set<ChangeID> = []
    for (side, other) in [(ours, theirs), (theirs, ours)] {
      let own = side.changeSet.subtracting(both)
      for (targets, found) in side.reversalsByTargets(of: own)
      where found.isSubset(of: own) && other.made(targets, of: side, since: base) {
        reversals.formUnion(found)
        madeAnew.formUnion(targets)
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
  /// Whether what some changes of another version did to a base is done here, too.
  fileprivate func made(
    _ changes: Set<ChangeID>, of other: Document, since base: Document
  ) -> Bool {
    guard let result = try? other.late(version: base.heads + changes.sorted()),
      result.root != base.root
    else { return false }
    return has(result, since: base)
  }
}
