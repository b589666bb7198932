import Peernote

/// Tracked plain files whose names were exchanged, or passed on from one to the next: at each name
/// there is a file, but it is another one.
extension FolderSync {
  /// What is known of a tracked file whose place is empty, or has another state than when it was
  /// last looked at.
  private struct Known {
    var summary: DocumentSummary
    var history: PlainHistory
    var state: PlainFileState?
    /// How the file was when it was last seen; `nil` if that is not known.
    var stamp: FileStamp?
    var remembered: String? { state?.memory?.text }
    /// Its size when it was last seen.
    var size: Int64? { stamp?.size ?? remembered.map { Int64($0.utf8.count) } }
  }

  /// A file and the history that it seems to belong to.
  private struct Belonging {
    var file: RelativePath
    /// The file that the history stands beside.
    var history: RelativePath
    var likeness: Double
    var isSameFile: Bool
  }

  /// How many files that nothing is remembered of in the folder are looked at.
  private static let unknownLimit = 256

  /// Moves the histories of files that have each other's names, or of which one has the name that
  /// another one had, to where the files are.
  mutating func followExchanges(in folder: Int) throws {
    let open = folders[folder]
    let paths = unsettledPaths(in: open)
    // One alone that has another state was edited.
    guard paths.count > 1 else { return }
    let candidates = try belongings(of: paths, in: folder)
    let moves = Self.closed(
      candidates.found, isThere: { open.listing.others[$0] != nil },
      isTracked: { open.tracked[$0.history] != nil })
    guard moves.contains(where: { open.tracked[$0.file.history] != nil }) else { return }
    try attempt(folder) { sync in try sync.follow(moves, candidates.known, in: folder) }
  }

  /// The tracked files that are missing, or have another state than when they were last looked at.
  private func unsettledPaths(in open: OpenFolder) -> [RelativePath] {
    var unknown = 0
    return open.trackedNames.compactMap { name in
      let path = name.file
      let known = open.wasRenamed(path) ? nil : open.settled.stamp(of: path)
      if let known, known == open.listing.others[path]?.stamp { return nil }
      guard let id = open.tracked.id(at: name.history), !open.tracked.isDeleted(name.history),
        open.isOnlyHistory(of: id)
      else { return nil }
      if known != nil { return path }
      unknown += 1
      return unknown <= Self.unknownLimit ? path : nil
    }
  }

