public import PeernoteEngine
public import PeernoteMerging

/// A model that remembers the version of the document that it was read from.
///
/// A form on a screen is edited for a while, and meanwhile other changes come in. Written back as it
/// is, it would take them back, wherever they touch what it shows. A draft is committed as what was
/// edited in it since it was read, and merged:
///
///     var note = try document.draft(Note.self)
///     note.title = "Summer"
///     try document.commit(&note, by: session)
///
/// What the model does not know, or changed only by being read, as a property with a default value,
/// is not written, and text that was redacted since the draft was read does not come back: an edit of
/// such text is refused. A value: a draft that is given up needs no cleaning up.
///
/// What was edited is committed once, by one copy of the draft. A screen that goes on while a copy is
/// committed calls ``resume(after:)`` then.
@dynamicMemberLookup
public struct Draft<Model: Codable & Sendable>: Sendable {
  /// The model, to be edited.
  public var model: Model
  /// The heads of the version that ``model`` was read from.
  public var version: [ChangeID] { read.version }
  /// Where the model stands in that version; in a list it follows its element.
  public var path: JSONPointer { read.path }

  /// What a model was read from.
  struct Reading: Sendable {
    /// The heads of the version; with what was edited before, if that is not committed yet.
    var version: [ChangeID]
    var path: JSONPointer
    /// The content that the model stood for; `nil` for a new one.
    var original: DocumentNode?
  }

  /// What was edited in a model between two readings.
  struct Step: Sendable {
    var read: Reading
    var edited: PeernoteEncoder.Contents
  }

  /// What was committed of a draft.
  struct Committed: Sendable {
    /// How many steps came before, and the version that the last one was read from.
    var steps: Int
    var base: [ChangeID]
    /// That version with what was committed, and what the model stood for.
    var version: [ChangeID]
    var original: DocumentNode
  }

  var read: Reading
  /// What was edited before the draft was refreshed, and is not committed yet, the oldest first.
  var earlier: [Step] = []
  var committed: Committed?
  let encoder: PeernoteEncoder
  let decoder: PeernoteDecoder

  /// A draft of something new, for a path where nothing stands yet.
  ///
  /// - Parameters:
  ///   - model: what to write.
  ///   - path: where; its parent has to be there when it is committed.
  ///   - encoder: how it is written.
  ///   - decoder: how it is read after it was committed.
  public init(
    new model: Model, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(),
    readBy decoder: PeernoteDecoder = PeernoteDecoder()
  ) {
    self.model = model
    self.encoder = encoder
    self.decoder = decoder
    read = Reading(version: [], path: path)
  }

  /// A property of the model.
  public subscript<Property>(dynamicMember property: WritableKeyPath<Model, Property>) -> Property {
    get { model[keyPath: property] }
    set { model[keyPath: property] = newValue }
  }

  /// A constant of the model.
  public subscript<Property>(dynamicMember property: KeyPath<Model, Property>) -> Property {
    model[keyPath: property]
  }

  /// Whether anything was edited that is not committed.
  ///
  /// O(size of the model).
  ///
  /// - Throws: ``ModelError`` if the model has no content.
  public var isEdited: Bool {
    get throws(ModelError) {
      if !earlier.isEmpty { return true }
      return try encoder.node(for: model) != read.original
    }
  }

  /// Goes on after a copy of this draft was committed: what was edited in the copy is committed, what was
  /// edited here since stays and is not.
  ///
  /// Refresh the draft after that to see what came in. O(1).
  ///
  /// - Parameter copy: a copy that ``Document/commit(_:by:message:)`` has committed.
  /// - Returns: whether it was one, of what is edited here; if not, the draft stays as it was.
  @discardableResult
  public mutating func resume(after copy: Draft) -> Bool {
    guard let committed = copy.committed, committed.steps <= earlier.count else { return false }
    var readings = (earlier.map(\.read) + [read])[committed.steps...]
    let first = committed.steps
    guard readings[first].version == committed.base else { return false }
    (readings[first].version, readings[first].original) = (committed.version, committed.original)
    // What came after it was read with what is committed now.
    for index in readings.indices.dropFirst() { readings[index].version += committed.version }
    read = readings.removeLast()
    earlier = readings.indices.map { Step(read: readings[$0], edited: earlier[$0].edited) }
    return true
  }

