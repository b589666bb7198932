/// How values of one type stand in a document, where the type's own coding would not do.
///
/// The library knows no Foundation. An app that does gives its dates and identifiers a
/// representation, to the encoder and the decoder alike:
///
///     let dates = ValueRepresentation(of: Date.self) { date in
///       .timestamp(Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000)))
///     } decode: { value in
///       guard case .timestamp(let time) = value else { return nil }
///       return Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
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