  /// Finds the files that seem to belong to the history of another file than the one at whose name
  /// they are.
  ///
  /// Such a file was that other one by its number, or has its size and says what it said; or it
  /// stands where such a one was, and is more like one that is nowhere else.
  private func belongings(
    of paths: [RelativePath], in folder: Int
  ) throws -> (found: [Belonging], known: [RelativePath: Known]) {
    let open = folders[folder]
    let states = PlainFileStates(host)
    var byNumber: [UInt64: [RelativePath]] = [:]
    var bySize: [Int64: [RelativePath]] = [:]
    var sizes: [RelativePath: PlainFileState] = [:]
    for path in paths {
      if let stamp = open.settled.stamp(of: path), !open.wasRenamed(path) {
        if stamp.number != 0 { byNumber[stamp.number, default: []].append(path) }
        bySize[stamp.size, default: []].append(path)
      } else if let state = states.state(of: open.root.appending(path)), let memory = state.memory {
        sizes[path] = state
        bySize[Int64(memory.text.utf8.count), default: []].append(path)
      }
    }
    var known: [RelativePath: Known] = [:]
    func look(_ path: RelativePath) throws -> Known? {
      if let found = known[path] { return found }
      guard let summary = open.tracked[path.history] else { return nil }
      let (history, _) = try readHistory(
        open.root.appending(path.history), named(path.history, folder))
      let state = sizes[path] ?? states.state(of: open.root.appending(path))
      let isOwn = state?.history.document.id == summary.id
      known[path] = Known(
        summary: summary, history: history, state: isOwn ? state : nil,
        stamp: open.settled.stamp(of: path))
      return known[path]
    }
    let untracked = open.listing.others.keys.filter {
      open.tracked[$0.history] == nil && $0.original == nil
    }
    /// How much a file is like what histories say; `nil` if it cannot be read.
    func likeness(of path: RelativePath) -> ((Known) throws -> Double)? {
      let contents = try? PlainContents(
        open.root.appending(path), shown: named(path, folder), host)
      return contents.map { contents in
        { known in
          var read = contents
          read.takeMarker(of: known.history)
          return try known.history.likeness(of: read.file.text, remembered: known.remembered)
        }
      }
    }
    var found: [Belonging] = []
    for path in (paths + untracked).sorted() {
      guard let identity = open.listing.others[path] else { continue }
      let sameFile = Set(byNumber[identity.inode] ?? [])
      let others = sameFile.union(bySize[identity.size] ?? []).subtracting([path])
      guard !others.isEmpty, let likeness = likeness(of: path) else { continue }
      let own = try look(path).map(likeness) ?? 0
      if own == 1 { continue }
      for other in others.sorted() {
        guard let known = try look(other) else { continue }
        let likeness = try likeness(known)
        let isSame = sameFile.contains(other)
        if likeness > own, likeness == 1 || isSame && likeness >= PlainHistory.enough {
          found.append(
            Belonging(file: path, history: other, likeness: likeness, isSameFile: isSame))
        }
      }
    }
    // A file that stands where one was that is known elsewhere may be one that was also edited: of
    // those whose place another file has, or none.
    let moved = Set(found.map(\.history))
    let homeless = Set(found.map(\.file)).union(paths.filter { open.listing.others[$0] == nil })
      .subtracting(moved)
    for path in moved.subtracting(found.map(\.file)).sorted() {
      guard open.listing.others[path] != nil, let likeness = likeness(of: path) else { continue }
      let own = try look(path).map(likeness) ?? 0
      for other in homeless.sorted() {
        guard let known = try look(other) else { continue }
        let likeness = try likeness(known)
        if likeness > own, likeness >= PlainHistory.enough {
          found.append(
            Belonging(file: path, history: other, likeness: likeness, isSameFile: false))
        }
      }
    }
    return (found, known)
  }

  /// The belongings, one for each file and each history, after which each history that had a file
  /// has one.
  private static func closed(
    _ all: [Belonging], isThere: (RelativePath) -> Bool, isTracked: (RelativePath) -> Bool
  ) -> [Belonging] {
    var files: [RelativePath: Belonging] = [:]
    var histories: [RelativePath: Belonging] = [:]
    let likeliest = all.sorted {
      ($0.isSameFile ? 1 : 0, $0.likeness, $1.file, $1.history)
        > ($1.isSameFile ? 1 : 0, $1.likeness, $0.file, $0.history)
    }
    for belonging in likeliest
    where files[belonging.file] == nil && histories[belonging.history] == nil {
      files[belonging.file] = belonging
      histories[belonging.history] = belonging
    }
    func isOpen(_ belonging: Belonging) -> Bool {
      // Another file is where the file of the history was, or none; and the history beside this
      // file has a file elsewhere.
      isThere(belonging.history) && files[belonging.history] == nil
        || isTracked(belonging.file) && histories[belonging.file] == nil
    }
    while let open = files.values.first(where: isOpen) {
      files[open.file] = nil
      histories[open.history] = nil
    }
    return files.values.sorted { $0.file < $1.file }
  }

  // MARK: Runs that were ended early

  /// Puts histories where they belong that a run which was ended early had put aside while names were
  /// exchanged: where they were, or, if another one is there by now, beside the file that is theirs.
  mutating func finishExchanges(in folder: Int) throws {
    let open = folders[folder]
    for name in open.trackedNames where open.listing.others[name.file] == nil {
      guard let original = NumberedName.path(ofAside: name.file), !isDryRun else { continue }
      try attempt(folder) { sync in
        let target =
          open.tracked[original.history] == nil
          ? original : try sync.likeliestFile(without: name, in: folder)
        guard let target else { return }
        // The file has the name that somebody gave it.
        let since = target == original ? nil : sync.host.now
        try sync.moveHistory(
          of: name.file, to: target, in: folder, since: since, meaning: target)
      }
    }
  }