  /// Traps unless a draft of something new was never committed nor read again, and all else was
  /// read from a version; O(steps); for tests.
  package func checkInvariants() {
    let readings = earlier.map(\.read) + [read]
    if readings.contains(where: { $0.original == nil }) {
      precondition(
        earlier.isEmpty && committed == nil, "what is new has one step, and was not committed")
      precondition(version.isEmpty, "what is new was read from no version")
    }
    if let committed {
      precondition(
        Set(committed.version).isSuperset(of: committed.base),
        "what was committed is a later version")
    }
  }

  /// All that is not committed.
  func steps() throws(ModelError) -> [Step] {
    earlier + [Step(read: read, edited: try encoder.contents(of: model, at: path))]
  }
}

extension Document {
  /// Reads a model to be edited and committed later; see ``Draft``.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - path: leads to the content.
  ///   - encoder: how it will be written.
  ///   - decoder: how it is read.
  /// - Returns: the model with the present version.
  /// - Throws: ``ModelError`` if there is nothing, or not what the model asks for.
  public func draft<Model>(
    _ type: Model.Type, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(),
    readBy decoder: PeernoteDecoder = PeernoteDecoder()
  ) throws(ModelError) -> Draft<Model> {
    var draft = Draft(
      new: try decode(type, at: path, by: decoder), at: path, by: encoder, readBy: decoder)
    draft.read.version = heads
    draft.read.original = try encoder.node(for: draft.model)
    return draft
  }

  /// Commits what was edited in a draft, merges it with what came since the draft was read, and reads
  /// the draft again.
  ///
  /// That is one change, and one more for each time that the draft was refreshed after it was edited.
  /// Of a draft of the present version this is like ``encode(_:at:by:session:message:)``; of an
  /// earlier one it costs a few walks over the history and a merge.
  ///
  /// - Parameters:
  ///   - draft: the draft; afterwards it is one of the document as it is then.
  ///   - session: who makes the change, and when.
  ///   - message: an optional message.
  /// - Returns: the changes, and what their merge with later ones decided.
  /// - Throws: ``ModelError``; document and draft stay as they were.
  @discardableResult
  public mutating func commit<Model>(
    _ draft: inout Draft<Model>, by session: DocumentSession, message: String? = nil
  ) throws(ModelError) -> CommitReport {
    var result = self
    let (report, version) = try result.write(try draft.steps(), by: draft.encoder, session, message)
    var next = try result.read(draft, in: self)
    next.committed = Draft.Committed(
      steps: draft.earlier.count, base: draft.version, version: version,
      original: try draft.encoder.node(for: draft.model))
    (self, draft) = (result, next)
    return report
  }

  /// Brings into a draft what came into the document since it was read, and keeps what was edited.
  ///
  /// The draft then says what the document would if the session had committed it now. What was edited
  /// stays an edit of the version that it was made in: where somebody else edited the same, that is a
  /// conflict once the draft is committed. The document stays as it is. Costs what
  /// ``commit(_:by:message:)`` does.
  ///
  /// - Parameters:
  ///   - draft: the draft; afterwards it is one of the document as it is now.
  ///   - session: who is going to commit it. Without one, what was inserted here and what somebody else
  ///     inserted in the same place may then change places.
  /// - Throws: ``ModelError``; the draft stays as it was. ``ModelError/noContent(_:)`` if somebody
  ///   removed what it shows and nothing was edited in it.
  public func refresh<Model>(
    _ draft: inout Draft<Model>, by session: DocumentSession? = nil
  ) throws(ModelError) {
    if draft.read.original == nil || isPresent(draft.version) { return }
    let steps = try draft.steps().filter { $0.edited.node != $0.read.original }
    var scratch = self
    // Thrown away with the copy, so that nobody sees the agent.
    let author = session?.rehearsal ?? DocumentSession(author: "")
    _ = try scratch.write(steps, by: draft.encoder, author, nil)
    var next = try scratch.read(draft, in: self)
    next.read.version = heads
    next.earlier = steps
    next.committed = draft.committed
    draft = next
  }

