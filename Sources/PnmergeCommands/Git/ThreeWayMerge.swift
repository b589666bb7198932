import AutomergeFormat
package import Peernote

/// The merge of two versions that git has of a file, given the version that git compares them with.
///
/// For an ordinary merge that is the union of their changes: whoever merges, in whatever order,
/// gets the same bytes. The ancestor matters only where a version lacks some of its changes, since
/// a union would bring them back:
///
/// - What the incoming version takes back, as in `git revert`, is undone by a new change, which is
///   the same whoever merges (``Document/revertTogether(_:)``).
/// - Where a commit is picked out of another branch (`cherry-pick`, `rebase` with a dropped commit),
///   one is reverted whose edits came that way, a stash is applied or edits are taken along to another
///   branch, the difference from the ancestor is made anew on the current version, and nothing else
///   comes with it (``Document/picking(_:since:)``). If that cannot be, since it builds on what the
///   current version lacks, that comes along, and is counted in ``Outcome/broughtAlong``.
/// - Where branches are merged, what the current version lacks was taken back there, and is undone in
///   the same way. What others wrote is undone only where it is certain that somebody took it back
///   (see ``GitOccasion``).
package struct ThreeWayMerge {
  /// The three versions of a file, in git's order of stages.
  fileprivate enum Version: String {
    case ancestor = "the common ancestor"
    case current = "the current version"
    case incoming = "the incoming version"
  }

  /// On what occasion git asks for the merge; asked only if the answer matters.
  package struct Occasion {
    /// Whether changes are certainly picked: all that is wanted is the difference from the ancestor.
    let isPick: () throws(Failure) -> Bool
    /// Whether the current branch certainly took back what it lacks of the ancestor's changes.
    let currentBranchTookBack: () throws(Failure) -> Bool
    /// Whether one commit is certainly picked or reverted.
    let isOneCommit: () throws(Failure) -> Bool
    /// Whether somebody certainly picked the changes, and not a rebase that goes through a branch.
    let isPickByHand: () throws(Failure) -> Bool

    package init(
      isPick: @escaping () throws(Failure) -> Bool,
      currentBranchTookBack: @escaping () throws(Failure) -> Bool,
      isOneCommit: @escaping () throws(Failure) -> Bool = { () throws(Failure) in false },
      isPickByHand: @escaping () throws(Failure) -> Bool = { () throws(Failure) in false }
    ) {
      self.isPick = isPick
      self.isOneCommit = isOneCommit
      self.isPickByHand = isPickByHand
      self.currentBranchTookBack = currentBranchTookBack
    }
  }

  /// What came of it.
  package struct Outcome {
    /// The merged document.
    package var document: Document
    /// What the union of the two versions decided.
    package var conflicts: [Conflict] = []
    /// Where lines that both sides changed adjoin.
    package var adjoining: [Conflict] = []
    /// How many changes were undone because one of the versions takes them back.
    package var undone = 0
    /// How many changes were brought back that had been taken back.
    package var broughtBack = 0
    /// How many changes came along that neither belong to the picked commit nor were there before.
    package var broughtAlong = 0
    /// How many changes were picked, and how many before them were left out.
    package var picked: (changes: Int, leftOut: Int)?
    /// The deleted text that is gone, since the incoming version has redacted it.
    package var takenOut: [TakenOutText] = []
    /// What one version has redacted and the merged one still has.
    package var leftover: [LeftoverText] = []
    /// What is contested in the incoming version and was not in the ancestor, with those of its values
    /// and readings that the merged document neither shows nor lists.
    package var unlisted: [Conflict] = []
    /// Sentences about faults that did not matter.
    package var remarks: [String] = []
  }

  private let occasion: Occasion

  package init(_ occasion: Occasion) {
    self.occasion = occasion
  }

  /// Merges; the ancestor is empty if there is none.
  ///
  /// O(n log n), and a replay of what happened since the two parted. Throws a ``Failure``, for
  /// which the versions stay unmerged, if one of them is no document, they are different documents,
  /// or what is to be undone cannot be.
  package func callAsFunction(
    ancestor: [UInt8], current: [UInt8], incoming: [UInt8]
  ) throws(Failure) -> Outcome {
    var remarks: [String] = []
    let ours = try document(current, .current, beside: nil, &remarks)
    let theirs = try document(incoming, .incoming, beside: ours, &remarks)
    guard ours.id == theirs.id else {
      throw Failure(
        .different,
        "the incoming version is a different document \(titleAndID(theirs.id, theirs.root)), not a "
          + "copy of the current one \(titleAndID(ours.id, ours.root)); keep one of them, or both "
          + "under two names, which 'pnmerge adopt' joins if they were made of one text")
    }
    var outcome: Outcome
    let missing = documentMissingFrom(ours, theirs, ancestor, &remarks)
    if let base = missing {
      outcome = try merge(ours, theirs, since: base)
    } else {
      outcome = Outcome(document: ours)
      try outcome.merge(theirs)
    }
    try outcome.bringBack(incoming: theirs, since: ancestor, takenBackIn: ours, occasion)
    try outcome.makeAnew(incoming: theirs, since: ancestor, thoughGoneIn: ours, occasion)
    try outcome.settleReversals(theirs, ours, since: ancestor, occasion)
    try outcome.sayThatNothingComes(of: theirs, to: ours, since: ancestor, occasion)
    if let base = missing { outcome.findUnlisted(of: theirs, beside: ours, since: base) }
    outcome.remarks += remarks
    return outcome
  }

  // MARK: Reading

  private func document(
    _ bytes: [UInt8], _ version: Version, beside other: Document?, _ remarks: inout [String]
  ) throws(Failure) -> Document {
    do {
      return try Document(bytes: bytes, beside: other)
    } catch {
      if LFSPointer(bytes) != nil {
        throw Failure(
          .different,
          "\(version.rawValue) is a Git LFS pointer and not the document; documents can be merged "
            + "only if they are not stored with Git LFS (git lfs untrack, git lfs migrate export)")
      }
      if AutomergeFile.begins(bytes) {
        throw Failure(
          .different,
          "\(version.rawValue) is an Automerge document, and the other one is not; keep one of "
            + "them, or both under two names")
      }
      if let document = ConvertedLineEnds.restored(bytes) {
        remarks.append("line ends of \(version.rawValue) had been converted, which was undone")
        return document
      }
      let state =
        switch error.kind {
        case .damaged: bytes.isEmpty ? "empty" : "damaged"
        case .limit: "too large"
        case .newerFormat: "of a newer format"
        }
      let reason = bytes.isEmpty ? "" : ": \(error)"
      throw Failure(.different, "\(version.rawValue) is \(state)\(reason)")
    }
  }

  /// The ancestor, if there is one and one of the versions lacks any of its changes.
  ///
  /// An ancestor that cannot be read, or is another document, says nothing about the two versions;
  /// their union loses nothing.
  private func documentMissingFrom(
    _ ours: Document, _ theirs: Document, _ ancestor: [UInt8], _ remarks: inout [String]
  ) -> Document? {
    guard !ancestor.isEmpty else { return nil }
    do {
      let base = try DocumentHeads(bytes: ancestor)
      guard base.id == ours.id else { return nil }
      if base.heads.allSatisfy({ ours.contains($0) && theirs.contains($0) }) { return nil }
      return try Document(bytes: ancestor, beside: ours)
    } catch {
      remarks.append("\(Version.ancestor.rawValue) is not a readable document and was left out")
      return nil
    }
  }

  // MARK: Merging

  private func merge(
    _ ours: Document, _ theirs: Document, since base: Document
  ) throws(Failure) -> Outcome {
    let changes = (ours: ours.changeSet, theirs: theirs.changeSet, base: base.changeSet)
    let lackedHere = changes.base.subtracting(changes.ours)
    let missingHere = lackedHere.intersection(changes.theirs)
    var takenBack = changes.base.subtracting(changes.theirs).intersection(changes.ours)
    // Of a commit that made only what was there already nothing is to be taken back.
    if changes.theirs.isSubset(of: changes.base), theirs.root == base.root { takenBack = [] }
    var outcome = Outcome(document: ours)
    let news = changes.theirs.subtracting(changes.base)
    let bringsNews = !news.isEmpty
    let takesNothingBack = changes.base.isSubset(of: changes.theirs)
    if !lackedHere.isEmpty, takesNothingBack || takenBack.isEmpty,
      try takesNothingBack ? occasion.isPick() : occasion.isOneCommit(),
      let picked = try? ours.picking(theirs, since: base)
    {
      outcome.document = picked
      outcome.picked = (max(news.count, 1), lackedHere.count)
      return outcome
    }
    let isTakenBack = try missingHere.isEmpty ? true : occasion.currentBranchTookBack()
    if isTakenBack { takenBack.formUnion(missingHere) }
    // What has no news may still have redacted something.
    if isTakenBack || bringsNews { try outcome.merge(theirs) }
    if !isTakenBack, bringsNews { outcome.broughtAlong = missingHere.count }
    let before = outcome.document
    try outcome.undo(takenBack)
    // Of text that nobody else deleted nothing is left, and the texts alone cannot tell that: a line
    // that came back may seem to be part of another edit beside it. What was deleted came back, as far
    // as nobody else deleted it, or was contested before; but what others deleted of an earlier
    // reversal, too, may count as deleted again.
    let isHidden = !before.hasPassages && outcome.document.hasPassages
    let isDone =
      outcome.undone > 0
      ? !isHidden && before.holdsWhole(textInsertedBy: takenBack)
      : before.hasBack(textDeletedBy: takenBack)
    if !takenBack.isEmpty, !isDone, !bringsNews, missingHere.isEmpty, try occasion.isOneCommit() {
      outcome.takeBackRest(of: takenBack.count, to: theirs, from: base)
    }
    return outcome
  }
}

