extension Document {
  /// What another version changed since a base, made anew here: what `git cherry-pick` and `rebase`
  /// ask for.
  ///
  /// A merge would bring all that the other version holds. This brings the difference alone, as
  /// changes of this version's own, with the author, the time and the message of those that are
  /// picked: one for each run of changes of one author, or one for all, as the last that is no
  /// reversal, if some version in between cannot be picked. When the originals come by a merge later,
  /// the same edit counts once. Where it would not be seen to be the same, it is made beside what was
  /// added here at its place, not after it. The same versions give the same bytes, whoever picks.
  ///
  /// Picked are edits of texts, values under keys and in elements of lists, members of sets, and
  /// removals. What builds on something that this version lacks, or that was changed here as well,
  /// is not picked; nor are new elements and containers and what counters count, which would be there
  /// twice once the originals come.
  ///
  /// O(size of the documents) for each run of changes, and what comparing the texts takes.
  ///
  /// - Parameters:
  ///   - theirs: the other version.
  ///   - base: what its difference is taken from. What it holds and the other version does not was
  ///     taken back there; the edits that this shows again are made anew, too.
  /// - Returns: this version with the edits; as it is if it has them already; `nil` if something
  ///   cannot be picked.
  /// - Throws: ``DocumentError`` or ``EditError`` if a limit is passed.
  package func picking(_ theirs: Document, since base: Document) throws -> Document? {
    guard theirs.log.deletedText.redactedCount == base.log.deletedText.redactedCount,
      theirs.file.unknownSections == base.file.unknownSections
    else { return nil }
    if edits(of: theirs, since: base)?.isEmpty ?? false { return self }
    let known = Set(base.changes.map(\.id))
    let picked = theirs.changes.filter { !known.contains($0.id) }
    if !picked.isEmpty, let made = try picking(theirs, since: base, inRunsOf: picked) {
      return made
    }
    let missing = theirs.changes.filter { !contains($0.id) }
    if let last = missing.last(where: { $0.author != Self.reversalAuthor }) ?? missing.last {
      return try picking(theirs, since: base, as: last)
    }
    let takenBack = base.changes.filter { !theirs.contains($0.id) }
    guard var reversal = takenBack.last else { return nil }
    reversal.author = Self.reversalAuthor
    reversal.message = Self.reversalMessage(Set(takenBack.map(\.id)))
    return try picking(theirs, since: base, as: reversal)
  }

  /// Makes a difference anew, as a change for each run of changes of one author.
  private func picking(
    _ theirs: Document, since base: Document, inRunsOf picked: [ChangeSummary]
  ) throws -> Document? {
    var result = self
    var past = base
    var start = 0
    while start < picked.count {
      var end = start + 1
      while end < picked.count, picked[end].author == picked[start].author { end += 1 }
      let next =
        end == picked.count
        ? theirs : try theirs.at(version: base.heads + picked[..<end].map(\.id))
      guard let edited = try result.picking(next, since: past, as: picked[end - 1]) else {
        return nil
      }
      (result, past, start) = (edited, next, end)
    }
    return result
  }

  /// Makes a difference anew, as a change like another one.
  private func picking(
    _ theirs: Document, since base: Document, as original: ChangeSummary
  ) throws -> Document? {
    guard let edits = edits(of: theirs, since: base) else { return nil }
    if edits.isEmpty { return self }
    // The agent is a digest of all that the change says, so that it never names two different ones.
    let name = Array("peernote pick 1 \(original.id)".utf8)
    let provisional = try adding(edits, as: AgentID(digestOf: name), like: original)
    if let apart = pickingApart(edits, of: theirs, like: original, toRead: provisional) {
      return apart
    }
    return try adding(
      edits, as: AgentID(digestOf: name + provisional.encoded()), like: original)
  }

  /// This version with picked edits, as a change like another one.
  func adding(
    _ edits: [PickedEdit], as agent: AgentID, like original: ChangeSummary
  ) throws -> Document {
    var document = self
    try document.change(
      by: Session(agent: agent, author: original.author, time: original.time),
      message: original.message
    ) { editor in
      for edit in edits { try edit.make(by: &editor) }
    }
    return document
  }
}

extension Document {
  /// What differs in another version from a base and is not here yet; `nil` if something cannot be
  /// picked.
  private func edits(of theirs: Document, since base: Document) -> [PickedEdit]? {
    let changes = StateChanges(from: base.file, to: theirs.file).changes
    guard changes.places.count == changes.count else { return nil }
    var edits: [PickedEdit] = []
    for place in changes.places {
      switch PickedEdit.make(of: place, from: theirs, since: base, in: self) {
      case .impossible: return nil
      case .isThere: continue
      case .edit(let edit): edits.append(edit)
      }
    }
    return edits
  }
}
