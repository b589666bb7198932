import Peernote

/// Brings folders of documents together: the same notes in all, each with every change.
///
/// Three steps, each of which leaves things so that another run finishes what a killed one began:
/// 1. Copies of a document are merged, wherever they are; what changed is written to each.
/// 2. Deleted notes go to the trash, renamed ones are renamed everywhere, and those that a folder
///    lacks are copied to it.
/// 3. Conflict copies whose changes are in their note go to the trash.
///
/// Tracked plain files follow. Of Automerge documents only the conflict copies in one folder are folded.
///
/// A file that is missing is never taken for a deletion. A file that stayed as it was is not
/// opened. With one folder this folds its conflict copies.
struct FolderSync {
  var folders: [OpenFolder]
  /// Which folders may be written to; none in which that failed.
  var isWritable: [Bool]
  /// Whether all copies of a document in one folder are made one.
  var matchesByID = false
  /// Whether it is also said what no run does.
  var tellsOpen = false
  var backups = BackupPolicy()
  /// After how many days what lies in the trash is removed; 0 for never.
  var trashDays = 30
  let invocation: Invocation
  private(set) var outcome = SyncOutcome()
  /// How many notes there are that are not deleted.
  private(set) var noteCount = 0
  /// What git says of directories, as far as that was asked for.
  var gitFolders: [FileName: [FileName: GitFileState]?] = [:]
  /// What histories of the tracked file that is looked at have got, which is said if nothing else is.
  var historyNews: [SyncOutcome.Event] = []
  /// New files that are no text.
  var unreadable: [FileName] = []

  init(_ folders: [OpenFolder], _ invocation: Invocation) {
    self.folders = folders
    self.invocation = invocation
    isWritable = folders.map { _ in true }
  }

  var host: any Host { invocation.host }

  /// Does it all; what fails for one note does not stop the others, but for an interrupt.
  mutating func callAsFunction() throws -> SyncOutcome {
    defer { for folder in folders where folder.isStillThere { folder.save() } }
    for folder in folders.indices where mayWrite(to: folder) { try restoreHistories(in: folder) }
    for (number, folder) in folders.enumerated() {
      if !folder.faults.isEmpty, isGone(number) { continue }
      folder.faults.forEach { outcome.fail($0) }
      outcome.warnings += folder.trashFaults
    }
    // What killed runs have left; what a living one writes stays.
    for (folder, open) in zip(folders.indices, folders) where mayWrite(to: folder) {
      for path in open.listing.temporaries { _ = host.removeAbandoned(open.root.appending(path)) }
    }
    let found = folders.units(matchingByID: matchesByID)
    var units: [NoteUnit] = []
    for (index, unit) in found.enumerated() {
      invocation.console.progress("looking at note \(index + 1) of \(found.count)")
      try attempt(nil) { sync in units.append(try sync.mergeCopies(of: unit)) }
    }
    // Deleted notes make room for the names of others.
    for unit in units where unit.isDeleted { try clearAway(unit) }
    let live = units.filter { !$0.isDeleted }
    try applyDocumentNames(to: live)
    for unit in live { try clearAway(unit) }
    let trackedCount = try bringTrackedTogether()
    for folder in folders.indices where mayWrite(to: folder) { emptyTrash(of: folder) }
    sayUntracked()
    sayOthers()
    noteCount = live.count + trackedCount
    if folders.count == 1 { noteCount += try foldAutomergeCopies(in: 0) }
    return outcome
  }

  /// Says which files are other copies of notes, and which are notes of another kind.
  private mutating func sayOthers() {
    for folder in folders {
      for path in folder.documents.paths where !matchesByID {
        guard let summary = folder.documents[path], let first = folder.firstCopy(of: path, summary)
        else { continue }
        report(.otherCopy(folder.shownFile(path), of: folder.shownFile(first), folder: folder.name))
      }
      let files = folder.automergeFiles
      if !files.isEmpty, folders.count > 1 || tellsOpen { report(.automerge(folder.name, files)) }
    }
  }

  /// Says what is open in notes, and what tracked files and texts are not as they are to be, unless it
  /// is told already.
  mutating func sayOpen(besides earlier: SyncOutcome) {
    outcome = earlier
    let told = Set(
      outcome.events.compactMap { event -> FileName? in
        switch event {
        case .conflicts(let file, _), .takenOut(let file, _), .tracked(let file): file
        default: nil
        }
      })
    for (number, folder) in folders.enumerated() {
      func name(_ path: RelativePath) -> FileName { folder.shownFile(path) }
      func sayOpen(_ path: RelativePath, _ summary: DocumentSummary, takenOut: Int = 0) {
        let conflicts = summary.conflictCount
        if conflicts + takenOut == 0 || told.contains(name(path)) { return }
        outcome.events.append(.open(name(path), conflicts: conflicts, takenOut: takenOut))
      }
      for path in folder.livePaths { folder.documents[path].map { sayOpen(path, $0) } }
      for path in folder.trackedPaths.sorted() {
        guard let summary = folder.tracked[path.history], !summary.isDeleted else { continue }
        if folder.listing.others[path] == nil { report(.missing(name(path))) }
        let first = folder.tracked.paths(of: summary.id).compactMap(\.plainFile)
          .filter { folder.listing.others[$0] != nil }.min()
        if let first, first < path {
          report(.sameHistory(name(path), as: name(first), folder: folder.name))
        }
        let left = states.state(of: file(path, number))?.missingLines ?? []
        sayOpen(path, summary, takenOut: left.reduce(0) { $0 + $1.lines.count })
      }
      // What is called a text, and holds something else, cannot be tracked.
      let texts = folder.untrackedTexts.filter { path in
        !told.contains(name(path)) && (try? contents(path, number)) != nil
      }.map(name)
      if !texts.isEmpty { report(.untrackedTexts(folder.name, texts)) }
    }
  }

