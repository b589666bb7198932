package import Peernote
import PeernoteJSON

extension Invocation {
  /// Says what was redacted of a past version, in a line for each text at a path, and what follows.
  func say(
    _ gaps: [RedactedGap], in file: FileName, _ end: String = " and cannot come back"
  ) throws {
    for gap in gaps {
      let verb = gap.scalars == 1 ? "was" : "were"
      try console.printError(
        "\(file.inputName): \(gap.path.visible): \(counted(gap.scalars, "character")) of that version "
          + "\(verb) redacted\(end)")
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
    return try file.parsing(at(version: version))
  }

  /// What the document said then, without what was redacted since; it is not kept meanwhile if it is
  /// not needed any more.
  consuming func content(
    named names: [String], at path: JSONPointer = JSONPointer(), inOrderOfWriting: Bool = false,
    in file: FileName
  ) throws(Failure) -> PastContent {
    let version = try changes(named: names, in: file)
    do {
      return try (consume self).content(
        atVersion: version, at: path, inOrderOfWriting: inOrderOfWriting)
    } catch {
      throw error.failure(in: file)
    }
  }

  /// The changes with these names, each of which may be cut.
  func changes(named names: [String], in file: FileName) throws(Failure) -> [ChangeID] {
    try names.map { (name) throws(Failure) in try change(named: name, in: file) }
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

/// The version of a document that an export says it holds.
///
/// Markdown says it under the key ``markdownKey`` of the front matter, JSON in the member
/// ``jsonName`` of the outermost object: the document's UUID, then the heads of the version, with
/// spaces between. What comes in loses the mark; anything else under these names is content.
package struct VersionMark: Hashable, Sendable {
  package var document: UniqueID
  /// The heads of the version, ascending.
  package var heads: [ChangeID]

  /// The key in front matter.
  package static let markdownKey = "peernote-version"
  /// The member's name in JSON.
  package static let jsonName = "$peernote-version"
}

extension VersionMark {
  /// Reads what ``text`` writes; `nil` for anything else.
  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let heads = words.dropFirst().map { ChangeID($0) }
    guard let first = words.first, let id = UniqueID(first), !heads.isEmpty, !heads.contains(nil)
    else { return nil }
    self.init(document: id, heads: heads.compactMap(\.self))
  }

  /// The mark's text.
  package var text: String {
    ([document.description] + heads.map(\.description)).joined(separator: " ")
  }
}

extension JSON {
  /// Takes the mark out of an object.
  mutating func takeVersionMark() -> VersionMark? {
    guard case .object(var members) = self,
      let index = members.firstIndex(where: { $0.name == VersionMark.jsonName }),
      case .string(let text) = members[index].value, let mark = VersionMark(text)
    else { return nil }
    members.remove(at: index)
    self = .object(members)
    return mark
  }

  /// The object with a mark before all else.
  func with(_ mark: VersionMark) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object([Member(name: VersionMark.jsonName, value: .string(mark.text))] + members)
  }
}
