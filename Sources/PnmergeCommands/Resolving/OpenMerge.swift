import Peernote

/// A merge after which somebody who was asked about overlapping passages left some for later.
struct OpenMerge: Hashable {
  /// The heads of the copies, in the order in which they were merged.
  var versions: [[ChangeID]]
  /// What is done with: names of conflicts.
  var settled: Set<String> = []

  /// The passages to ask about: those that nobody has touched or answered for since.
  ///
  /// None if the document lacks changes of the merge, as it may after `undo`.
  func passages(in document: Document) throws(DocumentError) -> [Conflict] {
    guard versions.joined().allSatisfy({ document.contains($0) }) else { return [] }
    return try document.overlaps(ofMerging: versions).filter { !settled.contains($0.id) }
  }
}

/// The merges of a document that are to be gone on with, kept on this machine.
///
/// Values that compete stay in the document itself until they are settled; overlapping passages are
/// known to the merge alone. So the versions that were merged are kept, in a file named by the
/// document's UUID under `$XDG_STATE_HOME/peernote/merges`: for each merge a line `merged`, with
/// the heads of the copies between `|`, then a line `settled` with the names of the conflicts that
/// are done with.
struct OpenMerges {
  private let host: any Host
  private let file: FileName

  /// The most bytes of a file that are looked at.
  private static let limit = 1 << 20

  /// The open merges of a document.
  ///
  /// - Throws: ``Failure`` if there is no place for them.
  init(of document: UniqueID, host: any Host) throws(Failure) {
    self.host = host
    file = try StateDirectory.name(host).appending("merges").appending("\(document).txt")
  }

  /// What is kept; nothing if that cannot be read.
  func read() -> [OpenMerge] {
    guard let contents = try? host.read(file, limit: Self.limit),
      let text = String(validating: contents.bytes, as: UTF8.self)
    else { return [] }
    return Self.decoded(text) ?? []
  }

  /// Keeps these merges and no others.
  func write(_ merges: [OpenMerge]) throws {
    if merges.isEmpty {
      try? host.remove(file)
      return
    }
    do throws(HostError) {
      try host.makeDirectories(file.directory)
    } catch {
      throw error.whileCreating(file)
    }
    let bytes = Array(Self.encoded(merges).utf8)
    let replacement = Replacement(ofState: file, host: host)
    _ = try replacement { _ in Replacement.Proposal(bytes: bytes, report: ()) }
  }

  private static func encoded(_ merges: [OpenMerge]) -> String {
    merges.map { merge in
      let versions = merge.versions.map { $0.map(\.description).joined(separator: " ") }
      return "merged \(versions.joined(separator: " | "))\n"
        + "settled \(merge.settled.sorted().joined(separator: " "))\n"
    }.joined()
  }

  private static func decoded(_ text: String) -> [OpenMerge]? {
    var merges: [OpenMerge] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "merged":
        var versions: [[ChangeID]] = []
        for version in words.dropFirst().split(separator: "|") {
          let heads = version.compactMap { ChangeID($0) }
          guard heads.count == version.count else { return nil }
          versions.append(heads)
        }
        merges.append(OpenMerge(versions: versions))
      case "settled":
        guard !merges.isEmpty else { return nil }
        merges[merges.count - 1].settled = Set(words.dropFirst())
      case .some, nil:
        return nil
      }
    }
    return merges
  }
}