  func mayWrite(to folder: Int) -> Bool { isWritable[folder] }

  /// Does something for one note, if the folder that is written to is there still, and keeps a failure
  /// without stopping the others; throws if the run was interrupted.
  mutating func attempt(
    _ folder: Int?, _ body: (inout FolderSync) throws -> Void
  ) throws {
    if let folder, isGone(folder) { return }
    do {
      try body(&self)
    } catch let rest as Restless {
      runAgain(in: rest.milliseconds)
    } catch var failure as Failure {
      if failure.status == .interrupted { throw failure }
      // A disk that is full is so for most that would follow.
      if let folder, failure.status == .ioError {
        isWritable[folder] = false
        failure.message += "; no more is written to \(folders[folder].name.visible) by this run"
      }
      let gone = folders.indices.filter { isGone($0) }
      if let file = failure.file, gone.contains(where: { folders[$0].holds(file) }) { return }
      outcome.fail(failure)
    }
  }

  /// Whether a folder is gone since it was looked at, as a stick that was pulled out, which is said
  /// once.
  private mutating func isGone(_ folder: Int) -> Bool {
    if folders[folder].isStillThere { return false }
    isWritable[folder] = false
    outcome.fail(
      Failure(
        .ioError, file: folders[folder].name,
        "cannot be reached any more; run it again once it is back"))
    return true
  }

  /// Asks for another run after so many milliseconds.
  mutating func runAgain(in milliseconds: Int64) {
    outcome.pause = max(outcome.pause ?? 0, milliseconds)
  }

  mutating func report(_ event: SyncOutcome.Event) { outcome.events.append(event) }

  // MARK: Merging

  /// Merges the copies of a note if they differ, writes each that lacks something, and gives the note
  /// as it is then.
  ///
  /// A document that was deleted by someone who did not know of all edits is brought back.
  private mutating func mergeCopies(of unit: NoteUnit) throws -> NoteUnit {
    var unit = unit
    let isOutdated = unit.summary.deletion.map { !$0.isCurrent } ?? false
    let differs = unit.copies.contains { $0.summary.checksum != unit.summary.checksum }
    guard differs || isOutdated else { return unit }
    var seen: Set<[UInt8]> = []
    let files = unit.copies.filter { seen.insert($0.summary.checksum).inserted }.map(file)
    func read(_ file: FileName, _ other: Document?) throws(Failure) -> Document {
      let document = try invocation.readDocument(file, beside: other)
      if document.id == unit.id { return document }
      throw Failure(.tryAgain, file: file, "became another document meanwhile; try again")
    }
    var document = try read(files[0], nil)
    let others = Array(files.dropFirst())
    let reports = try document.merge(others, into: files[0]) { (number, other) throws(Failure) in
      try read(others[number], other)
    }
    let conflicts = reports.last?.conflicts ?? []
    // The others may be folded into it.
    let name = shown(unit.copies.first { $0.role == .note } ?? unit.copies[0])
    let deleted = unit.copies.first(where: \.summary.isDeleted)
    try withdrawDeletion(
      in: &document, name, deleted: deleted, isNews: deleted != nil || isOutdated)
    let merged = DocumentSummary(of: document, checksum: Array(document.bytes().suffix(32)))
    (unit.summary, unit.document) = (merged, document)
    for (index, copy) in unit.copies.enumerated() {
      // What is folded is read no more, and a note that came back does not stay in the trash.
      let isKept = copy.role == .note || copy.role == .tombstone && unit.isDeleted
      guard isKept, copy.summary.checksum != merged.checksum, mayWrite(to: copy.folder) else {
        continue
      }
      try attempt(copy.folder) { sync in
        unit.copies[index].summary = try sync.write(document, to: copy)
      }
      if unit.copies[index].summary.checksum == merged.checksum { unit.document = nil }
    }
    if !conflicts.isEmpty { report(.conflicts(name, conflicts)) }
    return unit
  }

  /// Brings all changes of a document into a copy's file, whatever it holds by now, and gives what
  /// it holds then.
  private mutating func write(
    _ document: Document, to copy: NoteCopy
  ) throws -> DocumentSummary {
    let (file, name) = (file(copy), shown(copy))
    var target = DocumentFile(file, invocation)
    (target.backups, target.action) = (backups, .merge)
    let written = try target { bytes in
      var own = try invocation.parseDocument(bytes ?? [], from: file)
      let report: MergeReport
      do throws(MergeError) {
        report = try own.merge(document)
      } catch {
        throw error.failure(file, own, comparedWith: file, document)
      }
      let bytes = own.bytes()
      let summary = DocumentSummary(of: own, checksum: Array(bytes.suffix(32)))
      return DocumentFile.Proposal(bytes, own.state, report: (merge: report, summary: summary))
    }
    let (merge, summary) = written.report
    if !written.hasChanged { return summary }
    folders[copy.folder].record(
      summary, at: copy.path, copy.role == .tombstone ? .trash : .documents)
    if copy.role == .note {
      report(.merged(name, ChangeTally(merge.newChanges)))
      if !merge.takenOut.isEmpty { report(.redacted(name, merge.takenOut)) }
    }
    return summary
  }

  func file(_ copy: NoteCopy) -> FileName { folders[copy.folder].root.appending(copy.path) }

  /// The file of a copy, as people are told of it.
  func shown(_ copy: NoteCopy) -> FileName { folders[copy.folder].shownFile(copy.path) }
}
