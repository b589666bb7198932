public import PeernoteEngine

/// Reads `Codable` models from documents; the mapping is ``PeernoteEncoder``'s.
///
/// A `String` is read from a text as well, an array from a set (in the order of the file), an
/// integer from a counter, and a `Double` from an integer.
public struct PeernoteDecoder: Sendable {
  /// Types that don't stand in a document as they code themselves.
  public var representations: [ValueRepresentation]
  /// What the models may ask for while they are decoded.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder.
  public init(representations: [ValueRepresentation] = []) {
    self.representations = representations
  }

  /// The model that content stands for.
  ///
  /// - Throws: ``ModelError`` if it is not what the model asks for.
  public func decode<Model: Decodable>(
    _ type: Model.Type, from node: DocumentNode
  ) throws(ModelError) -> Model {
    let options = CodingOptions(representations, userInfo)
    do {
      return try TreeDecoder(node: node, codingPath: [], options: options).decode(type)
    } catch {
      throw ModelError(error)
    }
  }
}

extension Document {
  /// Reads a model from the content at a path; see ``PeernoteDecoder``.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - path: leads to the content.
  ///   - decoder: how.
  /// - Returns: the model.
  /// - Throws: ``ModelError`` if there is nothing, or not what the model asks for.
  public func decode<Model: Decodable>(
    _ type: Model.Type, at path: JSONPointer = JSONPointer(),
    by decoder: PeernoteDecoder = PeernoteDecoder()
  ) throws(ModelError) -> Model {
    guard let node = node(at: path) else { throw .noContent(path) }
    return try decoder.decode(type, from: node)
  }
}
