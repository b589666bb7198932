package import PeernoteEngine

extension Document {
  /// What comes of applying a difference; see ``applying(differenceFrom:to:)``.
  package struct AppliedDifference {
    /// The document with the difference.
    package var document: Document
    /// Where the difference met what had been changed since the base, or had been edited there.
    package var met: [Conflict] = []
    /// The texts in which it put something in where something else had been put in since the base.
    package var crowded: [JSONPointer] = []
  }

  /// Applies the difference between two versions to this one, as one three-way merge.
  ///
  /// What the base shows is the base, what this version and the other one show are its sides. Keys,
  /// elements and containers are known by their identity; what stands again as it stood is no change.
  /// The result is one new change of this version's, with the author, the time and the message of
  /// the other version's last change, or one that says what it takes back. Nothing else of the other
  /// version comes along. The same versions give the same bytes, whoever applies it.
  ///
  /// Where the difference meets what was changed here since, it is made on what this version and
  /// the base share, and merged: so the place is contested, and shown and settled like any other.
  ///
  /// O(size of the documents), and a merge of two changes. Throws ``DifferenceError``, or
  /// ``EditError``, ``MergeError`` or ``DocumentError`` if a limit is passed.
  package func applying(
    differenceFrom base: Document, to theirs: Document
  ) throws -> AppliedDifference {
    if try redactedCount(in: theirs) > redactedCount(in: base) {
      throw DifferenceError.redacted
    }
    let original = Original(of: theirs, since: base)
    let sides = try UnitedContents(of: self, and: theirs, since: base)
    // What is contested there is more than it shows.
    var contested = theirs.conflicts.without(conflicts + base.conflicts)
    if !contested.isEmpty {
      let changed = Set(theirs.revisions(from: base).patches.map(\.path))
      contested.removeAll { !changed.contains($0.path) }
    }
    var result = AppliedDifference(
      document: self, met: sides.met + contested, crowded: sides.crowded)
    if sides.isClean {
      let made = try making(sides.united.revisions(from: sides.ours), like: original)
      // What is open here is settled by nobody unasked.
      let settled = conflicts.without(made.conflicts)
      if settled.isEmpty {
        result.document = made
        result.met += made.copiesLeft(of: base, by: theirs)
        return result
      }
      result.met += settled
    }
    if let made = try difference(from: base, to: theirs, original) {
      var merged = self
      _ = try merged.merge(made)
      let listed = merged.conflicts.without(conflicts)
      if !listed.isEmpty || sides.contested.isEmpty {
        result.document = merged
        if !listed.isEmpty { result.met = listed + contested }
        return result
      }
    }
    if !sides.contested.isEmpty {
      try result.show(sides, ours: self, theirs, since: base)
    }
    return result
  }

  /// How many scalars another version shows that are redacted here.
  private func redactedCount(in other: Document) throws -> Int {
    if log.deletedText.redactedCount == 0 { return 0 }
    let past = try late(version: changes(sharedBy: other))
    return past.file.shownTexts.reduce(0) { sum, text in
      sum + text.string.unicodeScalars.count { $0 == past.redactionMarker }
    }
  }

  /// What this version, a base and another one share, with the difference between those two; `nil`
  /// if that meets what this version lacks.
  private func difference(
    from base: Document, to theirs: Document, _ original: Original
  ) throws -> Document? {
    if base.heads.allSatisfy(contains) {
      return try base.making(theirs.revisions(from: base), like: original)
    }
    let shared = changes(sharedBy: base)
    if shared.isEmpty { return nil }
    let past = try late(version: shared)
    let sides = try UnitedContents(of: past, and: theirs, since: base)
    guard sides.isClean else { return nil }
    return try past.making(sides.united.revisions(from: sides.ours), like: original)
  }