extension ThreeWayMerge.Outcome {
  /// Brings in what somebody added to the file in the work tree, if it is a copy of the document.
  mutating func merge(edited file: [UInt8]) throws(Failure) {
    guard let edited = try? Document(bytes: file), edited.id == document.id else { return }
    try merge(edited)
  }

  /// Makes what is left anew of the difference that a commit takes back: what its changes wrote may
  /// stand there as somebody else's text, who settled it or brought it back.
  fileprivate mutating func takeBackRest(
    of count: Int, to theirs: Document, from base: Document
  ) {
    if let made = try? document.picking(theirs, since: base) {
      if made.heads == document.heads { return }
      document = made
      undone = count
    } else if undone == 0 {
      remarks.append(
        "nothing is taken back: what \(counted(count, "change")) wrote was edited since; take it out "
          + "by hand")
    }
  }

  /// Brings back what one commit brings and the current version has taken back, be it picked or the
  /// revert of what took it out, since it would have no effect.
  ///
  /// A commit that made only what was there already brings nothing.
  /// The reversals of just these changes are taken back. Where that does not suffice, as they were
  /// taken back together with others, or by hand, their edits are made anew.
  ///
  /// - Parameters:
  ///   - theirs: the incoming version.
  ///   - ancestor: the file of the ancestor.
  ///   - ours: the current version.
  ///   - occasion: whether it is one commit; asked only if it matters.
  /// - Throws: ``Failure`` if something cannot be brought back.
  fileprivate mutating func bringBack(
    incoming theirs: Document, since ancestor: [UInt8], takenBackIn ours: Document,
    _ occasion: ThreeWayMerge.Occasion
  ) throws(Failure) {
    let isKnown = theirs.heads.allSatisfy(ours.contains)
    guard ours.holdsReversals || isKnown, let base = try? Document(bytes: ancestor, beside: ours),
      base.id == ours.id, theirs.root != base.root
    else { return }
    let changes = theirs.changeSet.subtracting(base.changeSet).intersection(ours.changeSet)
    guard !changes.isEmpty else { return }
    let takesNothingBack = base.changeSet.isSubset(of: theirs.changeSet)
    let reversals = document.reversals(of: changes)
    if !reversals.isEmpty {
      guard try occasion.isOneCommit() else { return }
      var restored = self
      try restored.undo(reversals)
      // What was taken back with others may still be deleted by what took back these.
      if !takesNothingBack || restored.document.has(theirs, since: base) {
        if restored.undone > undone { restored.broughtBack = changes.count }
        restored.undone = undone
        self = restored
        return
      }
    }
    let mayBeTakenBack = document.mayHaveTakenBack(changes)
    guard takesNothingBack,
      mayBeTakenBack || isKnown && !document.stands(textInsertedBy: changes),
      let made = try? document.picking(theirs, since: base), made.heads != document.heads,
      try mayBeTakenBack ? occasion.isPick() : occasion.isPickByHand()
    else { return }
    document = made
    broughtBack = changes.count
  }

