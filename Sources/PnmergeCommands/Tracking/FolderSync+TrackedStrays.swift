import Peernote

/// Files and conflict copies that came under the name of a tracked file, and are of another one:
/// whoever sent them did not know that the name has been given away since.
extension FolderSync {
  /// What a file belongs to that came under another file's name.
  private enum Owner {
    /// A tracked file.
    case file(RelativePath)
    /// A file that is deleted, and of which it is an old copy.
    case deleted
    /// A file that is deleted, and of which it is an edit.
    case edited
  }

  /// How much more like another file something has to be than like the one whose name it has.
  private static let margin = 0.25

  /// Puts what came under a tracked file's name and is of another one beside that, as a conflict copy,
  /// or in the trash if that one is deleted, or under another name if it was edited since; a file whose
  /// place was taken so is written again.
  mutating func sendStrays(_ open: inout OpenPlace, _ history: PlainHistory) throws {
    let place = open.place
    guard mayWrite(to: place.folder), let contents = open.contents else { return }
    for (index, copy) in open.copies.enumerated().reversed() {
      guard try send(copy.path, copy.contents, open, history) else { continue }
      open.copies.remove(at: index)
    }
    let isKnown = open.memory?.text.utf8.elementsEqual(contents.file.text.utf8) ?? false
    guard !contents.file.isSavedHere, !isKnown,
      try send(place.path, contents, open, history)
    else { return }
    open.contents = nil
    open.state = nil
    if isDryRun { return }
    let summary = folders[place.folder].tracked[place.history]
    let isWritten = try summary.map {
      try writePlain(history, $0, at: place.path, place.folder)
    }
    if isWritten == false { runAgain(in: 1) }
  }

  /// Leaves alone what was written here under the name of a file that had been deleted here before, or
  /// was moved away, and is another one: a conflict copy gets a name of its own.
  mutating func letGoOfOthers(_ open: inout OpenPlace, _ history: PlainHistory) throws {
    let place = open.place
    guard mayWrite(to: place.folder) else { return }
    let isDeleted = open.state?.history.document.deletion?.isCurrent ?? false
    func isOther(_ text: String) throws -> Bool {
      try !isLike(text, history, nil)
        && history.likenessToVersions(of: text) < PlainHistory.enough
    }
    if isDeleted, let contents = open.contents, contents.file.isSavedHere,
      try isOther(contents.file.text)
    {
      open.contents = nil
    }
    for (index, copy) in open.copies.enumerated().reversed() {
      guard let original = copy.path.original, isDeleted || original != place.path,
        copy.contents.restlessness(at: host.now) == 0 || isDryRun,
        try isOther(copy.contents.file.text)
      else { continue }
      let now = try rename(copy.path, copy.contents, place.folder) { number in
        number == 1 ? original : NumberedName.name(original, number)
      }
      guard let now else { continue }
      open.copies.remove(at: index)
      report(.otherFile(named(copy.path, place.folder), named(now, place.folder)))
    }
  }

  /// Sends a file to where it belongs.
  ///
  /// - Returns: whether it does not belong where it is, and is gone from there.
  private mutating func send(
    _ path: RelativePath, _ contents: PlainContents, _ open: OpenPlace, _ history: PlainHistory
  ) throws -> Bool {
    let folder = open.place.folder
    guard contents.restlessness(at: host.now) == 0 || isDryRun,
      let owner = try owner(of: contents, in: open, history)
    else { return false }
    let name = named(path, folder)
    switch owner {
    case .deleted:
      let isGone =
        try isDryRun || moveToTrash(path, folder) { $0 == contents.identity } != nil
      if isGone { report(.oldCopyOfDeleted(name)) }
      return isGone
    case .file(let file):
      let isGone = try rename(path, contents, folder) { number in
        NumberedName.conflictCopy(of: file, saved: contents.file.modified, number)
      }
      if isGone != nil {
        report(.belongsElsewhere(name, named(file, folder)))
        runAgain(in: PlainContents.quiet)
      }
      return isGone != nil
    case .edited:
      let now = try rename(path, contents, folder) { NumberedName.name(open.place.path, $0 + 1) }
      if let now { report(.editOfDeleted(name, named(now, folder))) }
      return now != nil
    }
  }

