/// The documents in a folder, looked up by path and by identity.
///
/// It opens nothing itself: whoever keeps it lists the folder's files from time to time, with what
/// their system says of each, and is asked for the bytes of those that are new or changed. Files
/// that stayed as they were are not opened, not even by another process, if the list is kept
/// between two runs (``encoded()``, ``init(encoded:)``).
///
///     var folder = DocumentFolder()
///     let update = folder.update(to: files.listing, at: now) { path in
///       try files.read(path)
///     }
///     for path in update.added { titles.append(folder[path]?.title ?? "untitled") }
public struct DocumentFolder: Sendable {
  /// What is known of a file.
  struct Entry: Hashable, Sendable {
    var stamp: FileStamp
    var readAt: Timestamp
    var summary: DocumentSummary
  }

  /// Where a document is in the folder.
  public struct Place: Hashable, Sendable {
    /// Its path.
    public var path: RelativePath
    /// When it was first seen there after it had another path; `nil` if it never had another.
    public var since: Timestamp?
    /// The path that it has in other folders, where this file system cannot have that.
    public var meaning: RelativePath

    /// A path, since when, and what it stands for.
    public init(path: RelativePath, since: Timestamp?, meaning: RelativePath? = nil) {
      self.path = path
      self.since = since
      self.meaning = meaning ?? path
    }
  }

  /// What an update found.
  public struct Update: Sendable {
    /// Files that were not there before, ascending.
    public var added: [RelativePath] = []
    /// Files with other content than before, ascending.
    public var changed: [RelativePath] = []
    /// Files that are not there any more, ascending.
    public var removed: [RelativePath] = []
    /// Files that are no documents, or could not be read, ascending.
    public var faults: [(path: RelativePath, error: any Error)] = []
    /// How many files were opened.
    public var openedCount = 0

    /// Whether nothing changed.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
  }

  var entries: [RelativePath: Entry] = [:]
  var places: [UniqueID: Place] = [:]
  private var pathsByID: [UniqueID: [RelativePath]] = [:]

  /// A folder of which nothing is known yet.
  public init() {}

  init(entries: [RelativePath: Entry], places: [UniqueID: Place]) {
    self.entries = entries
    self.places = places
    for (path, entry) in entries { pathsByID[entry.summary.id, default: []].append(path) }
    for id in pathsByID.keys { pathsByID[id]?.sort() }
  }

  // MARK: Looking up

  /// How many documents there are.
  public var count: Int { entries.count }

  /// The paths of all documents, ascending.
  ///
  /// O(n log n).
  public var paths: [RelativePath] { entries.keys.sorted() }

  /// The document at a path; `nil` if there is none.
  public subscript(path: RelativePath) -> DocumentSummary? { entries[path]?.summary }

  /// The stamp with which the document at a path was last read; `nil` if there is none.
  public func stamp(of path: RelativePath) -> FileStamp? { entries[path]?.stamp }

  /// The paths of all copies of a document, ascending.
  public func paths(of id: UniqueID) -> [RelativePath] { pathsByID[id] ?? [] }

  /// Where a document is; `nil` if it is not there, or several times, conflict copies of sync
  /// programs aside.
  public func place(of id: UniqueID) -> Place? { places[id] }

  // MARK: Updating

  /// Takes over what is in the folder now.
  ///
  /// O(n log n) for n files, and the reading of those that are new or changed.
  ///
  /// - Parameters:
  ///   - listing: all files that are to be documents.
  ///   - now: the time, which must not be before that at which the listing was made.
  ///   - summarize: sums up the bytes of a file; the document's summary by default.
  ///   - read: reads a file. What it throws is told in ``Update/faults``.
  /// - Returns: what is new.
  public mutating func update(
    to listing: [RelativePath: FileStamp], at now: Timestamp,
    summarizing summarize: ([UInt8]) throws -> DocumentSummary = { bytes in
      try DocumentSummary(bytes: bytes)
    },
    read: (RelativePath) throws -> [UInt8]
  ) -> Update {
    var update = Update()
    for path in entries.keys where listing[path] == nil { update.removed.append(path) }
    update.removed.sort()
    for path in update.removed { forget(path) }
    let unknown = listing.filter { entries[$0.key]?.stamp != $0.value }
    for (path, stamp) in unknown.sorted(by: { $0.key < $1.key }) {
      let old = entries[path]
      forget(path)
      do {
        update.openedCount += 1
        let summary = try summarize(try read(path))
        record(summary, at: path, stamp, readAt: now)
        if old == nil {
          update.added.append(path)
        } else if old?.summary.checksum != summary.checksum {
          update.changed.append(path)
        }
      } catch {
        if old != nil { update.removed.append(path) }
        update.faults.append((path, error))
      }
    }
    update.removed.sort()
    updatePlaces(at: now)
    return update
  }

  /// Takes over what a file holds that was just read or written.
  ///
  /// O(copies of the document).
  public mutating func record(
    _ summary: DocumentSummary, at path: RelativePath, _ stamp: FileStamp, readAt now: Timestamp
  ) {
    forget(path)
    entries[path] = Entry(stamp: stamp, readAt: now, summary: summary)
    var paths = pathsByID[summary.id] ?? []
    paths.insert(path, at: paths.firstIndex { $0 > path } ?? paths.endIndex)
    pathsByID[summary.id] = paths
  }

  /// Takes over that a file is gone.
  ///
  /// O(copies of the document).
  public mutating func forget(_ path: RelativePath) {
    guard let entry = entries.removeValue(forKey: path) else { return }
    pathsByID[entry.summary.id]?.removeAll { $0 == path }
    if pathsByID[entry.summary.id]?.isEmpty ?? false { pathsByID[entry.summary.id] = nil }
  }

  /// Takes over where a document is and since when, as it was seen in another folder.
  public mutating func setPlace(of id: UniqueID, _ place: Place) { places[id] = place }

  /// Takes over where documents are, after files were recorded or forgotten.
  ///
  /// O(n).
  public mutating func updatePlaces(at now: Timestamp) {
    for (id, place) in places {
      guard let path = Self.onlyPath(pathsByID[id] ?? []) else {
        places[id] = nil
        continue
      }
      if path != place.path { places[id] = Place(path: path, since: now) }
    }
    for (id, paths) in pathsByID where places[id] == nil {
      if let path = Self.onlyPath(paths) { places[id] = Place(path: path, since: nil) }
    }
  }

  /// The one of a document's paths that is no conflict copy's; `nil` if there are several.
  private static func onlyPath(_ paths: [RelativePath]) -> RelativePath? {
    if paths.count < 2 { return paths.first }
    let notes = paths.filter { $0.original == nil }
    return notes.count == 1 ? notes[0] : nil
  }
}
