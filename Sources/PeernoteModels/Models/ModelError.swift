public import PeernoteEngine
public import PeernoteMerging

/// Why a model cannot be written into a document or read from it.
public enum ModelError: Error, Sendable {
  /// A value of the model has no place in a document, such as an integer of more than 64 bits.
  case encoding(EncodingError)
  /// The content is not what the model asks for.
  case decoding(DecodingError)
  /// The document cannot be edited like that.
  case edit(EditError)
  /// The document's history cannot be used for it.
  case history(DocumentError)
  /// What was written cannot be merged with what the document holds by now.
  case merge(MergeError)
  /// Nothing stands at the path.
  case noContent(JSONPointer)
  /// The model's own code threw this.
  case model(any Error)
}

extension ModelError {
  /// The error that tells why, whatever was thrown.
  init(_ error: any Error) {
    switch error {
    case let error as ModelError: self = error
    case let error as EditError: self = .edit(error)
    case let error as DocumentError: self = .history(error)
    case let error as MergeError: self = .merge(error)
    case let error as EncodingError: self = .encoding(error)
    case let error as DecodingError: self = .decoding(error)
    default: self = .model(error)
    }
  }
}

extension ModelError: CustomStringConvertible {
  /// The reason.
  public var description: String {
    switch self {
    case .encoding(.invalidValue(_, let context)):
      Self.place(context.codingPath) + context.debugDescription
    case .encoding(let error): "\(error)"
    case .decoding(.dataCorrupted(let context)),
      .decoding(.typeMismatch(_, let context)), .decoding(.valueNotFound(_, let context)):
      Self.place(context.codingPath) + context.debugDescription
    case .decoding(.keyNotFound(let key, let context)):
      Self.place(context.codingPath + [key]) + context.debugDescription
    case .decoding(let error): "\(error)"
    case .edit(let error): error.description
    case .history(let error): error.description
    case .merge(let error): error.description
    case .noContent(let path): "\(path.words): there is nothing"
    case .model(let error): "\(error)"
    }
  }

  /// Where in the model, with what comes between it and the reason; empty for the model itself.
  private static func place(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    let tokens = path.map { $0.intValue.map { String($0) } ?? $0.stringValue }
    return "\(JSONPointer(tokens)): "
  }
}