  /// Makes anew what a picked commit brings and came to nothing: other changes of the current version
  /// had made the same edits, and these were deleted since.
  ///
  /// - Parameters:
  ///   - theirs: the incoming version.
  ///   - ancestor: the file of the ancestor.
  ///   - ours: the current version.
  ///   - occasion: whether it is a pick; asked only if it matters.
  /// - Throws: ``Failure`` if git cannot be asked.
  fileprivate mutating func makeAnew(
    incoming theirs: Document, since ancestor: [UInt8], thoughGoneIn ours: Document,
    _ occasion: ThreeWayMerge.Occasion
  ) throws(Failure) {
    guard document.heads != ours.heads, document.root == ours.root,
      let base = try? Document(bytes: ancestor, beside: ours), base.id == ours.id,
      theirs.root != base.root, base.heads.allSatisfy(theirs.contains),
      let made = try? document.picking(theirs, since: base), made.heads != document.heads,
      try occasion.isPick()
    else { return }
    document = made
    broughtBack = theirs.changeSet.subtracting(base.changeSet).count
  }

  /// Finds what a commit that is picked wrote in what it made contested, and what one that is taken
  /// back had left out when it settled something: such a reading is neither shown here nor listed.
  fileprivate mutating func findUnlisted(
    of theirs: Document, beside ours: Document, since base: Document
  ) {
    let before = Set(base.conflicts.map(\.id))
    let listed = document.conflicts.flatMap { [$0.kept] + $0.others }
    unlisted = theirs.conflicts.compactMap { conflict in
      guard conflict.kind == .passage || conflict.kind == .register, !before.contains(conflict.id)
      else { return nil }
      let present = document.node(at: conflict.path)
      var lost = conflict
      lost.others = ([conflict.kept] + conflict.others).filter { side in
        if listed.contains(where: { $0.change == side.change && $0.node == side.node }) {
          return false
        }
        guard let node = side.node,
          undone > 0 || !base.contains(side.change) && !ours.contains(side.change)
        else { return false }
        guard conflict.kind == .passage, let reading = node.string else { return node != present }
        return !(present?.string?.contains(reading) ?? false)
      }
      return lost.others.isEmpty ? nil : lost
    }
  }

