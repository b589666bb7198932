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

/// What codes itself as one simpler value.
protocol CodedAsOne: Codable {
  associatedtype Coded: Codable
  /// What it is coded as.
  var coded: Coded { get }
  /// What a coded value stands for; `nil` if it stands for nothing.
  init?(coded: Coded)
}

extension CodedAsOne {
  /// Reads the one value that it is coded as.
  ///
  /// - Throws: what the decoder throws, or `DecodingError` if the value stands for nothing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let read = Self(coded: try container.decode(Coded.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = read
  }

  /// Writes the one value that it is coded as.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(coded)
  }
}

/// Coded as a string.
extension MergeableText: Codable, CodedAsOne {
  var coded: String { wrappedValue }
  init(coded: String) { wrappedValue = coded }
}

/// Coded as an integer.
extension MergeableCounter: Codable, CodedAsOne {
  var coded: Int { wrappedValue }
  init(coded: Int) { wrappedValue = coded }
}

/// Coded as milliseconds since the epoch, in a document as the timestamp itself.
extension Timestamp: Codable, CodedAsOne {
  var coded: Int64 { milliseconds }
  init(coded: Int64) { self.init(milliseconds: coded) }
}

/// Coded in the usual form of a UUID, in a document as the UUID itself.
extension UniqueID: Codable, CodedAsOne {
  var coded: String { description }
  init?(coded: String) { self.init(coded) }
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
