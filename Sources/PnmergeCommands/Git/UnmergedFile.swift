import Peernote

/// A file that git left in conflict, with its versions in the index.
struct UnmergedFile {
  /// A version that one side has of the file.
  struct Version {
    /// The name of the object with its content.
    var object: String
    var kind: Kind
  }

  /// What git keeps under a name.
  enum Kind {
    case file
    case symbolicLink
    case submodule

    init(mode: String) {
      switch mode {
      case "120000": self = .symbolicLink
      case "160000": self = .submodule
      default: self = .file
      }
    }
  }

  /// The name from the top of the work tree.
  var path: FileName
  /// The ancestor, the current and the incoming version; `nil` where that side has no such file.
  var ancestor: Version?
  var current: Version?
  var incoming: Version?

  /// The names of the objects that are files' contents, each once.
  var objects: [String] {
    Array(
      Set([ancestor, current, incoming].compactMap { $0?.kind == .file ? $0?.object : nil })
    ).sorted()
  }

  /// What the versions hold, given contents by the names of their objects; nothing where a side has
  /// no such file.
  func versions(
    _ contents: [String: [UInt8]]
  ) -> (ancestor: [UInt8], current: [UInt8], incoming: [UInt8]) {
    func content(_ version: Version?) -> [UInt8] { version.flatMap { contents[$0.object] } ?? [] }
    return (content(ancestor), content(current), content(incoming))
  }
}

/// What is said of a tracked plain file that git left in conflict, or its history.
enum TrackedConflict {
  static let file = "git has left it in conflict; settle it, then 'git add' or 'git rm' it"
  static let history =
    "git has left its history in conflict, and a commit would lose one side; "
    + "'pnmerge git resolve' merges it"
}

extension GitRepository {
  /// The files in conflict, or those of them that some patterns match.
  ///
  /// Patterns are those of git, from the working directory.
  func unmergedFiles(_ patterns: [FileName]) throws(Failure) -> [UnmergedFile] {
    let options: [FileName] = ["ls-files", "--unmerged", "-z", "--full-name", "--"]
    // Without a pattern only what is below the working directory would be listed.
    let places = patterns.isEmpty ? [":/"] : patterns
    var files: [UnmergedFile] = []
    for (words, path) in try output(options + places).listedFiles {
      // "100644 <object> <stage>"
      let version = UnmergedFile.Version(
        object: words[1], kind: UnmergedFile.Kind(mode: words[0]))
      if files.last?.path != path { files.append(UnmergedFile(path: path)) }
      switch words[2] {
      case "1": files[files.count - 1].ancestor = version
      case "2": files[files.count - 1].current = version
      default: files[files.count - 1].incoming = version
      }
    }
    return files
  }
}

/// Merges the documents that git left in conflict, or tells why they cannot be merged, and what works
/// for them.
struct ConflictMerge {
  private let repository: GitRepository
  private let top: FileName
  private let isMergingBranches: Bool
  /// Where each document is that is not in conflict; `nil` until that is asked for.
  private var places: [UniqueID: FileName]?

  /// Asks git whether branches are merged.
  init(_ repository: GitRepository, top: FileName) throws(Failure) {
    self.repository = repository
    self.top = top
    isMergingBranches = try repository.isMergingBranches
  }

  private static let choice = "'git add' keeps what the work tree has, 'git rm' deletes it"

