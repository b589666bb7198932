import AutomergeFormat
import Peernote

/// The merge of the versions that git has of a file, whatever kind of document they are.
enum GitMerge {
  case peernote(ThreeWayMerge)
  case automerge(AutomergeDriver)
  /// The history of a tracked plain file. What it decided counts for nothing: git merges the file,
  /// which settles it.
  case history(ThreeWayMerge)

  /// Merges the incoming version into the current one.
  ///
  /// Whether branches are certainly merged is asked only if it matters. The versions stay unmerged if
  /// this throws.
  init(
    _ versions: GitVersions, path: FileName, isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    let (ancestor, current, incoming) = (versions.ancestor, versions.current, versions.incoming)
    if AutomergeFile.begins(current), AutomergeFile.begins(incoming) {
      self = .automerge(
        try AutomergeDriver(
          ancestor: ancestor, current: current, incoming: incoming, isMerge: isMerge))
    } else {
      let outcome = try ThreeWayMerge(
        ancestor: ancestor, current: current, incoming: incoming, isMerge: isMerge)
      let isHistory = path.plainText(in: outcome.document.root) != nil
      self = isHistory ? .history(outcome) : .peernote(outcome)
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
    case .peernote(var outcome):
      try outcome.merge(edited: file)
      self = .peernote(outcome)
    case .automerge(var outcome):
      try outcome.merge(edited: file)
      self = .automerge(outcome)
    case .history(var outcome):
      try outcome.merge(edited: file)
      self = .history(outcome)
    }
  }

  /// The merged document's bytes, once they were read back.
  func verifiedBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    switch self {
    case .peernote(let outcome), .history(let outcome): try outcome.verifiedBytes(file)
    case .automerge(let outcome): outcome.bytes
    }
  }

  /// What a person should know of the merge; `nil` if it is nothing but an ordinary merge.
  var sentence: String? {
    var parts: [String] = []
    switch self {
    case .peernote(let outcome): parts = Self.parts(outcome)
    case .automerge(let merge):
      parts = merge.difference.map { Self.parts($0) } ?? Self.places(merge.conflicts)
    case .history: break
    }
    return parts.isEmpty ? nil : "merged; " + parts.joined(separator: "; ")
  }

  private static func parts(_ outcome: ThreeWayMerge) -> [String] {
    var parts: [String] = []
    // A text that is named with a line is not named again.
    let crowded = outcome.crowded.filter { path in !outcome.met.contains { $0.path == path } }
    let met = outcome.met.map(\.place) + crowded.map(\.visible)
    if !met.isEmpty {
      parts.append("it meets what was changed here since: \(listed(met))")
    }
    parts += places(outcome.conflicts)
    if !outcome.adjoining.isEmpty { parts.append(adjoiningWords(outcome.adjoining)) }
    parts += outcome.takenOut.map { "the other version has redacted \($0.sentence)" }
    return parts + outcome.leftover.map(\.sentence) + outcome.remarks
  }

  /// Whether it is left to a person, whatever the driver's settings: the difference that was asked
  /// for met what was changed here.
  var isLeft: Bool {
    switch self {
    case .peernote(let outcome): outcome.isLeft
    case .automerge(let merge): merge.difference?.isLeft ?? false
    case .history: false
    }
  }

  /// How a person goes on with what is left to them.
  var advice: String {
    if case .automerge = self { return "look at it in its app, and 'git add' it" }
    return "resolve it ('pnmerge resolve -i') and 'git add' it"
  }

  /// Whether anything was decided that stays listed until a person resolves it.
  var isContested: Bool {
    let conflicts =
      switch self {
      case .peernote(let outcome): outcome.conflicts
      case .automerge(let merge): merge.difference?.conflicts ?? merge.conflicts
      case .history: [] as [Conflict]
      }
    return conflicts.contains { !$0.isCombined }
  }

  /// Places named before the rest is only hinted at.
  private static let namedPlaces = 3

  /// How many conflicts there are and where.
  private static func places(_ conflicts: [Conflict]) -> [String] {
    guard let words = conflictWords(conflicts) else { return [] }
    return ["\(words): \(listed(conflicts.filter { !$0.isCombined }.map(\.place)))"]
  }

  private static func listed(_ places: [String]) -> String {
    let names = places.prefix(namedPlaces).joined(separator: ", ")
    return places.count > namedPlaces ? names + ", …" : names
  }
}
