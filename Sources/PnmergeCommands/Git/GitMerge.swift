import AutomergeFormat
import Peernote

/// The merge of the versions that git has of a file, whatever kind of document they are.
enum GitMerge {
  /// What the history of a tracked plain file decides counts for nothing: git merges the file, which
  /// settles it.
  case peernote(ThreeWayMerge, isHistory: Bool)
  case automerge(AutomergeDriver)

  /// Merges the incoming version into the current one; whether branches are certainly merged is asked
  /// only if it matters, and the versions stay unmerged if this throws.
  init(
    _ versions: GitVersions, path: FileName, isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    if AutomergeFile.begins(versions.current), AutomergeFile.begins(versions.incoming) {
      self = .automerge(try AutomergeDriver(versions, isMerge: isMerge))
    } else {
      let outcome = try ThreeWayMerge(
        ancestor: versions.ancestor, current: versions.current, incoming: versions.incoming,
        isMerge: isMerge)
      self = .peernote(
        outcome, isHistory: path.plainText(in: outcome.document.root) != nil)
    }
  }

  /// Whether bytes are such a document's, damaged or not.
  static func isDocument(_ bytes: [UInt8]) -> Bool {
    DocumentHeads.isDocument(bytes) || AutomergeFile.begins(bytes)
  }

  /// Brings in what somebody added to the file in the work tree, since that is about to be replaced;
  /// git may have left one of some versions there.
  mutating func merge(edited file: [UInt8]?, besides versions: GitVersions) throws(Failure) {
    guard let file, ![versions.ancestor, versions.current, versions.incoming].contains(file)
    else { return }
    switch self {
    case .peernote(var outcome, let isHistory):
      try outcome.merge(edited: file)
      self = .peernote(outcome, isHistory: isHistory)
    case .automerge(var outcome):
      try outcome.merge(edited: file)
      self = .automerge(outcome)
    }
  }

  /// The merged document's bytes, once they were read back.
  func verifiedBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    switch self {
    case .peernote(let outcome, _): try outcome.verifiedBytes(file)
    case .automerge(let outcome): outcome.bytes
    }
  }

  // MARK: What a person is told

  /// What came of it but for the union of Automerge documents, if it decides anything.
  private var decided: ThreeWayMerge? {
    switch self {
    case .peernote(let outcome, let isHistory): isHistory ? nil : outcome
    case .automerge(let merge): merge.difference
    }
  }

  private var conflicts: [Conflict] {
    if case .automerge(let merge) = self, merge.difference == nil { return merge.conflicts }
    return decided?.conflicts ?? []
  }

  /// Whether it is left to a person, whatever the driver's settings: the difference that was asked
  /// for met what was changed here.
  var isLeft: Bool { decided?.isLeft ?? false }

  /// Whether anything was decided that stays listed until a person resolves it.
  var isContested: Bool { conflicts.contains { !$0.isCombined } }

  /// How a person goes on with what is left to them.
  var advice: String {
    if case .automerge = self { return "look at it in its app, and 'git add' it" }
    return "resolve it ('pnmerge resolve -i') and 'git add' it"
  }

  /// What a person should know of the merge; `nil` if it is nothing but an ordinary merge.
  var sentence: String? {
    var parts: [String] = []
    let outcome = decided
    if let outcome {
      // A text that is named with a line is not named again.
      let crowded = outcome.crowded.filter { path in !outcome.met.contains { $0.path == path } }
      let met = outcome.met.map(\.place) + crowded.map(\.visible)
      if !met.isEmpty { parts.append("it meets what was changed here since: \(Self.listed(met))") }
    }
    if let words = conflictWords(conflicts) {
      parts.append("\(words): \(Self.listed(conflicts.filter { !$0.isCombined }.map(\.place)))")
    }
    if let outcome {
      if !outcome.adjoining.isEmpty { parts.append(adjoiningWords(outcome.adjoining)) }
      parts += outcome.takenOut.map { "the other version has redacted \($0.sentence)" }
      parts += outcome.leftover.map(\.sentence) + outcome.remarks
    }
    return parts.isEmpty ? nil : "merged; " + parts.joined(separator: "; ")
  }

  /// The first of some places; at the rest is only hinted.
  private static func listed(_ places: [String]) -> String {
    places.prefix(3).joined(separator: ", ") + (places.count > 3 ? ", …" : "")
  }
}