  /// Merges two versions of which the base says more than their union: what the union lacks or has
  /// too much is changed in it, by one change that both orders make alike; O(size of the
  /// documents), and a merge.
  package static func applying(
    to union: Document, _ ours: Document, _ theirs: Document, since base: Document
  ) throws -> AppliedDifference {
    let isFirst = ours.heads.sorted().lexicographicallyPrecedes(theirs.heads.sorted())
    let (one, other) = isFirst ? (ours, theirs) : (theirs, ours)
    let sides = try UnitedContents(of: one, and: other, since: base, areMerged: true)
    var result = AppliedDifference(document: union, met: sides.met, crowded: sides.crowded)
    try result.show(sides, ours: one, other, since: base)
    result.met += result.document.copiesBeside(of: one, and: other)
    return result
  }

  /// Whether the union of two versions may say more than they do: one of them holds a change that
  /// takes something back, or one that has the author, the time and the message of one of the
  /// other, as a change has that was picked; O(n log n).
  package func holdsDifferences(beside other: Document) -> Bool {
    let own = changes(missingIn: other)
    let others = other.changes(missingIn: self)
    let origins = Set(own.map { Original($0) })
    return (own + others).contains { $0.author == Self.differenceAuthor }
      || others.contains { origins.contains(Original($0)) }
  }

  /// The author of changes that take something back.
  static let differenceAuthor = "pnmerge"

  /// This version with some edits, as a change like another one.
  func making(_ revisions: StateComparison, like original: Original) throws -> Document {
    if revisions.patches.isEmpty { return self }
    func make(by agent: AgentID) throws -> Document {
      var document = self
      let session = DocumentSession(agent: agent, author: original.author, time: original.time)
      try document.change(by: session, message: original.message) { (editor) throws(EditError) in
        try editor.apply(revisions)
      }
      return document
    }
    // The agent is a digest of all that the change says, so that it never names two different ones.
    let name = Array("peernote difference 1".utf8)
    let draft = try make(by: AgentID(digestOf: name))
    return try make(by: AgentID(digestOf: name + draft.delta(since: heads)))
  }

  /// What leads from another state of this document to this one.
  func revisions(from other: Document) -> StateComparison {
    var comparison = StateComparison(old: other.file, new: file, byHistory: false)
    comparison.joinsCopies = true
    comparison.compare(.root, .root, at: JSONPointer())
    return comparison
  }

  /// What a change that applies a difference says of itself.
  struct Original: Hashable {
    var author: String
    var time: Timestamp
    var message: String?
  }
}

extension Document.Original {
  init(_ change: ChangeSummary) {
    self.init(author: change.author, time: change.time, message: change.message)
  }

  init(of theirs: Document, since base: Document) {
    if let last = theirs.changes(missingIn: base).last {
      self.init(last)
      return
    }
    let takenBack = base.changes(missingIn: theirs)
    let names = takenBack.prefix(3).map { "\($0.id)" }.joined(separator: ", ")
    let more = takenBack.count - 3
    self.init(
      author: Document.differenceAuthor,
      time: takenBack.last?.time ?? Timestamp(milliseconds: 0),
      message: "takes back \(names)" + (more > 0 ? " and \(more) more" : ""))
  }
}

extension Document.AppliedDifference {
  /// Has the document show what two versions are united to.
  ///
  /// Where they contest each other, and the document does not list it yet, it does then: what the base
  /// shows is changed by two changes that do not know of each other, each with the author and the
  /// message of the last change of its version.
  fileprivate mutating func show(
    _ sides: UnitedContents, ours: Document, _ theirs: Document, since base: Document
  ) throws {
    let known = document.conflicts
    let contested = sides.contested.filter { place in
      document.node(at: place.path) != sides.united.node(at: place.path)
        || known.count { $0.path == place.path } < sides.met.count { $0.path == place.path }
    }
    var content = sides.united.root
    for place in contested { content.apply(Patch(path: place.path, action: .put(place.base))) }
    if document.root != content {
      _ = try document.changeTogether(
        by: Document.differenceAuthor, saved: document.latestTime,
        message: "as merged from both branches"
      ) { editor in try editor.replaceContent(at: JSONPointer(), with: content) }
    }
    if !contested.isEmpty { try contest(contested, ours, theirs, since: base) }
    let places = Set(sides.contested.map(\.path))
    let listed = document.conflicts.filter { places.contains($0.path) }
    met = listed + met.filter { conflict in !listed.contains { $0.path == conflict.path } }
  }

