import Peernote

/// Tracked plain files: what was saved is recorded, copies are merged, and files that are behind
/// are written.
extension FolderSync {
  /// How often a file that is written meanwhile is looked at again.
  private static let rounds = 3

  /// Brings the tracked plain files of all folders together.
  ///
  /// - Throws: ``Failure`` if the run was interrupted.
  mutating func bringTrackedTogether() throws {
    for folder in folders.indices where mayWrite(to: folder) {
      try attempt(folder) { sync in try sync.followRenames(in: folder) }
    }
    let units = trackedUnits()
    var live: [TrackedUnit] = []
    for (index, unit) in units.enumerated() {
      if isSettled(unit) || unit.places.contains(where: { folders[$0.folder].isExchanged($0.path) })
      {
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
  /// as one if they had the same text once.
  private func trackedUnits() -> [TrackedUnit] {
    var units: [TrackedUnit] = []
    for unit in folders.trackedUnits(matchingByID: matchesByID) {
      if let last = units.last, last.path == unit.path, let joined = last.joined(with: unit),
        haveCommonText(last, unit)
      {
        units[units.count - 1] = joined
      } else {
        units.append(unit)
      }
    }
    return units
  }

  /// Whether two files had the same text once.
  ///
  /// What cannot be read is told when it is brought together.
  private func haveCommonText(_ first: TrackedUnit, _ second: TrackedUnit) -> Bool {
    var copies: [HistoryCopy] = []
    guard let first = try? union(of: first, &copies), let second = try? union(of: second, &copies)
    else { return false }
    return (try? first.hasCommonText(with: second)) ?? false
  }

  /// Whether nothing is to be done.
  private func isSettled(_ unit: TrackedUnit) -> Bool {
    if !unit.tombstones.isEmpty {
      let checksums = Set(
        unit.tombstones.map { folders[$0.folder].trackedTrash[$0.path]?.checksum ?? [] })
      return unit.places.isEmpty && checksums.count == 1
        && unit.tombstones.allSatisfy { folders[$0.folder].isOther($0) }
    }
    guard let first = unit.places.first, unit.places.count == folders.count else { return false }
    let checksum = folders[first.folder].tracked.checksum(at: first.path.history)
    return unit.places.allSatisfy { place in
      let folder = folders[place.folder]
      return place.historyCopies.isEmpty && place.fileCopies.isEmpty
        && folder.tracked.checksum(at: place.path.history) == checksum
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
    /// Whether file and copies are left alone this time: they were written a moment ago, or came
    /// before their history.
    var isBusy = false

    var memory: PlainMemory? { state?.memory }
  }

  /// Brings a tracked file together once.
  ///
  /// - Parameter unit: the file; becomes what there is of it then.
  /// - Returns: what came of it.
  /// - Throws: ``Failure`` if it cannot be read, recorded or written.
  private mutating func bringTogether(_ unit: inout TrackedUnit) throws -> TrackedEnd {
    var copies: [HistoryCopy] = []
    var history = try union(of: unit, &copies)
    try addReturned(to: &unit, history)
    var places: [OpenPlace] = []
    for place in unit.places { places.append(try open(place, &history)) }
    let known = Set(places.compactMap(\.state).flatMap(\.history.document.conflicts))
    for index in places.indices { try record(&places[index], into: &history) }
    try withdrawDeletion(of: unit, in: &history)
    if history.document.deletion != nil { return try clearAway(unit, history, places, copies) }
    try countTwinsOnce(in: &history, unit)
    if places.contains(where: { !$0.isBusy && $0.contents != nil }) { history.noteShown() }
    let bytes = history.document.encoded()
    for place in places {
      if !(try write(history, bytes, at: place.place)) { return .tryAgain }
    }
    let isMerged = !places.contains { $0.memory?.shown == history.document.heads }
    var isDone = true
    for index in places.indices {
      isDone = try finish(&places[index], history, copies) && isDone
    }
    if unit.places.isEmpty { try bringBack(unit, history, bytes) }
    try removeTombstones(of: unit, bytes)
    if isDone { reportConflicts(of: unit, history, known) }
    if isDone, isMerged { try reportFault(of: unit, history) }
    return isDone ? .done : .tryAgain
  }

  /// Says what has become contested, of which the file shows one side alone.
  private mutating func reportConflicts(
    of unit: TrackedUnit, _ history: PlainHistory, _ known: Set<Conflict>
  ) {
    let conflicts = history.document.conflicts.filter { !known.contains($0) }
    guard !conflicts.isEmpty, let place = unit.places.first else { return }
    report(.conflicts(named(place.path.history, place.folder), conflicts))
  }

  /// Says that what a file is for cannot read it any more.
  private mutating func reportFault(of unit: TrackedUnit, _ history: PlainHistory) throws {
    guard let place = unit.places.first else { return }
    let name = named(place.path, place.folder)
    do throws(DocumentError) {
      if let fault = try MergeFault(of: history, name: name) { report(.invalid(name, fault)) }
    } catch {
      throw error.failure(in: name)
    }
  }

  // MARK: Reading

  /// A history that was read, to be moved away once it is folded.
  struct HistoryCopy {
    var path: RelativePath
    var folder: Int
    var identity: FileIdentity
  }

  /// All changes of all histories.
  private func union(
    of unit: TrackedUnit, _ copies: inout [HistoryCopy]
  ) throws -> PlainHistory {
    var histories: [UniqueID: [(file: FileName, history: PlainHistory)]] = [:]
    func add(_ path: RelativePath, _ folder: Int) throws -> FileIdentity {
      let shown = named(path, folder)
      let (history, identity) = try readHistory(folders[folder].root.appending(path), shown)
      histories[history.document.id, default: []].append((shown, history))
      return identity
    }
    for place in unit.places {
      for path in place.histories {
        let identity = try add(path, place.folder)
        if path != place.path.history {
          copies.append(HistoryCopy(path: path, folder: place.folder, identity: identity))
        }
      }
    }
    for tombstone in unit.tombstones { _ = try add(tombstone.path, tombstone.folder) }
    // The same file was tracked on two machines that did not know of each other.
    let found = try histories.sorted { $0.key < $1.key }
      .map { (file: $0.value[0].file, history: try Self.union(of: $0.value)) }
    guard let first = found.first else { preconditionFailure("a unit has a history") }
    var result = first.history
    for (other, history) in found.dropFirst() {
      do {
        try result.adopt(history)
      } catch let error as MergeError {
        throw error.failure(other, history.document, comparedWith: first.file, result.document)
      } catch let error as DocumentError {
        throw error.failure(in: other)
      } catch let error as EditError {
        throw Failure(.damaged, file: other, "\(error)")
      }
    }
    return result
  }

  /// Reads a history.
  func readHistory(
    _ file: FileName, _ shown: FileName
  ) throws(Failure) -> (history: PlainHistory, identity: FileIdentity) {
    let contents: FileContents
    do throws(HostError) {
      contents = try host.read(file, limit: Invocation.inputLimit, beginning: .document)
    } catch {
      throw error.whileReading(shown)
    }
    let document = try invocation.parseDocument(contents.bytes, from: shown)
    guard let history = PlainHistory(document: document) else {
      throw Failure(.damaged, file: shown, "is no history of a plain file")
    }
    return (history, contents.identity)
  }

  /// All changes of some copies of one history, of which there is at least one.
  private static func union(
    of copies: [(file: FileName, history: PlainHistory)]
  ) throws(Failure) -> PlainHistory {
    var result = copies[0].history
    let others = copies.dropFirst()
    do throws(MergeError) {
      try result.merge(others.map(\.history))
      return result
    } catch {
      // One after the other, which tells which one is at fault.
    }
    for other in others {
      do throws(MergeError) {
        try result.merge(other.history)
      } catch {
        throw error.failure(
          other.file, other.history.document, comparedWith: copies[0].file, result.document)
      }
    }
    return result
  }

  /// Reads the plain files of a place, and brings in what this machine knows of the history.
  private func open(
    _ place: TrackedPlace, _ history: inout PlainHistory
  ) throws -> OpenPlace {
    let folder = folders[place.folder]
    let file = folder.root.appending(place.path)
    var result = OpenPlace(place: place, contents: nil)
    if let state = PlainFileStates(host).state(of: file),
      state.history.document.id == history.document.id,
      (try? history.merge(state.history)) != nil
    {
      result.state = state
    }
    result.contents = try PlainContents(file, shown: named(place.path, place.folder), host)
    for path in place.fileCopies {
      let name = named(path, place.folder)
      if let contents = try PlainContents(folder.root.appending(path), shown: name, host) {
        result.copies.append((path, contents))
      }
    }
    return result
  }

  // MARK: Recording

  /// Takes in what was saved at a place.
  private mutating func record(
    _ open: inout OpenPlace, into history: inout PlainHistory
  ) throws {
    guard open.contents != nil else { return }
    open.contents?.takeMarker(of: history)
    for index in open.copies.indices { open.copies[index].contents.takeMarker(of: history) }
    guard let contents = open.contents else { return }
    let name = named(open.place.path, open.place.folder)
    let rest =
      ([contents] + open.copies.map(\.contents)).map { $0.restlessness(at: host.now) }
      .max() ?? 0
    if rest > 0 {
      open.isBusy = true
      return runAgain(in: rest)
    }
    if contents.bytes.isEmpty, !history.text.isEmpty, open.memory?.text.isEmpty != true {
      throw Failure(
        .unreadable, file: name,
        "is empty, but was not before, and was left alone; to have it empty, write a line end into it"
      )
    }
    do {
      let before = history.document.changeCount
      let recording = try history.record(
        contents.file, memory: open.memory, copies: open.copies.map(\.contents.file),
        after: open.state?.guesses ?? [])
      var guesses = [recording.guess]
      var isEarly = recording.finding == .early
      for copy in open.copies {
        let others = open.copies.filter { $0.path != copy.path }.map(\.contents.file)
        let recording = try history.record(
          copy: copy.contents.file, of: contents.file, beside: others)
        guesses.append(recording.guess)
        if recording.finding == .early { isEarly = true }
      }
      if isEarly {
        open.isBusy = true
        report(.early(name))
      }
      open.state = PlainFileState(
        history: history,
        memory: PlainMemory(after: recording.finding, contents.file, open.memory, now: host.now),
        guesses: open.state?.guesses ?? [])
      for guess in guesses { open.state?.remember(guess) }
      let count = history.document.changeCount - before
      if count > 0 {
        report(.recorded(name, count))
      } else if recording.guess != nil, contents.file.isSavedHere, open.memory != nil {
        report(.putBack(name))
      }
    } catch let error as DocumentError {
      throw error.failure(in: name)
    } catch let error as EditError {
      throw Failure(.damaged, file: name, "cannot be recorded: \(error)")
    } catch let error as MergeError {
      throw error.failure(name, history.document, comparedWith: name, history.document)
    }
  }

  /// Makes lines count once that came in twice.
  private func countTwinsOnce(in history: inout PlainHistory, _ unit: TrackedUnit) throws {
    let name = shown(unit)
    do {
      try history.countTwinsOnce()
    } catch let error as DocumentError {
      throw error.failure(in: name)
    } catch let error as EditError {
      throw Failure(.damaged, file: name, "cannot be recorded: \(error)")
    }
  }

  /// A tracked file, or where it was, as people are told of it.
  func shown(_ unit: TrackedUnit) -> FileName {
    named(unit.path, unit.places.first?.folder ?? unit.tombstones[0].folder)
  }

  // MARK: Writing

  /// Writes the history of a place if it lacks anything.
  ///
  /// - Returns: whether it held nothing else than what was read.
  private mutating func write(
    _ history: PlainHistory, _ bytes: [UInt8], at place: TrackedPlace
  ) throws -> Bool {
    try write(history, bytes, to: place.path.history, place.folder, .tracked)
  }

  /// The same for a history at a path, which may be in the trash.
  mutating func write(
    _ history: PlainHistory, _ bytes: [UInt8], to path: RelativePath, _ folder: Int,
    _ kind: OpenFolder.Kind
  ) throws -> Bool {
    let open = folders[folder]
    let known = (kind == .tracked ? open.tracked : open.trackedTrash)[path]?.checksum
    if known?.elementsEqual(bytes.suffix(32)) ?? false || isDryRun || !mayWrite(to: folder) {
      return true
    }
    let name = named(path, folder)
    try makeDirectories(above: path, folder)
    let state = history.document.state
    let replacement = Replacement(of: open.root.appending(path), expecting: .any, host: host)
    var isKnown = true
    _ = try replacement(
      verify: { try state.check($0, name) },
      compute: { contents in
        isKnown = true
        if let contents {
          let present = try invocation.parseDocument(contents.bytes, from: name)
          let isPart = present.isPart(of: history.document)
          isKnown = present.id != history.document.id || isPart
        }
        return Replacement.Proposal(bytes: isKnown ? bytes : nil, report: ())
      })
    guard isKnown else { return false }
    let summary = TrackedSummary.summary(of: history, checksum: Array(bytes.suffix(32)))
    open.record(summary, at: path, kind)
    return true
  }

  /// Writes the plain file of a place if it is behind, keeps what it shows, and moves away conflict
  /// copies.
  ///
  /// - Returns: whether nothing was written meanwhile by others.
  private mutating func finish(
    _ open: inout OpenPlace, _ history: PlainHistory, _ copies: [HistoryCopy]
  ) throws -> Bool {
    let place = open.place
    guard mayWrite(to: place.folder) else { return true }
    let file = folders[place.folder].root.appending(place.path)
    var identity = open.contents?.identity
    let text = history.text
    let fileText = history.fileText
    if let contents = open.contents, !open.isBusy {
      var memory = PlainMemory(
        shown: history.document.heads, text: text, modified: contents.file.modified,
        since: host.now, floor: open.memory?.floor ?? [])
      if fileText.utf8.elementsEqual(contents.bytes) {
        if let known = open.memory, known.shown == memory.shown { memory.since = known.since }
      } else {
        guard try write(fileText, over: contents, at: place) else { return false }
        if isDryRun { return true }
        // What an editor has saved since then is for the next round.
        guard
          let written = try PlainContents(
            file, shown: named(place.path, place.folder), host, holding: fileText)
        else { return false }
        identity = written.identity
        memory.modified = written.file.modified
      }
      open.state?.memory = memory
    }
    if isDryRun { return true }
    try clearAway(copies, of: place)
    if open.isBusy { return true }
    if var state = open.state {
      state.history = history
      try PlainFileStates(host).keep(state, of: file)
    }
    guard open.contents != nil else { return true }
    try clearAwayFileCopies(of: open)
    if let identity, let summary = folders[place.folder].tracked[place.path.history] {
      folders[place.folder].record(summary, at: place.path, identity, .settled)
    }
    return true
  }

  /// Puts a text in the place of what was read of a plain file.
  ///
  /// - Returns: whether the file still was what had been read.
  private mutating func write(
    _ text: String, over contents: PlainContents, at place: TrackedPlace
  ) throws -> Bool {
    let name = named(place.path, place.folder)
    let replacement = Replacement(
      of: folders[place.folder].root.appending(place.path), expecting: .existing, host: host)
    let written: Replacement.Outcome<Bool> = try replacement(dryRun: isDryRun) { present in
      let isSame = present?.bytes == contents.bytes
      return Replacement.Proposal(bytes: isSame ? Array(text.utf8) : nil, report: isSame)
    }
    if written.report { report(.taken(name)) }
    return written.report
  }
}

extension Document {
  /// Whether another document holds all that this one holds.
  fileprivate func isPart(of other: Document) -> Bool {
    other.places(ofChanges: heads).allSatisfy { $0 != nil }
  }
}
