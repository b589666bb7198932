package import PeernoteEngine

/// The documents in a folder, looked up by path and by identity.
///
/// It opens nothing itself: whoever keeps it lists the folder's files from time to time, with what
/// their system says of each, and is asked for the bytes of those that are new or changed. Files
/// that stayed as they were are not opened, not even by another process, if the list is kept
/// between two runs (``bytes()``, ``init(encoded:)``).
package struct DocumentFolder: Sendable {
  /// What is known of a file.
  struct Entry: Hashable, Sendable {
    var stamp: FileStamp
    var readAt: Timestamp
    var summary: DocumentSummary
  }

  /// Where a document is in the folder.
  package struct Place: Hashable, Sendable {
    package var path: RelativePath
    /// When it was first seen there after it had another path; `nil` if it never had another.
    package var since: Timestamp?
    /// The path that it has in other folders, where this file system cannot have that.
    package var meaning: RelativePath

    package init(path: RelativePath, since: Timestamp?, meaning: RelativePath? = nil) {
      self.path = path
      self.since = since
      self.meaning = meaning ?? path
    }
  }

  /// The name that a document had before, and whether it goes back and forth between the two.
  struct FormerName: Hashable, Sendable {
    var path: RelativePath
    /// How often in a row it got the name that it had before.
    var returns = 0
  }

  /// What an update found.
  package struct Update: Sendable {
    /// Files that are no documents, or could not be read, ascending.
    package var faults: [(path: RelativePath, error: any Error)] = []
    /// How many files were opened.
    package var openedCount = 0
  }

  var entries: [RelativePath: Entry] = [:]
  var places: [UniqueID: Place] = [:]
  /// Of documents that were renamed.
  var formerNames: [UniqueID: FormerName] = [:]
  var pathsByID: [UniqueID: [RelativePath]] = [:]
  /// Whether ``places`` are those of the documents that are there.
  var arePlacesCurrent = true
  /// Whether anything is known that was not so when the list was read from bytes.
  package internal(set) var hasChanged = true

  /// The paths of all documents, ascending.
  package internal(set) var paths: [RelativePath] = []

  /// A folder of which nothing is known yet.
  package init() {}

  // MARK: Looking up

  package var count: Int { entries.count }

  /// The document at a path; `nil` if there is none.
  package subscript(path: RelativePath) -> DocumentSummary? { entries[path]?.summary }

  /// The identity of the document at a path; `nil` if there is none.
  package func id(at path: RelativePath) -> UniqueID? { entries[path]?.summary.id }

  /// The SHA-256 that ends the document at a path; `nil` if there is none.
  package func checksum(at path: RelativePath) -> [UInt8]? { entries[path]?.summary.checksum }

  /// When the document at a path was started; `nil` if there is none.
  package func created(at path: RelativePath) -> Timestamp? { entries[path]?.summary.created }

  /// Whether there is a document at a path that counts as deleted.
  package func isDeleted(_ path: RelativePath) -> Bool {
    entries[path]?.summary.deletion?.isCurrent ?? false
  }

  /// Whether there is one copy of each document.
  package var areAllSingle: Bool { pathsByID.count == entries.count }

  /// The paths of the documents of which there is one copy.
  package var onlyPaths: [UniqueID: RelativePath] {
    pathsByID.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// The stamp with which the document at a path was last read; `nil` if there is none.
  package func stamp(of path: RelativePath) -> FileStamp? { entries[path]?.stamp }

  /// The paths of all copies of a document, ascending.
  package func paths(of id: UniqueID) -> [RelativePath] { pathsByID[id] ?? [] }

  /// Where a document is; `nil` if it is not there, or several times, conflict copies of sync
  /// programs aside.
  package func place(of id: UniqueID) -> Place? { places[id] }

  /// The other one of two names between which a document goes back and forth; `nil` of another.
  ///
  /// That two machines carry them to each other in turns would hardly end by itself.
  package func alternateName(of id: UniqueID) -> RelativePath? {
    guard let former = formerNames[id], former.returns >= Self.returnLimit else { return nil }
    return former.path
  }

  /// How often in a row a person may want the name before back.
  private static let returnLimit = 3

  // MARK: Updating

  /// Takes over what is in the folder now, and says what was opened, and what could not be read;
  /// O(n log n) for n files, and the reading of those that are new or changed.
  ///
  /// `listing` holds all files that are to be documents. `now` must not be after the reading. What
  /// was written just before it is read again by the next update. What `read` throws is told in
  /// ``Update/faults``.
  package mutating func update(
    to listing: [RelativePath: FileStamp], at now: Timestamp,
    read: (RelativePath) throws -> DocumentSummary
  ) -> Update {
    var update = Update()
    let gone = paths.filter { listing[$0] == nil }
    for path in gone { remove(path) }
    let unknown = listing.filter { entries[$0.key]?.stamp != $0.value }
    for (path, stamp) in unknown.sorted(by: { $0.key < $1.key }) {
      remove(path)
      do {
        update.openedCount += 1
        insert(Entry(stamp: stamp, readAt: now, summary: try read(path)), at: path)
      } catch {
        update.faults.append((path, error))
      }
    }
    if !gone.isEmpty || !unknown.isEmpty { paths = entries.keys.sorted() }
    updatePlaces(at: now)
    return update
  }

  /// Takes over what a file holds that was just read or written; O(log n) steps, and moving the
  /// paths that follow if there was no file of this path.
  package mutating func record(
    _ summary: DocumentSummary, at path: RelativePath, _ stamp: FileStamp, readAt now: Timestamp
  ) {
    if !remove(path) { paths.insert(path, at: paths.index(of: path)) }
    insert(Entry(stamp: stamp, readAt: now, summary: summary), at: path)
  }

  /// Takes over that a file is gone; O(log n) steps, and moving the paths that follow.
  package mutating func forget(_ path: RelativePath) {
    if remove(path) { paths.remove(at: paths.index(of: path)) }
  }

  /// Takes over what a file holds of which nothing is known.
  mutating func insert(_ entry: Entry, at path: RelativePath) {
    entries[path] = entry
    let known = pathsByID[entry.summary.id] ?? []
    pathsByID[entry.summary.id, default: []].insert(path, at: known.index(of: path))
    (arePlacesCurrent, hasChanged) = (false, true)
  }

  /// Takes over that nothing is known of a file.
  @discardableResult
  private mutating func remove(_ path: RelativePath) -> Bool {
    guard let entry = entries.removeValue(forKey: path) else { return false }
    pathsByID[entry.summary.id]?.removeAll { $0 == path }
    if pathsByID[entry.summary.id]?.isEmpty ?? false { pathsByID[entry.summary.id] = nil }
    (arePlacesCurrent, hasChanged) = (false, true)
    return true
  }

  /// Takes over where a document is and since when, as it was seen in another folder.
  package mutating func setPlace(of id: UniqueID, _ place: Place) {
    keepFormerName(of: id, renamedTo: place.meaning)
    places[id] = place
    (arePlacesCurrent, hasChanged) = (false, true)
  }

  /// Takes over where documents are, after files were recorded or forgotten; O(n) if any were.
  package mutating func updatePlaces(at now: Timestamp) {
    if arePlacesCurrent { return }
    for (id, place) in places {
      let path = Self.onlyPath(pathsByID[id] ?? [])
      if path == place.path { continue }
      if let path {
        keepFormerName(of: id, renamedTo: path)
      } else {
        formerNames[id] = nil
      }
      places[id] = path.map { Place(path: $0, since: now) }
      hasChanged = true
    }
    for (id, paths) in pathsByID where places[id] == nil {
      guard let path = Self.onlyPath(paths) else { continue }
      places[id] = Place(path: path, since: nil)
      hasChanged = true
    }
    arePlacesCurrent = true
  }

  /// Keeps the name that a document has, if that is about to be another one.
  private mutating func keepFormerName(of id: UniqueID, renamedTo path: RelativePath) {
    guard let present = places[id]?.meaning, present != path else { return }
    let former = formerNames[id]
    let isReturn = former?.path == path
    formerNames[id] = FormerName(
      path: present, returns: isReturn ? (former?.returns ?? 0) + 1 : 0)
  }

  /// The one of a document's paths that is no conflict copy's; `nil` if there are several.
  private static func onlyPath(_ paths: [RelativePath]) -> RelativePath? {
    if paths.count < 2 { return paths.first }
    let notes = paths.filter { $0.original == nil }
    return notes.count == 1 ? notes[0] : nil
  }

  // MARK: Checking

  /// Traps unless the lists of paths are those of the files, and the places are where these are;
  /// O(n log n); for tests.
  package func checkInvariants() {
    precondition(paths == entries.keys.sorted(), "the paths are those of the files, ascending")
    var copies: [UniqueID: [RelativePath]] = [:]
    for path in paths {
      if let id = id(at: path) { copies[id, default: []].append(path) }
    }
    precondition(pathsByID == copies, "the copies of a document are listed, ascending")
    for (id, former) in formerNames {
      precondition(former.returns >= 0, "returns are counted")
      precondition(
        places[id].map { $0.meaning != former.path } ?? false,
        "what had another name before is somewhere")
    }
    if arePlacesCurrent {
      precondition(
        places.mapValues(\.path) == pathsByID.compactMapValues { Self.onlyPath($0) },
        "a document is where its only copy is")
    }
  }
}

extension [RelativePath] {
  /// Where a path stands among these, which ascend, or would stand.
  fileprivate func index(of path: RelativePath) -> Int {
    // Most come in their order.
    if let last, last < path { return endIndex }
    return partitionPoint { $0 >= path }
  }
}

/// What tells one state of a file from another without opening it.
package struct FileStamp: Hashable, Sendable {
  /// Bytes.
  package var size: Int64
  /// When the content last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When content or attributes last changed, in nanoseconds since 1970; the same as `modified`
  /// where the file system does not know.
  package var changed: Int64
  /// The file's number in its file system; 0 where it has none.
  package var number: UInt64

  package init(size: Int64, modified: Int64, changed: Int64, number: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.number = number
  }

  /// Whether a file that had this stamp when it was read at a time may have it again with other
  /// content: the clocks of file systems stand still between two ticks.
  ///
  /// A tick is taken for 20 ms, and for 2 s where the times are whole seconds, as on FAT.
  package func isTooFresh(readAt time: Timestamp) -> Bool {
    let isCoarse = modified % 1_000_000_000 == 0
    let tick: Int64 = isCoarse ? 2000 : 20
    // A time in the future tells nothing.
    return time.milliseconds - max(modified, changed) / 1_000_000 < tick
  }
}
