import Peernote

/// Which version of a document each file of another program holds, as far as this machine knows.
///
/// An export says it, and so does an import: afterwards the file holds what the import made of it.
///
/// Kept in a file named by the document's UUID under `$XDG_STATE_HOME/peernote/exports`: a line for
/// each file, the newest last, with how it came to be, its percent-encoded name, the heads of the
/// version, and if the file itself names one then "names" and the heads of that. Only the newest
/// ``kept`` stay.
struct ExportMemory {
  /// How a file came to hold a version.
  enum Origin: String {
    /// The document was exported to it, and nothing was taken in from it since.
    case exported
    /// What it holds was taken in from it, and it says all that the document knows.
    case edited
    /// The document was started from it, and knows more than it says: when that was.
    case started

    /// Whether what the file leaves out is meant to go.
    var isWhole: Bool { self != .started }
  }

  /// What is known of a file.
  struct Entry: Equatable {
    /// The file; what is kept has an absolute name without links.
    var file: FileName
    var origin: Origin
    /// The heads of the version.
    var heads: [ChangeID]
    /// The heads of the version that the file itself named then; empty if it named none.
    var mark: [ChangeID] = []
  }

  private let host: any Host
  private let store: FileName

  /// Files of one document that are remembered.
  static let kept = 100
  /// The most bytes of the memory that are looked at.
  private static let limit = 1 << 20

  init(of document: UniqueID, host: any Host) throws(Failure) {
    self.host = host
    store = try StateDirectory.name(host).appending("exports").appending("\(document).txt")
  }

  /// What is known of a file; nothing if that cannot be read.
  func entry(for file: FileName) -> Entry? {
    guard let file = try? host.resolved(file) else { return nil }
    return entries.last { $0.file == file }
  }

  /// A file beside another one that is known, is still there, and whose name differs in its
  /// extension alone.
  func file(alike other: FileName) -> FileName? {
    guard let other = try? host.resolved(other) else { return nil }
    return entries.last { entry in
      entry.file != other && entry.file.directory == other.directory
        && entry.file.stem == other.stem
        && (try? host.identity(of: entry.file, followingLinks: false)) != nil
    }?.file
  }

  private var entries: [Entry] {
    (try? host.read(store, limit: Self.limit)).map { Self.decoded($0.bytes) } ?? []
  }

  /// Keeps what is known of a file that exists.
  func keep(_ entry: Entry) throws {
    var entry = entry
    entry.file = try host.resolved(entry.file)
    try host.makeDirectories(store.directory)
    let replacement = Replacement(ofState: store, host: host)
    _ = try replacement { [entry] old in
      var entries = old.map { Self.decoded($0.bytes) } ?? []
      entries.removeAll { $0.file == entry.file }
      entries.append(entry)
      let lines = entries.suffix(Self.kept).map(Self.line)
      return Replacement.Proposal(Array(lines.joined().utf8), report: ())
    }
  }

  private static func line(_ entry: Entry) -> String {
    let mark = entry.mark.isEmpty ? [] : [markWord] + entry.mark.map(\.description)
    let heads = (entry.heads.map(\.description) + mark).joined(separator: " ")
    return "\(entry.origin.rawValue) \(entry.file.percentEncoded) \(heads)\n"
  }

  /// Stands before the version that a file names.
  private static let markWord = "names"

  /// The entries that can be read; others are passed over.
  private static func decoded(_ bytes: [UInt8]) -> [Entry] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, let origin = Origin(rawValue: words[0]),
        let file = FileName(percentEncoded: words[1])
      else { return nil }
      let versions = words.dropFirst(2).split(separator: markWord, maxSplits: 1)
        .map { $0.map { ChangeID($0) } }
      guard !versions.joined().contains(nil), let heads = versions.first else { return nil }
      return Entry(
        file: file, origin: origin, heads: heads.compactMap(\.self),
        mark: versions.dropFirst().joined().compactMap(\.self))
    }
  }
}

extension Invocation {
  /// Remembers which version of a document a file holds; that this failed is worth a warning.
  func remember(_ entry: ExportMemory.Entry, of document: UniqueID) throws {
    if entry.file.isStandardStream { return }
    let reason: String
    do {
      return try ExportMemory(of: document, host: host).keep(entry)
    } catch let failure as Failure where failure.status != .interrupted {
      reason = failure.message
    } catch let error as HostError where error.kind != .interrupted {
      reason = error.explanation
    }
    try console.warn("cannot remember which version \(entry.file.visible) holds: \(reason)")
  }
}