  /// Gives a file the first of some names that is free.
  ///
  /// - Returns: the name; `nil` if it no longer was what had been read.
  private func rename(
    _ path: RelativePath, _ contents: PlainContents, _ folder: Int,
    to name: (_ number: Int) -> RelativePath
  ) throws -> RelativePath? {
    let open = folders[folder]
    let root = open.root
    let from = root.appending(path)
    do throws(HostError) {
      let entry = try host.identity(of: from, followingLinks: false)
      guard entry == contents.identity else { return nil }
      var number = 1
      while true {
        let target = name(number)
        let to = root.appending(target)
        number += 1
        let isTaken = try host.identity(of: to, followingLinks: false) != nil
        if isTaken || open.tracked[target.history] != nil { continue }
        if isDryRun { return target }
        try host.rename(from, to: to, replacing: false)
        try? host.synchronizeDirectory(to.directory)
        try? host.synchronizeDirectory(from.directory)
        return target
      }
    } catch {
      throw error.whileCreating(named(name(1), folder))
    }
  }

  /// What a file is of that came under the name of another one; `nil` if it may be of that, or if
  /// nothing else is like it.
  ///
  /// Reads all tracked files of the folder if it is not like the one whose name it has.
  private func owner(
    of contents: PlainContents, in open: OpenPlace, _ history: PlainHistory
  ) throws -> Owner? {
    let folder = folders[open.place.folder]
    let document = history.document
    let remembered = open.memory?.text
    let (text, mark) = PlainMarker.taken(from: String(decoding: contents.bytes, as: UTF8.self))
    // The line of another note may stand in the text of one that was copied from it.
    let own = max(
      try history.likeness(of: text, remembered: remembered),
      PlainHistory.likeness(of: text, to: PlainMarker.taken(from: history.text).text))
    func likeness(to path: RelativePath) -> Double? {
      let name = folder.shownFile(path)
      let other = try? PlainContents(folder.root.appending(path), shown: name, host)
      return other.map {
        PlainHistory.likeness(of: text, to: PlainMarker.taken(from: $0.file.text).text)
      }
    }
    if let mark, mark.document != document.id {
      let isAdopted = document.adopted.contains { $0.document == mark.document }
      let file = folder.trackedFiles.first { $0.summary.id == mark.document }
      // Somebody may have copied the front matter of another note.
      if !isAdopted, let file, own < PlainHistory.enough || own < likeness(to: file.path) ?? 1 {
        return .file(file.path)
      }
    }
    guard own < PlainHistory.enough,
      !history.isGrown(into: text, remembered: remembered)
    else { return nil }
    var best: (path: RelativePath, likeness: Double)?
    for (path, _) in folder.trackedFiles where path != open.place.path {
      guard let likeness = likeness(to: path) else { continue }
      if likeness >= max(PlainHistory.enough, own + Self.margin), likeness > best?.likeness ?? 0 {
        best = (path, likeness)
      }
    }
    if let best { return .file(best.path) }
    // What has been edited much since is found by what it said when it had the name.
    let least = max(
      PlainHistory.enough, max(own, try history.likenessToVersions(of: text)) + Self.margin)
    for (path, _) in folder.trackedFiles where path != open.place.path {
      let file = folder.root.appending(path.history)
      guard let other = try? readHistory(file, folder.shownFile(path)).history else { continue }
      let likeness = try other.likenessToVersions(of: text)
      if likeness >= least, likeness > best?.likeness ?? 0 { best = (path, likeness) }
    }
    if let best { return .file(best.path) }
    for tombstone in folder.tombstones(at: open.place.path) {
      let name = folder.shownFile(tombstone)
      let kept = try readHistory(folder.root.appending(tombstone), name).history
      if kept.document.id == document.id { continue }
      if try kept.hasShown(text) { return .deleted }
      if try kept.likenessToVersions(of: text) >= least { return .edited }
    }
    return nil
  }
}
