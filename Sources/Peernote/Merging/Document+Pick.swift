extension Document {
  /// What another version changed since a base, made anew here: what `git cherry-pick` and `rebase`
  /// ask for.
  ///
  /// A merge would bring all that the other version holds. This brings the difference alone, as
  /// changes of this version's own, with the author, the time and the message of those that are
  /// picked: one for each run of changes of one author. When the originals come by a merge later, the
  /// same edit counts once. The same versions give the same bytes, whoever picks.
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
  ///   - base: what its difference is taken from; its changes are all in the other version.
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
    func picking(as agent: AgentID) throws -> Document {
      var document = self
      try document.change(
        by: Session(agent: agent, author: original.author, time: original.time),
        message: original.message
      ) { editor in
        for edit in edits { try edit.make(by: &editor) }
      }
      return document
    }
    // The agent is a digest of all that the change says, so that it never names two different ones.
    let name = Array("peernote pick 1 \(original.id)".utf8)
    let provisional = try picking(as: AgentID(digestOf: name))
    return try picking(as: AgentID(digestOf: name + provisional.encoded()))
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
      switch PickedEdit.make(of: place, from: theirs, in: self) {
      case .impossible: return nil
      case .isThere: continue
      case .edit(let edit): edits.append(edit)
      }
    }
    return edits
  }
}

/// An edit that somebody made to another version of a document, at its place in this one.
struct PickedEdit {
  private var path: JSONPointer
  private var action: Action

  private enum Action {
    case splice([TextSplice])
    case put(Value)
    case remove
    case add(Value)
    case discard(Value)
  }

  /// What becomes of an edit.
  enum Result {
    case edit(PickedEdit)
    /// The version reads so already.
    case isThere
    /// The version lacks what it builds on, or changed it too.
    case impossible
  }

  /// Looks for the place of an edit.
  ///
  /// O(size of what is there).
  ///
  /// - Parameters:
  ///   - place: the edit.
  ///   - theirs: the version that it leads to.
  ///   - ours: the version in which it is to be made.
  /// - Returns: the edit, or why there is none.
  static func make(of place: PlaceChange, from theirs: Document, in ours: Document) -> Result {
    let path = ours.file.objects.path(along: place.steps)
    let node = path.flatMap { ours.node(at: $0) }
    func edit(_ action: Action) -> Result {
      path.map { .edit(PickedEdit(path: $0, action: action)) } ?? .impossible
    }
    func member(_ value: Value) -> Bool? {
      guard case .set(let members) = node else { return nil }
      return members.contains(value)
    }
    switch place.action {
    case .text(let old, let new):
      guard let path, case .text(let text) = node, !theirs.isContested(at: place.path),
        !ours.isContested(at: path)
      else { return .impossible }
      if text.utf8.elementsEqual(new.utf8) { return .isThere }
      guard
        let splices = TextDifference(from: old, to: new).splices
          .moved(over: TextDifference(from: old, to: text).splices)
      else { return .impossible }
      return splices.isEmpty ? .isThere : edit(.splice(splices))
    case .replaced(let old, by: .value(let value)):
      guard let node else { return .impossible }
      if node.isExactly(.value(value)) { return .isThere }
      guard case .value = old, node.isExactly(old) else { return .impossible }
      return edit(.put(value))
    case .added(.value(let value)):
      // A new element would be there twice once the original comes.
      guard case .key(let key) = place.steps.last else { return .impossible }
      guard let node else {
        guard let map = ours.file.objects.path(along: place.steps.dropLast()),
          case .map = ours.node(at: map)
        else { return .impossible }
        return .edit(PickedEdit(path: map.appending(key), action: .put(value)))
      }
      return node.isExactly(.value(value)) ? .isThere : .impossible
    case .removed(let old):
      guard let node else { return .isThere }
      return node.isExactly(old) ? edit(.remove) : .impossible
    case .memberAdded(let value):
      return member(value).map { $0 ? .isThere : edit(.add(value)) } ?? .impossible
    case .memberRemoved(let value):
      return member(value).map { $0 ? edit(.discard(value)) : .isThere } ?? .impossible
    case .added, .replaced, .moved, .counted: return .impossible
    }
  }

  func make(by editor: inout Editor) throws(EditError) {
    switch action {
    case .splice(let splices):
      // From the last one on, so that the places of the others stay.
      for splice in splices.reversed() {
        try editor.spliceText(
          at: path, scalars: splice.position..<splice.position + splice.deleted,
          with: splice.inserted)
      }
    case .put(let value): try editor.put(value, at: path)
    case .remove: try editor.remove(at: path)
    case .add(let value): try editor.add(value, toSetAt: path)
    case .discard(let value): try editor.discard(value, fromSetAt: path)
    }
  }
}

extension Document {
  /// Whether something is contested in the text at a path.
  fileprivate func isContested(at path: JSONPointer) -> Bool {
    guard let container = Target(path, in: file.objects)?.container(in: file.objects) else {
      return false
    }
    return file.passages[container] != nil
  }
}

extension [TextSplice] {
  /// The edits at their places in a text that other edits were made to; those that both made are
  /// left out.
  ///
  /// O(n).
  ///
  /// - Parameter others: the edits that lead from the same text to the other one.
  /// - Returns: `nil` if one meets or adjoins another one that is not the same.
  func moved(over others: [TextSplice]) -> [TextSplice]? {
    var result: [TextSplice] = []
    var next = others.startIndex
    var shift = 0
    for var splice in self {
      while next < others.endIndex, others[next].position + others[next].deleted < splice.position {
        shift += others[next].inserted.unicodeScalars.count - others[next].deleted
        next += 1
      }
      if next < others.endIndex, others[next].position <= splice.position + splice.deleted {
        let other = others[next]
        guard other.position == splice.position, other.deleted == splice.deleted,
          other.inserted.utf8.elementsEqual(splice.inserted.utf8)
        else { return nil }
        continue
      }
      splice.position += shift
      result.append(splice)
    }
    return result
  }
}

extension Objects {
  /// The keys and indices that lead along some steps; `nil` if what is there is not shown.
  ///
  /// O(steps log n + slots of the lists on the way).
  fileprivate func path(along steps: some Collection<PlaceChange.Step>) -> JSONPointer? {
    var path = JSONPointer()
    for step in steps {
      switch step {
      case .key(let key): path = path.appending(key)
      case .element(let id):
        guard let list = Target(path, in: self)?.container(in: self),
          let insertion = log.event(id), let place = self.path(toElement: insertion, of: list)
        else { return nil }
        path = JSONPointer(place)
      }
    }
    return Target(path, in: self) == nil ? nil : path
  }
}
