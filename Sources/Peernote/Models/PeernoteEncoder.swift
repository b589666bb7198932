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
/// | structures, and dictionaries by strings, numbers or UUIDs | a map |
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
    } catch let error as EncodingError {
      throw .encoding(error)
    } catch {
      throw .model(error)
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
}