  /// The file without a history that is most like what one says; `nil` if none is like it.
  private func likeliestFile(
    without name: TrackedName, in folder: Int
  ) throws -> RelativePath? {
    let open = folders[folder]
    let (history, _) = try readHistory(
      open.root.appending(name.history), named(name.history, folder))
    var best: (path: RelativePath, likeness: Double)?
    for path in open.listing.others.keys.sorted()
    where open.tracked[path.history] == nil && path.original == nil {
      guard
        var read = try? PlainContents(
          open.root.appending(path), shown: named(path, folder), host)
      else { continue }
      read.takeMarker(of: history)
      let likeness = try history.likeness(of: read.file.text)
      if likeness >= PlainHistory.enough, likeness > best?.likeness ?? 0 {
        best = (path, likeness)
      }
    }
    return best?.path
  }

  // MARK: Moving the histories

  private mutating func follow(
    _ moves: [Belonging], _ known: [RelativePath: Known], in folder: Int
  ) throws {
    let open = folders[folder]
    let names = moves.map { (named($0.history, folder), named($0.file, folder)) }
    if isDryRun {
      for (from, to) in names { report(.renamed(from: from, to: to)) }
      for move in moves { open.recordExchanged(move.file) }
      return
    }
    try moveHistories(moves.map { ($0.history, $0.file) }, in: folder)
    let states = PlainFileStates(host)
    let targets = Set(moves.map(\.file))
    for move in moves {
      guard let known = known[move.history] else { continue }
      let file = open.root.appending(move.file)
      if let state = known.state {
        try states.keep(state, of: file)
      } else {
        states.forget(file)
      }
      if !targets.contains(move.history) {
        states.forget(open.root.appending(move.history))
        open.recordFormer(move.history, known.summary)
      }
    }
    for move in moves { open.forget(move.file, .settled) }
    for (from, to) in names { report(.renamed(from: from, to: to)) }
  }

  /// Moves histories, each after the one that is where it goes.
  private mutating func moveHistories(
    _ moves: [(from: RelativePath, to: RelativePath)], in folder: Int
  ) throws {
    let now = host.now
    var pending = moves
    while !pending.isEmpty {
      let waiting = Set(pending.map(\.from))
      if let ready = pending.firstIndex(where: { !waiting.contains($0.to) }) {
        let move = pending.remove(at: ready)
        try moveHistory(of: move.from, to: move.to, in: folder, since: now, meaning: move.to)
        removeIfEmpty(folders[folder].root.appending(move.from.history).directory)
        continue
      }
      // They wait for each other in a circle. What stands where the first one goes takes its place.
      let first = pending[0]
      guard try exchangeHistories(first.from, first.to, in: folder, since: now) else {
        let aside = NumberedName.aside(first.from) { isFree($0, in: folder, .tracked) }
        try moveHistory(of: first.from, to: aside, in: folder, since: now, meaning: first.to)
        pending[0].from = aside
        continue
      }
      pending.removeFirst()
      for index in pending.indices where pending[index].from == first.to {
        pending[index].from = first.from
      }
      pending.removeAll { $0.from == $0.to }
    }
  }

  /// - Returns: false if the file system cannot exchange names.
  private func exchangeHistories(
    _ first: RelativePath, _ second: RelativePath, in folder: Int, since: Timestamp
  ) throws -> Bool {
    let open = folders[folder]
    guard let one = open.tracked[first.history], let other = open.tracked[second.history] else {
      return false
    }
    let files = (open.root.appending(first.history), open.root.appending(second.history))
    do throws(HostError) {
      guard try host.exchange(files.0, with: files.1) else { return false }
    } catch {
      throw error.whileCreating(named(second.history, folder))
    }
    for file in [files.0, files.1] { try? host.synchronizeDirectory(file.directory) }
    for path in [first, second] { open.forget(path.history, .tracked) }
    for (summary, path) in [(one, second), (other, first)] {
      open.record(summary, at: path.history, .tracked)
      open.setPlace(
        of: summary.id, .init(path: path.history, since: since, meaning: path.history), .tracked)
    }
    return true
  }
}
