import Peernote
import PeernoteJSON

/// What a document holds at a version.
struct ReadVersion {
  /// The document; `nil` for one of Automerge.
  var id: UniqueID?
  /// The heads of the version; none for a document of Automerge.
  var heads: [ChangeID]
  var root: Node
}

extension Invocation {
  /// Reads a document's content as of the changes with these names, the present one if there are
  /// none, with the keys of maps in the order in which they were written, and the version.
  ///
  /// What was redacted since is left out, and that is said.
  func readVersion(_ file: FileName, at names: [String]) throws -> ReadVersion {
    let bytes = try readDocumentBytes(file)
    if let foreign = try AutomergeDocument(bytes, from: file) {
      return ReadVersion(id: nil, heads: [], root: try foreign.root(at: names))
    }
    let document = try parseDocument(bytes, from: file)
    if names.isEmpty {
      return ReadVersion(
        id: document.id, heads: document.heads, root: document.rootInOrderOfWriting)
    }
    let content = try document.content(named: names, inOrderOfWriting: true, in: file)
    try say(content.gaps, in: file)
    return ReadVersion(id: document.id, heads: content.version, root: content.node ?? .map([]))
  }

  /// What a file's bytes hold now, without the history.
  func root(in bytes: [UInt8], of file: FileName) throws(Failure) -> Node {
    if let document = try AutomergeDocument(bytes, from: file) { return try document.root(at: []) }
    return try parsing(file, bytes) { () throws(DocumentError) in try DocumentReader(bytes: bytes) }
      .root
  }

  /// Reads what stands at a path as of the changes with these names; what stands there now, without
  /// the history, if there are none.
  ///
  /// What was redacted since is left out, and that is said where it is wanted.
  func readNode(
    _ file: FileName, _ path: JSONPointer, at names: [String]
  ) throws -> Node? {
    let bytes = try readDocumentBytes(file)
    if let document = try AutomergeDocument(bytes, from: file) {
      return try document.root(at: names)[path]
    }
    guard !names.isEmpty else { return try root(in: bytes, of: file)[path] }
    let content = try parseDocument(bytes, from: file).content(named: names, at: path, in: file)
    try say(content.gaps, in: file)
    return content.node
  }

  /// Reads all of a document as of the changes with these names; see ``readNode(_:_:at:)``.
  func readRoot(_ file: FileName, at names: [String] = []) throws -> Node {
    try readNode(file, JSONPointer(), at: names) ?? .map([])
  }

  /// Says what of a past version is shown as U+FFFD, in a line for each text at a path.
  func sayMarked(_ gaps: [PastContent.Gap], in file: FileName) throws {
    for gap in gaps {
      let verb = gap.scalars == 1 ? "was" : "were"
      try console.printError(
        "\(file.inputName): \(gap.path.visible): \(counted(gap.scalars, "character")) of that version "
          + "\(verb) redacted; \u{FFFD} stands for each")
    }
  }

  /// Says what is missing from the content of a past version, in a line for each text at a path.
  func say(_ gaps: [PastContent.Gap], in file: FileName) throws {
    for gap in gaps {
      let verb = gap.scalars == 1 ? "was" : "were"
      try console.printError(
        "\(file.inputName): \(gap.path.visible): \(counted(gap.scalars, "character")) of that version "
          + "\(verb) redacted and cannot come back")
    }
  }
}

extension Document {
  /// The document as of the changes with these names.
  ///
  /// A name may be cut: `5f0c` for the newest change of the one agent that begins so, `5f0c.12`
  /// for its twelfth change.
  func version(named names: [String], in file: FileName) throws(Failure) -> Document {
    let version = try changes(named: names, in: file)
    do {
      return try at(version: version)
    } catch {
      throw error.failure(in: file)
    }
  }

  /// What the document said as of the changes with these names, without what was redacted since.
  func content(
    named names: [String], at path: JSONPointer = JSONPointer(), inOrderOfWriting: Bool = false,
    in file: FileName
  ) throws(Failure) -> PastContent {
    let version = try changes(named: names, in: file)
    do {
      return try content(
        atVersion: version, at: path, inOrderOfWriting: inOrderOfWriting)
    } catch {
      throw error.failure(in: file)
    }
  }

  /// The changes with these names, each of which may be cut.
  func changes(named names: [String], in file: FileName) throws(Failure) -> [ChangeID] {
    var found: [ChangeID] = []
    for name in names { found.append(try change(named: name, in: file)) }
    return found
  }

  private func change(named name: String, in file: FileName) throws(Failure) -> ChangeID {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let agentDigits = parts[0].lowercased()
    let sequence = parts.count > 1 ? Int(parts[1]) : nil
    guard !agentDigits.isEmpty, parts.count == 1 || sequence != nil else {
      throw Failure(.usage, file: file, "\(quoted(name)) is not the ID of a change")
    }
    let found = changes.map(\.id).filter {
      (sequence == nil || $0.sequence == sequence) && $0.agent.description.hasPrefix(agentDigits)
    }
    guard let change = found.max() else {
      throw Failure(.usage, file: file, "there is no change \(quoted(name)); 'log' lists them")
    }
    guard found.allSatisfy({ $0.agent == change.agent }) else {
      let others = Set(found.map(\.agent)).sorted().prefix(4).map { "\($0)" }
      throw Failure(
        .usage, file: file,
        "more than one change ID begins with \(quoted(name)), as of \(enumerated(others)); give more "
          + "digits")
    }
    return change
  }
}
