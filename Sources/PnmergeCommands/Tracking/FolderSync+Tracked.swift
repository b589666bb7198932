import Peernote

/// Tracked plain files: what was saved is recorded, copies are merged, and files that are behind
/// are written.
extension FolderSync {
  /// How often a file that is written meanwhile is looked at again.
  private static let rounds = 3

  /// Brings the tracked plain files of all folders together.
  mutating func bringTrackedTogether() throws {
    try carryMarks()
    for folder in folders.indices where mayWrite(to: folder) {
      try attempt(folder) { sync in try sync.followRenames(in: folder) }
      try attempt(folder) { sync in try sync.trackNew(in: folder) }
    }
    let units = trackedUnits()
    var live: [TrackedUnit] = []
    for (index, unit) in units.enumerated() {
      if isSettled(unit) {
        if !unit.places.isEmpty { live.append(unit) }
        continue
      }
      invocation.console.progress("looking at tracked file \(index + 1) of \(units.count)")
      try attempt(nil) { sync in
        for _ in 0..<Self.rounds {
          var present = unit
          let end = try sync.bringTogether(&present)
          if end == .tryAgain { continue }
          if end != .deleted { live.append(present) }
          return
        }
        sync.runAgain(in: PlainContents.quiet)
      }
    }
    try applyTrackedNames(to: live)
    trackedCount = live.count
  }

  /// What came of bringing a tracked file together.
  enum TrackedEnd {
    case done
    /// It is deleted, everywhere.
    case deleted
    /// Somebody wrote meanwhile.
    case tryAgain
  }

  /// The tracked plain files, ascending: those of one name whose histories were started apart count
  /// as one if they had the same text once, or if one has adopted the other.
  private func trackedUnits() -> [TrackedUnit] {
    var units: [TrackedUnit] = []
    for unit in folders.trackedUnits(matchingByID: matchesByID) {
      // What cannot be read is told when it is brought together.
      if let last = units.last, let joined = last.joined(with: unit),
        (try? union(of: last).isOfOneFile(as: union(of: unit))) ?? false
      {
        units[units.count - 1] = joined
      } else {
        units.append(unit)
      }
    }
    return units
  }

  /// Whether nothing is to be done.
  private func isSettled(_ unit: TrackedUnit) -> Bool {
    if !unit.tombstones.isEmpty {
      return unit.places.isEmpty && Set(unit.tombstones.map(\.summary.checksum)).count == 1
        && unit.tombstones.allSatisfy { folders[$0.folder].listing.others[$0.home] == nil }
    }
    guard let first = unit.places.first, unit.places.count == folders.count else { return false }
    let checksum = folders[first.folder].tracked.checksum(at: first.history)
    return unit.places.allSatisfy { place in
      let folder = folders[place.folder]
      return place.historyCopies.isEmpty && place.fileCopies.isEmpty
        && folder.tracked.checksum(at: place.history) == checksum
        && folder.isSettled(place.path)
    }
  }

  /// A place of a tracked file as it was read.
  struct OpenPlace {
    var place: TrackedPlace
    /// The plain file; `nil` if there is none.
    var contents: PlainContents?
    var copies: [(path: RelativePath, contents: PlainContents)] = []
    var state: PlainFileState?
    /// Whether git put the file and its history there: the file has settled what was merged.
    var isPutByGit = false
    /// Whether another machine wrote its history since this one did.
    var isNews = false
    /// Whether file and copies are left alone this time: they were written a moment ago, or came
    /// before their history.
    var isBusy = false
    /// What is to be told once the history is written.
    var news: [SyncOutcome.Event] = []
  }

  /// Brings a tracked file together once, which becomes what there is of it then.
  private mutating func bringTogether(_ unit: inout TrackedUnit) throws -> TrackedEnd {
    for place in unit.places { try checkConflict(at: place) }
    var history = try union(of: unit)
    try addReturned(to: &unit, history)
    var places: [OpenPlace] = []
    for place in unit.places {
      // Whoever saved the file there has seen nothing of what other folders have.
      var own = history
      let isAlone = unit.places.count == 1 && unit.tombstones.isEmpty
      if !isAlone { own = try self.history(at: place, history.document.id) ?? history }
      var open = try open(place, &own)
      try record(&open, into: &own)
      do throws(MergeError) {
        if isAlone { history = own } else { try history.merge(own) }
      } catch {
        let name = named(place.path, place.folder)
        throw error.failure(name, own.document, comparedWith: name, history.document)
      }
      places.append(open)
    }
    if history.document.deletion?.isCurrent ?? false {
      let end = try clearAway(unit, history, places)
      places.flatMap(\.news).forEach { report($0) }
      return end
    }
    if places.count > 1 || !places.allSatisfy(\.isPutByGit) {
      try settle(&history, unit, &places)
    }
    // A change on all heads hides that something was merged, so that this comes after settling.
    let tombstone = unit.tombstones.first { unit.place(in: $0.folder) == nil }
    try withdrawDeletion(in: &history.document, shown(unit), deleted: tombstone)
    if places.contains(where: { !$0.isBusy && $0.contents != nil }) { history.noteShown() }
    let file = HistoryFile(history)
    // One that has taken in a history which was started apart.
    let joined = unit.places.first { place in
      let ids = place.histories.compactMap { folders[place.folder].tracked.id(at: $0) }
      return ids.contains { $0 != history.document.id }
    }
    for place in places {
      if !(try write(file, to: place.place.history, place.place.folder)) { return .tryAgain }
    }
    if let joined { report(.joined(named(joined.path, joined.folder))) }
    places.flatMap(\.news).forEach { report($0) }
    var isDone = true
    for open in places { isDone = try finish(open, history) && isDone }
    if unit.places.isEmpty { try bringBack(unit, file) }
    for tombstone in unit.tombstones
    where mayWrite(to: tombstone.folder)
      && isHeld(unit.id, file.checksum, in: tombstone.folder, .tracked)
    {
      try removeTombstone(tombstone, .trackedTrash)
    }
    return isDone ? .done : .tryAgain
  }

  /// A tracked file, or where it was, as people are told of it.
  func shown(_ unit: TrackedUnit) -> FileName {
    named(unit.path, unit.places.first?.folder ?? unit.tombstones[0].folder)
  }
}
