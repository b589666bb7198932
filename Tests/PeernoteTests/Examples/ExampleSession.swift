import Peernote

/// A session of somebody who edits an example; an app draws its agent at random.
func session(_ author: String, at minute: Int64 = 0) -> DocumentSession {
  let bits = author.utf8.reduce(UInt64(minute + 1)) { $0 &* 31 &+ UInt64($1) }
  return DocumentSession(
    agent: AgentID(rawValue: bits), author: author,
    time: Timestamp(milliseconds: 1_795_000_000_000 + minute * 60_000))
}

/// An identifier for the examples; an app draws one at random.
func exampleID(_ number: UInt64) -> UniqueID {
  let digits = String(number, radix: 16)
  let zeros = String(repeating: "0", count: 12 - digits.count)
  return UniqueID("00000000-0000-4eed-8000-\(zeros)\(digits)") ?? .random()
}

extension Document {
  /// The document after somebody edited its model.
  func edited<Model: Codable & Sendable>(
    _ model: Model.Type, by author: String, at minute: Int64 = 1,
    _ edit: (inout Model) throws -> Void
  ) throws -> Document {
    var (document, draft) = (self, try draft(model))
    try edit(&draft.model)
    try document.commit(&draft, by: session(author, at: minute))
    return document
  }
}
