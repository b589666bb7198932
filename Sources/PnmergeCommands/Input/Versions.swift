import Peernote

extension Invocation {
  /// Reads a document's content as of the changes with these names; its present content, without
  /// the history, if there are none.
  func readRoot(_ file: FileName, at names: [String]) throws(Failure) -> Node {
    if names.isEmpty { return try readContent(file).root }
    return try readDocument(file).version(named: names, in: file).root
  }
}

extension Document {
  /// The document as of the changes with these names.
  ///
  /// A name may be cut: `5f0c` for the newest change of the one agent that begins so, `5f0c.12`
  /// for its twelfth change.
  func version(named names: [String], in file: FileName) throws(Failure) -> Document {
    var version: [ChangeID] = []
    for name in names { version.append(try change(named: name, in: file)) }
    do {
      return try at(version: version)
    } catch {
      throw error.failure(in: file)
    }
  }

  private func change(named name: String, in file: FileName) throws(Failure) -> ChangeID {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let agentDigits = parts[0].lowercased()
    let sequence = parts.count > 1 ? Int(parts[1]) : nil
    guard !agentDigits.isEmpty, parts.count == 1 || sequence != nil else {
      throw Failure(.usage, file: file, "\(quoted(name)) is not the name of a change")
    }
    let found = changes.map(\.id).filter {
      (sequence == nil || $0.sequence == sequence) && $0.agent.description.hasPrefix(agentDigits)
    }
    guard let change = found.max() else {
      throw Failure(.usage, file: file, "there is no change \(quoted(name))")
    }
    guard found.allSatisfy({ $0.agent == change.agent }) else {
      throw Failure(.usage, file: file, "more than one change is called \(quoted(name))")
    }
    return change
  }
}
