import Peernote

extension OpenFolder {
  /// The tracked plain files that are there and not deleted, ascending.
  var trackedFiles: [(path: RelativePath, summary: DocumentSummary)] {
    trackedPaths.compactMap { path in
      let isThere = listing.others[path] != nil && !tracked.isDeleted(path.history)
      return isThere ? tracked[path.history].map { (path, $0) } : nil
    }.sorted { $0.path < $1.path }
  }

  /// The tracked plain files of the folder, by its number, with all that belongs to them, ascending;
  /// all files with one history may count as one.
  func trackedPlaces(_ number: Int, matchingByID: Bool = false) -> [NoteCopy] {
    let named = trackedPaths.compactMap { path in
      tracked[path.history].map { NoteCopy(folder: number, path: path, role: .note, summary: $0) }
    }
    // Most often there is nothing but tracked files, each with a history of its own.
    if named.count == tracked.count, tracked.areAllSingle,
      named.count(where: { listing.others[$0.path] != nil }) == listing.others.count
    {
      return named.sorted { $0.path < $1.path }
    }
    var places = Dictionary(named.map { ($0.path, $0) }) { first, _ in first }
    for path in tracked.paths {
      guard let original = path.original?.plainFile, let summary = tracked[path] else { continue }
      // It may be of a file that had the name before.
      let isOther = places[original].map { $0.summary.id != summary.id } ?? false
      let home =
        isOther ? tracked.paths(of: summary.id).first { $0.original == nil }?.plainFile : nil
      let file = home ?? original
      let none = NoteCopy(
        folder: number, path: file, role: .note, summary: summary, hasHistory: false)
      places[file, default: none].historyCopies.append(path)
    }
    for path in strangers {
      let name = ConflictCopyName.deliveredOriginal(of: path.lastComponent)
      guard let original = name.map({ path.sibling($0) }) else { continue }
      let home = places[original] == nil ? newName(of: original) : original
      places[home ?? original]?.fileCopies.append(path)
    }
    return Dictionary(grouping: places.values, by: \.summary.id).values
      .flatMap { folded($0, matchingByID) }.sorted { $0.path < $1.path }
  }

  /// The tracked file that had a name, going by what this machine has seen; `nil` if that is not known, or
  /// another file has the name by now.
  private func newName(of path: RelativePath) -> RelativePath? {
    guard listing.others[path] == nil,
      let id = PlainFileStates(host).renamed(from: root.appending(path))
    else { return nil }
    let files = tracked.paths(of: id).compactMap(\.trackedFile)
    return files.count == 1 ? files[0] : nil
  }

  /// Takes histories that are left where a file was, which has another name now, for copies of its
  /// history; where that is asked for also files of one history for one.
  private func folded(_ places: [NoteCopy], _ matchingByID: Bool) -> [NoteCopy] {
    func isThere(_ place: NoteCopy) -> Bool { listing.others[place.path] != nil }
    let places = places.sorted { $0.path < $1.path }
    let kept =
      places.first { isThere($0) && $0.hasHistory } ?? places.first(where: \.hasHistory)
    guard var home = kept, places.count > 1 else { return places }
    var result: [NoteCopy] = []
    for other in places where other.path != home.path {
      if matchingByID || !isThere(other) && isThere(home) {
        home.historyCopies += other.histories
        home.fileCopies += other.fileCopies + (isThere(other) ? [other.path] : [])
      } else {
        result.append(other)
      }
    }
    return result + [home]
  }

  /// Whether plain files are tracked in the folder, or new ones are to be.
  var tracksFiles: Bool { !trackedPaths.isEmpty || !listing.markedDirectories.isEmpty }

  /// The files without a history, ascending.
  var strangers: [RelativePath] {
    listing.others.keys.filter { tracked.id(at: $0.history) == nil }.sorted()
  }

  /// What looks like a conflict copy and is that of no tracked file, ascending, if anything is tracked.
  var leftCopies: [RelativePath] {
    let copies = tracksFiles ? strangers.filter(\.isDelivered) : []
    let taken = copies.isEmpty ? [] : Set(trackedPlaces(0).flatMap(\.fileCopies))
    return copies.filter { !taken.contains($0) }
  }

  /// The text files, going by their names, that are not tracked, ascending; none if nothing is tracked.
  var untrackedTexts: [RelativePath] {
    let files = tracksFiles ? strangers.filter { $0.isPlainText && !$0.isDelivered } : []
    return files.filter { !isFaulty($0.history) && !listing.links.contains($0.history) }
  }
}

/// Where the history of a plain file is: that of `notes/trip.md` is
/// `notes/.peernote/trip.md.peernote`.
extension RelativePath {
  /// The history of this plain file.
  var history: RelativePath {
    var result = bytes
    result.reserveCapacity(
      bytes.count + FileName.hiddenPrefix.count + FileName.documentExtension.count)
    result.insert(contentsOf: FileName.hiddenPrefix, at: lastComponent.startIndex)
    result += FileName.documentExtension
    return RelativePath(bytes: result)
  }

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`, or
  /// not called like a history.
  var plainFile: RelativePath? {
    let name = lastComponent
    let ending = FileName.documentExtension
    let above = bytes[..<name.startIndex]
    guard name.count > ending.count, name.suffix(ending.count) == ending[...],
      above.suffix(FileName.hiddenPrefix.count) == FileName.hiddenPrefix[...]
    else { return nil }
    let outer = above.dropLast(FileName.hiddenPrefix.count)
    guard outer.last ?? UInt8(ascii: "/") == UInt8(ascii: "/") else { return nil }
    return RelativePath(bytes: outer + name.dropLast(ending.count))
  }

  /// Whether it has the name of a conflict copy that a program puts beside a file.
  var isDelivered: Bool { ConflictCopyName.deliveredOriginal(of: lastComponent) != nil }

  /// Whether it has the name of a text that may be tracked.
  var isPlainText: Bool { DocumentFormat(of: FileName(bytes: bytes))?.isPlain ?? false }

  /// The same; also `nil` of a conflict copy.
  var trackedFile: RelativePath? { plainFile.flatMap { original == nil ? $0 : nil } }
}

extension FileName {
  fileprivate static let documentExtension = Array(".peernote".utf8)
  fileprivate static let hiddenPrefix = FolderListing.hiddenName + [UInt8(ascii: "/")]

  /// The plain file whose history this is; `nil` if it is in no directory called `.peernote`.
  var plainFile: FileName? {
    RelativePath(bytes: bytes).plainFile.map { FileName(bytes: $0.bytes) }
  }

  /// What the plain file holds whose history this is, going by the content of that; `nil` if it is
  /// none.
  func plainText(in root: DocumentNode) -> String? {
    guard plainFile != nil, case .text(let text)? = root["body"] else { return nil }
    return text
  }

  /// What people know it by: the plain file, if this is the history of one.
  var shown: FileName { plainFile ?? self }

  /// The history of this plain file.
  var history: FileName { FileName(bytes: RelativePath(bytes: bytes).history.bytes) }
}
