/// A model that remembers the version of the document that it was read from.
///
/// A form on a screen is edited for a while, and meanwhile other changes come in. Written back as it
/// is, it would take them back, wherever they touch what it shows. A draft is saved as what was
/// edited in it since it was read, and merged:
///
///     var note = try document.draft(Note.self)
///     note.title = "Summer"
///     try document.save(&note, by: session)
///
/// What the model does not know, or changed only by being read, as a property with a default value,
/// is not written, and text that was redacted since the draft was read does not come back. A value: a
/// draft that is given up needs no cleaning up.
@dynamicMemberLookup
public struct Draft<Model: Codable & Sendable>: Sendable {
  /// The model, to be edited.
  public var model: Model
  /// The heads of the version that ``model`` was read from.
  public internal(set) var version: [ChangeID]
  /// Where the model stands in the document.
  public let path: JSONPointer

  /// The content that the model stood for when it was read; `nil` for a new one.
  var original: Node?
  let encoder: PeernoteEncoder
  let decoder: PeernoteDecoder

  /// A draft of something new, for a path where nothing stands yet.
  ///
  /// - Parameters:
  ///   - model: what to write.
  ///   - path: where; its parent has to be there when it is saved.
  ///   - encoder: how it is written.
  ///   - decoder: how it is read after it was saved.
  public init(
    new model: Model, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(),
    readBy decoder: PeernoteDecoder = PeernoteDecoder()
  ) {
    self.model = model
    self.path = path
    self.encoder = encoder
    self.decoder = decoder
    version = []
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

  /// Whether the model says something else than when it was read.
  ///
  /// O(size of the model).
  ///
  /// - Throws: ``ModelError`` if the model has no content.
  public var isEdited: Bool {
    get throws(ModelError) { try encoder.node(for: model) != original }
  }
}

extension Document {
  /// Reads a model to be edited and saved later; see ``Draft``.
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
    draft.version = heads
    draft.original = try encoder.node(for: draft.model)
    return draft
  }

  /// Saves what was edited in a draft as one change, merges it with what came since the draft was
  /// read, and reads the draft again.
  ///
  /// Of a draft of the present version this is like ``encode(_:at:by:session:message:)``; of an
  /// earlier one it costs a few walks over the history and a merge.
  ///
  /// - Parameters:
  ///   - draft: the draft; afterwards it is one of the document as it is then.
  ///   - session: who makes the change, and when.
  ///   - message: an optional remark.
  /// - Returns: what the merge with later changes decided; `nil` if nothing was edited.
  /// - Throws: ``ModelError``; document and draft stay as they were.
  @discardableResult
  public mutating func save<Model>(
    _ draft: inout Draft<Model>, by session: Session, message: String? = nil
  ) throws(ModelError) -> MergeReport? {
    let edited = try draft.encoder.contents(of: draft.model, at: draft.path)
    if draft.original == nil || isPresent(draft.version) {
      let report = try write(edited, of: draft, by: session, message)
      (draft.version, draft.original) = (heads, edited.node)
      return report
    }
    var saved = self
    let report = try saved.write(edited, of: draft, by: session, message)
    draft = try saved.draft(Model.self, at: draft.path, by: draft.encoder, readBy: draft.decoder)
    self = saved
    return report
  }

  /// Brings into a draft what came into the document since it was read, and keeps what was edited.
  ///
  /// The draft then says what the document would if it had been saved now. The document stays as it
  /// is. Costs what ``save(_:by:message:)`` does.
  ///
  /// - Parameter draft: the draft; afterwards it is one of the document as it is now.
  /// - Throws: ``ModelError``; the draft stays as it was.
  public func refresh<Model>(_ draft: inout Draft<Model>) throws(ModelError) {
    if draft.original == nil || isPresent(draft.version) { return }
    var next = try self.draft(Model.self, at: draft.path, by: draft.encoder, readBy: draft.decoder)
    var scratch = self
    let edited = try draft.encoder.contents(of: draft.model, at: draft.path)
    // Thrown away with the copy, so that nobody sees the agent.
    try scratch.write(edited, of: draft, by: Session(author: ""), nil)
    next.model = try scratch.decode(Model.self, at: draft.path, by: draft.decoder)
    draft = next
  }

  /// Writes what was edited in a draft, at the version of the draft, and merges that.
  @discardableResult
  private mutating func write<Model>(
    _ edited: PeernoteEncoder.Contents, of draft: Draft<Model>, by session: Session,
    _ message: String?
  ) throws(ModelError) -> MergeReport? {
    if edited.node == draft.original { return nil }
    return try encode(
      edited, original: draft.original, at: draft.path, by: draft.encoder,
      since: draft.original == nil ? heads : draft.version, session, message)
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
  ///   - message: an optional remark.
  /// - Returns: what the merge with later changes decided; `nil` if nothing differs.
  /// - Throws: ``ModelError``; the document stays as it was.
  @discardableResult
  public mutating func encode(
    _ model: some Encodable, since version: [ChangeID], at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(), session: Session, message: String? = nil
  ) throws(ModelError) -> MergeReport? {
    try encode(
      try encoder.contents(of: model, at: path), original: nil, at: path, by: encoder,
      since: version, session, message)
  }

  private mutating func encode(
    _ edited: PeernoteEncoder.Contents, original: Node?, at path: JSONPointer,
    by encoder: PeernoteEncoder, since version: [ChangeID], _ session: Session, _ message: String?
  ) throws(ModelError) -> MergeReport? {
    var before: Document?
    do {
      let (wanted, markedTexts, creation) = try (isPresent(version) ? self : late(version: version))
        .planned(
          edited.node, original: original, at: path, identityKeys: encoder.identityKeys)
      if !creation.changes.isEmpty { before = self }
      try create(creation)
      var matching = ContentMatching.keepingKinds
      matching.identityKeys = encoder.identityKeys
      matching.knownKeys = edited.knownKeys
      matching.markedTexts = markedTexts
      let edit = { (editor: inout Editor) throws(EditError) in
        try editor.replaceContent(at: path, with: wanted, matching: matching)
      }
      if changeCount == 0 {
        let made = try change(by: session, message: message, edit)
        return made.map { _ in
          MergeReport(result: .fastForward, newChanges: changes, conflicts: [])
        }
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
  /// Planned at the version of the draft: another draft of it, saved before, has then created the
  /// same ones.
  private func planned(
    _ edited: Node, original: Node?, at path: JSONPointer, identityKeys: [String]
  ) -> (wanted: Node, markedTexts: Set<Value>, creation: SharedCreation) {
    var content = DraftContent(identityKeys, redactionMarker: redactionMarker)
    let wanted = original.flatMap { content.wanted($0, edited, node(at: path)) } ?? edited
    let creation = SharedCreation(of: wanted, at: path, in: self, identityKeys: identityKeys)
    return (wanted, content.markedTexts, creation)
  }
}
