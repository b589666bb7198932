public import PeernoteEngine
import PeernoteMerging

/// Writes `Codable` models into documents.
///
/// | in the model | in the document |
/// |---|---|
/// | `Bool`, integers up to 64 bits signed, `Double`, `Float` | a value |
/// | `String`, and enumerations of strings | a string, which is replaced whole |
/// | ``MergeableText`` | a text, merged letter by letter |
/// | ``MergeableCounter`` | a counter, in which concurrent changes add up |
/// | `Set` of values | a set, in which additions win over removals |
/// | arrays | a list, whose elements keep their identity by ``identityKeys`` |
/// | structures, and dictionaries by strings, integers or UUIDs | a map |
/// | enumerations with values | a map, which is replaced whole where the case changes |
/// | `[UInt8]` | bytes |
/// | ``Timestamp``, ``UniqueID`` | a timestamp, a UUID |
/// | `nil` of an optional property | nothing under the key |
/// | ``ValueRepresentable`` types, with `PeernoteFoundation` also `Date`, `UUID`, `URL`, `Data` and `Decimal` | a value |
/// | other types | as they code themselves, or as ``representations`` say |
///
/// Only what differs from the document is written. Keys of a map that a structure does not know
/// stay, so that an older version of an app does not remove what a newer one wrote; those of a
/// dictionary go. A structure knows its coding keys; one that takes any string for a coding key knows
/// what it codes, and what a ``Draft`` of it coded when it was read. Where a document has a text, set
/// or counter already, a `String`, array or integer edits that.
///
/// What a type codes as several values, as a range does, two people may change apart, so that a merge
/// holds a part of either. Give it a ``ValueRepresentation`` if it has to stay whole.
public struct PeernoteEncoder: Sendable {
  /// The keys that tell list elements apart, in order of preference.
  public var identityKeys: [String]
  /// Types that don't stand in a document as they code themselves.
  public var representations: [ValueRepresentation]
  /// What the models may ask for while they are encoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder.
  public init(identityKeys: [String] = ["id"], representations: [ValueRepresentation] = []) {
    self.identityKeys = identityKeys
    self.representations = representations
  }

  /// The content that a model stands for.
  ///
  /// - Throws: ``ModelError`` if it has none.
  public func node(for model: some Encodable) throws(ModelError) -> DocumentNode {
    try contents(of: model, at: JSONPointer()).node
  }

  /// What a model stands for at a path.
  struct Contents {
    var node: DocumentNode
    var maps = ContentMatching.Maps()
  }

  /// The content that a model stands for at a path, and what it knows of.
  func contents(of model: some Encodable, at path: JSONPointer) throws(ModelError) -> Contents {
    let tree = EncodingTree()
    do {
      let options = CodingOptions(representations, userInfo)
      try TreeEncoder(tree: tree, codingPath: [], options: options).encode(model)
    } catch {
      throw ModelError(error)
    }
    var contents = Contents(node: .value(.null))
    contents.node = tree.node(at: path, &contents.maps)
    return contents
  }

  /// How what a model stands for is compared with what a document holds.
  func matching(_ contents: Contents) -> ContentMatching {
    var matching = ContentMatching.keepingKinds
    matching.identityKeys = identityKeys
    matching.maps = contents.maps
    return matching
  }
}

extension Editor {
  /// Writes what differs between a model and the content at a path; see ``PeernoteEncoder``.
  ///
  /// - Parameters:
  ///   - model: what should stand there.
  ///   - path: leads to the place; the parent has to be there.
  ///   - encoder: how.
  /// - Throws: ``ModelError`` if the model has no content, or the document can't take it.
  public mutating func encode(
    _ model: some Encodable, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder()
  ) throws(ModelError) {
    let contents = try encoder.contents(of: model, at: path)
    do throws(EditError) {
      try replaceContent(at: path, with: contents.node, matching: encoder.matching(contents))
    } catch {
      throw .edit(error)
    }
  }
}

extension Document {
  /// Makes one change of what differs between a model and the content at a path.
  ///
  /// Sets, texts, counters, lists and maps under keys that nobody has written yet are created
  /// before, by changes that are the same in every copy; see ``migrate(to:at:by:)``.
  ///
  /// - Parameters:
  ///   - model: what should stand there.
  ///   - path: leads to the place; the parent has to be there.
  ///   - encoder: how.
  ///   - session: who makes the change, and when.
  ///   - message: an optional message.
  /// - Returns: the change's name; `nil` if nothing differs.
  /// - Throws: ``ModelError``; the document stays as it was.
  @discardableResult
  public mutating func encode(
    _ model: some Encodable, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder(), session: DocumentSession,
    message: String? = nil
  ) throws(ModelError) -> ChangeID? {
    try encode(
      model, since: heads, at: path, by: encoder, session: session, message: message
    ).changes.first
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
    do {
      try bringIn(creation.changes)
    } catch {
      throw .model(error)
    }
    return creation.paths
  }
}