  /// Merges a file, whose versions hold `contents` by the names of their objects; `nil` if it is no
  /// document.
  ///
  /// Throws a ``Failure`` if it cannot be merged, which says what to do.
  mutating func callAsFunction(
    _ file: UnmergedFile, _ contents: [String: [UInt8]]
  ) throws(Failure) -> GitMerge? {
    let versions = file.versions(contents)
    let isNamedSo =
      file.path.bytes.suffix(".peernote".utf8.count).elementsEqual(".peernote".utf8)
      || AutomergeCopy.hasName(file.path)
    guard
      isNamedSo || [versions.current, versions.incoming].contains(where: GitMerge.isDocument)
    else { return nil }
    if let reason = try reason(file, contents) { throw Failure(.different, reason) }
    let occasion = GitOccasion(
      repository: repository, path: file.path, incoming: file.incoming?.object ?? "",
      isMerge: isMergingBranches)
    return try GitMerge(
      ancestor: versions.ancestor, current: versions.current, incoming: versions.incoming,
      path: file.path, isMerge: occasion.isMergeOfBranches)
  }

  /// Why a file in conflict cannot be merged, and what to do, in a clause; `nil` if both versions are
  /// files.
  private mutating func reason(
    _ file: UnmergedFile, _ contents: [String: [UInt8]]
  ) throws(Failure) -> String? {
    for (side, version) in [("current", file.current), ("incoming", file.incoming)] {
      switch version?.kind {
      case .file, nil: continue
      case .symbolicLink: return "a symbolic link in the \(side) version; \(Self.choice)"
      case .submodule: return "a submodule in the \(side) version; \(Self.choice)"
      }
    }
    if file.current != nil, file.incoming != nil { return nil }
    return try oneSided(file, (file.current ?? file.incoming).flatMap { contents[$0.object] } ?? [])
  }

  /// Why a file that one version lacks stays in conflict, and what to do: the document may have
  /// another name there.
  private mutating func oneSided(
    _ file: UnmergedFile, _ present: [UInt8]
  ) throws(Failure) -> String {
    let side = file.current == nil ? "current" : "incoming"
    guard file.ancestor != nil else {
      let other = file.current == nil ? "incoming" : "current"
      return "only in the \(other) version; \(Self.choice)"
    }
    let what = "deleted in the \(side) version and changed in the other"
    if let id = (try? DocumentHeads(bytes: present))?.id, let place = try place(of: id) {
      let up = try repository.name("rev-parse", "--show-cdup")?.bytes ?? []
      let words = [place, file.path].map { shellQuoted(FileName(bytes: up + $0.bytes)) }
      let end = "git add \(words[0]) && git rm \(words[1])"
      return "\(what); the \(side) version has it as \(words[0])"
        + (holds(present, at: place)
          ? ", with the change by now; to settle it: \(end)"
          : "; to bring the change there: pnmerge merge \(words[0]) \(words[1]) && \(end)")
    }
    return "\(what); 'git add' keeps it, 'git rm' deletes it"
  }

  /// Whether the work tree has all changes of both versions of a file under its name.
  func holdsBoth(_ file: UnmergedFile, _ contents: [String: [UInt8]]) -> Bool {
    let versions = file.versions(contents)
    return holds(versions.current, at: file.path) && holds(versions.incoming, at: file.path)
  }

  /// Whether a file of the work tree has all changes of a version of a document.
  private func holds(_ version: [UInt8], at path: FileName) -> Bool {
    guard let version = try? DocumentHeads(bytes: version),
      let file = try? repository.host.read(top.appending(path), limit: Invocation.inputLimit),
      let document = try? Document(bytes: file.bytes)
    else { return false }
    return document.id == version.id && document.has(version.heads)
  }

  /// The file of the work tree that holds a document and is in no conflict.
  private mutating func place(of id: UniqueID) throws(Failure) -> FileName? {
    if let places { return places[id] }
    let unmerged = Set(try repository.unmergedFiles([]).map(\.path))
    var places: [UniqueID: FileName] = [:]
    for path in try repository.trackedDocuments(top: top) where !unmerged.contains(path) {
      let contents = try? repository.host.read(
        top.appending(path), limit: Invocation.inputLimit, beginning: .document)
      guard let contents, let heads = try? DocumentHeads(bytes: contents.bytes) else { continue }
      places[heads.id] = places[heads.id] ?? path
    }
    self.places = places
    return places[id]
  }
}
