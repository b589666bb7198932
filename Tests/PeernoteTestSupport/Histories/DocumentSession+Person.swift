package import Peernote

extension DocumentSession {
  /// A session of one of several people.
  ///
  /// - Parameters:
  ///   - number: the person's agent.
  ///   - author: the name; by default it tells the number.
  ///   - milliseconds: when; by default so many seconds after the epoch as the number says.
  /// - Returns: the session.
  package static func person(
    _ number: UInt64, _ author: String? = nil, at milliseconds: Int64? = nil
  ) -> DocumentSession {
    DocumentSession(
      agent: AgentID(rawValue: number), author: author ?? "author \(number)",
      time: Timestamp(milliseconds: milliseconds ?? Int64(number) * 1000))
  }
}