  /// Says that a picked commit changed nothing, though not all that it brings is there.
  fileprivate mutating func sayThatNothingComes(
    of theirs: Document, to ours: Document, since ancestor: [UInt8],
    _ occasion: ThreeWayMerge.Occasion
  ) throws(Failure) {
    guard remarks.isEmpty, document.root == ours.root, theirs.root != ours.root,
      let base = try? Document(bytes: ancestor, beside: ours), base.id == ours.id,
      theirs.root != base.root, !document.has(theirs, since: base), try occasion.isPick()
    else { return }
    remarks.append("nothing is picked: what the commit brings came in before, and was edited since")
  }

  /// The document's bytes, once they were read back.
  func verifiedBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    let bytes = document.encoded()
    try document.state.check(bytes, file, beside: document)
    return bytes
  }

  fileprivate mutating func merge(_ theirs: Document) throws(Failure) {
    do {
      let report = try document.merge(theirs, after: conflicts + adjoining)
      conflicts = report.conflicts
      adjoining = report.adjoining
      takenOut += report.takenOut
      leftover += report.leftover.filter { !leftover.contains($0) }
    } catch {
      throw Failure(.different, error.reasonToKeepApart)
    }
  }
}

extension Document {
  /// Whether what another version changed since a base is there.
  func has(_ other: Document, since base: Document) -> Bool {
    (try? picking(other, since: base))?.heads == heads
  }

  /// Whether some changes did nothing but delete text, and were taken back before: what came back is
  /// there, though it may have been edited since.
  fileprivate func hasBack(textDeletedBy changes: Set<ChangeID>) -> Bool {
    onlyDeleteText(changes) && stands(textInsertedBy: reversals(of: changes))
  }

  /// Whether it holds changes that took others back.
  var holdsReversals: Bool { changes.contains { $0.author == Self.reversalAuthor } }

  /// The names of all changes.
  var changeSet: Set<ChangeID> { Set(changes.map(\.id)) }
}

extension MergeError {
  /// Why two versions of a file in git cannot be merged.
  fileprivate var reasonToKeepApart: String {
    switch self {
    case .differentDocument: "the incoming version is a different document"
    case .noSharedHistory:
      "the two versions say they are one document, but have no history in common"
    case .sharedHistory: description
    case .forked(let change, let reason):
      "change \(change) is not the same in both versions, but differs in its \(reason)"
    case .damaged(let error) where error.kind == .limit:
      "the two versions take more than the limits together: \(error)"
    case .damaged(let error): "the two versions contradict each other: \(error)"
    case .filled(by: let change, let error):
      "the two versions hold more than a document may: \(error); "
        + "'pnmerge merge --without \(change.agent)' leaves them out of a file"
    }
  }
}

extension ThreeWayMerge.Outcome {
  /// Undoes changes of the merged document by a new change.
  mutating func undo(_ changes: Set<ChangeID>) throws(Failure) {
    guard !changes.isEmpty else { return }
    do {
      let known = document.conflicts
      guard let report = try document.revertTogether(changes, after: conflicts + adjoining) else {
        return
      }
      undone = changes.count
      let open = document.conflicts
      conflicts = report.conflicts.filter { open.contains($0) }
      adjoining = report.adjoining
      conflicts += open.filter { !known.contains($0) && !conflicts.contains($0) }
    } catch {
      throw Failure(
        .different,
        "one version takes back \(counted(changes.count, "change")), which cannot be undone: "
          + "\(error)")
    }
  }
}
