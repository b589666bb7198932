import Peernote

/// What the versions hold that git has of a file; nothing where it has none.
struct GitVersions {
  var ancestor: [UInt8] = []
  var current: [UInt8] = []
  var incoming: [UInt8] = []
}

/// A file that git left in conflict, with its versions in the index.
struct UnmergedFile {
  /// A version that one side has of the file.
  struct Version {
    /// The name of the object with its content.
    var object: String
    /// What it is if it is no file.
    var kind: String?

    init(mode: String, object: String) {
      self.object = object
      kind = ["120000": "a symbolic link", "160000": "a submodule"][mode]
    }
  }

  /// The name from the top of the work tree.
  var path: FileName
  var ancestor: Version?
  var current: Version?
  var incoming: Version?

  /// The names of the objects that are files' contents.
  fileprivate var objects: [String] {
    [ancestor, current, incoming].compactMap { $0.flatMap { $0.kind == nil ? $0.object : nil } }
  }

  /// What is said of a tracked plain file in conflict.
  static let plainFileWords =
    "git has left it in conflict; settle it, then 'git add' or 'git rm' it"

  /// What is said of a document, or of the history of a tracked plain file.
  static func words(isHistory: Bool) -> String {
    "git has left \(isHistory ? "its history" : "it") in conflict, and a commit would lose one side; "
      + "'pnmerge git resolve' merges it"
  }
}

extension GitRepository {
  /// The files in conflict, or those of them that some patterns of git match, from the working
  /// directory.
  func unmergedFiles(_ patterns: [FileName]) throws(Failure) -> [UnmergedFile] {
    let options: [FileName] = ["ls-files", "--unmerged", "-z", "--full-name", "--"]
    // Without a pattern only what is below the working directory would be listed.
    let places = patterns.isEmpty ? [":/"] : patterns
    var files: [UnmergedFile] = []
    for (words, path) in try output(options + places).listedFiles {
      // "100644 <object> <stage>"
      let version = UnmergedFile.Version(mode: words[0], object: words[1])
      if files.last?.path != path { files.append(UnmergedFile(path: path)) }
      switch words[2] {
      case "1": files[files.count - 1].ancestor = version
      case "2": files[files.count - 1].current = version
      default: files[files.count - 1].incoming = version
      }
    }
    return files
  }

  /// Reads files in conflict, with what their versions hold.
  ///
  /// Git is asked about twenty at a time: so many names fit into a pipe, which is filled before its
  /// answer is read.
  func readVersions(
    of files: [UnmergedFile], _ body: (UnmergedFile, GitVersions) throws -> Void
  ) throws {
    for batch in Self.batches(of: files, 20) {
      let names = Set(batch.flatMap(\.objects))
      let result = try run(["cat-file", "--batch"], input: names.flatMap { Array("\($0)\n".utf8) })
      var contents: [String: [UInt8]] = [:]
      var rest = result.output[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        // "<object> blob <size>", the content, and a line feed.
        let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, let size = Int(words[2]), rest.endIndex - end > size + 1 else {
          break
        }
        contents[String(words[0])] = Array(rest[(end + 1)..<(end + 1 + size)])
        rest = rest[(end + size + 2)...]
      }
      guard result.status == 0, contents.count == names.count else {
        throw Failure(.ioError, "git cat-file: a version of a file in conflict cannot be read")
      }
      func content(_ version: UnmergedFile.Version?) -> [UInt8] {
        version.flatMap { contents[$0.object] } ?? []
      }
      for file in batch {
        let versions = GitVersions(
          ancestor: content(file.ancestor), current: content(file.current),
          incoming: content(file.incoming))
        try body(file, versions)
      }
    }
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

  init(_ repository: GitRepository, top: FileName) throws(Failure) {
    self.repository = repository
    self.top = top
    isMergingBranches = try repository.isMergingBranches
  }

  /// Merges the versions of a file, `nil` if it is no document; a failure says what to do.
  mutating func callAsFunction(
    _ file: UnmergedFile, _ versions: GitVersions
  ) throws(Failure) -> GitMerge? {
    let ending = ".peernote".utf8
    guard
      file.path.bytes.suffix(ending.count).elementsEqual(ending) || AutomergeCopy.hasName(file.path)
        || [versions.current, versions.incoming].contains(where: GitMerge.isDocument)
    else { return nil }
    if let reason = try reason(file, versions) { throw Failure(.different, reason) }
    return try GitMerge(versions, path: file.path, isMerge: { isMergingBranches })
  }

  /// Why a file in conflict cannot be merged, and what to do, in a clause; `nil` if both versions are
  /// files.
  private mutating func reason(
    _ file: UnmergedFile, _ versions: GitVersions
  ) throws(Failure) -> String? {
    let choice = "'git add' keeps what the work tree has, 'git rm' deletes it"
    for (side, version) in [("current", file.current), ("incoming", file.incoming)] {
      if let kind = version?.kind { return "\(kind) in the \(side) version; \(choice)" }
    }
    if file.current != nil, file.incoming != nil { return nil }
    let (side, other, present) =
      file.current == nil
      ? ("current", "incoming", versions.incoming) : ("incoming", "current", versions.current)
    if file.ancestor == nil { return "only in the \(other) version; \(choice)" }
    let what = "deleted in the \(side) version and changed in the other"
    // The document may have another name there.
    guard let id = (try? DocumentHeads(bytes: present))?.id, let place = try place(of: id) else {
      return "\(what); 'git add' keeps it, 'git rm' deletes it"
    }
    let up = try repository.name("rev-parse", "--show-cdup")?.bytes ?? []
    let words = [place, file.path].map { shellQuoted(FileName(bytes: up + $0.bytes)) }
    let end = "git add \(words[0]) && git rm \(words[1])"
    return "\(what); the \(side) version has it as \(words[0])"
      + (holds([present], at: place)
        ? ", with the change by now; to settle it: \(end)"
        : "; to bring the change there: pnmerge merge \(words[0]) \(words[1]) && \(end)")
  }

  /// Whether a file of the work tree has all changes of some versions of a document.
  func holds(_ versions: [[UInt8]], at path: FileName) -> Bool {
    guard let file = try? repository.host.read(top.appending(path), limit: Invocation.inputLimit),
      let document = try? Document(bytes: file.bytes)
    else { return false }
    return versions.allSatisfy { bytes in
      guard let version = try? DocumentHeads(bytes: bytes) else { return false }
      return document.id == version.id && document.has(version.heads)
    }
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
