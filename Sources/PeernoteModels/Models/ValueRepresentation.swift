public import PeernoteEngine

/// A type that stands in documents as a value of its own choice, rather than as it codes itself.
///
///     struct Colour: Codable, ValueRepresentable {
///       var code: Int64
///       var documentValue: Value? { .integer(code) }
///     }
///
///     extension Colour {
///       init?(documentValue: Value) {
///         guard case .integer(let code) = documentValue else { return nil }
///         self.init(code: code)
///       }
///     }
///
/// The target `PeernoteFoundation` makes `Date`, `UUID`, `URL`, `Data` and `Decimal` such types.
public protocol ValueRepresentable {
  /// The value that stands for this one; `nil` if there is none, which cannot be written then.
  var documentValue: Value? { get }

  /// Reads a value; `nil` if it stands for none, unless the type can decode itself from it.
  init?(documentValue: Value)
}

/// How values of one type stand in a document, where the type's own coding would not do.
///
/// For types of others, given to one encoder and its decoder; an app's own types are
/// ``ValueRepresentable``.
///
///     let days = ValueRepresentation(of: DateComponents.self) { day in
///       day.day.map { .integer(Int64($0)) }
///     } decode: { value in
///       guard case .integer(let day) = value else { return nil }
///       return DateComponents(day: Int(day))
///     }
public struct ValueRepresentation: Sendable {
  let type: ObjectIdentifier
  let encode: @Sendable (Any) -> Value?
  let decode: @Sendable (Value) -> Any?

  /// A representation of a type.
  ///
  /// - Parameters:
  ///   - type: the type, exactly.
  ///   - encode: the value for one of the type; `nil` if there is none.
  ///   - decode: the one that a value stands for; `nil` if it stands for none.
  public init<Represented>(
    of type: Represented.Type, encode: @escaping @Sendable (Represented) -> Value?,
    decode: @escaping @Sendable (Value) -> Represented?
  ) {
    self.type = ObjectIdentifier(type)
    self.encode = { ($0 as? Represented).flatMap(encode) }
    self.decode = { decode($0) }
  }
}

/// What models are coded with.
struct CodingOptions {
  let representations: [ObjectIdentifier: ValueRepresentation]
  let userInfo: [CodingUserInfoKey: Any]

  init(_ representations: [ValueRepresentation], _ userInfo: [CodingUserInfoKey: any Sendable]) {
    self.representations = Dictionary(
      representations.map { ($0.type, $0) }, uniquingKeysWith: { _, last in last })
    self.userInfo = userInfo.mapValues { $0 as Any }
  }
}