  /// Reads what a draft shows, which may stand elsewhere now.
  private func read<Model>(
    _ draft: Draft<Model>, in old: Document
  ) throws(ModelError) -> Draft<Model> {
    var path = draft.path
    if draft.read.original != nil {
      guard let present = try old.place(of: draft.path, at: draft.version, in: self) else {
        throw .noContent(draft.path)
      }
      path = present
    }
    return try self.draft(Model.self, at: path, by: draft.encoder, readBy: draft.decoder)
  }

  /// Where what stands at a path of a version stands in another document; `nil` if it does not.
  private func place(
    of path: JSONPointer, at version: [ChangeID], in other: Document
  ) throws(ModelError) -> JSONPointer? {
    // Only the elements of lists have other paths at times.
    guard path.tokens.contains(where: { JSONPointer.index($0) != nil }) else { return path }
    do {
      return other.path(ofPlace: path, in: try isPresent(version) ? self : late(version: version))
    } catch {
      throw ModelError(error)
    }
  }

  /// Writes what was edited in a model, step by step, each at the version in which it was edited and
  /// with those before it, and merges that.
  ///
  /// With the changes and what the merges decided come the heads, among other changes, of the
  /// version of the last step with what was written.
  private mutating func write<Model>(
    _ steps: [Draft<Model>.Step], by encoder: PeernoteEncoder, _ session: DocumentSession,
    _ message: String?
  ) throws(ModelError) -> (report: CommitReport, version: [ChangeID]) {
    var whole = CommitReport()
    var made: [ChangeID] = []
    var version = heads
    for step in steps {
      version = (step.read.original == nil ? heads : step.read.version) + made
      if step.edited.node == step.read.original { continue }
      let before = changeCount == 0 ? [] : heads
      var report = try encode(
        step.edited, original: step.read.original, at: step.read.path, by: encoder, since: version,
        session, message)
      let new = changes(since: before).map(\.id)
      made += new
      version += new
      if let earlier = whole.merge?.conflicts, let later = report.merge?.conflicts {
        report.merge?.conflicts = earlier + later.filter { !earlier.contains($0) }
      }
      whole.changes += report.changes
      whole.merge = report.merge ?? whole.merge
    }
    return (whole, version)
  }

  /// Makes one change of what differs between a model and the content at a path of a version, and
  /// merges it with what came since.
  ///
  /// For a model that was kept with the ``heads`` of the document it was read from. What the model
  /// changed only by being read is written, too; a ``Draft`` knows better.
  ///
  /// - Parameters:
  ///   - model: what should stand there.
  ///   - version: the heads of the version.
  ///   - path: leads to the place; the parent has to be there.
  ///   - encoder: how.
  ///   - session: who makes the change, and when.
  ///   - message: an optional message.
  /// - Returns: the change, and what its merge with later ones decided.
  /// - Throws: ``ModelError``; the document stays as it was.
  @discardableResult
  public mutating func encode(
    _ model: some Encodable, since version: [ChangeID], at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(), session: DocumentSession,
    message: String? = nil
  ) throws(ModelError) -> CommitReport {
    try encode(
      try encoder.contents(of: model, at: path), original: nil, at: path, by: encoder,
      since: version, session, message)
  }

