extension Document {
  /// Makes the changes of a creation part of the document.
  ///
  /// One walk over the history if there are any.
  mutating func create(_ creation: SharedCreation) throws(ModelError) {
    if creation.changes.isEmpty { return }
    do {
      let past = try at(version: creation.parents.sorted())
      let made = try Document(id: id, changes: Array(past.exportedChanges) + creation.changes)
      _ = try merge(made)
    } catch {
      throw .model(error)
    }
  }

  /// Creates what a model has and the document lacks of sets, texts, counters, lists and maps, the
  /// same ones in every copy, and writes nothing else.
  ///
  /// For a new version of an app whose models have new properties: as each copy creates the same
  /// containers, what is written to them in different copies merges. ``encode(_:at:by:session:message:)``
  /// does it as well. A container under a key that was ever written, as by another version of the
  /// app, is left to ``Editor/put(node:at:)``; if two copies have created different ones already,
  /// see ``Editor/resolve(_:taking:since:identityKeys:)``.
  ///
  /// One walk over the history if anything is created.
  ///
  /// - Parameters:
  ///   - model: says what there should be.
  ///   - path: where the model stands; a map that is there.
  ///   - encoder: how models stand in documents.
  /// - Returns: where the new containers stand.
  /// - Throws: ``ModelError``; the document stays as it was.
  @discardableResult
  public mutating func migrate(
    to model: some Encodable, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder()
  ) throws(ModelError) -> [JSONPointer] {
    let contents = try encoder.contents(of: model, at: path)
    let creation = SharedCreation(
      of: contents.node, at: path, in: self, matching: encoder.matching(contents))
    try create(creation)
    return creation.paths
  }
}
