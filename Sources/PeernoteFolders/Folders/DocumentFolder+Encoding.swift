import PeernoteCBOR
import PeernoteEngine

/// What is known of a folder, as bytes to keep for the next run.
///
/// An array of the form's number, the files, the places and the former names, sealed with a SHA-256
/// like a document. Nothing in it is worth keeping for long: whoever cannot read it lists the folder anew.
extension DocumentFolder {
  /// Counted up whenever the bytes get another meaning.
  private static let form: UInt64 = 3

  /// All that is known, but for files that may have changed unseen since they were read; O(n log
  /// n).
  package func bytes() -> [UInt8] {
    let kept = paths.compactMap { path in entries[path].map { (path, $0) } }
      .filter { !$0.1.stamp.isTooFresh(readAt: $0.1.readAt) }
    var writer = CBORWriter()
    writer.reserve(kept.count * 200 + places.count * 80)
    writer.arrayHeader(4)
    writer.unsigned(Self.form)
    writer.arrayHeader(kept.count)
    for (path, entry) in kept { writer.entry(entry, at: path) }
    writer.arrayHeader(places.count)
    for (id, place) in places.sorted(by: { $0.key < $1.key }) {
      writer.arrayHeader(4)
      writer.bytes(id.bytes)
      writer.bytes(place.path.bytes)
      writer.bytes(place.meaning.bytes)
      writer.integer(place.since?.milliseconds ?? .min)
    }
    writer.arrayHeader(formerNames.count)
    for (id, former) in formerNames.sorted(by: { $0.key < $1.key }) {
      writer.arrayHeader(3)
      writer.bytes(id.bytes)
      writer.bytes(former.path.bytes)
      writer.unsigned(UInt64(former.returns))
    }
    return Envelope.sealed(writer.bytes)
  }

  /// What was known before; `nil` if the bytes are damaged, or another version's; O(n log n).
  package init?(encoded bytes: [UInt8]) {
    guard let content = Envelope.unsealed(bytes) else { return nil }
    var reader = CBORReader(bytes, range: content)
    do throws(CBORError) {
      try reader.readArrayHeader(count: 4)
      guard try reader.readUnsigned() == Self.form else { return nil }
      self.init()
      let count = try reader.readArrayHeader()
      entries.reserveCapacity(count)
      paths.reserveCapacity(count)
      pathsByID.reserveCapacity(count)
      for _ in 0..<count {
        let (path, entry) = try reader.readEntry()
        if let last = paths.last, last >= path { return nil }
        paths.append(path)
        insert(entry, at: path)
      }
      let placeCount = try reader.readArrayHeader()
      places.reserveCapacity(placeCount)
      for _ in 0..<placeCount {
        try reader.readArrayHeader(count: 4)
        let id = try reader.readIdentity()
        let (path, meaning) = (try reader.readPath(), try reader.readPath())
        let since = try reader.readInteger()
        places[id] = Place(
          path: path, since: since == .min ? nil : Timestamp(milliseconds: since),
          meaning: meaning)
      }
      for _ in 0..<(try reader.readArrayHeader()) {
        try reader.readArrayHeader(count: 3)
        let (id, path) = (try reader.readIdentity(), try reader.readPath())
        formerNames[id] = FormerName(
          path: path, returns: Int(clamping: try reader.readUnsigned()))
      }
      (arePlacesCurrent, hasChanged) = (false, false)
    } catch {
      return nil
    }
  }
}

extension CBORWriter {
  fileprivate mutating func entry(_ entry: DocumentFolder.Entry, at path: RelativePath) {
    let summary = entry.summary
    arrayHeader(16)
    bytes(path.bytes)
    integer(entry.stamp.size)
    integer(entry.stamp.modified)
    integer(entry.stamp.changed)
    unsigned(entry.stamp.number)
    integer(entry.readAt.milliseconds)
    bytes(summary.id.bytes)
    bytes(summary.checksum)
    if let title = summary.title { text(title) } else { null() }
    arrayHeader(summary.tags.count)
    for tag in summary.tags { text(tag) }
    if let priority = summary.priority { text(priority) } else { null() }
    integer(summary.created.milliseconds)
    integer(summary.changed.milliseconds)
    text(summary.author)
    integer(Int64(summary.conflictCount))
    guard let deletion = summary.deletion else { return null() }
    arrayHeader(3)
    bool(deletion.isCurrent)
    text(deletion.author)
    integer(deletion.time.milliseconds)
  }
}

extension CBORReader {
  fileprivate mutating func readPath() throws(CBORError) -> RelativePath {
    let range = try readBytes()
    return RelativePath(bytes: bytes[range])
  }

  fileprivate mutating func readIdentity() throws(CBORError) -> UniqueID {
    let range = try readBytes(count: 16)
    return UniqueID(bytes: bytes[range])
  }

  fileprivate mutating func readOptionalString() throws(CBORError) -> String? {
    try skipNull() ? nil : readString()
  }

  fileprivate mutating func readTime() throws(CBORError) -> Timestamp {
    Timestamp(milliseconds: try readInteger())
  }

  fileprivate mutating func readEntry() throws(CBORError) -> (
    RelativePath, DocumentFolder.Entry
  ) {
    try readArrayHeader(count: 16)
    let path = try readPath()
    let stamp = FileStamp(
      size: try readInteger(), modified: try readInteger(), changed: try readInteger(),
      number: try readUnsigned())
    let readAt = try readTime()
    let id = try readIdentity()
    let checksum = try readBytes(count: 32)
    let title = try readOptionalString()
    var tags: [String] = []
    for _ in 0..<(try readArrayHeader()) { tags.append(try readString()) }
    let priority = try readOptionalString()
    let (created, changed) = (try readTime(), try readTime())
    let author = try readString()
    let conflictCount = Int(try readInteger())
    var deletion: DocumentSummary.Deletion?
    if try !skipNull() {
      try readArrayHeader(count: 3)
      deletion = DocumentSummary.Deletion(
        isCurrent: try readBool(), author: try readString(), time: try readTime())
    }
    let summary = DocumentSummary(
      id: id, checksum: Array(bytes[checksum]), title: title, tags: tags, priority: priority,
      created: created, changed: changed, author: author, conflictCount: conflictCount,
      deletion: deletion)
    return (path, DocumentFolder.Entry(stamp: stamp, readAt: readAt, summary: summary))
  }
}