  private mutating func encode(
    _ edited: PeernoteEncoder.Contents, original: DocumentNode?, at path: JSONPointer,
    by encoder: PeernoteEncoder, since version: [ChangeID], _ session: DocumentSession,
    _ message: String?
  ) throws(ModelError) -> CommitReport {
    var before: Document?
    do {
      let (wanted, creation) = try (isPresent(version) ? self : late(version: version))
        .planned(edited, original: original, at: path, by: encoder)
      if !creation.changes.isEmpty { before = self }
      try bringIn(creation.changes)
      let edit = { (editor: inout Editor) throws(EditError) in
        try editor.replaceContent(
          at: path, with: wanted.node, matching: encoder.matching(wanted))
      }
      if changeCount == 0 {
        let made = try change(by: session, message: message, edit)
        guard let made else { return CommitReport() }
        return CommitReport(
          changes: [made], merge: MergeReport(result: .fastForward, newChanges: changes))
      }
      return try change(
        at: version + creation.changes.map(\.id), by: session, message: message, edit)
    } catch {
      if let before { self = before }
      throw ModelError(error)
    }
  }

  /// What is to be written of a model that was read from this version, and the containers that every
  /// copy creates for it.
  ///
  /// Planned at the version of the draft: another draft of it, committed before, has then created the
  /// same ones.
  private func planned(
    _ edited: PeernoteEncoder.Contents, original: DocumentNode?, at path: JSONPointer,
    by encoder: PeernoteEncoder
  ) -> (wanted: PeernoteEncoder.Contents, creation: SharedCreation) {
    var content = DraftContent(identityKeys: encoder.identityKeys, maps: edited.maps)
    let merged = original.flatMap { content.wanted($0, edited.node, node(at: path), at: path) }
    let wanted = PeernoteEncoder.Contents(node: merged ?? edited.node, maps: content.maps)
    let creation = SharedCreation(
      of: wanted.node, at: path, in: self, matching: encoder.matching(wanted))
    return (wanted, creation)
  }
}

/// What a draft asks for, from what its model said before and after it was edited.
///
/// Where the model says the same, the document's own content stays: keys that the model does not
/// know, a number that it reads as another kind of number, and nothing at all where the model has a
/// default value.
struct DraftContent {
  let identityKeys: [String]
  /// What is known of the maps that are wanted: all keys of those that were compared.
  private(set) var maps: ContentMatching.Maps

  /// The content that is wanted at a path: what a model stands for now compared with what it stood
  /// for when it was read, and with what was present in the document then.
  ///
  /// O(size of all three). `nil` stands for nothing.
  mutating func wanted(
    _ original: DocumentNode?, _ edited: DocumentNode, _ present: DocumentNode?,
    at path: JSONPointer
  ) -> DocumentNode? {
    if edited == original { return present }
    switch (original, edited, present) {
    case (.map(let original), .map(let edited), .map(let present)):
      if maps.enumerations.contains(path), original.map(\.key) != edited.map(\.key) {
        return .map(edited)
      }
      maps.knownKeys[path] = nil
      let (before, after, there) = (
        original.nodesByKey, edited.nodesByKey, present.nodesByKey
      )
      var result = present.filter { entry in
        let key = Value.string(entry.key)
        return before[key] == nil && after[key] == nil
      }
      for entry in edited {
        let key = Value.string(entry.key)
        let node = wanted(before[key], entry.node, there[key], at: path.appending(entry.key))
        if let node { result.append(.init(key: entry.key, node: node)) }
      }
      return .map(result.sorted(by: DocumentNode.MapEntry.precedes))
    case (.list(let original), .list(let edited), .list(let present))
    where original.count == present.count:
      return .list(wanted(original, edited, present, at: path))
    case (_, _, _):
      return edited
    }
  }

  /// Elements are those that edits of a list take for the same.
  private mutating func wanted(
    _ original: [DocumentNode], _ edited: [DocumentNode], _ present: [DocumentNode],
    at path: JSONPointer
  ) -> [DocumentNode] {
    let partners = ContentMatching(identityKeys: identityKeys).partners(from: original, to: edited)
    return edited.enumerated().map { place, node in
      guard let index = partners[place] else { return node }
      return wanted(
        original[index], node, present[index], at: path.appending(String(place))) ?? node
    }
  }
}
