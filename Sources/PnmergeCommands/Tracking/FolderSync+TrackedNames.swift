import Peernote

/// Tracked plain files that were renamed: the history follows the file, or the file its history.
///
/// Whoever renames a file in a file manager leaves its history behind, and a synchroniser delivers
/// both apart.
extension FolderSync {
  /// Takes over how people, or other machines, have renamed the tracked files of a folder.
  mutating func followRenames(in folder: Int) throws {
    try followHistories(in: folder)
    try followFiles(in: folder)
  }

  // MARK: Histories that have another name

  /// Renames the files of histories that have another name than at the last look.
  private mutating func followHistories(in folder: Int) throws {
    let open = folders[folder]
    let changed = open.earlierHistories.filter { open.tracked.paths(of: $0) != [$1] }
    for (id, earlier) in changed.sorted(by: { $0.value < $1.value }) {
      let present = open.tracked.paths(of: id)
      guard present.count == 1, let old = earlier.plainFile, let new = present[0].trackedFile
      else { continue }
      let isLeft = open.tracked[old.history] == nil && open.listing.others[old] != nil
      if isLeft, open.listing.others[new] == nil, open.settled.id(at: old) == id {
        // It is there by now, or gone; the next run sees.
        guard (try? host.rename(file(old, folder), to: file(new, folder), replacing: false)) != nil
        else { continue }
        open.listing.move(old, to: new)
        report(.renamed(from: named(old, folder), to: named(new, folder)))
      }
      moved(id, from: old, to: new, folder)
    }
  }

  /// Takes over that a tracked file has another name.
  private func moved(
    _ id: UniqueID, from old: RelativePath, to new: RelativePath, _ folder: Int
  ) {
    states.move(file(old, folder), to: file(new, folder), of: id)
    for path in [old, new] { folders[folder].forget(path, .settled) }
  }

  // MARK: Files that have another name

  /// A file that is missing, though its history is there, and what it was last seen to hold.
  private typealias Missing = (
    path: RelativePath, summary: DocumentSummary, history: PlainHistory, remembered: String?
  )

  /// How far another candidate has to stay behind, in lines of a hundred.
  private static let margin = 25
  /// How many pairs are compared at most if they are not of the same bytes.
  private static let comparisonLimit = 20_000
  /// How many files beside are read, to know what many notes have in common.
  private static let siblingLimit = 512

  /// Moves the histories that were left behind by files which have another name now: the same bytes, or
  /// more than half of the lines that no other note has, and nothing else comes near.
  private mutating func followFiles(in folder: Int) throws {
    let open = folders[folder]
    guard open.trackedPaths.contains(where: { open.listing.others[$0] == nil }) else { return }
    let candidates = open.strangers.filter { $0.original == nil }
    if candidates.isEmpty { return }
    let missing = try self.missing(in: folder)
    let texts = candidates.compactMap { path in
      (try? contents(path, folder)).map { (path: path, file: $0.file) }
    }
    let common = commonLines(
      missing.map(\.history.text) + texts.map(\.file.text),
      besides: Set(missing.map(\.path) + texts.map(\.path)), in: open)
    let isMany = missing.count * texts.count > Self.comparisonLimit
    // How many lines of a hundred there are, and more for the same name, and yet more for the same bytes.
    var matches: [(lost: Missing, path: RelativePath, rank: Int)] = []
    for lost in missing {
      let own = Set(lost.history.text.splitAtLineFeeds())
      for (path, file) in texts {
        let text = lost.history.unmarked(file).text
        let isSame = [lost.history.text, lost.remembered].contains(text)
        guard isSame || !isMany else { continue }
        let there = Set(text.splitAtLineFeeds())
        let others = own.filter { common[$0, default: 0] > 1 + (there.contains($0) ? 1 : 0) }
        let share = lost.history.share(of: text, remembered: lost.remembered, besides: others)
        guard let share else { continue }
        let hasSameName = path.lastComponent.elementsEqual(lost.path.lastComponent)
        matches.append(
          (lost, path, (isSame ? 500 : min(share, 99)) + (hasSameName ? 200 : 0)))
      }
    }
    for (lost, path, rank) in matches {
      let hasRivals = matches.contains {
        ($0.lost.path == lost.path) != ($0.path == path) && $0.rank + Self.margin > rank
      }
      if hasRivals { continue }
      try attempt(folder) { sync in
        let place = DocumentFolder.Place(path: path, since: sync.host.now)
        try sync.moveHistory(lost.summary, of: lost.path, to: place, in: folder)
        sync.report(.renamed(from: sync.named(lost.path, folder), to: sync.named(path, folder)))
      }
    }
  }

  /// In how many texts each line stands: some of files, and those beside them but for conflict copies,
  /// which are no other notes.
  private func commonLines(
    _ texts: [String], besides paths: Set<RelativePath>, in open: OpenFolder
  ) -> [Substring: Int] {
    let directories = Set(paths.map(\.directory))
    let beside = open.listing.others.keys.filter {
      !paths.contains($0) && $0.original == nil && directories.contains($0.directory)
        && $0.isPlainText
    }.sorted().prefix(Self.siblingLimit)
    return (texts + beside.map(open.text)).flatMap { Set($0.splitAtLineFeeds()) }.counts
  }

  /// The tracked files that are missing, and not deleted, ascending, but for those of which nothing
  /// tells that they ever were here.
  private func missing(in folder: Int) throws -> [Missing] {
    let open = folders[folder]
    return try open.trackedPaths.compactMap { path in
      guard open.listing.others[path] == nil, let summary = open.tracked[path.history],
        !open.tracked.isDeleted(path.history),
        open.tracked.paths(of: summary.id).count(where: { $0.original == nil }) < 2
      else { return nil }
      let state = states.state(of: file(path, folder))
      let memory = state?.history.document.id == summary.id ? state?.memory : nil
      let isElsewhere = folders.contains { other in
        other !== open
          && other.tracked.paths(of: summary.id).compactMap(\.plainFile)
            .contains { other.listing.others[$0] != nil }
      }
      // A stick that comes here for the first time brings the history of a file that is here:
      // whoever had the stick before may have moved the file there.
      guard memory != nil || isElsewhere else { return nil }
      return (path, summary, try readHistory(path.history, folder), memory?.text)
    }
  }

  /// Moves a history to where it belongs after its file was renamed.
  func moveHistory(
    _ summary: DocumentSummary, of old: RelativePath, to place: DocumentFolder.Place,
    in folder: Int
  ) throws {
    let (open, new) = (folders[folder], place.path)
    guard new.history.lastComponent.count <= FileName.longestComponent else {
      throw Failure(
        .cannotCreate, file: named(new, folder),
        "its name is too long: that of the history would have more than "
          + "\(FileName.longestComponent) bytes; the history stays under the old name")
    }
    try makeDirectories(above: new.history, folder)
    let (from, to) = (file(old.history, folder), file(new.history, folder))
    try named(new.history, folder).creating(rename(from, to: to))
    try? host.synchronizeDirectory(to.directory)
    open.forget(old.history, .tracked)
    open.record(summary, at: new.history, .tracked)
    open.setPlace(of: summary.id, place, .tracked)
    moved(summary.id, from: old, to: new, folder)
    removeIfEmpty(from.directory)
  }
}
