public import PeernoteEngine

/// Marks a string of a model as a text that is merged letter by letter.
///
/// A plain `String` is a value: of two that were written concurrently one is shown.
///
///     struct Note: Codable {
///       var title: String
///       @MergeableText var body: String
///     }
///
/// Where a document has no such text, the string is empty. Other encoders write it as a string.
@propertyWrapper
public struct MergeableText: Hashable, Sendable {
  /// The text.
  public var wrappedValue: String

  /// A text.
  public init(wrappedValue: String) {
    self.wrappedValue = wrappedValue
  }
}

/// Marks an integer of a model as a counter, in which concurrent changes add up.
///
/// Where a document has no such counter, it is 0. Other encoders write it as a number.
@propertyWrapper
public struct MergeableCounter: Hashable, Sendable {
  /// The count.
  public var wrappedValue: Int

  /// A counter.
  public init(wrappedValue: Int) {
    self.wrappedValue = wrappedValue
  }
}

extension MergeableText: Codable {
  /// Reads a string.
  ///
  /// - Throws: what the decoder throws.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes a string.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension MergeableCounter: Codable {
  /// Reads an integer.
  ///
  /// - Throws: what the decoder throws.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Int.self)
  }

  /// Writes an integer.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Reads a text; an empty one if the key is not there.
  ///
  /// - Throws: what the decoder throws.
  public func decode(_ type: MergeableText.Type, forKey key: Key) throws -> MergeableText {
    try decodeIfPresent(type, forKey: key) ?? MergeableText(wrappedValue: "")
  }

  /// Reads a counter; 0 if the key is not there.
  ///
  /// - Throws: what the decoder throws.
  public func decode(_ type: MergeableCounter.Type, forKey key: Key) throws -> MergeableCounter {
    try decodeIfPresent(type, forKey: key) ?? MergeableCounter(wrappedValue: 0)
  }
}

extension Timestamp: Codable {
  /// Reads milliseconds since the epoch, or from a document the timestamp itself.
  ///
  /// - Throws: what the decoder throws.
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes milliseconds since the epoch, or into a document the timestamp itself.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension UniqueID: Codable {
  /// Reads the usual form of a UUID, or from a document the UUID itself.
  ///
  /// - Throws: what the decoder throws, or `DecodingError` if it is no UUID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = UniqueID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = id
  }

  /// Writes the usual form of a UUID, or into a document the UUID itself.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