  /// Makes the two changes that contest each other, of places that show what the base does.
  private mutating func contest(
    _ contested: [UnitedContents.Contested], _ ours: Document, _ theirs: Document,
    since base: Document
  ) throws {
    let latest = document.latestTime
    let originals = [ours, theirs].map { Document.Original(of: $0, since: base) }
    let readings = try originals.indices.map { number in
      let (own, other) = (originals[number], originals[1 - number])
      // The later one is shown.
      let isLater = (own.time, number) > (other.time, 1 - number)
      var reading = document
      _ = try reading.changeAlike(
        rule: ("difference", 2), by: own.author,
        at: Timestamp(milliseconds: latest.milliseconds + (isLater ? 1 : 0)), message: own.message
      ) { (editor) throws(EditError) in
        for place in contested { try editor.show(place.sides[number], at: place.path) }
      }
      return reading
    }
    document = readings[0]
    _ = try document.merge(readings[1])
  }
}

extension Editor {
  /// Shows a text or a value where one stands.
  fileprivate mutating func show(_ node: DocumentNode, at path: JSONPointer) throws(EditError) {
    if case .text(let text) = node {
      try replaceText(at: path, with: text)
    } else {
      try put(node: node, at: path)
    }
  }
}

/// Why a difference cannot be applied.
package enum DifferenceError: Error, CustomStringConvertible {
  /// It brings back text that is redacted here.
  case redacted

  package var description: String { "it would bring back text that is redacted" }
}

extension [Conflict] {
  /// Those that are not between the changes of another one, wherever they stand.
  func without(_ others: [Conflict]) -> [Conflict] {
    func changes(_ conflict: Conflict) -> Set<ChangeID> {
      Set(([conflict.kept] + conflict.others).map(\.change))
    }
    let known = Set(others.map { changes($0) })
    return filter { !known.contains(changes($0)) }
  }
}

extension Editor {
  /// Makes a step of what leads from one content to another, or throws if nothing is at its path,
  /// or something of another kind; see ``Patch``.
  package mutating func apply(_ patch: Patch) throws(EditError) {
    let path = patch.path
    switch patch.action {
    case .put(let node): try put(node: node, at: path)
    case .remove: try remove(at: path)
    case .insert(let nodes):
      for node in nodes.reversed() { try insert(node: node, at: path) }
    case .move(let index): try move(from: path, to: path.parent.appending(String(index)))
    case .splice(let text): try spliceText(at: path, scalars: text.scalars, with: text.text)
    case .add(let value): try add(value, toSetAt: path)
    case .discard(let value): try discard(value, fromSetAt: path)
    case .increment(let amount): try increment(by: amount, at: path)
    }
  }

  mutating func apply(_ revisions: StateComparison) throws(EditError) {
    for (number, step) in revisions.patches.enumerated() {
      guard case .insert(let nodes) = step.action,
        let elements = revisions.insertedElements[number]
      else {
        try apply(step)
        continue
      }
      for (element, node) in zip(elements, nodes).reversed() {
        if try !bringBack(element, as: node, at: step.path) {
          try insert(node: node, at: step.path)
        }
      }
    }
  }

  /// Shows an element again that was removed, before the one at a path; false if it never was in
  /// that list, or is not gone.
  private mutating func bringBack(
    _ name: EventID, as node: DocumentNode, at path: JSONPointer
  ) throws(EditError) -> Bool {
    let (list, token) = try parent(of: path)
    guard let index = JSONPointer.index(token),
      let element = editor.objects.insertion(name, in: list),
      editor.objects.path(to: .element(element)) == nil
    else { return false }
    try show(element, of: list, as: node, at: index, path)
    return true
  }
}
